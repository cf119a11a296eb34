"""Choice of templates on pilot groups: which bring a model's scores closest to what people say?

The more ways of asking are tried, the better the best of them fits by chance. So the choice is made on
pilot groups with a few people each, from at most two templates, and what is reported is of other groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.data.people.ratings import Ratings
from tiltmeter.stats.correlation import kendall_rows

PILOT = ("Asian", "Black", "Hispanic", "immigrant")
PEOPLE = 5
"""How many annotators of each pilot group count."""
MORE = 1e-12
"""A second template must raise tau by more than rounding does."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One or two templates, and Kendall's tau on the pilot groups."""

    templates: tuple[int, ...]
    """Their places, the better one first."""
    tau: float
    singles: Array
    """Tau of each template by itself, shape (templates,); NaN where it has none."""
    tried: int
    """Templates and pairs of them that have a tau."""


def choose_templates(scores: Array, ratings: Array) -> Choice:
    """The template, or the two whose mean, with the highest tau over all cells of the pilot groups.

    Every template and every pair of templates is tried; a second one is taken only if it gives more,
    and of equals the first. Nothing but pilot groups is seen here.

    Args:
        scores: Of the pilot groups, shape (templates, groups, pairs); NaN where there is none.
        ratings: What the pilot's people say, shape (groups, pairs).

    Raises:
        Undefined: No template has a tau.
    """
    singles = _taus(scores, ratings)
    if not np.isfinite(singles).any():
        raise Undefined("no template has scores that can be compared with the pilot’s people")
    best = int(np.nanargmax(singles))
    one: tuple[int, ...] = (best,)
    tau = float(singles[best])
    couples = list(combinations(range(len(scores)), 2))
    tried = int(np.isfinite(singles).sum())
    for start in range(0, len(couples), 4096):
        some = couples[start : start + 4096]
        first, second = (np.array(places) for places in zip(*some, strict=True))
        taus = _taus((scores[first] + scores[second]) / 2, ratings)
        tried += int(np.isfinite(taus).sum())
        if np.isfinite(taus).any() and np.nanmax(taus) > tau + MORE:
            at = int(np.nanargmax(taus))
            one, tau = _better_first(some[at], singles), float(taus[at])
    return Choice(one, tau, singles, tried)


def pilot_people(
    ratings: Ratings | None,
    means: Array,
    rows: Sequence[int],
    rng: np.random.Generator,
    *,
    people: int = PEOPLE,
) -> tuple[Array, tuple[int, ...]]:
    """Mean ratings by a few people, drawn at random for each pilot group, and how many were drawn.

    Where only means are known, these, with 0 people drawn.

    Args:
        ratings: Of single people; None where they are not known.
        means: Of all people, shape (groups, pairs).
        rows: The pilot groups' places.
        rng: Where the randomness comes from.
        people: How many are drawn for a group; all where fewer were asked.
    """
    if ratings is None:
        return means[list(rows)], tuple(0 for _ in rows)
    found, counts = np.full((len(rows), len(ratings.pairs)), np.nan), []
    for i, row in enumerate(rows):
        asked = np.flatnonzero(np.isfinite(ratings.values[:, row]).any(axis=1))
        drawn = rng.choice(asked, size=min(people, len(asked)), replace=False)
        values = ratings.values[drawn, row]  # (people, pairs)
        given = np.isfinite(values).sum(axis=0)
        np.divide(np.nansum(values, axis=0), given, out=found[i], where=given > 0)
        counts.append(len(drawn))
    return np.round(found, 9), tuple(counts)


def _taus(scores: Array, ratings: Array) -> Array:
    rows = scores.reshape(len(scores), -1)
    return kendall_rows(rows, np.broadcast_to(ratings.ravel(), rows.shape))


def _better_first(couple: tuple[int, int], singles: Array) -> tuple[int, ...]:
    return tuple(sorted(couple, key=lambda t: -np.nan_to_num(singles[t], nan=-2.0)))
