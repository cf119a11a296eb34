"""How measures relate: correlations over models, groups, or the cells of both."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np

from tiltmeter.analyses.correlate.permutation_tests import Pair, Tested, permutation_tests
from tiltmeter.analyses.correlate.points import Points, check_shared
from tiltmeter.analyses.correlate.split_half import OF, RELIABILITY, reliability
from tiltmeter.core.errors import BadInput, Undefined, UnknownName
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import quantity
from tiltmeter.core.text import counted
from tiltmeter.derived.comparisons.model_families import describe_families, families_of
from tiltmeter.run.measuring.estimates import adjusted
from tiltmeter.stats.correlations.correlation import (
    DRAWS,
    EXACT_UP_TO,
    kendall_p,
    kendall_tau,
    spearman,
)
from tiltmeter.stats.correlations.correlation_intervals import correlation_interval
from tiltmeter.stats.correlations.pearson import least_p, least_significant, pearson
from tiltmeter.stats.correlations.reliability import disattenuated

Method: TypeAlias = Literal["pearson", "spearman"]
_quantity = partial(quantity, counts="points", decimals=2, neutral=0.0, neutral_is="no relation")
PEARSON = _quantity("pearson", "Pearson’s r", "r")
SPEARMAN = _quantity("spearman", "Spearman’s ρ", "ρ")
KENDALL = _quantity("kendall", "Kendall’s τ-b", "τ", least=-1, most=1)
CORRECTED = _quantity(
    "pearson_corrected", "Pearson’s r without the noise of both measures", "r without noise"
)
PAIRS = quantity(
    "significant_pairs",
    "Pairs of measures that correlate significantly",
    counts="pairs",
    decimals=0,
)
QUANTITIES = {q.name: q for q in (PEARSON, SPEARMAN, KENDALL, CORRECTED, RELIABILITY)}
LEVEL = 0.05
EACH = 200
"""Random orders for each pair of measures, where that makes more than the usual number."""


@dataclass(frozen=True, slots=True)
class Relations:
    """Correlations of measures over points, and how reliable the measures are."""

    points: Points
    method: Method
    """The correlation that pictures and tables show first."""
    estimates: tuple[Estimate, ...]
    """The correlations of each two measures, named x and y in `groups`: pearson, spearman, kendall and,
    where both reliabilities are known, pearson_corrected."""
    reliabilities: tuple[Estimate, ...]
    """The reliability of measures that have records of items, or for which one was given."""
    notes: tuple[str, ...]
    """What so many points can show, and what to beware of."""

    def of(self, name: str) -> list[Estimate]:
        """The estimates of one name, in the order of the pairs."""
        return [e for e in self.estimates if e.groups and e.name == name]


def correlate(
    points: Points,
    *,
    method: Method = "pearson",
    seed: int = 0,
    between: bool = False,
    reliabilities: Mapping[str, float] | None = None,
    families: Mapping[str, str] | None = None,
    measured: Mapping[str, Estimate] | None = None,
    done: Callable[[int], None] = lambda _: None,
) -> Relations:
    """Correlate each two measures over the points that have both.

    Pearson and Spearman with intervals over families of models (`correlation_interval`), from eight points of
    five families on, Pearson from 35 points on. Where points are unrelated, they have permutation tests,
    exact up to eight points; where some are of one family, the test is by the distribution of the interval.
    Kendall's tau-b has its exact test of unrelated points. Holm's adjustment runs over all pairs, for each of
    the three. Fewer than three points leave a pair undefined, and `why` says so.

    `pearson_corrected` is r / √(reliability of x · reliability of y), with the ends of r's interval divided
    likewise: what noise in either measure took from it. It may lie beyond 1 and is not cut. It has no
    value where both measures are of the same items: what is odd in these then moves both.

    Args:
        points: Points by measures.
        method: What pictures and tables show first.
        seed: For random orders and halves.
        between: Only measures of different sources (studies, files, published tables), which leaves a
            smaller family for Holm's adjustment.
        reliabilities: By measure, where they are known from elsewhere; otherwise they are estimated
            from halves of the items, of measures that come from runs.
        families: Of models, where their names do not tell it (`families_of`).
        measured: What `measured_reliabilities` gave for these points; by default it is called.
        done: Called with the number of pairs that are done, now and then.

    Raises:
        UnknownName: A reliability is given for a measure, or a family for a model, that is not there.
        BadInput: `between`, and all measures are of one source; or no two measures share a point.
    """
    given = dict(reliabilities or {})
    check_names(points, given, families or {})
    family = families_of(points.models or points.labels, families)
    if points.over == "groups":  # which have no families: each stands for itself
        family = points.labels
    if measured is None:
        measured = measured_reliabilities(points, given, seed=seed)
    known = {**measured, **{name: _given(name, value) for name, value in given.items()}}
    known = {name: known[name] for name in points.names if name in known}
    pairs = list(combinations(range(len(points.measures)), 2))
    if between:
        sources = [measure.source for measure in points.measures]
        pairs = [(i, j) for i, j in pairs if sources[i] != sources[j]]
        if not pairs:
            raise BadInput(
                f"all measures are from one source, {sources[0]}, so there is nothing to compare "
                "between sources",
                "leave out --between, or add another source",
            )
    check_shared(points, pairs)
    draws = max(DRAWS, EACH * len(pairs) - 1)  # else no p could stay below .05 after adjustment
    tested = permutation_tests(points, pairs, seed=seed, draws=draws, done=done)
    related = [
        e for pair in pairs for e in _related(points, pair, family, known, tested[pair], draws)
    ]
    notes = tuple(_notes(points, related, family))
    return Relations(points, method, tuple(adjusted(related)), tuple(known.values()), notes)


def check_names(points: Points, reliabilities: Iterable[str], families: Iterable[str]) -> None:
    """Check that the measures and models that a user names are there.

    Raises:
        UnknownName: One is not.
    """
    for name in reliabilities:
        if name not in points.names:
            raise UnknownName("measure", name, points.names)
    for name in families:
        if name not in points.models:
            raise UnknownName("model", name, list(dict.fromkeys(filter(None, points.models))))


def measured_reliabilities(
    points: Points,
    given: Mapping[str, float],
    *,
    seed: int = 0,
    done: Callable[[int], None] = lambda _: None,
) -> dict[str, Estimate]:
    """The split-half reliability of each measure that has records of items and none that is given.

    Args:
        points: Points by measures.
        given: The measures whose reliability is known from elsewhere.
        seed: For random halves.
        done: Called with the number of measures that are done, after each.
    """
    found: dict[str, Estimate] = {}
    for i, name in enumerate(points.names):
        if name not in given and (own := reliability(points, i, seed=seed)) is not None:
            found[name] = own
        done(i + 1)
    return found


def _given(name: str, value: float) -> Estimate:
    why = "given by the user, not estimated"
    return RELIABILITY.at(value, why=why, groups={OF: name})


def _related(
    points: Points,
    pair: Pair,
    family: Sequence[str],
    known: Mapping[str, Estimate],
    tested: Tested,
    draws: int,
) -> list[Estimate]:
    """The correlations of two measures."""
    there = points.shared(*pair)
    x, y = (points.values[there, column] for column in pair)
    groups = {"x": points.names[pair[0]], "y": points.names[pair[1]]}
    n = len(x)
    random = f"{counted(draws, 'random orders')} and the observed one"
    orders = "all orders" if n <= EXACT_UP_TO else random

    # Permutation tests take points as exchangeable, which models of one family are not.
    mine = np.array(family)[there]
    alone = len(np.unique(mine)) == n

    estimates = []
    for of, correlation, p, test in (
        (PEARSON, pearson, tested.linear, "permutation test"),
        (SPEARMAN, spearman, tested.ranked, "permutation test of ranks"),
    ):
        r, inference = None, Inference(None, None, p, "", f"{test}, {orders}, against 0")
        try:
            r = correlation(x, y)
            made = correlation_interval(x, y, mine, ranked=of is SPEARMAN)
            inference = inference._replace(
                low=made.low, high=made.high, interval=made.how, why=made.why
            )
            if not alone:
                inference = inference._replace(p=made.p, test="t test over families against 0")
        except Undefined as undefined:
            why = str(undefined) if r is None else f"no interval: {undefined}"
            if r is None or not alone:
                inference = inference._replace(p=None, test="")
            inference = inference._replace(why=why)
        estimates.append(of.at(r, inference, n=n, groups=groups))
    try:
        value, (p, how) = kendall_tau(x, y), kendall_p(x, y)
        inference = Inference(None, None, p, test=f"Kendall's test, {how}, against 0")
        if not alone:
            why = "its test takes points as unrelated, and some are of one family"
            inference = Inference(None, None, why=why)
        tau = KENDALL.at(value, inference, n=n, groups=groups)
    except Undefined as undefined:
        tau = KENDALL.at(None, n=n, why=str(undefined), groups=groups)
    same = bool(_data(points, pair[0]) & _data(points, pair[1]))
    return [*estimates, tau, *_corrected(estimates[0], known, same=same)]


def _data(points: Points, column: int) -> set[str]:
    """Digests of the data that a measure's runs were on."""
    cards = (origin.result.card for (_, at), origin in points.origins.items() if at == column)
    return {str(card.data.get("sha256") or card.data["name"]) for card in cards}


def _corrected(linear: Estimate, known: Mapping[str, Estimate], *, same: bool) -> list[Estimate]:
    """Pearson’s r without the noise of both measures; [] where one of the reliabilities is not known."""
    both = [known.get(linear.groups[side]) for side in ("x", "y")]
    values = [e.value for e in both if e is not None]
    if linear.value is None or len(values) < len(both):
        return []
    scale, why, by = None, "", ""
    shares = [value for value in values if value is not None]
    if same:
        why = (
            "both come from the same items, so their noise is not independent, contrary to what "
            "the correction assumes"
        )
    elif len(shares) < len(both):
        why = "the reliability of one of the two measures is undefined"
    else:
        try:
            scale = disattenuated(1.0, *shares)
        except Undefined as undefined:
            why = str(undefined)
    value, low, high = (
        None if end is None or scale is None else end * scale
        for end in (linear.value, linear.low, linear.high)
    )
    if low is not None:
        by = f"{linear.interval}, corrected like r, treating the reliabilities as exact"
    elif value is not None:
        why = linear.why
    if value is not None and abs(value) > 1:
        why = "above 1: by chance r is too large or a reliability too small, as happens with few points"
    inference = Inference(low, high, interval=by, why=why)
    return [CORRECTED.at(value, inference, n=linear.n, groups=linear.groups)]


def _notes(points: Points, estimates: list[Estimate], family: Sequence[str]) -> list[str]:
    """What so many points can show, and what to beware of."""
    tested = [e for e in estimates if e.name == PEARSON.name and e.value is not None]
    related = len(set(family)) < len(family)
    notes = [
        what_points_show(n, points.over, len(tested))
        for n in sorted({e.n for e in tested})
        if not related
    ]
    if related:
        notes.append(describe_families(points.models, family))
    if points.over != "models":
        notes.append(
            f"{points.over.capitalize()} of one model, or of one data set, are not independent of each "
            "other, as the tests assume: their p may be too small."
        )
    return [*points.apart, *points.notes, *notes, *_two_of_one_name(points)]


def what_points_show(n: int, over: str, pairs: int) -> str:
    """What n points can show at all, in words.

    >>> print(what_points_show(4, "models", 1))
    4 models: no p can be below 2 / 4! = 0.0833, so no correlation, however strong, can be significant.
    """
    start = f"{n} {over}: "
    if n <= EXACT_UP_TO:
        start += f"no p can be below 2 / {n}! = {least_p(n):.3g}"
    least = _least(n, LEVEL)
    if least is None:
        return f"{start}, so no correlation, however strong, can be significant."
    start += "; " if n <= EXACT_UP_TO else ""
    start += f"a rank correlation of ±{least:.2f} or more is significant"
    if pairs == 1:
        return f"{start}."
    first = _least(n, LEVEL / pairs)
    if first is None:
        return f"{start}, but after Holm’s adjustment for {pairs} pairs none can be significant."
    return (
        f"{start}; after Holm’s adjustment for {pairs} pairs the strongest must reach ±{first:.2f}."
    )


def _least(n: int, alpha: float) -> float | None:
    try:
        return least_significant(n, alpha=alpha)
    except Undefined:
        return None


def _two_of_one_name(points: Points) -> list[str]:
    """Models that go by one name with different weights, precisions or devices."""
    prints: dict[str, set[str]] = {}
    for origin in points.origins.values():
        card = origin.result.card
        prints.setdefault(card.model_name, set()).add(str(card.model.get("fingerprint")))
    several = Counter({name: len(some) for name, some in prints.items() if len(some) > 1})
    return [
        f"{name} has {count} different fingerprints in these runs: its weights, precision or "
        "device differ."
        for name, count in several.items()
    ]
