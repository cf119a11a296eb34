"""Emergent traits: an intersectional group has them more than both its components, or less than both.

S is the score of a group and a trait in a template. A trait emerges where S(intersectional group) lies
above the larger of S(first component) and S(second component); mirrored, below the smaller. Both mean
scores are over the same templates, so that the test is paired: the trait emerges only if the
intersectional group exceeds the first component *and* exceeds the second, hence the larger of two
one-sided p (an intersection–union test, Berger 1982, doi:10.1080/00401706.1982.10487790), which never
needs to know which component is the larger. All cells,
both ways, are one family (Benjamini and Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x).

Source: Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 5.2.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
import numpy.typing as npt

from tiltmeter.analyses.intersections.components import ComponentScores
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import Quantity, quantity
from tiltmeter.core.records import Record
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.stats.hypothesis_tests.exact_tests import benjamini_hochberg
from tiltmeter.stats.hypothesis_tests.one_sided import means_above

TOP = 50
"""How many traits are listed: as many as in the paper's table."""
RATE = 0.05
"""False-discovery rate at which an emergent trait counts as significant."""
Way = Literal["above", "below"]
WAYS: tuple[Way, ...] = ("above", "below")
EMERGENT: Mapping[Way, Quantity] = {
    "above": quantity(
        "significant_above", "Significant emergent traits above both components", "above",
        counts="cells (a group and a trait)", decimals=0,
    ),
    "below": quantity(
        "significant_below", "Significant emergent traits below both components", "below",
        counts="cells (a group and a trait)", decimals=0,
    ),
}  # fmt: skip
CELL = "cell"
"""Kind of the records of all cells; those of the ranked lists are of the kind of their way."""
CELL_SCORES = (
    "score", "first_score", "second_score", "above", "below", "p_above", "p_below", "p_above_adjusted",
    "p_below_adjusted",
)  # fmt: skip
"""S of the intersectional group and of its components, averaged over templates; by how much the first exceeds
both others and by how much it falls short of both, negative where it does not; p; and p after adjustment over
all cells, both ways."""


@dataclass(frozen=True, slots=True)
class Emergent:
    """How far each trait of each intersectional group exceeds both components, with its tests."""

    numbers: Mapping[str, Array]
    """CELL_SCORES, each of shape (intersectional, traits); NaN where there is none."""
    why: str = ""
    """Why there are no p, or for how many cells."""

    def significant(self, way: Way) -> npt.NDArray[np.bool_]:
        """Where a trait emerges that way significantly."""
        return np.asarray(self.numbers[f"p_{way}_adjusted"] < RATE)

    @property
    def tested(self) -> bool:
        """Whether any cell has a p."""
        return bool(np.isfinite(self.numbers["p_above_adjusted"]).any())


def emergent(scores: ComponentScores) -> Emergent:
    """Compare all intersectional groups with their components in all traits, above and below."""
    components = [scores.of_single[:, at] for at in (scores.first, scores.second)]
    score = scores.of_intersectional.mean(axis=0)
    first, second = (component.mean(axis=0) for component in components)
    ps = []
    for sign in (1.0, -1.0):
        apart = (sign * (scores.of_intersectional - component) for component in components)
        ps.append(np.maximum(*map(means_above, apart)))
    above, below = score - np.maximum(first, second), np.minimum(first, second) - score
    tables = (score, first, second, above, below, *ps, *_adjusted(np.stack(ps)))
    return Emergent(dict(zip(CELL_SCORES, tables, strict=True)), _why(ps[0], len(scores.templates)))


def ranked(
    scores: ComponentScores, emerging: Emergent, way: Way, most: int | None = TOP
) -> list[Record]:
    """The cells that lie furthest above both components, or below both; only those that do at all."""
    every = emerging.numbers
    flat = np.where(np.isfinite(every[way]), every[way], -np.inf).ravel()
    order = np.argsort(-flat, kind="stable")
    order = order[flat[order] > 0][:most]
    numbers = {
        "by": every[way], **{name: every[name] for name in CELL_SCORES[:3]},
        "p": every[f"p_{way}"], "p_adjusted": every[f"p_{way}_adjusted"],
    }  # fmt: skip
    return [_record(scores, numbers, divmod(int(at), len(scores.traits)), way) for at in order]


def cell_records(scores: ComponentScores, emerging: Emergent) -> list[Record]:
    """Every intersectional group and trait, with all that is known of it."""
    places = product(range(len(scores.intersectional)), range(len(scores.traits)))
    return [_record(scores, emerging.numbers, place, CELL) for place in places]


def _record(
    scores: ComponentScores, numbers: Mapping[str, Array], place: tuple[int, int], kind: str
) -> Record:
    i, k = place
    groups = {
        "crossed": scores.intersectional[i], "first": scores.singles[scores.first[i]],
        "second": scores.singles[scores.second[i]], "trait": scores.traits[k],
    }  # fmt: skip
    values = {name: float(table[place]) for name, table in numbers.items()}
    known = {name: value for name, value in values.items() if np.isfinite(value)}
    return Record(f"{groups['crossed']}: {groups['trait']}", known, groups, kind=kind)


def significant_counts(emerging: Emergent) -> Iterator[Estimate]:
    """In how many cells a trait emerges significantly, above both components and below both."""
    for way, of in EMERGENT.items():
        count = int(emerging.significant(way).sum()) if emerging.tested else None
        yield of.at(count, n=emerging.numbers["score"].size, why=emerging.why)


def _adjusted(ps: Array) -> Array:
    flat = [None if np.isnan(p) else float(p) for p in ps.ravel()]
    adjusted = [np.nan if q is None else q for q in benjamini_hochberg(flat)]
    return np.array(adjusted, dtype=np.float64).reshape(ps.shape)


def _why(ps: Array, templates: int) -> str:
    if templates < 2:  # noqa: PLR2004
        return "no test: the spread cannot be estimated from one template; run more than one"
    lost = int(np.isnan(ps).sum())
    return (
        f"no test in {counted(lost, 'cells')}: a score is missing, or all templates agree exactly"
        if lost
        else ""
    )
