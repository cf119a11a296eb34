"""How similar an intersectional group's traits are to those of its components, and to which more.

Traits are compared by Kendall's tau. Intersectional groups share components, so they are not independent:
intervals draw the single groups anew, within each domain, and count an intersectional group as often as
both its components are drawn together (the pigeonhole bootstrap: Owen 2007, doi:10.1214/07-AOAS122).

Source: Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 5.2.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from tiltmeter.analysis.intersections.components import ComponentScores
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate, Meaning
from tiltmeter.core.types import Array, Integers, Labels
from tiltmeter.stats.bootstrap import RESAMPLES
from tiltmeter.stats.bootstrap_intervals import percentiles
from tiltmeter.stats.correlation import kendall_rows

DOMINATES = 0.1
"""So much higher is the mean tau with the component of a domain that is said to dominate another."""
FEW = 5
"""With fewer single groups than this in a domain the interval is too narrow, and says so."""
FIRST, SECOND, ORDER, NEARER, REVERSED, DOMAINS = (
    "tau_first", "tau_second", "order_difference", "tau_nearer", "tau_reversed", "domain_difference",
)  # fmt: skip
COUNTED, NONE = "intersectional groups", "no relation"
MEANINGS: Mapping[str, Meaning] = {
    FIRST: Meaning("component said first", counts=COUNTED, neutral_is=NONE),
    SECOND: Meaning("component said second", counts=COUNTED, neutral_is=NONE),
    ORDER: Meaning("second less first", counts=COUNTED, neutral_is="no difference"),
    NEARER: Meaning("the more similar component", counts=COUNTED, neutral_is=NONE),
    REVERSED: Meaning("the reverse order", counts=COUNTED, neutral_is=NONE),
    DOMAINS: Meaning("difference of mean τ", counts=COUNTED, neutral_is="no difference"),
}
"""With what an intersectional group is compared by Kendall's tau."""
_INTERVAL = "single groups resampled within domains, percentile"


@dataclass(frozen=True, slots=True)
class Taus:
    """Of each intersectional group, shape (intersectional,): NaN where there is none."""

    first: Array
    """Kendall's tau-b with its first component, over traits."""
    second: Array
    reversed: Array
    """With the group of the same components in the other order."""

    @property
    def nearer(self) -> Array:
        """With the component that it is more similar to."""
        return np.asarray(np.maximum(self.first, self.second), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class DomainPair:
    """Intersectional groups of two domains, in either order."""

    domain: str
    other: str
    tau: float
    """Mean over them of Kendall's tau-b with the component of `domain`."""
    other_tau: float
    difference: Estimate
    """The first less the second."""


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


def order_effect(
    scores: ComponentScores, taus: Taus, rng: np.random.Generator, *, draws: int = RESAMPLES
) -> list[Estimate]:
    """Means over intersectional groups: tau with either component, the nearer one, and the other order.

    Those with the first and second component are over groups that are there in both orders, so that each
    component stands in each place equally often; the mean with the nearer component is over all.
    """
    ordered = scores.reverse >= 0
    weights = _drawn(np.asarray(scores.domains), rng, draws)
    wanted = (
        (FIRST, taus.first, ordered),
        (SECOND, taus.second, ordered),
        (ORDER, taus.second - taus.first, ordered),
        (NEARER, taus.nearer, np.ones(len(ordered), dtype=bool)),
        (REVERSED, taus.reversed, ordered),
    )
    few = _few(scores.domains)
    return [
        _mean(name, np.where(of, values, np.nan), scores, weights, note=few)
        for name, values, of in wanted
    ]


def dominance(
    scores: ComponentScores, taus: Taus, rng: np.random.Generator, *, draws: int = RESAMPLES
) -> list[DomainPair]:
    """For every two domains: the component of which of them intersectional groups are more similar to.

    Domains that are crossed with themselves say nothing here and are left out.
    """
    names = list(dict.fromkeys(domain for domain in scores.domains if domain))
    domains = np.asarray(scores.domains)
    weights = _drawn(domains, rng, draws)
    first, second = domains[scores.first], domains[scores.second]
    found = []
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            straight = (first == one) & (second == other)
            turned = (first == other) & (second == one)
            if not (straight | turned).any():
                continue
            mine = np.where(straight, taus.first, np.where(turned, taus.second, np.nan))
            theirs = np.where(straight, taus.second, np.where(turned, taus.first, np.nan))
            known = np.isfinite(mine - theirs)
            note = _few(domains[(domains == one) | (domains == other)])
            difference = _mean(
                DOMAINS,
                mine - theirs,
                scores,
                weights,
                groups={scores.view.row_domain: one, "other": other},
                note=note,
            )
            tau, other_tau = (
                float(side[known].mean()) if known.any() else np.nan for side in (mine, theirs)
            )
            found.append(DomainPair(one, other, tau, other_tau, difference))
    return found


def relations(
    rows: Iterable[tuple[str, str, float, float]], *, least: float = DOMINATES
) -> dict[str, tuple[list[str], list[str]]]:
    """By domain: which others it dominates, and which dominate it.

    Args:
        rows: Domain, other domain, mean tau with the component of the first, and of the second.
        least: By how much a mean is higher where one dominates.

    >>> relations([("age", "race", 0.5, 0.375), ("age", "politics", 0.5, 0.45)])["age"]
    (['race'], [])
    """
    found: dict[str, tuple[list[str], list[str]]] = {}
    for one, other, tau, other_tau in rows:
        for domain in (one, other):
            found.setdefault(domain, ([], []))
        above = tau - other_tau
        if abs(above) >= least - 1e-12:
            winner, loser = (one, other) if above > 0 else (other, one)
            found[winner][0].append(loser)
            found[loser][1].append(winner)
    return found


def _drawn(domains: Labels, rng: np.random.Generator, draws: int) -> Array:
    """How often each single group is drawn, as many of a domain as it has; (draws, singles)."""
    times = np.zeros((draws, len(domains)))
    for domain in np.unique(domains):
        members = np.flatnonzero(domains == domain)
        share = np.full(len(members), 1 / len(members))
        times[:, members] = rng.multinomial(len(members), share, size=draws)
    return times


def _mean(
    name: str,
    values: Array,
    scores: ComponentScores,
    weights: Array,
    *,
    groups: Mapping[str, str] | None = None,
    note: str = "",
) -> Estimate:
    """The mean of the values that are there, with its interval."""
    known = np.isfinite(values)
    low = high = None
    why = note
    if not known.any():
        reason = "no intersectional group has a value"
        if name in {REVERSED, FIRST, SECOND, ORDER}:
            reason = "no group occurs in both orders with enough traits"
        return Estimate(
            name, None, None, None, None, 0, 0.0, "τ", reason, groups or {}, meaning=MEANINGS[name]
        )
    try:
        first, second = scores.first[known], scores.second[known]
        drawn = _resampled(values[known], first, second, weights)
        low, high = percentiles(drawn, why=" (no intersectional group drawn)")
    except Undefined as undefined:
        why = f"no interval: {undefined}"
    return Estimate(
        name,
        float(values[known].mean()),
        low,
        high,
        None,
        int(known.sum()),
        0.0,
        "τ",
        why,
        groups or {},
        model=scores.name,
        interval=_INTERVAL if low is not None else "",
        meaning=MEANINGS[name],
    )


def _resampled(values: Array, first: Integers, second: Integers, weights: Array) -> Array:
    """The mean on each resample, shape (draws,); NaN where no intersectional group is in it."""
    n = weights.shape[1]
    sums, counts = np.zeros((n, n)), np.zeros((n, n))
    sums[first, second], counts[first, second] = values, 1.0
    total, number = (((weights @ table) * weights).sum(axis=1) for table in (sums, counts))
    found = np.full(len(weights), np.nan)
    np.divide(total, number, out=found, where=number > 0)
    return found


def _few(domains: Iterable[str]) -> str:
    """Which of these domains, one a group, have so few groups that an interval is too narrow."""
    of = [str(domain) for domain in domains]
    short = {domain: of.count(domain) for domain in of if of.count(domain) < FEW}
    listed = ", ".join(f"{domain or 'without a domain'} ({n})" for domain, n in short.items())
    return f"few groups in {listed}: the interval is too narrow" if listed else ""
