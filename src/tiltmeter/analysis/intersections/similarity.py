"""Is a crossed group seen like its parts? Which part counts more, and what is of neither.

A crossed group is compared with its parts by Kendall's tau over traits. Crossed groups share their
parts, so they are not independent: intervals draw the single groups anew, within each domain, and count
a crossed group as often as both its parts are drawn together (the pigeonhole bootstrap: Owen 2007,
doi:10.1214/07-AOAS122).

Source: Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 5.2.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from tiltmeter.analysis.intersections.components import Crossings
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate
from tiltmeter.core.types import Array, Integers, Labels
from tiltmeter.stats.bootstrap import RESAMPLES
from tiltmeter.stats.correlation import kendall_rows
from tiltmeter.stats.intervals import percentiles

DOMINATES = 0.1
"""So much higher is the mean tau with the part of a domain that is said to dominate another."""
FEW = 5
"""With fewer single groups than this in a domain the interval is too narrow, and says so."""
_INTERVAL = "single groups resampled within domains, percentile"


@dataclass(frozen=True, slots=True)
class Taus:
    """Of each crossed group, shape (crossed,): NaN where there is none."""

    first: Array
    """Kendall's tau-b with its first part, over traits."""
    second: Array
    reversed: Array
    """With the group of the same parts in the other order."""

    @property
    def nearer(self) -> Array:
        """With the part that it is more like."""
        return np.asarray(np.maximum(self.first, self.second), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class DomainPair:
    """Crossings of two domains, in either order."""

    domain: str
    other: str
    tau: float
    """Mean over them of Kendall's tau-b with the part of `domain`."""
    other_tau: float
    difference: Estimate
    """The first less the second."""


def taus_of(crossings: Crossings, *, traits: str = "pairs") -> Taus:
    """Kendall's tau-b of each crossed group with its parts and its reverse.

    Args:
        crossings: The scores.
        traits: "pairs", over the pair scores; "poles", over both traits of each pair.
    """
    single, both = crossings.traits(traits)
    reverse = crossings.reverse
    turned = np.where(reverse[:, None] >= 0, both[reverse], np.nan)
    return Taus(
        kendall_rows(both, single[crossings.first]),
        kendall_rows(both, single[crossings.second]),
        kendall_rows(both, turned),
    )


def order_effect(
    crossings: Crossings, taus: Taus, rng: np.random.Generator, *, draws: int = RESAMPLES
) -> list[Estimate]:
    """Means over crossed groups: of tau with either part, the nearer part, and the other order.

    Those with the first and second part are over groups that are there in both orders, so that each
    part stands in each place equally often; the mean with the nearer part is over all.
    """
    ordered = crossings.reverse >= 0
    weights = _drawn(np.asarray(crossings.domains), rng, draws)
    wanted = (
        ("tau_first", taus.first, ordered),
        ("tau_second", taus.second, ordered),
        ("order_difference", taus.second - taus.first, ordered),
        ("tau_nearer", taus.nearer, np.ones(len(ordered), dtype=bool)),
        ("tau_reversed", taus.reversed, ordered),
    )
    few = _few(crossings.domains)
    return [
        _mean(name, np.where(of, values, np.nan), crossings, weights, note=few)
        for name, values, of in wanted
    ]


def dominance(
    crossings: Crossings, taus: Taus, rng: np.random.Generator, *, draws: int = RESAMPLES
) -> list[DomainPair]:
    """For every two domains: is a crossing of both more like its part of the one or of the other?

    Domains that are crossed with themselves say nothing here and are left out.
    """
    names = list(dict.fromkeys(domain for domain in crossings.domains if domain))
    domains = np.asarray(crossings.domains)
    weights = _drawn(domains, rng, draws)
    first, second = domains[crossings.first], domains[crossings.second]
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
                "domain_difference",
                mine - theirs,
                crossings,
                weights,
                groups={"domain": one, "other": other},
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
        rows: Domain, other domain, mean tau with the part of the first, and of the second.
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
    crossings: Crossings,
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
        reason = "no crossed group has a value"
        if name in {"tau_reversed", "tau_first", "tau_second", "order_difference"}:
            reason = "no group is there in both orders with enough traits"
        return Estimate(name, None, None, None, None, 0, 0.0, "τ", reason, groups or {})
    try:
        first, second = crossings.first[known], crossings.second[known]
        drawn = _resampled(values[known], first, second, weights)
        low, high = percentiles(drawn, why=" (no crossed group drawn)")
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
        model=crossings.name,
        interval=_INTERVAL if low is not None else "",
    )


def _resampled(values: Array, first: Integers, second: Integers, weights: Array) -> Array:
    """The mean on each resample, shape (draws,); NaN where no crossed group is in it."""
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
