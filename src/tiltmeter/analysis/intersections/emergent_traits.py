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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tiltmeter.analysis.intersections.components import ComponentScores
from tiltmeter.core.types import Array
from tiltmeter.stats.one_sided import means_above
from tiltmeter.stats.significance import benjamini_hochberg

TOP = 50
"""As many as the paper's table lists."""
Way = Literal["above", "below"]


@dataclass(frozen=True, slots=True)
class Emergent:
    """Each of shape (intersectional, traits); NaN where there is none."""

    score: Array
    """S(intersectional group, trait), averaged over templates."""
    first: Array
    second: Array
    above: Array
    """By how much the score exceeds that of both components; negative where it does not."""
    below: Array
    """By how much it falls short of both."""
    p_above: Array
    p_below: Array
    q_above: Array
    """After adjustment over all cells, both ways."""
    q_below: Array
    why: str = ""
    """Why there are no p, or for how many cells."""

    @property
    def tested(self) -> bool:
        """Whether any cell has a p."""
        return bool(np.isfinite(self.q_above).any())


@dataclass(frozen=True, slots=True)
class EmergentTrait:
    """One cell of a ranked list: an intersectional group and a trait."""

    crossed: str
    first: str
    second: str
    trait: str
    way: Way
    by: float
    """How far above both components, or below both."""
    score: float
    first_score: float
    second_score: float
    p: float | None
    p_adjusted: float | None


def emergent(scores: ComponentScores) -> Emergent:
    """All intersectional groups and all traits, both ways."""
    components = [scores.of_single[:, at] for at in (scores.first, scores.second)]
    score = scores.of_intersectional.mean(axis=0)
    first, second = (component.mean(axis=0) for component in components)
    ps = {}
    for way, sign in (("above", 1.0), ("below", -1.0)):
        ps[way] = np.maximum(
            *(means_above(sign * (scores.of_intersectional - one)) for one in components)
        )
    adjusted = _adjusted(np.stack([ps["above"], ps["below"]]))
    return Emergent(
        score,
        first,
        second,
        score - np.maximum(first, second),
        np.minimum(first, second) - score,
        ps["above"],
        ps["below"],
        adjusted[0],
        adjusted[1],
        _why(ps["above"], len(scores.templates)),
    )


def ranked(
    scores: ComponentScores, found: Emergent, way: Way, most: int | None = TOP
) -> list[EmergentTrait]:
    """The cells that lie furthest above both components, or below both; only those that do at all.

    Args:
        scores: The names.
        found: Their numbers.
        way: Above or below.
        most: How many at most; None for all.
    """
    by = found.above if way == "above" else found.below
    flat = np.where(np.isfinite(by), by, -np.inf).ravel()
    order = np.argsort(-flat, kind="stable")
    order = order[flat[order] > 0][:most]
    traits = len(scores.traits)
    return [_cell(scores, found, way, *divmod(int(at), traits)) for at in order]


def count(found: Emergent, way: Way, *, rate: float = 0.05) -> int:
    """Cells that lie there at this false-discovery rate."""
    return int(((found.q_above if way == "above" else found.q_below) < rate).sum())


def _cell(scores: ComponentScores, found: Emergent, way: Way, i: int, k: int) -> EmergentTrait:
    by, p, q = (
        (found.above, found.p_above, found.q_above)
        if way == "above"
        else (found.below, found.p_below, found.q_below)
    )
    return EmergentTrait(
        scores.intersectional[i],
        scores.singles[scores.first[i]],
        scores.singles[scores.second[i]],
        scores.traits[k],
        way,
        float(by[i, k]),
        float(found.score[i, k]),
        float(found.first[i, k]),
        float(found.second[i, k]),
        *(None if np.isnan(one[i, k]) else float(one[i, k]) for one in (p, q)),
    )


def _adjusted(ps: Array) -> Array:
    flat = [None if np.isnan(p) else float(p) for p in ps.ravel()]
    found = [np.nan if q is None else q for q in benjamini_hochberg(flat)]
    return np.array(found, dtype=np.float64).reshape(ps.shape)


def _why(ps: Array, templates: int) -> str:
    if templates < 2:  # noqa: PLR2004
        return "no test: the spread cannot be estimated from one template; run more than one"
    lost = int(np.isnan(ps).sum())
    return (
        f"no test in {lost:,} cells: a score is missing, or all templates agree exactly"
        if lost
        else ""
    )


def as_columns(
    scores: ComponentScores, found: Emergent
) -> Mapping[str, Sequence[str | float | None]]:
    """Every cell, for a table: one row an intersectional group and trait."""
    n, k = found.score.shape

    def numbers(values: Array) -> list[float | None]:
        return [None if np.isnan(v) else float(v) for v in values.ravel()]

    return {
        "crossed": [name for name in scores.intersectional for _ in range(k)],
        "first": [scores.singles[i] for i in scores.first for _ in range(k)],
        "second": [scores.singles[i] for i in scores.second for _ in range(k)],
        "trait": [trait for _ in range(n) for trait in scores.traits],
        "score": numbers(found.score),
        "first_score": numbers(found.first),
        "second_score": numbers(found.second),
        "above": numbers(found.above),
        "below": numbers(found.below),
        "p_above": numbers(found.p_above),
        "p_below": numbers(found.p_below),
        "p_above_adjusted": numbers(found.q_above),
        "p_below_adjusted": numbers(found.q_below),
    }
