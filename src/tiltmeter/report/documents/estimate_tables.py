"""Tables of estimates, with the same columns wherever estimates are shown."""

from collections import Counter
from collections.abc import Iterable, Sequence

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import counted
from tiltmeter.report import columns, text
from tiltmeter.report.document import BOTH, FILES_ONLY, PAGE, Bars, Column, On, Table
from tiltmeter.report.few_items import are_too_few
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.plots.scale import Scale
from tiltmeter.report.row_remarks import said_once
from tiltmeter.report.value_marks import apart_mark, apart_note, mark_notes

INTERVAL, P, COUNT, MDE = 1, 2, 3, 4
"""The order in which a narrow terminal leaves columns out, the highest number first.

Bars are left out after MDE and counts, and before p; see `terminal.BAR_DROP`.
"""
LISTED, REASONS = 8, 3
"""How many undefined estimates the page's table of all numbers lists one by one, and how many reasons a note
gives for more of them."""


def estimate_table(
    heading: str, rows: Sequence[Row], *, scale: Scale | None = None, name: str = "", on: On = BOTH
) -> Table:
    """One measure over several subsets, with one row for each and a forest plot in characters.

    All rows have the same unit, which is added to the heading, and the same neutral value. Several tables may
    share a scale.
    """
    estimates = [row.estimate for row in rows]
    labels, unit, of = [row.label for row in rows], estimates[0].unit, columns.TableRows(estimates)
    bare = of.numbers("p, unadjusted", lambda e: e.p, text.p_text, on=PAGE, name="p_unadjusted")
    shown = [
        *_names(labels, estimates),
        of.counts("n", lambda e: e.n),
        columns.value_column(estimates),
        *columns.interval_columns(estimates, drop=INTERVAL),
        columns.p_column(estimates, drop=P),
        *([bare] if text.adjustment(estimates) else []),
        of.numbers("MDE", lambda e: e.mde, lambda v: text.number(v, unit), drop=MDE, name="mde"),
    ]
    few, about = mark_notes(estimates), remarks(estimates)
    return Table(
        f"{heading}, {unit}" if unit else heading, shown, columns.significant(estimates),
        notes=[*few, *said_once(labels, about)], brief=few, remarks=[*zip(labels, about, strict=True)],
        bars=Bars(estimates, scale), name=name, on=on, too_few=[are_too_few([e]) for e in estimates],
    )  # fmt: skip


def others_table(estimates: Sequence[Estimate], labels: Sequence[str]) -> Table:
    """Several measures with their units, one row for each; the rows of a measure's subsets are indented."""
    shown = [
        *_names(labels, estimates),
        columns.value_column(estimates, show=_with_unit),
        *columns.interval_columns(estimates, drop=INTERVAL),
        columns.neutral_column(estimates, drop=P),
        columns.TableRows(estimates).counts("n", lambda e: e.n, drop=COUNT),
    ]
    names, about, marks = [_named(e) for e in estimates], remarks(estimates), apart_note(estimates)
    return Table(
        "Other measures", shown, depths=[int(bool(e.groups)) for e in estimates],
        notes=[*marks, *said_once(names, about)], brief=marks,
        remarks=[*zip(names, about, strict=True)], name="other-measures",
        most=len(estimates), too_few=[are_too_few([e]) for e in estimates],
    )  # fmt: skip


def full_table(
    estimates: Sequence[Estimate], labels: text.Labels, *, most: int | None = None
) -> Table:
    """The table of all estimates with all their fields, collapsed on the page; or of the first `most`."""
    total, estimates = len(estimates), estimates[:most]
    of = columns.TableRows(estimates)
    several = len({e.model for e in estimates}) > 1

    def why(e: Estimate) -> str:
        return f"undefined: {text.why_undefined(e)}" if e.value is None else e.why

    shown = [
        of.words("Measure", text.title, name="title"),
        of.words("Model", text.models_of, name="model", on=PAGE if several else FILES_ONLY),
        of.words("Items", lambda e: text.subset(e.groups, labels), name="items"),
        *_of_files(estimates),
        of.counts("n", lambda e: e.n),
        columns.value_column(
            estimates, "Value", lambda e: "" if e.value is None else _with_unit(e), name="value"
        ),
        *columns.interval_columns(estimates, "Interval", text.span),
        of.numbers("p", lambda e: e.p, text.p_text),
        of.numbers(f"p, {text.adjustment(estimates)}", lambda e: e.p_adjusted, text.p_text,
                   name="p_adjusted"),
        of.shown("MDE", lambda e: e.mde,
                 lambda e: "" if e.mde is None else text.number(e.mde, e.unit), name="mde"),
        columns.neutral_column(estimates, title="Neutral", drop=0),
        of.counts("Tied", lambda e: e.tied if e.ties else None, name="tied"),
        of.words("Why", why, name="why"),
        of.words("Interval by", lambda e: e.interval, name="interval_by"),
        of.words("Test", lambda e: e.test, name="test"),
        of.words("Rule", lambda e: e.rule, name="rule"),
        *_of_margins(estimates),
    ]  # fmt: skip
    title, strong = f"All {counted(total, 'estimates')}", columns.significant(estimates)
    lost = [e.value is None for e in estimates] if _undefined(estimates) else []
    if total > len(estimates):
        title = (
            f"The first {len(estimates):,} of {counted(total, 'estimates')}; estimates.json has all"
        )
    return Table(
        title, shown, strong, notes=[*apart_note(estimates), *_undefined(estimates)], files_only=lost,
        folded=True, on=PAGE, name="estimates",
    )  # fmt: skip


def _with_unit(e: Estimate) -> str:
    return text.value_with_unit(e) + apart_mark(e)


def _undefined(estimates: Sequence[Estimate]) -> list[str]:
    """A note on the undefined estimates, with their reasons; none where they are few enough to be listed."""
    reasons = Counter(text.why_undefined(e) for e in estimates if e.value is None)
    if reasons.total() <= LISTED:
        return []
    named = [f"{why} ({count:,})" for why, count in reasons.most_common(REASONS)]
    more = len(reasons) - len(named)
    words = "; ".join([*named, *([f"and {more:,} more reasons"] if more else [])])
    return [
        f"{counted(reasons.total(), 'estimates', 'are')} undefined: {words}. estimates.json has each."
    ]


def _of_margins(estimates: Sequence[Estimate]) -> list[Column]:
    """Columns for files alone: the margin of each difference and the verdict; [] where none has a margin."""
    if not any(e.equivalence for e in estimates):
        return []
    return columns.TableRows([e.equivalence for e in estimates]).hidden({
        "margin": lambda made: made.margin, "equivalence": lambda made: made.verdict,
        "not_worse": lambda made: made.not_worse, "equivalence_low": lambda made: made.low,
        "equivalence_high": lambda made: made.high, "equivalence_level": lambda made: made.level,
    })  # fmt: skip


def remarks(estimates: Sequence[Estimate]) -> list[list[str]]:
    """The remarks about each estimate: why it is undefined, or its notes."""
    return [
        [f"undefined: {text.why_undefined(e)}"] if e.value is None else e.why.split("; ")
        for e in estimates
    ]


def _named(estimate: Estimate) -> str:
    return f"{text.title(estimate)}{f', {text.subset(estimate.groups)}' if estimate.groups else ''}"


def _names(labels: Sequence[str], estimates: Sequence[Estimate]) -> list[Column]:
    """The column that names the rows, and for files those of the measure and the subset."""
    return [Column("", labels, number=False, name="items"), *_of_files(estimates)]


def _of_files(estimates: Sequence[Estimate]) -> list[Column]:
    """Columns for files alone: the measure, each axis and the unit."""
    of = columns.TableRows(estimates)
    axes = dict.fromkeys(axis for e in estimates for axis in e.groups)
    return [
        *of.hidden({"measure": lambda e: e.name}),
        *(Column(text.axis_title(axis), [e.groups.get(axis) for e in estimates], on=FILES_ONLY, name=axis)
          for axis in axes),
        *of.hidden({"unit": lambda e: e.unit}),
    ]  # fmt: skip


def rows_of(
    estimates: Iterable[Estimate], labels: text.Labels, *, with_axis: bool = False
) -> list[Row]:
    """A row for each estimate, named after its subset."""
    return [Row(text.subset(e.groups, labels, with_axis=with_axis), e) for e in estimates]
