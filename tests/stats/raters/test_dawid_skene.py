"""Dawid and Skene's model against another implementation, simulated truth, and cases without a solution."""

import math

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.raters.dawid_skene import accuracy_inference, dawid_skene
from tiltmeter.stats.raters.kappa_and_alpha import coded

PATTERNS = {
    "aaaa": 55, "aaab": 32, "aaba": 22, "aabb": 13, "abaa": 18, "abab": 12, "abba": 12,
    "abbb": 17, "baaa": 15, "baab": 12, "baba": 14, "babb": 23, "bbaa": 17, "bbab": 29,
    "bbba": 45, "bbbb": 82, "aab-": 7, "b-ab": 5, "-bb-": 4,
}  # fmt: skip
"""Answers of four raters, "-" for none, and how many items got them."""
OTHER_PREVALENCE = (0.430591, 0.569409)
OTHER_CONFUSION = (
    ((0.831912, 0.168088), (0.134669, 0.865331)),
    ((0.790081, 0.209919), (0.189467, 0.810533)),
    ((0.698997, 0.301003), (0.260493, 0.739507)),
    ((0.645727, 0.354273), (0.336033, 0.663967)),
)
OTHER_LABELS = {"aabb": 0.80882, "abba": 0.4862, "baab": 0.46724, "bbaa": 0.16399, "-bb-": 0.07383}
"""What crowd-kit 1.4.2 gives (5,000 steps): shares, errors, and the probability of "a" of some items."""


def table_of(patterns: dict[str, int]) -> Array:
    names = [p for p, n in patterns.items() for _ in range(n)]
    return coded([[None if x == "-" else x for x in name] for name in names])


def simulated(rng: np.random.Generator, items: int, accuracies: tuple[float, ...]) -> Array:
    truth = rng.random(items) < 0.4
    right = rng.random((items, len(accuracies))) < accuracies
    return np.where(right, truth[:, None], ~truth[:, None]).astype(float)


def test_it_equals_another_implementation() -> None:
    fit = dawid_skene(table_of(PATTERNS), rng=np.random.default_rng(0))
    assert fit.identified
    assert fit.prevalence == pytest.approx(OTHER_PREVALENCE, abs=5e-4)
    assert np.abs(fit.confusion - OTHER_CONFUSION).max() < 5e-4
    first = dict(zip(PATTERNS, np.cumsum([0, *PATTERNS.values()]), strict=False))
    for pattern, chance in OTHER_LABELS.items():
        assert fit.labels[first[pattern], 0] == pytest.approx(chance, abs=5e-4)


def test_the_labels_follow_from_the_errors_by_bayes() -> None:
    """At the end of EM: prior × errors of each answer, over both labels; and the likelihood."""
    ratings = table_of(PATTERNS)
    fit = dawid_skene(ratings, rng=np.random.default_rng(0))
    likelihood = 0.0
    for row, labels in zip(ratings, fit.labels, strict=True):
        joint = [
            fit.prevalence[true]
            * math.prod(
                fit.confusion[rater, true, int(v)]
                for rater, v in enumerate(row)
                if not math.isnan(v)
            )
            for true in (0, 1)
        ]
        assert labels[0] == pytest.approx(joint[0] / sum(joint), abs=1e-4)
        likelihood += math.log(sum(joint))
    assert fit.log_likelihood == pytest.approx(likelihood, abs=1e-3)


def test_it_recovers_accuracies_and_weighs_raters_by_them() -> None:
    accuracies = (0.95, 0.7, 0.7, 0.55)
    rng = np.random.default_rng(2)
    ratings = simulated(rng, 3000, accuracies)
    fit = dawid_skene(ratings, rng=rng, starts=4)
    assert fit.accuracy == pytest.approx(accuracies, abs=0.04)
    alone = np.array(
        [1.0, 0, 0, 1]
    )  # the best rater and the one who guesses, against the two others
    at = int(np.flatnonzero((ratings == alone).all(axis=1))[0])
    assert fit.labels[at, 1] > 0.5


def test_permuting_raters_permutes_their_errors_and_nothing_else() -> None:
    ratings, order = table_of(PATTERNS), [2, 0, 3, 1]
    one, other = (dawid_skene(t, rng=np.random.default_rng(0), starts=3)
                  for t in (ratings, ratings[:, order]))  # fmt: skip
    assert other.labels == pytest.approx(one.labels, abs=1e-3)
    assert other.accuracy == pytest.approx(one.accuracy[order], abs=1e-3)


def test_a_rater_without_ratings_has_no_errors() -> None:
    ratings = np.column_stack([table_of(PATTERNS), np.full(sum(PATTERNS.values()), np.nan)])
    fit = dawid_skene(ratings, rng=np.random.default_rng(0), starts=2)
    assert np.isnan(fit.confusion[4]).all() and np.isnan(fit.accuracy[4])
    assert fit.accuracy[:4] == pytest.approx(
        dawid_skene(ratings[:, :4], rng=np.random.default_rng(0), starts=2).accuracy, abs=1e-6
    )


def test_two_raters_do_not_identify_it() -> None:
    fit = dawid_skene(table_of(PATTERNS)[:, :2], rng=np.random.default_rng(0))
    assert not fit.identified
    assert "no item has three ratings" in fit.why


def test_starts_that_fit_equally_well_and_disagree_are_reported() -> None:
    """Three raters: one copies another, so that only two answers are independent."""
    rng = np.random.default_rng(5)
    ratings = rng.integers(0, 2, (400, 3)).astype(float)
    ratings[:, 0] = 0  # one rater always says the same: two informative ones are left
    fit = dawid_skene(ratings, rng=rng)
    assert not fit.identified
    assert "starts fit equally well" in fit.why
    found = accuracy_inference(ratings, fit, rng=rng)
    assert [one.low for one in found] == [None] * 3
    assert "not identified" in found[0].why


@pytest.mark.slow
def test_intervals_hold_the_true_accuracies_about_as_often_as_they_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tiltmeter.stats.raters.dawid_skene.RESAMPLES", 60)
    accuracies, held = (0.9, 0.8, 0.8, 0.65), 0
    for seed in range(10):
        ratings = simulated(np.random.default_rng(seed), 400, accuracies)
        fit = dawid_skene(ratings, rng=np.random.default_rng(0), starts=2)
        found = accuracy_inference(ratings, fit, rng=np.random.default_rng(0))
        for one, true in zip(found, accuracies, strict=True):
            assert one.low is not None and one.high is not None
            assert one.high - one.low < 0.2
            held += one.low < true < one.high
    assert held >= 33  # of 40, expected 38


@pytest.mark.parametrize("ratings", [[[1, math.nan], [math.nan, 2]], [[1, 1, 1], [1, 1, 1]]])
def test_without_ratings_to_compare_it_is_undefined(ratings: list[list[float]]) -> None:
    with pytest.raises(Undefined):
        dawid_skene(np.array(ratings), rng=np.random.default_rng(0))


def votes_of(seed: int, items: int, shares: tuple[float, ...], right: tuple[float, ...]) -> Array:
    """Answers of annotators who are right so often, of items whose labels have these shares."""
    rng = np.random.default_rng(seed)
    k = len(shares)
    truth = rng.choice(k, items, p=shares)
    table = np.empty((items, len(right)))
    for rater, accuracy in enumerate(right):
        is_right = rng.random(items) < accuracy
        other = (truth + rng.integers(1, k, items)) % k if k > 2 else 1 - truth
        table[:, rater] = np.where(is_right, truth, other)
    return table


# What crowd-kit 1.4.2 gives: log-likelihood and accuracies as it stops by default (its bound per vote grows
# by less than 1e-5), and the same when it goes on to 1e-14.
CROWD_KIT = [
    (
        votes_of(1, 200, (0.5, 0.3, 0.2), (0.92, 0.83, 0.86)),
        (-468.1670262990624, (0.9250, 0.8091, 0.8503)),
        (-468.1669577646135, (0.9251, 0.8090, 0.8503)),
    ),
    (
        votes_of(2, 1000, (0.8, 0.2), (0.92, 0.83, 0.86)),
        (-1567.0305559599929, (0.9270, 0.8102, 0.8445)),
        (-1567.0305071498537, (0.9271, 0.8102, 0.8444)),
    ),
]


@pytest.mark.parametrize(("ratings", "stopped", "converged"), CROWD_KIT)
def test_the_likelihood_is_that_of_crowd_kit(
    ratings: Array,
    stopped: tuple[float, tuple[float, ...]],
    converged: tuple[float, tuple[float, ...]],
) -> None:
    fit = dawid_skene(ratings, rng=np.random.default_rng(0))
    assert fit.log_likelihood > stopped[0]
    assert fit.log_likelihood == pytest.approx(converged[0], abs=1e-4)
    assert fit.accuracy.tolist() == pytest.approx(converged[1], abs=3e-4)
