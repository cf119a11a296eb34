"""How similar an intersectional group's traits are to those of its components, and to which more.

Traits are compared by Kendall's tau. Intersectional groups share components, so they are not independent:
intervals are for other single groups of the same domains, of which each is left out in turn.

Source: Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 5.2.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from tiltmeter.analyses.intersections.components import ComponentScores
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import Quantity, quantity
from tiltmeter.core.records import Record
from tiltmeter.core.types import Array, Groups, Integers, Labels
from tiltmeter.stats.correlations.correlation import kendall_rows
from tiltmeter.stats.resampling.jackknife import half_width_over_samples

DOMINATES = 0.1
"""A domain dominates another if the mean tau with its component is at least so much higher."""
ROUNDING = 1e-12
"""The tolerance for floating-point numbers, whose 0.1 may come out as 0.0999…"""
CROSSED, OTHER = "crossed", "other"
"""Axes: an intersectional group; the second of two domains."""
_resampled_quantity = partial(
    quantity,
    counts="intersectional groups",
    neutral=0.0,
    interval="Student’s t, jackknife over single groups of each domain",
)
_tau = partial(_resampled_quantity, neutral_is="no relation")
_difference = partial(_resampled_quantity, neutral_is="no difference")
ORDER = _difference("order_difference", "second minus first")
FIRST = _tau("tau_first", "component named first")
SECOND = _tau("tau_second", "component named second")
NEARER = _tau("tau_nearer", "the more similar component")
REVERSED = _tau("tau_reversed", "the reverse order")
DOMAIN = _difference("domain_difference", "difference of mean τ", "difference")
OF_DOMAIN = _tau("tau_domain", "mean τ with its component", "its τ")
OF_OTHER = _tau("tau_other", "mean τ with the other’s", "other’s τ")
COMPONENT = _tau("tau_component", "mean τ with the domain’s component, in groups of both domains")
TAUS = (FIRST, SECOND, NEARER, REVERSED)
"""Kendall's tau with each of what an intersectional group is compared with."""
QUANTITIES = (ORDER, *TAUS, DOMAIN, OF_DOMAIN, OF_OTHER, COMPONENT)
GROUP, GROUP_SCORES = "group", (FIRST.name, SECOND.name, REVERSED.name)
"""Kind of the records of intersectional groups, and their scores."""


@dataclass(frozen=True, slots=True)
class Taus:
    """Kendall's taus of each intersectional group, shape (intersectional,); NaN where there is none."""

    first: Array
    """Kendall's tau-b with its first component, over traits."""
    second: Array
    reversed: Array
    """Kendall's tau-b with the group of the same components in the other order."""

    @property
    def nearer(self) -> Array:
        """Kendall's tau-b with the component that it is more similar to."""
        return np.asarray(np.maximum(self.first, self.second), dtype=np.float64)


def taus_of(scores: ComponentScores, *, traits: str = "pairs") -> Taus:
    """Kendall's tau-b of each intersectional group with its components and its reverse.

    Args:
        scores: Of them and of their components.
        traits: "pairs", over the pair scores; "poles", over both traits of each pair.
    """
    single, joined = scores.profiles(traits)
    reverse = scores.reverse
    turned = np.where(reverse[:, None] >= 0, joined[reverse], np.nan)
    return Taus(
        kendall_rows(joined, single[scores.first]),
        kendall_rows(joined, single[scores.second]),
        kendall_rows(joined, turned),
    )


def order_effect(scores: ComponentScores, taus: Taus) -> list[Estimate]:
    """Means over intersectional groups: tau with either component, the nearer one, and the other order.

    Those with the first and second component are over groups that are there in both orders, so that each
    component stands in each place equally often; the mean with the nearer component is over all.
    """
    ordered = scores.reverse >= 0
    wanted = (
        (ORDER, taus.second - taus.first, ordered),
        (FIRST, taus.first, ordered),
        (SECOND, taus.second, ordered),
        (NEARER, taus.nearer, np.ones(len(ordered), dtype=bool)),
        (REVERSED, taus.reversed, ordered),
    )
    return [_mean(tau, np.where(of, values, np.nan), scores) for tau, values, of in wanted]


def dominance(scores: ComponentScores, taus: Taus) -> list[Estimate]:
    """For every two domains: the component of which of them intersectional groups are more similar to.

    By domain and other: the mean of Kendall's tau-b with the component of either, and the first less the
    second; the domain whose component is more similar stands first, and the largest difference is given
    first. Then, with its interval, the mean with the component of each, by domain and other in either order.
    Domains that are crossed with themselves say nothing here and are left out.
    """
    names = [name for name in dict.fromkeys(scores.domains) if name]
    domains = np.asarray(scores.domains)
    first, second = domains[scores.first], domains[scores.second]
    estimates: list[tuple[Estimate, Estimate, Estimate]] = []
    of_either: list[Estimate] = []
    for domain, other in combinations(names, 2):
        straight = (first == domain) & (second == other)
        turned = (first == other) & (second == domain)
        if not (straight | turned).any():
            continue
        mine = np.where(straight, taus.first, np.where(turned, taus.second, np.nan))
        theirs = np.where(straight, taus.second, np.where(turned, taus.first, np.nan))
        known = np.isfinite(mine - theirs)
        names_of = (domain, other)
        if known.any() and (mine - theirs)[known].mean() < 0:  # the stronger one is named first
            mine, theirs, names_of = theirs, mine, (other, domain)
        groups = dict(zip((scores.view.domains.rows, OTHER), names_of, strict=True))
        means = [float(side[known].mean()) if known.any() else None for side in (mine, theirs)]
        estimates.append((
            _mean(DOMAIN, mine - theirs, scores, groups=groups),
            OF_DOMAIN.at(means[0], groups=groups), OF_OTHER.at(means[1], groups=groups),
        ))  # fmt: skip
        for side, place in ((mine, names_of), (theirs, names_of[::-1])):
            at = dict(zip((scores.view.domains.rows, OTHER), place, strict=True))
            of_either.append(_mean(COMPONENT, side, scores, groups=at))
    estimates.sort(key=lambda three: -(three[0].value or 0.0))
    return [*(e for three in estimates for e in three), *of_either]


def dominates(e: Estimate) -> bool:
    """Whether the first domain of a difference dominates the other: large, with an interval without 0."""
    return bool(e.significant) and abs(e.value or 0.0) >= DOMINATES - ROUNDING


def relations(
    rows: Iterable[tuple[str, str, float]], unclear: Collection[tuple[str, str]] = ()
) -> dict[str, tuple[list[str], list[str]]]:
    """By domain: which others it dominates, and which dominate it.

    Args:
        rows: Domain, other domain, mean tau with the component of the first minus that of the other.
        unclear: Pairs of domains whose difference has no interval, or one that contains 0: neither dominates.

    >>> relations([("age", "race", 0.125), ("age", "politics", 0.05)])["age"]
    (['race'], [])
    >>> relations([("age", "race", 0.125)], [("age", "race")])["age"]
    ([], [])
    """
    by_domain: dict[str, tuple[list[str], list[str]]] = {}
    for domain, other, difference in rows:
        for name in (domain, other):
            by_domain.setdefault(name, ([], []))
        large = abs(difference) >= DOMINATES - ROUNDING
        if large and (domain, other) not in unclear:
            winner, loser = (domain, other) if difference > 0 else (other, domain)
            by_domain[winner][0].append(loser)
            by_domain[loser][1].append(winner)
    return by_domain


def group_records(scores: ComponentScores, taus: Taus) -> Iterator[Record]:
    """Kendall's tau of each intersectional group with its components and its reverse."""
    for i, name in enumerate(scores.intersectional):
        groups = {
            "crossed": name, "first": scores.singles[scores.first[i]],
            "second": scores.singles[scores.second[i]],
        }  # fmt: skip
        values = zip(GROUP_SCORES, (taus.first[i], taus.second[i], taus.reversed[i]), strict=True)
        known = {key: float(value) for key, value in values if np.isfinite(value)}
        yield Record(name, known, groups, kind=GROUP)


def _mean(
    tau: Quantity, values: Array, scores: ComponentScores, *, groups: Groups | None = None
) -> Estimate:
    """The mean of the known values, with its interval."""
    known = np.isfinite(values)
    if not known.any():
        reason = "no intersectional group has a value"
        if tau in {REVERSED, FIRST, SECOND, ORDER}:
            reason = "no group occurs in both orders with enough traits"
        return tau.at(None, why=reason, groups=groups)
    mean, n = float(values[known].mean()), int(known.sum())
    parts = scores.first[known], scores.second[known]
    try:
        half = _half_width(values[known], *parts, np.asarray(scores.domains))
    except Undefined as undefined:
        return tau.at(mean, why=f"too few groups to say: {undefined}", n=n, groups=groups)
    limit = 2.0 if tau in {ORDER, DOMAIN} else 1.0
    interval = Inference(max(-limit, mean - half), min(limit, mean + half))
    return tau.at(mean, interval, n=n, groups=groups)


def _half_width(values: Array, first: Integers, second: Integers, domains: Labels) -> float:
    """Half of the interval of a mean over intersectional groups, from leaving out each single group."""
    single = np.unique(np.concatenate([first, second]))
    holds = (first[:, None] == single) | (second[:, None] == single)
    left = len(values) - holds.sum(axis=0)
    without = np.full(len(single), np.nan)
    np.divide(values.sum() - values @ holds, left, out=without, where=left > 0)
    return half_width_over_samples(without, domains[single])
