"""Two models on the same contexts with three candidates: differences of ss, lms and icat."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.analysis import paired
from tiltmeter.core.errors import Undefined
from tiltmeter.core.items import SIDES
from tiltmeter.core.results import Estimate, Inference, Result
from tiltmeter.core.types import Array, Labels, Ties
from tiltmeter.metrics.context_association import by_term, credited, few_terms, icat_of
from tiltmeter.stats.bootstrap import resampled_sums
from tiltmeter.stats.correlation import spearman, spearman_interval, spearman_p
from tiltmeter.stats.intervals import bootstrap_mean, percentiles
from tiltmeter.stats.significance import sign_flip

AXES = ("task", "domain")
BY_TERM = "paired bootstrap of whole target terms, 2,000 draws"
IN_TERM = "paired bootstrap of contexts, 2,000 draws"
MEASURES = {"ss": 1, "lms": 0}
"""Which column of `credited` each is."""


@dataclass(frozen=True, slots=True)
class _Both:
    """The contexts that both results scored, in one order."""

    a: Array
    """What each context adds to lms and to ss of A, in percent; shape (n, 2)."""
    b: Array
    side_a: Array
    """Which A prefers: 1 the stereotype, -1 the anti-stereotype, 0 a tie; shape (n,)."""
    side_b: Array
    tied: Labels
    """"tied" where candidates score alike to either."""
    target: Labels
    axes: dict[str, Labels]


def compare_contexts(a: Result, b: Result, *, seed: int = 0) -> list[Estimate]:
    """A − B of ss, lms and icat, over all common contexts, by task and by domain; and agreement.

    Intervals resample target terms with both models' answers; the p of ss and lms is the sign-flip
    test of whole terms. Then how often both prefer the same of stereotype and anti-stereotype, and
    Cohen's kappa of that.
    """
    both, left_out = _common(a, b)
    note = paired.note(a, b, left_out)
    found: list[Estimate] = []
    for groups, some in _subsets(both):
        found += _differences(a, b, some, groups, seed, "" if groups else note)
    order = {name: i for i, name in enumerate(("ss", "lms", "icat"))}
    found.sort(key=lambda e: order[e.name.partition("_")[0]])
    agreed = paired.agreement(
        a, b, both.side_a, both.side_b, both.target, seed=seed,
        tied=int(np.sum(both.tied == "tied")), kind=BY_TERM,
    )  # fmt: skip
    return [*found, *agreed]


def over_models(results: Sequence[Result], *, seed: int = 0) -> list[Estimate]:
    """Over three models or more: Spearman's correlation of lms and ss (Nadeem et al. 2021, section 7).

    No estimate where the results are about something else.
    """
    names = [{e.name for e in r.estimates if not e.groups} for r in results]
    if len(results) < 3 or any({"ss", "lms"} - set(some) for some in names):  # noqa: PLR2004
        return []
    value, sure, why = None, Inference(None, None), ""
    try:
        lms, ss = _on_common_items(results)
        value = spearman(lms, ss)
        p = spearman_p(lms, ss, paired.rng_of(seed, "lms_ss_spearman", {}))
        sure = Inference(None, None, p, test="permutation test against 0")
        low, high = spearman_interval(value, len(results))
        sure = sure._replace(low=low, high=high, interval="Fisher's z (Bonett and Wright)")
    except Undefined as undefined:
        why = f"no interval: {undefined}" if value is not None else str(undefined)
    first = results[0].card
    return [
        Estimate(
            "lms_ss_spearman", value, sure.low, sure.high, sure.p, len(results), 0.0, "", why,
            model=", ".join(str(r.card.model["name"]) for r in results), study=first.study,
            rule=" / ".join(dict.fromkeys(r.card.rule for r in results)), ties=first.ties,
            convention=" / ".join(dict.fromkeys(r.card.convention for r in results)),
            interval=sure.interval, test=sure.test,
        )
    ]  # fmt: skip


def _on_common_items(results: Sequence[Result]) -> tuple[Array, Array]:
    """Lms and ss of each model over the contexts that all of them scored, shape (models,) each."""
    common = set.intersection(*({r.item for r in result.records} for result in results))
    if not common:
        raise Undefined("no context was scored by all of these models")
    means = []
    for result in results:
        mine = [r for r in result.records if r.item in common]
        ties: Ties = result.card.ties  # type: ignore[assignment]
        each = credited(*paired.columns(result.card, mine, SIDES), ties=ties)
        target = np.array([r.groups.get("target", "") for r in mine])
        means.append(by_term(each, target).mean(axis=0))
    lms, ss = np.array(means).T
    return lms, ss


def _common(a: Result, b: Result) -> tuple[_Both, int]:
    mine, yours = paired.matched(a, b)
    ties: Ties = a.card.ties  # type: ignore[assignment]
    of_a, of_b = paired.columns(a.card, mine, SIDES), paired.columns(b.card, yours, SIDES)
    level = [len(set(three)) < len(SIDES) for three in zip(*of_a, strict=True)]
    also = [len(set(three)) < len(SIDES) for three in zip(*of_b, strict=True)]
    both = _Both(
        credited(*of_a, ties=ties),
        credited(*of_b, ties=ties),
        np.sign(of_a[0] - of_a[1]),
        np.sign(of_b[0] - of_b[1]),
        np.array(["tied" if x or y else "" for x, y in zip(level, also, strict=True)]),
        np.array([r.groups.get("target", "") for r in mine]),
        {axis: np.array([r.groups.get(axis, "") for r in mine]) for axis in AXES},
    )
    return both, len(a.records) + len(b.records) - 2 * len(mine)


def _subsets(both: _Both) -> Iterator[tuple[dict[str, str], _Both]]:
    yield {}, both
    for axis, labels in both.axes.items():
        kinds = sorted({str(label) for label in labels if label})
        for kind in kinds if len(kinds) > 1 else ():
            yield {axis: kind}, paired.where(both, labels == kind)


def _differences(
    a: Result, b: Result, both: _Both, groups: dict[str, str], seed: int, note: str
) -> Iterator[Estimate]:
    terms_a, terms_b = by_term(both.a, both.target), by_term(both.b, both.target)  # (terms, 2)
    one = len(terms_a) == 1
    if one:  # of one term the score is a plain share of its contexts
        terms_a, terms_b = both.a, both.b
    tied, n = int(np.sum(both.tied == "tied")), len(both.a)

    def made(name: str, value: float, sure: Inference, why: str) -> Estimate:
        few = "" if one else few_terms(len(terms_a))
        said = "; ".join(part for part in (why, few, note) if part)
        shown = paired.Number(name, value, "percentage points", 0.0, groups, said)
        return paired.estimate(a, b, shown, sure, n=n, tied=tied)

    for measure, column in MEASURES.items():
        each = terms_a[:, column] - terms_b[:, column]  # (terms,)
        name = f"{measure}_difference"
        sure, why = _of_units(each, paired.rng_of(seed, name, groups), one=one)
        yield made(name, float(each.mean()), sure, why)
    value = float(icat_of(terms_a.mean(axis=0)) - icat_of(terms_b.mean(axis=0)))
    rng = paired.rng_of(seed, "icat_difference", groups)
    sure, why = _interval(lambda: _icat_interval(terms_a, terms_b, value, rng), one=one)
    yield made("icat_difference", value, sure, why)


def _of_units(each: Array, rng: np.random.Generator, *, one: bool) -> tuple[Inference, str]:
    """Differences of the terms or, of one term, of its contexts."""
    names = np.arange(len(each)).astype(str)
    sure, why = _interval(lambda: bootstrap_mean(each, names, rng), one=one)
    try:
        p = sign_flip(each, names, rng)
        what = "contexts" if one else "whole target terms"
        sure = sure._replace(p=p, test=f"sign-flip test of {what} against 0")
    except Undefined as undefined:
        why = "; ".join(part for part in (why, f"no test: {undefined}") if part)
    return sure, why


def _icat_interval(
    units_a: Array, units_b: Array, value: float, rng: np.random.Generator
) -> tuple[float, float]:
    """Widened to hold the value: near ss = 50 all resamples of an icat lie below it."""
    if len(units_a) == 1:
        raise Undefined("there is one context, so there is nothing to resample")
    drawn = resampled_sums(np.concatenate([units_a, units_b], axis=1), rng) / len(units_a)
    low, high = percentiles(icat_of(drawn[:, :2].T) - icat_of(drawn[:, 2:].T))
    return min(low, value), max(high, value)


def _interval(make: Callable[[], tuple[float, float]], *, one: bool) -> tuple[Inference, str]:
    return paired.interval(make, kind=IN_TERM if one else BY_TERM)
