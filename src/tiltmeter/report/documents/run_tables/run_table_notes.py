"""Notes of a table over several runs: what its numbers share, what its marks mean, what limits them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.results import Card
from tiltmeter.core.text import counted, listed, visible
from tiltmeter.derived.run_tables.printed_numbers import PRINTED
from tiltmeter.derived.run_tables.run_table import PART, Placed, RunTable
from tiltmeter.report import text
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.value_marks import mark_notes
from tiltmeter.run.planning.study_files import study_if_known

Intervals: TypeAlias = Literal["beside", "below", "plusminus", "none"]
"""Where the interval of a number is shown: in a column of its own, on a line under the number, as ± behind
the number, or nowhere."""
SIGNIFICANT = "*"
ABBREVIATIONS = {"standard deviations": "SD"}
"""Abbreviations of units for the heads of narrow columns; a note under the table spells them out."""
PRINTED_FROM = "Printed numbers"
INTERVAL_SIGNS = {"beside": "Intervals", "below": "In brackets", "plusminus": "±"}


def study_label(card: Card) -> str:
    """The name of a run's study in its authors' spelling, "CrowS-Pairs", if its title begins with it.

    The name that commands take where it does not.
    """
    study = study_if_known(card)
    title = study.title.partition(":")[0] if study else ""
    return title if _letters(title) == _letters(card.study) else card.study


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def is_starred(estimate: Estimate) -> bool:
    """Whether the value gets a star, which means p < .05: never for a measure without a test."""
    return bool(shown_significant(estimate)) and text.final_p(estimate) is not None


def abbreviated(unit: str) -> str:
    """A unit as heads of narrow columns have it."""
    short = text.short_unit(unit)
    return ABBREVIATIONS.get(short, short)


def has_several_units(table: RunTable) -> bool:
    """Whether each number or column needs its unit, because the heading of the table cannot have it."""
    return len({p.estimate.unit for p in table.cells.values()}) > 1


def table_facts(
    table: RunTable, intervals: Intervals, labels: text.Labels, sources: Sequence[str]
) -> dict[str, str]:
    """What the numbers have in common, what each study's numbers are, and how their intervals were made."""
    shared = {text.axis_title(name).capitalize(): _shared(table, name) for name in table.shared}
    printed = any(p.printed for p in table.cells.values())
    return {
        **shared, **_measures(table, labels), **_interval_methods(table, intervals),
        PRINTED_FROM: "; ".join(sources) if printed else "",
    }  # fmt: skip


def _shared(table: RunTable, name: str) -> str:
    """A coordinate that all cells share, for readers; a measure with its title, unit and neutral value."""
    value = table.shared[name]
    if name == "measure":
        return _measure(next(p.estimate for p in table.cells.values()))
    return visible(value)


def _measure(e: Estimate, of: str = "") -> str:
    """A measure with its unit and neutral value, after its title or, with `of`, the study that it is of."""
    unit = f", {e.unit}" if e.unit and not text.is_percent(e.unit) else ""
    neutral = f"; neutral value {text.neutral_text(e)}" if text.neutral_text(e) else ""
    return f"{of or text.title(e)}{unit}{neutral}"


def _measures(table: RunTable, labels: text.Labels) -> dict[str, str]:
    """What the numbers of each study are, by study, in a table of several; by measure if these have names."""
    names = {*table.row_names, *table.column_names}
    measured = [p for p in table.cells.values() if not p.printed]
    studies = {_study(p) for p in measured}
    if "measure" in table.shared or len(studies) == 1:
        return {}
    kinds: dict[str, list[Placed]] = {}
    by_measure = "measure" in names
    for p in measured:
        kinds.setdefault(p.run["measure"] if by_measure else _study(p), []).append(p)
    facts = {}
    for kind, of in kinds.items():
        if by_measure:
            first = of[0].estimate
            whose = [text.label("study", study, labels) for study in dict.fromkeys(map(_study, of))]
            title = f"{text.title(first)}, " if text.title(first) != text.short_title(first) else ""
            facts[text.label("measure", kind, labels)] = _measure(first, title + listed(whose))
        else:
            what = listed(list(dict.fromkeys(_measure(p.estimate) for p in of)))
            counts = _counts(of) if all(not p.estimate.groups for p in of) else ""
            facts[text.label("study", kind, labels)] = f"{what}; {counts}" if counts else what
    return facts


def _study(placed: Placed) -> str:
    """The study that a number is of, also of one that stands in the table as a part of its study."""
    return placed.run["study"].partition(PART)[0]


def _counts(placed: Sequence[Placed]) -> str:
    """How many items the numbers rest on, as "1,508 pairs" or "672 to 2,148 targets"; "" if unknown."""
    sizes = sorted({p.estimate.n for p in placed if p.estimate.n})
    if not sizes:
        return ""
    what = visible(placed[0].estimate.meaning.counts)
    few = f"{sizes[0]:,} to " if len(sizes) > 1 else ""
    return few + counted(sizes[-1], what)


def _interval_methods(table: RunTable, intervals: Intervals) -> dict[str, str]:
    """The level and the methods of intervals, under the sign that intervals have in the table."""
    known = [
        p.estimate for p in table.cells.values() if not p.printed and p.estimate.low is not None
    ]
    if intervals == "none" or not known:
        return {}
    methods: dict[str, dict[str, None]] = {}
    for e in known:
        methods.setdefault(text.level(e), {})[visible(e.interval)] = None
    sign = INTERVAL_SIGNS[intervals]
    called = "" if sign == "Intervals" else " intervals"
    kinds = [
        f"{level}{called}" + (f" ({'; '.join(filter(None, ways))})" if any(ways) else "")
        for level, ways in methods.items()
    ]
    return {sign: listed(kinds)}


def fact_sentences(facts: Mapping[str, str]) -> list[str]:
    """Two notes: what all numbers have in common, and the sources of printed numbers."""
    shared = [f"{name}: {value}" for name, value in facts.items() if value and name != PRINTED_FROM]
    sources = facts[PRINTED_FROM]
    return [
        *([f"{'. '.join(shared)}."] if shared else []),
        *([text.sentence_end(f"{PRINTED_FROM}: {sources}")] if sources else []),
    ]


def table_notes(table: RunTable, labels: text.Labels, *, marked_best: bool) -> list[str]:
    """What the marks in the table mean, and which of its cells are undefined and why."""
    notes = []
    measured = [p.estimate for p in table.cells.values() if not p.printed]
    if any(map(is_starred, measured)):
        neutral = {text.neutral_text(e) for e in measured if text.final_p(e) is not None}
        of = f"from {next(iter(neutral))}" if len(neutral) == 1 else "from the neutral value"
        way = text.adjustment(measured)
        after = f", {way} adjustment" if way else ""
        notes.append(f"{SIGNIFICANT} significantly different {of} (p < .05{after}).")
    if has_several_units(table):
        units = {text.short_unit(p.estimate.unit) for p in table.cells.values()}
        notes += [f"{short}: {unit}." for unit, short in ABBREVIATIONS.items() if unit in units]
    notes += mark_notes(measured)
    if marked_best:
        kinds = {
            tuple(p.run[name] for name in ("rule", "convention", "items"))
            for p in table.cells.values()
            if not p.printed
        }
        alike = "" if len(kinds) == 1 else " that were scored by the same rule on the same data"
        notes.append(f"Bold: the best of the models{alike}.")
    if any(p.run["model"].endswith(PRINTED) for p in table.cells.values() if p.printed):
        notes.append(f"{PRINTED} as printed in the paper.")
    return list(dict.fromkeys([*notes, *_undefined(table, labels)]))


def _undefined(table: RunTable, labels: text.Labels) -> Iterable[str]:
    """For each reason why cells are undefined, a sentence with their places."""
    undefined: dict[str, list[str]] = {}
    for (row, _), p in table.cells.items():
        if p.estimate.value is None:
            place = zip(table.row_names, row, strict=True)
            further = [text.label(n, v, labels) for n, v in place if v and n != "model"]
            undefined.setdefault(text.why_undefined(p.estimate), []).append(
                ", ".join([p.run["model"], *further])
            )
    for why, places in undefined.items():
        yield f"{'; '.join(dict.fromkeys(places))}: undefined, {text.sentence_end(why)}"


def cautions(table: RunTable) -> list[str]:
    """Notes on what limits comparisons between the numbers in this table."""
    measured = [p for p in table.cells.values() if not p.printed]
    meanings: list[Meaning] = [p.estimate.meaning for p in measured]
    notes = [m.caution for m in meanings if m.caution]
    rules = dict.fromkeys(rule for p in measured if (rule := p.run["rule"]))
    if len({(p.run["measure"], p.run["rule"]) for p in measured}) > len(
        {p.run["measure"] for p in measured}
    ):
        notes.append(
            f"The models were scored by different rules ({', '.join(rules)}), so differences between "
            "them may come from the rules."
        )
    own_data = {p.run["data"] for p in measured}
    theirs = {p.run["data"] for p in table.cells.values() if p.printed} - own_data
    whole = {name for name in theirs if any(data.startswith(f"{name}, ") for data in own_data)}
    if whole:
        notes.append(
            f"The printed numbers were measured on all of {', '.join(sorted(whole))}, not on a sample."
        )
    if theirs := theirs - whole:
        notes.append(
            f"The printed numbers were measured on other data ({', '.join(sorted(theirs))})."
        )
    samples = {(card.study, str(card.data.get("sample", ""))) for card in table.cards}
    if len(samples) > len({card.study for card in table.cards}):
        notes.append("The runs cover different samples of the data.")
    return list(dict.fromkeys(notes))
