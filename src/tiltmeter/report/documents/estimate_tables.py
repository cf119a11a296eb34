"""Tables and forest plots of estimates: the same columns wherever estimates are shown."""

import re
from collections.abc import Iterable, Sequence

from tiltmeter.core.results import Estimate
from tiltmeter.report.columns import (
    TableRows,
    interval_columns,
    neutral_column,
    p_column,
    significant,
    value_column,
)
from tiltmeter.report.document import BOTH, FILES_ONLY, PAGE, Bars, Column, On, Table
from tiltmeter.report.documents.families import FEW
from tiltmeter.report.few_items import few_note
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.plots.scale import Scale
from tiltmeter.report.text import (
    Labels,
    adjustment,
    axis_title,
    counted,
    number,
    p_text,
    span,
    subset,
    title,
    value_with_unit,
    why_undefined,
)

NUMBER = re.compile(r"(?:(?<!\w)−)?\d+(?:,\d{3})*(?:\.\d+)?")
INTERVAL, P, COUNT, MDE = 1, 2, 3, 4
"""What a narrow terminal leaves out: the highest first. Bars go before p and after MDE."""


def estimate_table(
    heading: str, rows: Sequence[Row], *, scale: Scale | None = None, name: str = "", on: On = BOTH
) -> Table:
    """One measure over several subsets, a row each, with a forest plot in letters.

    Args:
        heading: What the table is, without the unit, which is added.
        rows: At least one; of measures with one unit and one neutral value.
        scale: To share one axis between several tables.
        name: In files.
        on: Where it is shown.
    """
    found = [row.estimate for row in rows]
    labels, unit, of = [row.label for row in rows], found[0].unit, TableRows(found)
    bare = of.numbers("p, unadjusted", lambda e: e.p, p_text, on=PAGE, name="p_unadjusted")
    return Table(
        f"{heading}, {unit}" if unit else heading,
        [
            *_names(labels, found),
            of.counts("n", lambda e: e.n),
            value_column(found),
            *interval_columns(found, drop=INTERVAL),
            p_column(found, drop=P),
            *([bare] if adjustment(found) else []),
            of.numbers("MDE", lambda e: e.mde, lambda v: number(v, unit), drop=MDE, name="mde"),
        ],
        strong=significant(found),
        notes=[*few_note(found), *said_once(labels, remarks(found))],
        brief=[*few_note(found), *said_briefly(labels, remarks(found))],
        bars=Bars(found, scale),
        name=name,
        on=on,
    )


def others_table(estimates: Sequence[Estimate], labels: Sequence[str]) -> Table:
    """Several measures, a row each, with their units; parts of one are indented."""
    return Table(
        "Other measures",
        [
            *_names(labels, estimates),
            value_column(estimates, show=value_with_unit),
            *interval_columns(estimates, drop=INTERVAL),
            neutral_column(estimates, drop=P),
            TableRows(estimates).counts("n", lambda e: e.n, drop=COUNT),
        ],
        depths=[int(bool(e.groups)) for e in estimates],
        notes=said_once([_named(e) for e in estimates], remarks(estimates)),
        brief=said_briefly([_named(e) for e in estimates], remarks(estimates)),
        name="other-measures",
        most=len(estimates),
    )


def full_table(estimates: Sequence[Estimate], labels: Labels) -> Table:
    """Every number with all that is known of it, folded on the page."""
    of = TableRows(estimates)
    several = len({e.model for e in estimates}) > 1

    def why(e: Estimate) -> str:
        return f"undefined: {why_undefined(e)}" if e.value is None else e.why

    return Table(
        f"All {counted(len(estimates), 'estimates')}",
        [
            of.words("Measure", title, name="title"),
            of.words("Model", lambda e: e.model, name="model", on=PAGE if several else FILES_ONLY),
            of.words("Items", lambda e: subset(e.groups, labels), name="items"),
            *_of_files(estimates),
            of.counts("n", lambda e: e.n),
            value_column(
                estimates, "Value", lambda e: "" if e.value is None else value_with_unit(e), name="value"
            ),
            *interval_columns(estimates, "Interval", span),
            of.numbers("p", lambda e: e.p, p_text),
            of.numbers(f"p, {adjustment(estimates)}", lambda e: e.p_adjusted, p_text, name="p_adjusted"),
            of.shown("MDE", lambda e: e.mde,
                     lambda e: "" if e.mde is None else number(e.mde, e.unit), name="mde"),
            neutral_column(estimates, title="Neutral", drop=0),
            of.counts("Tied", lambda e: e.tied if e.ties else None, name="tied"),
            of.words("Why", why, name="why"),
            of.words("Interval by", lambda e: e.interval, name="interval_by"),
            of.words("Test", lambda e: e.test, name="test"),
            of.words("Rule", lambda e: e.rule, name="rule"),
        ],
        strong=significant(estimates),
        folded=True,
        on=PAGE,
        name="estimates",
    )  # fmt: skip


def remarks(estimates: Sequence[Estimate]) -> list[list[str]]:
    """What there is to know of each row."""
    return [
        [f"undefined: {why_undefined(e)}"] if e.value is None else e.why.split("; ")
        for e in estimates
    ]


def said_briefly(labels: Sequence[str], remarks: Sequence[Iterable[str]]) -> list[str]:
    """As `said_once`, with remarks that differ in their numbers only as one, which gives their range.

    >>> said_briefly(["a", "b", "c"], [["only 3 terms"], ["only 12 terms"], []])
    ['a; b: only 3 to 12 terms']
    >>> said_briefly(["a", "b", "c"], [["−2 by chance"], ["−0.5 by chance"], ["1 by chance"]])
    ['all 3 rows: −2 to 1 by chance']
    """
    kinds: dict[str, list[str]] = {}
    for text in dict.fromkeys(text for texts in remarks for text in texts):
        kinds.setdefault(NUMBER.sub("#", text), []).append(text)
    one = {text: _ranged(texts) for texts in kinds.values() for text in texts}
    return said_once(labels, [[one[text] for text in texts] for texts in remarks])


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def _ranged(texts: Sequence[str]) -> str:
    """Texts that differ in numbers only as one text, with the lowest and the highest of each."""
    numbers = iter(zip(*(NUMBER.findall(text) for text in texts), strict=True))

    def span_of(_: re.Match[str]) -> str:
        found = sorted({*next(numbers)}, key=_number)
        return found[0] if len(found) == 1 else f"{found[0]} to {found[-1]}"

    return NUMBER.sub(span_of, texts[0])


def said_once(labels: Sequence[str], remarks: Sequence[Iterable[str]]) -> list[str]:
    """Remarks of several rows, each said once, those of the same rows together.

    >>> said_once(["a", "b"], [["rough", "few"], ["few"]])
    ['a: rough', 'both rows: few']
    """
    about: dict[str, list[str]] = {}
    for label, texts in zip(labels, remarks, strict=True):
        for text in dict.fromkeys(texts):
            if text:
                about.setdefault(text, []).append(label)
    found: dict[tuple[str, ...], list[str]] = {}
    for text, rows in about.items():
        found.setdefault(tuple(rows), []).append(text)
    return [f"{which(rows, len(labels))}: {'; '.join(texts)}" for rows, texts in found.items()]


def which(rows: Sequence[str], of: int) -> str:
    """The rows by name, or how many they are.

    >>> which(["a", "b"], 9), which(list("abcde"), 9), which(list("abcde"), 5), which(["a"], 1)
    ('a; b', '5 of 9 rows', 'all 5 rows', 'a')
    """
    if len(rows) == of > 1:
        return "both rows" if of == 2 else f"all {of:,} rows"  # noqa: PLR2004
    return "; ".join(rows) if len(rows) <= FEW else f"{len(rows):,} of {of:,} rows"


def _named(estimate: Estimate) -> str:
    return f"{title(estimate)}{f', {subset(estimate.groups)}' if estimate.groups else ''}"


def _names(labels: Sequence[str], estimates: Sequence[Estimate]) -> list[Column]:
    """What each row is, and for files of which measure and which subset."""
    return [Column("", labels, number=False, name="items"), *_of_files(estimates)]


def _of_files(estimates: Sequence[Estimate]) -> list[Column]:
    """Measure, unit, and a column an axis."""
    of, axes = TableRows(estimates), dict.fromkeys(axis for e in estimates for axis in e.groups)
    return [
        *of.hidden({"measure": lambda e: e.name}),
        *(Column(axis_title(axis), [e.groups.get(axis) for e in estimates], on=FILES_ONLY, name=axis)
          for axis in axes),
        *of.hidden({"unit": lambda e: e.unit}),
    ]  # fmt: skip


def rows_of(estimates: Iterable[Estimate], labels: Labels, *, with_axis: bool = False) -> list[Row]:
    """A row each, named by its subset."""
    return [Row(subset(e.groups, labels, with_axis=with_axis), e) for e in estimates]
