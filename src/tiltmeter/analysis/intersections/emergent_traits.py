"""Traits that a crossed group has more than both its parts, or less than both.

S is the score of a group and a trait in a template. A trait emerges where S(crossed) lies above the
larger of S(first part) and S(second part); mirrored, below the smaller. Both mean scores are over the
same templates, so that the test is paired: the trait emerges only if the crossed group exceeds the first
part *and* exceeds the second, hence the larger of two one-sided p (an intersection–union test, Berger
1982, doi:10.1080/00401706.1982.10487790), which never needs to know which part is the larger. All cells,
both ways, are one family (Benjamini and Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x).

Source: Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 5.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tiltmeter.analysis.intersections.components import Crossings
from tiltmeter.core.types import Array
from tiltmeter.stats.one_sided import means_above
from tiltmeter.stats.significance import benjamini_hochberg

TOP = 50
"""As many as the paper's table lists."""
Way = Literal["above", "below"]


@dataclass(frozen=True, slots=True)
class Emergent:
    """Each of shape (crossed, poles); NaN where there is none."""

    score: Array
    """S(crossed, trait), averaged over templates."""
    first: Array
    second: Array
    above: Array
    """By how much the score exceeds that of both parts; negative where it does not."""
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
class Row:
    """One cell of a ranked list."""

    crossed: str
    first: str
    second: str
    trait: str
    way: Way
    by: float
    """How far above both parts, or below both."""
    score: float
    first_score: float
    second_score: float
    p: float | None
    p_adjusted: float | None


def emergent(crossings: Crossings) -> Emergent:
    """All crossed groups and all traits, both ways."""
    parts = [crossings.single[:, at] for at in (crossings.first, crossings.second)]
    score = crossings.both.mean(axis=0)
    first, second = (part.mean(axis=0) for part in parts)
    ps = {}
    for way, sign in (("above", 1.0), ("below", -1.0)):
        ps[way] = np.maximum(*(means_above(sign * (crossings.both - part)) for part in parts))
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
        _why(ps["above"], len(crossings.templates)),
    )


def ranked(crossings: Crossings, found: Emergent, way: Way, most: int | None = TOP) -> list[Row]:
    """The cells that lie furthest above both parts, or below both; only those that do at all.

    Args:
        crossings: The names.
        found: Their numbers.
        way: Above or below.
        most: How many at most; None for all.
    """
    by = found.above if way == "above" else found.below
    flat = np.where(np.isfinite(by), by, -np.inf).ravel()
    order = np.argsort(-flat, kind="stable")
    order = order[flat[order] > 0][:most]
    poles = len(crossings.poles)
    return [_row(crossings, found, way, *divmod(int(at), poles)) for at in order]


def count(found: Emergent, way: Way, *, rate: float = 0.05) -> int:
    """Cells that lie there at this false-discovery rate."""
    return int(((found.q_above if way == "above" else found.q_below) < rate).sum())


def _row(c: Crossings, found: Emergent, way: Way, i: int, k: int) -> Row:
    by, p, q = (
        (found.above, found.p_above, found.q_above)
        if way == "above"
        else (found.below, found.p_below, found.q_below)
    )
    return Row(
        c.crossed[i],
        c.singles[c.first[i]],
        c.singles[c.second[i]],
        c.poles[k],
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
        return "no test: one template does not say how much scores vary; run more than one"
    lost = int(np.isnan(ps).sum())
    return (
        f"no test in {lost:,} cells: a score is missing, or all templates agree wholly"
        if lost
        else ""
    )


def as_columns(crossings: Crossings, found: Emergent) -> dict[str, Sequence[object]]:
    """Every cell, for a table: one row a crossed group and trait."""
    n, k = found.score.shape

    def numbers(values: Array) -> list[float | None]:
        return [None if np.isnan(v) else float(v) for v in values.ravel()]

    return {
        "crossed": [name for name in crossings.crossed for _ in range(k)],
        "first": [crossings.singles[i] for i in crossings.first for _ in range(k)],
        "second": [crossings.singles[i] for i in crossings.second for _ in range(k)],
        "trait": [pole for _ in range(n) for pole in crossings.poles],
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
