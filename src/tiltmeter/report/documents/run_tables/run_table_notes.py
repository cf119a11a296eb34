"""Notes of a table over several runs: what its numbers share, what its marks mean, what limits them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.results import Card
from tiltmeter.core.text import listed, visible
from tiltmeter.derived.run_tables.printed_numbers import PRINTED
from tiltmeter.derived.run_tables.run_table import PART, RunTable
from tiltmeter.derived.run_tables.run_table_layout import Placed
from tiltmeter.derived.run_tables.table_variants import VARIANT, how_measured, rules_of
from tiltmeter.report import text
from tiltmeter.report.documents.run_tables.number_facts import amount_words, by_method
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
    """The name of a run's study for readers: what stands before the colon of its title.

    An analysis, or a study that is not installed here, has the name that commands take.
    """
    study = study_if_known(card)
    return study.title.partition(":")[0] if study else card.study


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
        **shared, **_measures(table, labels), **_interval_methods(table, intervals, labels),
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
    """What the numbers of each study are, by study, in a table of several; by measure if these have names.

    With the data and the number of items, where no row, column or fact about all numbers has the data.
    """
    names = {*table.row_names, *table.column_names}
    measured = [p for p in table.cells.values() if not p.printed]
    by_study: dict[str, list[Placed]] = {}
    for p in measured:
        by_study.setdefault(_study(p), []).append(p)
    by_measure, has_data = "measure" in names, "data" in names or "data" in table.shared
    facts: dict[str, list[str]] = {}
    if by_measure and len(by_study) > 1:
        kinds: dict[str, list[Placed]] = {}
        for p in measured:
            kinds.setdefault(p.run["measure"], []).append(p)
        for kind, of in kinds.items():
            first = of[0].estimate
            whose = [text.label("study", study, labels) for study in dict.fromkeys(map(_study, of))]
            title = f"{text.title(first)}, " if text.title(first) != text.short_title(first) else ""
            what = _measure(first, title + listed(whose))
            facts.setdefault(text.label("measure", kind, labels), []).append(what)
    for study, of in by_study.items():
        shown = facts.setdefault(text.label("study", study, labels), [])
        if not by_measure and len(by_study) > 1 and "measure" not in table.shared:
            shown.append(listed(list(dict.fromkeys(_measure(p.estimate) for p in of))))
        if not has_data or (shown and all(not p.estimate.groups for p in of)):
            shown.append(amount_words(of))
    return {name: "; ".join(filter(None, parts)) for name, parts in facts.items() if any(parts)}


def _study(placed: Placed) -> str:
    """The study that a number is of, also of one that stands in the table as a part of its study."""
    return placed.run["study"].partition(PART)[0]


def _interval_methods(table: RunTable, intervals: Intervals, labels: text.Labels) -> dict[str, str]:
    """The level and the methods of intervals, under the sign that intervals have in the table."""
    known = [p for p in table.cells.values() if not p.printed and p.estimate.low is not None]
    if intervals == "none" or not known:
        return {}
    levels: dict[str, list[Placed]] = {}
    for p in known:
        levels.setdefault(text.level(p.estimate), []).append(p)
    several = len(set(map(_study, known))) > 1

    def of(p: Placed) -> str:
        return text.label("study", _study(p), labels) if several else text.title(p.estimate)

    sign = INTERVAL_SIGNS[intervals]
    called = "" if sign == "Intervals" else " intervals"
    kinds = []
    for level, placed in levels.items():
        ways = by_method(placed, lambda e: visible(e.interval), of)
        kinds.append(f"{level}{called}" + (f" ({ways})" if ways else ""))
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
        ways = {how for p in table.cells.values() if (how := how_measured(p))}
        alike = " whose numbers are comparable" if len({w.conditions for w in ways}) > 1 else ""
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
                ", ".join([text.label("model", p.run["model"], labels), *further])
            )
    for why, places in undefined.items():
        yield f"{'; '.join(dict.fromkeys(places))}: undefined, {text.sentence_end(why)}"


def _rules_of_lines(measured: Sequence[Placed], labels: text.Labels, *, alike: bool) -> str:
    """By which rules the models of each study and variant were scored, where these are several.

    `alike` chooses the studies in which numbers by these rules mean the same, or the others.
    """
    rules: dict[tuple[str, str, str], dict[str, frozenset[str]]] = {}
    for p in measured:
        if p.run["rule"] and (of := rules_of(p)):
            line = (_study(p), p.run["measure"], p.run.get(VARIANT, ""))
            rules.setdefault(line, {})[p.run["rule"]] = of
    studies: dict[str, list[str]] = {}
    for (study, *_), names in rules.items():
        are_alike = len({*names.values()}) == 1
        if len(names) > 1 and are_alike == alike:
            of_rules = studies.setdefault(visible(listed([*names])), [])
            if (name := text.label("study", study, labels)) not in of_rules:
                of_rules.append(name)
    return "; ".join(f"{listed(names)} by {by}" for by, names in studies.items())


def _variants(measured: Sequence[Placed], labels: text.Labels) -> str:
    """The variants of each study."""
    variants: dict[str, dict[str, None]] = {}
    for p in measured:
        if name := p.run.get(VARIANT):
            study = text.label("study", _study(p), labels)
            variants.setdefault(study, {})[visible(name)] = None
    return "; ".join(f"{listed([*names])} ({study})" for study, names in variants.items())


def _other_tokens(table: RunTable, labels: text.Labels) -> Iterable[str]:
    """For each measure the models whose numbers are not comparable because they split texts differently."""
    for line in table.of_other_tokens():
        models = (
            listed([*dict.fromkeys(text.label("model", p.run["model"], labels) for p in group)])
            for group in line
        )
        yield (
            f"{text.title(line[0][0].estimate)} depends on how a model splits texts into tokens. These do it "
            f"differently, so their numbers are not comparable, and none is marked as the best: "
            f"{'; '.join(models)}."
        )


def cautions(table: RunTable, labels: text.Labels = text.NO_LABELS) -> list[str]:
    """Notes on what limits comparisons between the numbers in this table."""
    measured = [p for p in table.cells.values() if not p.printed]
    meanings: list[Meaning] = [p.estimate.meaning for p in measured]
    notes = [m.caution for m in meanings if m.caution]
    if different := _rules_of_lines(measured, labels, alike=True):
        notes.append(
            "Some models were scored by another rule than others, so differences between them may come from "
            f"the rules: {different}."
        )
    if unlike := _rules_of_lines(measured, labels, alike=False):
        notes.append(
            "Numbers by different rules are not comparable between models, so none is marked as the best: "
            f"{unlike}."
        )
    if variants := _variants(measured, labels):
        notes.append(f"Not comparable with each other: {variants}.")
    notes += _other_tokens(table, labels)
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
