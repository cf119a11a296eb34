"""Tables of traits that may have leaked: how many, and which of which group."""

from collections.abc import Callable, Sequence

from tiltmeter.analysis.leakage.leaked_traits import LeakedTrait
from tiltmeter.analysis.leakage.leaks import Leaks
from tiltmeter.analysis.leakage.polarity import POLARITIES
from tiltmeter.data.people.leakage_people import language_name
from tiltmeter.report.columns import TableRows, file_table
from tiltmeter.report.document import PAGE, Block, Table
from tiltmeter.report.documents.leaks.tables import way_columns
from tiltmeter.report.text import counted

NO_JUDGMENT = "no judgment"
"""Of people who were not asked about a group, or too few of whom were."""
Way = tuple[str, str]
"""Source and target."""


def count_table(leaks: Leaks) -> Table:
    """For each target and source, how many traits of which polarity."""
    ways = [(flow.source, flow.target) for flow in leaks.flows if not flow.is_own]
    of = TableRows(ways)
    return Table(
        "",
        [
            *way_columns(ways),
            of.counts("traits", lambda way: len(_judged(leaks, way))),
            *(of.counts(kind, _counter(leaks, kind), drop=1) for kind in POLARITIES),
            of.counts(NO_JUDGMENT, lambda way: len(_of(leaks, way)) - len(_judged(leaks, way)),
                      name="no_judgment"),
        ],
        most=40,
        name="trait_counts",
    )  # fmt: skip


def _of(leaks: Leaks, way: Way) -> list[LeakedTrait]:
    return [one for one in leaks.traits if (one.source, one.target) == way]


def _judged(leaks: Leaks, way: Way) -> list[LeakedTrait]:
    return [one for one in _of(leaks, way) if one.at_target is not None]


def _counter(leaks: Leaks, kind: str) -> Callable[[Way], int]:
    return lambda way: sum(leaks.polarity.get(one.trait) == kind for one in _judged(leaks, way))


def trait_blocks(leaks: Leaks) -> list[Block]:
    """A table for each target language: a row a group and trait, with the cultures that hold it."""
    blocks: list[Block] = []
    for target in leaks.targets:
        table = _trait_table(leaks, target.target)
        if table.rows:
            blocks.append(table)
    return blocks


def _trait_table(leaks: Leaks, target: str) -> Table:
    rows: dict[tuple[str, str], list[LeakedTrait]] = {}
    traits = [one for one in leaks.traits if one.target == target]
    for one in sorted(traits, key=lambda one: (one.at_target is None, one.group, one.rank)):
        rows.setdefault((one.group, one.trait), []).append(one)
    of = TableRows(list(rows.values()))
    return Table(
        f"Into {language_name(target)}: {counted(len(rows), 'traits')} of groups",
        [
            of.words("group", lambda row: row[0].group),
            of.words("trait", lambda row: row[0].trait),
            of.shown("polarity", _polarity(leaks), _polarity(leaks)),
            of.counts("rank", lambda row: row[0].rank),
            of.numbers("target", lambda row: row[0].at_target, _mean, missing=NO_JUDGMENT),
            of.words("held in", _sources),
        ],
        on=PAGE,
        folded=True,
    )  # fmt: skip


def _polarity(leaks: Leaks) -> Callable[[Sequence[LeakedTrait]], str]:
    return lambda row: leaks.polarity.get(row[0].trait, "")


def _sources(row: Sequence[LeakedTrait]) -> str:
    return ", ".join(f"{language_name(one.source)} {_mean(one.at_source)}" for one in row)


def _mean(value: float) -> str:
    return f"{value:.1f}"


def traits_file(leaks: Leaks) -> Table:
    """A row for each source, target, group and trait."""
    return file_table(
        "leaked traits",
        leaks.traits,
        {
            "target": lambda one: one.target,
            "source": lambda one: one.source,
            "group": lambda one: one.group,
            "trait": lambda one: one.trait,
            "polarity": lambda one: leaks.polarity.get(one.trait),
            "rank": lambda one: one.rank,
            "source_mean": lambda one: one.at_source,
            "target_mean": lambda one: one.at_target,
            "target_judgment": lambda one: NO_JUDGMENT if one.at_target is None else "not held",
        },
    )
