"""Numbers of several models that are not comparable, in columns (or rows) of their own.

A perplexity and a pseudo-perplexity have one name and one study. Where a line of a table would have several
models' numbers that `conditions` tells apart, the table gets one more coordinate, the variant. Models scored
by different rules share a line, and a note says so.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from tiltmeter.derived.comparisons.comparable_numbers import Conditions, conditions, is_baseline
from tiltmeter.derived.run_tables.run_table_layout import Key, Placed

VARIANT = "variant"
"""The coordinate that tells numbers apart which are not comparable; "" where all of a line are."""
OF_RUN = frozenset({"study", "data", "rule", "convention", "measure"})
AS_PRINTED = "as printed"
"""The variant of a paper's number that is by no rule of the runs."""
Group: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HowMeasured:
    """What numbers of two models must share to be comparable: the measure, and how it was taken."""

    measure: str
    title: str
    conditions: Conditions

    @property
    def of_column(self) -> "HowMeasured":
        """What numbers of several models must share to stand in one column.

        Of their rules and of how they split texts into tokens a note speaks.
        """
        return replace(self, conditions=replace(self.conditions, tokens="", rules=frozenset()))


class Variant(NamedTuple):
    """What a variant is called, and the rules whose numbers are of it."""

    name: str
    rules: frozenset[str]


def rules_of(p: Placed) -> frozenset[str]:
    """The rule of a number of a run, and those whose numbers mean the same; none of others' numbers."""
    how = how_measured(p)
    return how.conditions.rules if how else frozenset()


def how_measured(p: Placed) -> HowMeasured | None:
    """How a number was measured; None of those that no model is held against: papers' and baselines'."""
    if p.printed or p.card is None or is_baseline(p.card):
        return None
    how = conditions(p.card, rule=p.run["rule"], tokens=p.tokens)
    of = replace(how, convention=p.run["convention"])
    return HowMeasured(p.run["measure"], p.estimate.meaning.title, of)


def _of_column(p: Placed) -> HowMeasured | None:
    how = how_measured(p)
    return how and how.of_column


def with_variants(
    kept: Sequence[Placed], rows: Key, columns: Key
) -> tuple[Sequence[Placed], Key, Key]:
    """The numbers, rows and columns, with variants where several models' numbers are not comparable.

    Where each model has one variant, this stands before the model; else on the other side of the table.
    """
    others = [name for name in (*rows, *columns) if name != "model"]
    of_run = [name for name in others if name in OF_RUN]
    if "model" not in (*rows, *columns):
        return kept, rows, columns
    lines: dict[tuple[str, ...], set[HowMeasured]] = {}
    groups: dict[Group, dict[HowMeasured, list[Placed]]] = {}
    mixed: set[Group] = set()
    for p in kept:
        if how := _of_column(p):
            group = tuple(p.at(name) for name in of_run)
            groups.setdefault(group, {}).setdefault(how, []).append(p)
            line = lines.setdefault((p.run["measure"], *(p.at(name) for name in others)), set())
            line.add(how)
            if len(line) > 1:
                mixed.add(group)
    if not mixed:
        return kept, rows, columns
    names = {group: _names(groups[group]) for group in mixed}
    named: list[Placed] = []
    models: dict[str, set[str]] = {}
    for p in kept:
        variants = names.get(tuple(p.at(name) for name in of_run), {})
        for variant in _variants_of(p, variants):
            named.append(replace(p, run={**p.run, VARIANT: variant}))
            if how_measured(p):
                models.setdefault(p.run["model"], set()).add(variant)
    beside_models = all(len(variants) == 1 for variants in models.values())
    rows, columns = (_with_variant(side, before_model=beside_models) for side in (rows, columns))
    return named, rows, columns


def _with_variant(side: Key, *, before_model: bool) -> Key:
    if ("model" in side) != before_model:
        return side
    at = side.index("model") if before_model else len(side)
    return (*side[:at], VARIANT, *side[at:])


def _variants_of(p: Placed, variants: dict[HowMeasured, Variant]) -> Iterable[str]:
    """In which variants a number stands: one of a baseline in all of them."""
    if not variants:
        return [""]
    if how := _of_column(p):
        return [variants[how].name]
    if not p.printed:
        return [*dict.fromkeys(variant.name for variant in variants.values())]
    same = (variant.name for variant in variants.values() if p.run["rule"] in variant.rules)
    return [next(same, p.run["rule"] or AS_PRINTED)]


def _names(group: dict[HowMeasured, list[Placed]]) -> dict[HowMeasured, Variant]:
    """What tells the variants of a study apart: the first thing that suffices, or else all that differ."""
    ways: tuple[Callable[[HowMeasured, Sequence[Placed]], str], ...] = (
        lambda how, _: how.title,
        lambda how, _: how.conditions.study,
        lambda _, of: "/".join(dict.fromkeys(p.run["rule"] for p in of)),
        lambda _, of: of[0].run["data"],
        lambda how, _: how.conditions.convention,
        lambda how, _: _settings(how, group),
        lambda how, _: how.conditions.sample,
        lambda how, _: f"ties: {how.conditions.ties}",
    )
    each = [[way(how, of) for how, of in group.items()] for way in ways]
    names = next((texts for texts in each if len({*texts}) == len(texts)), None)
    if names is None:
        differing = [texts for texts in each if len({*texts}) > 1]
        names = [", ".join(filter(None, parts)) for parts in zip(*differing, strict=True)]
    return {
        how: Variant(name, frozenset(rule for p in of for rule in rules_of(p)))
        for (how, of), name in zip(group.items(), names, strict=True)
    }


def _settings(how: HowMeasured, group: Iterable[HowMeasured]) -> str:
    """The settings in which a variant differs from others."""
    shared = set.intersection(*({*other.conditions.settings} for other in group))
    return ", ".join(f"{k} = {v}" for k, v in how.conditions.settings if (k, v) not in shared)
