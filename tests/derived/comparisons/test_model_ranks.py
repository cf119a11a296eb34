"""Models ranked on common items: order, ties, baselines, and how often a range misses the true rank."""

from dataclasses import replace

import numpy as np
import pytest

import tiltmeter as tm
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.derived.comparisons.model_ranks import comparable, first_rank, rank_models
from tiltmeter.stats.ranks.rank_ranges import pair_p_values, rank_ranges
from tiltmeter.stats.resampling.bootstrap import resampled_sums


@pytest.fixture(scope="module")
def masked():
    return tm.run("starter_pairs", "fake:masked").result


def shifted(result, share):
    """The same run with the more stereotyping sentence preferred in this share of the items."""
    upto = round(share * len(result.records))
    records = [
        replace(r, scores={"more": float(i < upto), "less": 0.5})
        for i, r in enumerate(result.records)
    ]
    card = replace(result.card, model={**result.card.model, "name": str(share)})
    return replace(result, card=card, records=records)


def test_the_closest_to_neutral_is_first_on_either_side_of_it(masked):
    shares = (0.9, 0.5, 0.1)
    made = rank_models([shifted(masked, share) for share in shares], masked.headline)
    assert made.first == "closest to 50"
    assert made.ranks == [(2, 3), (1, 1), (2, 3)]  # both are 40 points away
    apart = made.differences[0, 2]
    assert (apart.value, apart.unit) == (pytest.approx(80), "percentage points")
    assert apart.low < 80 < apart.high
    assert made.n == 270


def test_a_difference_may_be_negative(masked):
    below = rank_models([shifted(masked, 0.1), shifted(masked, 0.9)], masked.headline)
    assert -100 < below.differences[0, 1].low < -80 < below.differences[0, 1].high < -60


def test_the_same_answers_have_every_rank_and_no_interval(masked):
    made = rank_models([masked, masked], masked.headline)
    assert made.ranks == [(1, 2), (1, 2)]
    assert made.differences == {}


def test_models_are_ranked_over_the_items_that_all_have_in_any_order(masked):
    other = shifted(masked, 0.5)
    part = replace(other, records=[*reversed(other.records[20:])])
    assert rank_models([masked, part], masked.headline).n == 250
    whole, again = (rank_models([x, x, shifted(masked, 1)], masked.headline) for x in (other, replace(
        other, records=[*reversed(other.records)])))  # fmt: skip
    assert whole == again


def preferring(result, sides, name):
    """The run with these preferences: 1 for the more stereotyping sentence, 0 for the other."""
    records = [
        replace(r, scores={"more": float(side), "less": 0.5})
        for r, side in zip(result.records, sides, strict=False)
    ]
    return replace(result, card=replace(result.card, model={"name": name}), records=records)


def test_the_first_rank_agrees_with_the_paired_test(masked):
    """In samples of all kinds of differences: who is alone in it is significantly better."""
    rng, alone = np.random.default_rng(7), 0
    for _ in range(60):
        n, shift = rng.integers(20, 200), rng.choice([0.0, 0.05, 0.15, 0.4])
        easy = rng.random(n) < 0.6
        sides = [np.where(rng.random(n) < 0.8, easy, rng.random(n) < 0.6 + x) for x in (0, shift)]
        a, b = (preferring(masked, of, name) for of, name in zip(sides, "AB", strict=True))
        ranks = rank_models([a, b], masked.headline).ranks
        (tested,) = [
            e for e in compare(a, b) if e.name == "stereotype_rate_difference" and not e.groups
        ]
        if (1, 1) in ranks:
            alone += 1
            assert tested.significant
    assert alone > 5


def test_intervals_of_two_models_are_those_of_their_comparison(masked):
    two = shifted(masked, 0.5), shifted(masked, 0.6)
    apart = rank_models(two, masked.headline).differences[0, 1]
    (compared,) = [
        e for e in compare(*two) if e.name == "stereotype_rate_difference" and not e.groups
    ]
    assert (apart.value, apart.low, apart.high) == pytest.approx(
        (compared.value, compared.low, compared.high)
    )


def test_the_difference_of_numbers_with_one_limit_has_none():
    """Perplexities are at least 1; their difference may be negative."""
    of_ratio = Estimate("p", 30.0, None, None, None, 9, None, "", meaning=Meaning(
        better="lower", least=1))  # fmt: skip
    meaning = of_ratio.meaning.of_difference(of_ratio.meaning, "")
    assert meaning.range("") == (-np.inf, np.inf)
    e = replace(of_ratio, value=-4.94, low=-8.0, high=-1.0, meaning=meaning)
    assert (e.low, e.high) == (-8.0, -1.0)


@pytest.mark.parametrize(
    ("estimate", "first"),
    [
        (Estimate("a", 1, None, None, None, 3, 50, "%"), "closest to 50"),
        (Estimate("a", 1, None, None, None, 3, 0, "", meaning=Meaning(magnitude=True)), "lowest"),
        (Estimate("a", 1, None, None, None, 3, 50, "%", meaning=Meaning(better="higher")), "highest"),
        (Estimate("a", 1, None, None, None, 3, None, "%"), ""),
        (Estimate("a", 1, None, None, None, 3, 0, "", meaning=Meaning(role="description")), ""),
    ],
)  # fmt: skip
def test_which_value_is_first_follows_from_what_the_measure_says(estimate, first):
    assert first_rank(estimate) == first


def test_one_model_or_a_measure_without_a_best_value_is_not_ranked(masked):
    with pytest.raises(Undefined, match="fewer than two models"):
        rank_models([masked], masked.headline)
    with pytest.raises(Undefined, match="no value is the best"):
        rank_models([masked, masked], replace(masked.headline, neutral=None))


def test_rules_data_and_settings_keep_results_apart_and_baselines_stand_beside_all(masked):
    card = masked.card
    cards = [
        card, replace(card, alike=(), rule="aul"), replace(card, model={**card.model, "kind": "baseline"}),
        replace(card, data={**card.data, "sha256": "other"}), replace(card, title="An analysis"), card,
    ]  # fmt: skip
    assert comparable([replace(masked, card=c) for c in cards]) == [[0, 2, 5], [1, 2], [3]]
    assert comparable([replace(masked, card=c) for c in cards[2:3]]) == [[0]]


@pytest.mark.parametrize(
    "shares", [[0.5] * 5, [0.5, 0.5, 0.55, 0.45, 0.6], [0.95, 0.5, 0.9], [0.5, 0.6]]
)
@pytest.mark.parametrize("n", [20, 200])
def test_a_range_of_ranks_by_distance_rarely_misses_the_true_rank(shares, n):
    rng, missed, repeats = np.random.default_rng(1), np.zeros(len(shares)), 200
    far = np.round(np.abs(np.array(shares) - 0.5), 9)
    for _ in range(repeats):
        right = 100.0 * (_uniform(rng, n, len(shares)) < shares)
        drawn = resampled_sums(right, rng, draws=199).T / n
        means = right.mean(axis=0)
        ranges = rank_ranges(-np.abs(means - 50), pair_p_values(means, drawn, n, neutral=50))
        for i, (best, worst) in enumerate(ranges):
            missed[i] += worst < 1 + (far < far[i]).sum() or best > (far <= far[i]).sum()
    assert missed.max() / repeats < 0.05 + 2 * (0.05 * 0.95 / repeats) ** 0.5


def _uniform(rng, n, m):
    """Uniform numbers of which those of one item are alike."""
    shared, alone = rng.random((n, 1)), rng.random((n, m))
    return np.where(rng.random((n, m)) < 0.6, shared, alone)


def test_numbers_by_token_are_not_ranked_where_models_split_texts_differently(masked):
    by_token = replace(masked.headline, meaning=replace(masked.headline.meaning, by_token=True))
    one, other = (
        replace(
            masked,
            records=[replace(r, scores={**r.scores, "tokens_scored": n}) for r in masked.records],
        )
        for n in (7.0, 8.0)
    )
    with pytest.raises(Undefined, match="split texts into different tokens"):
        rank_models([one, other], by_token)
    assert rank_models([one, one], by_token).n == rank_models([one, other], masked.headline).n
