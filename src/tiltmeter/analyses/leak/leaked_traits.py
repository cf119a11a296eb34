"""Traits that a model ascribes to a group as another culture does, and its own does not.

For each group: the traits that are among the model's strongest in the target language, that the target's
people do not hold of the group, and that the source's people do (Sotnikova 2023, section 5.4.2). The
paper gives no threshold; ours can be set.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import numpy as np

from tiltmeter.analyses.leak.grids import ModelCells, repeated_columns
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.core.reading.typed_values import reader
from tiltmeter.core.reading.value_types import via
from tiltmeter.core.records import Record
from tiltmeter.data.files.rows import Cell, FilledText, UserRows
from tiltmeter.derived.people.rated_cells import HumanCells, poles_of

STRONGEST = 3
UPPER = 0.5
"""Quantile of a group's traits from which people's mean is high enough to be held."""
LEAKED_TRAIT = "leaked_trait"
"""Kind of the records. Their scores are the trait's rank in the model (1 is the strongest), the mean of the
target's people from 0 to 50, which is missing where too few know the group (no judgment on what they hold),
and the mean of the people of each country that holds the trait."""
RANK, TARGET_MEAN = "rank", "target_mean"
TRAIT_COUNT = quantity("leaked_traits", "Leaked traits", "traits", decimals=0)
NO_JUDGMENT = quantity(
    "no_judgment", "Traits about which the target’s people were not asked", "no judgment", decimals=0,
)  # fmt: skip
Polarity: TypeAlias = Literal["positive", "negative", "non-polar"]
POLARITIES: tuple[Polarity, ...] = ("positive", "negative", "non-polar")
NON_POLAR_DIMENSION = "beliefs"


def source_mean(source: str) -> str:
    """The score that holds the mean of a country's people."""
    return f"mean_{source}"


def leaked_traits(
    model: ModelCells,
    humans: Mapping[str, HumanCells],
    *,
    strongest: int = STRONGEST,
    quantile: float = UPPER,
    polarity: Mapping[str, Polarity] | None = None,
) -> list[Record]:
    """Leaked traits of one target language, from every other culture.

    Args:
        model: Scores by trait in the target language; `name` is the language.
        humans: By language, with `unit="poles"`.
        strongest: How many of the model's traits of a group count.
        quantile: Held is a trait whose mean has an interval above 0 and is at or above this quantile of
            the group's traits.
        polarity: By trait.

    Returns:
        A record a group and trait, by group, the model's strongest trait first, and those without a
        judgment of the target's people last. Of two traits that are one word in the language, the first
        counts.
    """
    known = np.where(repeated_columns(model.values), np.nan, model.values)
    model = replace(model, values=known)
    held = {language: _held(human, quantile) for language, human in humans.items()}
    records = []
    for group in sorted(model.groups):
        for rank, trait in enumerate(_strongest(model, group, strongest), start=1):
            judged = {
                language: of[group, trait] for language, of in held.items() if (group, trait) in of
            }
            is_held, own_mean = judged.pop(model.name, (False, None))
            means = {source_mean(source): mean for source, (holds, mean) in judged.items() if holds}
            if is_held or not means:
                continue
            target = {} if own_mean is None else {TARGET_MEAN: own_mean}
            groups = {
                "target": model.name, "group": group, "trait": trait,
                "polarity": (polarity or {}).get(trait, ""),
            }  # fmt: skip
            name = f"{model.name} {group} {trait}"
            records.append(
                Record(name, {RANK: float(rank), **target, **means}, groups, kind=LEAKED_TRAIT)
            )
    return sorted(records, key=lambda record: TARGET_MEAN not in record.scores)


def trait_counts(records: Sequence[Record], ways: Sequence[tuple[str, str]]) -> Iterator[Estimate]:
    """How many leaked traits there are from each source into each target, and of which polarity."""
    for source, target in ways:
        groups = {"source": source, "target": target}
        listed = [
            record
            for record in records
            if record.groups["target"] == target and source_mean(source) in record.scores
        ]
        judged = [record for record in listed if TARGET_MEAN in record.scores]
        yield TRAIT_COUNT.at(len(judged), groups=groups)
        for polarity in POLARITIES:
            count = sum(record.groups["polarity"] == polarity for record in judged)
            yield TRAIT_COUNT.at(count, groups={**groups, "polarity": polarity})
        yield NO_JUDGMENT.at(len(listed) - len(judged), groups=groups)


def _strongest(model: ModelCells, group: str, count: int) -> list[str]:
    scores = model.values[model.groups.index(group)]
    order = [i for i in np.argsort(-scores, kind="stable") if np.isfinite(scores[i])]
    return [model.columns[i] for i in order[:count]]


def _held(human: HumanCells, quantile: float) -> dict[tuple[str, str], tuple[bool, float]]:
    """By group and trait, where enough people know the group: whether they hold it, and their mean."""
    held = {}
    for group, means, halves in zip(human.groups, human.means, human.half_widths(), strict=True):
        known = np.isfinite(means)
        if known.any():
            holds = (means - halves > 0) & (means >= np.nanquantile(means, quantile))
            for j in np.flatnonzero(known):
                held[group, human.columns[j]] = bool(holds[j]), float(means[j])
    return held


def polarities(dimensions: Mapping[str, str]) -> dict[str, Polarity]:
    """Whether a trait speaks well or ill of a group, or neither, by trait.

    Args:
        dimensions: By pair of traits, the unfavourable one on the left. Traits of the beliefs speak
            neither well nor ill.

    Raises:
        BadInput: A pair is not named "left - right".

    >>> polarities({"cold - warm": "communion", "conservative - liberal": "beliefs"})["conservative"]
    'non-polar'
    """
    by_trait: dict[str, Polarity] = {}
    for pair, dimension in dimensions.items():
        left, right = poles_of(pair)
        non_polar = dimension == NON_POLAR_DIMENSION
        by_trait[left] = "non-polar" if non_polar else "negative"
        by_trait[right] = "non-polar" if non_polar else "positive"
    return by_trait


@dataclass(frozen=True, slots=True)
class _Row:
    trait: FilledText
    polarity: Annotated[Polarity, via(Cell, reader(Polarity))]


def read_polarities(path: Path, *, encoding: str = "") -> dict[str, Polarity]:
    """A table with the columns `trait` and `polarity`.

    Raises:
        BadInput: It has other columns, or a polarity is none.
        BadItems: Rows cannot be read, or a trait is there twice.
    """
    rows = UserRows(_Row, path, encoding=encoding)
    by_trait: dict[str, Polarity] = {}
    for line, row in rows:
        if row.trait in by_trait:
            rows.complain(line, f"{row.trait!r} is listed twice", "leave one out")
        by_trait[row.trait] = row.polarity
    rows.finish()
    return by_trait
