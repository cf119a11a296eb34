"""Tables and forest plots of estimates: the same columns wherever estimates are shown."""

from collections.abc import Iterable, Mapping, Sequence

from tiltmeter.core.results import Estimate
from tiltmeter.report.document import (
    BOTH,
    FILES_ONLY,
    PAGE,
    Bars,
    Column,
    On,
    Table,
)
from tiltmeter.report.documents.families import FEW
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.plots.scale import Scale
from tiltmeter.report.text import (
    adjustment,
    axis_title,
    counted,
    final_p,
    is_significant,
    neutral_text,
    number,
    p_text,
    span,
    subset,
    title,
    why_undefined,
    with_unit,
)

INTERVAL, P, MDE, COUNT = 1, 2, 4, 5
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
    unit = found[0].unit
    labels = [row.label for row in rows]
    columns = [
        Column("", labels, str, number=False, name="items"),
        *_of_files(found),
        Column("n", [e.n for e in found], "{:,}".format),
        Column("value", [e.value for e in found], shown=[_value(e) for e in found]),
        *bounds(found),
        *_tests(found),
        Column("MDE", [e.mde for e in found], lambda v: number(float(v or 0), unit), drop=MDE,
               name="mde"),
    ]  # fmt: skip
    return Table(
        f"{heading}, {unit}" if unit else heading,
        columns,
        strong=[bool(is_significant(e)) for e in found],
        notes=remarks(labels, found),
        bars=Bars(found, scale),
        name=name,
        on=on,
    )


def others_table(estimates: Sequence[Estimate], labels: Sequence[str]) -> Table:
    """Several measures, a row each, with their units; parts of one are indented."""
    return Table(
        "Other measures",
        [
            Column("", labels, str, number=False, name="items"),
            *_of_files(estimates),
            Column("value", [e.value for e in estimates],
                   shown=["undefined" if e.value is None else with_unit(e.value, e.unit)
                          for e in estimates]),
            *bounds(estimates),
            Column("neutral", [e.neutral for e in estimates], drop=P,
                   shown=[neutral_text(e) for e in estimates]),
            Column("n", [e.n for e in estimates], "{:,}".format, drop=3),
        ],
        depths=[int(bool(e.groups)) for e in estimates],
        notes=remarks([_named(e) for e in estimates], estimates),
        name="other-measures",
        most=len(estimates),
    )  # fmt: skip


def full_table(estimates: Sequence[Estimate], labels: Mapping[str, Mapping[str, str]]) -> Table:
    """Every number with all that is known of it, folded on the page."""
    found = list(estimates)
    adjusted = adjustment(found)
    units = [e.unit for e in found]
    why = [f"undefined: {why_undefined(e)}" if e.value is None else e.why for e in found]
    several = len({e.model for e in found}) > 1
    return Table(
        f"All {counted(len(found), 'estimates')}",
        [
            Column("Measure", [title(e) for e in found], str, number=False, name="title"),
            Column("Model", [e.model for e in found], str, number=False, name="model",
                   on=PAGE if several else FILES_ONLY),
            Column("Items", [subset(e.groups, labels) for e in found], str, number=False,
                   name="items"),
            *_of_files(found),
            Column("n", [e.n for e in found], "{:,}".format),
            Column("Value", [e.value for e in found], name="value",
                   shown=["" if e.value is None else with_unit(e.value, e.unit) for e in found]),
            *bounds(found, heading="Interval", between=" to "),
            Column("p", [e.p for e in found], _p),
            Column(f"p, {adjusted}", [e.p_adjusted for e in found], _p, name="p_adjusted"),
            Column("MDE", [e.mde for e in found], name="mde",
                   shown=["" if e.mde is None else number(e.mde, unit)
                          for e, unit in zip(found, units, strict=True)]),
            Column("Neutral", [e.neutral for e in found], shown=[neutral_text(e) for e in found],
                   name="neutral"),
            Column("Tied", [e.tied if e.ties else None for e in found], "{:,}".format, name="tied"),
            Column("Why", why, str, number=False, name="why"),
            Column("Interval by", [e.interval for e in found], str, number=False, name="interval_by"),
            Column("Test", [e.test for e in found], str, number=False, name="test"),
            Column("Rule", [e.rule for e in found], str, number=False, name="rule"),
        ],
        strong=[bool(is_significant(e)) for e in found],
        folded=True,
        on=PAGE,
        name="estimates",
    )  # fmt: skip


def bounds(
    estimates: Sequence[Estimate],
    heading: str = "interval",
    between: str = "–",
    drop: int = INTERVAL,
) -> list[Column]:
    """The interval as a person reads it, and its two ends for files."""
    return [
        Column(heading, [None] * len(estimates), shown=["" if e.value is None else span(e, between)
                                                         for e in estimates],
               drop=drop, in_files=False),
        Column("low", [e.low for e in estimates], on=FILES_ONLY),
        Column("high", [e.high for e in estimates], on=FILES_ONLY),
    ]  # fmt: skip


def remarks(labels: Sequence[str], estimates: Sequence[Estimate]) -> list[str]:
    """What there is to know of single rows: each remark once, with the rows that it is about."""
    said = [
        [f"undefined: {why_undefined(e)}"] if e.value is None else e.why.split("; ")
        for e in estimates
    ]
    return said_once(labels, said)


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


def _of_files(estimates: Sequence[Estimate]) -> list[Column]:
    """Measure, unit, and a column an axis."""
    axes = dict.fromkeys(axis for e in estimates for axis in e.groups)
    return [
        Column("measure", [e.name for e in estimates], on=FILES_ONLY),
        *(
            Column(axis_title(axis), [e.groups.get(axis) for e in estimates], on=FILES_ONLY, name=axis)
            for axis in axes
        ),
        Column("unit", [e.unit for e in estimates], on=FILES_ONLY),
    ]  # fmt: skip


def _tests(estimates: Sequence[Estimate]) -> list[Column]:
    """The p that counts, and where it was adjusted also as it was."""
    adjusted = adjustment(estimates)
    heading = f"p ({adjusted})" if adjusted else "p"
    found = [Column(heading, [final_p(e) for e in estimates], _p, drop=P, name="p")]
    if adjusted:
        bare = Column("p, unadjusted", [e.p for e in estimates], _p, on=PAGE, name="p_unadjusted")
        found.append(bare)
    return found


def _p(value: object) -> str:
    return p_text(value) if isinstance(value, float | int) else ""


def _value(estimate: Estimate) -> str:
    return "undefined" if estimate.value is None else number(estimate.value, estimate.unit)


def rows_of(
    estimates: Iterable[Estimate],
    labels: Mapping[str, Mapping[str, str]],
    *,
    with_axis: bool = False,
) -> list[Row]:
    """A row each, named by its subset."""
    return [Row(subset(e.groups, labels, with_axis=with_axis), e) for e in estimates]
