"""Agreement against worked examples, an obvious slow implementation, and what must not matter."""

import itertools
import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.raters.kappa_and_alpha import (
    Level,
    alpha_inference,
    average_majority,
    coded,
    cohen_kappa,
    fleiss_inference,
    fleiss_kappa,
    krippendorff_alpha,
)

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
_ = math.nan
# Krippendorff 2011, section C/D: four observers, twelve units, missing values.
PUBLISHED = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
).T
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def slow_alpha(ratings: Array, level: Level) -> float:
    """Pair by pair, as the definition says, with the ordinal distance written out."""
    units = [[v for v in row if not math.isnan(v)] for row in ratings.tolist()]
    units = [unit for unit in units if len(unit) >= 2]
    everything = sorted(v for unit in units for v in unit)

    def distance(a: float, b: float) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return (a - b) ** 2
        if level == "ratio":
            return ((a - b) / (a + b)) ** 2 if a + b else 0.0
        low, high = min(a, b), max(a, b)
        between = sum(low <= v <= high for v in everything)
        ends = everything.count(low) + everything.count(high)
        return float(between - ends / 2) ** 2

    observed = sum(
        distance(a, b) / (len(unit) - 1)
        for unit in units
        for a, b in itertools.permutations(unit, 2)
    )
    expected = sum(distance(a, b) for a, b in itertools.permutations(everything, 2))
    return 1 - observed / (expected / (len(everything) - 1))


@pytest.mark.parametrize(
    ("level", "alpha"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_gives_the_published_values(level: Level, alpha: float) -> None:
    assert krippendorff_alpha(PUBLISHED, level=level) == pytest.approx(alpha, abs=5e-4)


def test_alpha_of_the_published_two_observer_examples() -> None:
    # Krippendorff 2011, A: 10 units, 2 values. 8 of 20 ordered pairs differ, 14 zeros and 6 ones:
    # 1 - (8/20) / (2·14·6/(20·19)) = 0.0952
    binary = np.array([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]]).T
    assert krippendorff_alpha(binary) == pytest.approx(1 - (8 / 20) / (168 / 380))
    # B: 12 units, 5 values, printed as .692
    letters = coded(zip("aabbdcccedda", "babbbccceddd", strict=True))
    assert krippendorff_alpha(letters) == pytest.approx(0.692, abs=5e-4)


tables = (
    st.integers(2, 4)
    .flatmap(
        lambda raters: st.lists(
            st.lists(
                st.sampled_from([0.0, 1.0, 2.0, 5.0, math.nan]), min_size=raters, max_size=raters
            ),
            min_size=1,
            max_size=8,
        )
    )
    .map(np.array)
)


@settings(deadline=None)
@given(tables, st.sampled_from(LEVELS))
def test_alpha_equals_the_slow_implementation(ratings: Array, level: Level) -> None:
    try:
        alpha = krippendorff_alpha(ratings, level=level)
    except Undefined:
        kept = [row[~np.isnan(row)] for row in ratings]
        kept = [row for row in kept if len(row) >= 2]
        assert not kept or len(np.unique(np.concatenate(kept))) == 1
        return
    assert alpha == pytest.approx(slow_alpha(ratings, level), abs=1e-9)


@settings(deadline=None)
@given(tables, st.sampled_from(LEVELS), st.randoms())
def test_alpha_ignores_the_order_of_raters_and_items(
    ratings: Array, level: Level, random: Random
) -> None:
    try:
        alpha = krippendorff_alpha(ratings, level=level)
    except Undefined:
        return
    shuffled = [random.sample(row, len(row)) for row in ratings.tolist()]
    random.shuffle(shuffled)
    assert krippendorff_alpha(np.array(shuffled), level=level) == pytest.approx(alpha, abs=1e-9)


def test_nominal_alpha_ignores_names_and_ordinal_alpha_ignores_spacing() -> None:
    renamed = np.where(PUBLISHED == 1, 9.0, PUBLISHED)
    stretched = PUBLISHED**3
    assert krippendorff_alpha(renamed) == pytest.approx(krippendorff_alpha(PUBLISHED))
    ordinal = krippendorff_alpha(PUBLISHED, level="ordinal")
    assert krippendorff_alpha(stretched, level="ordinal") == pytest.approx(ordinal)
    assert krippendorff_alpha(stretched, level="interval") != pytest.approx(ordinal, abs=1e-3)


@pytest.mark.parametrize(
    ("ratings", "level", "why"),
    [
        ([[1, _], [_, 2]], "nominal", "two people"),
        ([[1, 1], [1, 1]], "nominal", "all ratings are the same"),
        ([[1, 1], [2, _]], "nominal", "all ratings are the same"),
        ([[-1, 1], [1, 1]], "ratio", "zero or more"),
        ([[math.inf, 1], [1, 1]], "interval", "finite"),
        (np.empty((0, 3)), "nominal", "two people"),
    ],
)
def test_alpha_without_a_value_is_undefined(
    ratings: list[list[float]], level: Level, why: str
) -> None:
    with pytest.raises(Undefined, match=why):
        krippendorff_alpha(np.array(ratings), level=level)


def test_fleiss_gives_the_published_value_and_alpha_comes_near() -> None:
    ratings = np.array([np.repeat(np.arange(5), row) for row in FLEISS], dtype=float)
    assert fleiss_kappa(ratings) == pytest.approx(0.2099, abs=5e-5)
    # alpha = 1 - (1 - kappa)(1 - 1/N) for complete nominal data with N ratings
    assert krippendorff_alpha(ratings) == pytest.approx(1 - (1 - fleiss_kappa(ratings)) * 139 / 140)


@pytest.mark.parametrize("ratings", [[[1, 2, _], [1, 1, 1]], [[1, 1], [1, 1]], [[1], [2]]])
def test_fleiss_without_a_value_is_undefined(ratings: list[list[float]]) -> None:
    with pytest.raises(Undefined):
        fleiss_kappa(np.array(ratings))


def test_cohen_on_the_textbook_table() -> None:
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: (.7 - .5) / (1 - .5)
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa(second, first) == pytest.approx(0.4)
    assert cohen_kappa(first, first) == 1
    assert cohen_kappa(["y", "n"], ["n", "y"]) == -1


@pytest.mark.parametrize(("first", "second"), [([], []), (["a"], ["a"]), (["a"], ["a", "b"])])
def test_cohen_without_a_value_is_undefined(first: list[str], second: list[str]) -> None:
    with pytest.raises(Undefined):
        cohen_kappa(first, second)


def test_average_majority_is_the_mean_share_of_the_largest_group() -> None:
    # 3 of 4, 2 of 2; the item with one rating says nothing
    assert average_majority(np.array([[1, 1, 1, 2], [3, 3, _, _], [1, _, _, _]])) == 87.5
    with pytest.raises(Undefined):
        average_majority(np.array([[1.0], [2.0]]))


def test_interval_holds_the_value_and_narrows_with_items() -> None:
    many = np.tile(PUBLISHED, (60, 1))  # more items than are left out one by one
    few, more = alpha_inference(PUBLISHED), alpha_inference(many)
    assert few.low is not None
    assert few.high is not None
    assert more.low is not None
    assert more.high is not None
    assert few.low < more.low < krippendorff_alpha(many) < more.high < few.high


def test_one_item_alone_with_the_other_answer_says_next_to_nothing() -> None:
    found = alpha_inference(np.array([[1, 1], [2, 2.0], [2, 2]]))
    assert found.low is not None
    assert found.low < 0
    assert found.high == 1


def test_full_agreement_with_few_rare_answers_says_little() -> None:
    """Two of forty items have the rare answer: as much as four items of evenly used answers."""
    rare = alpha_inference(np.repeat([[1.0, 1.0], [2, 2]], [38, 2], axis=0))
    even = alpha_inference(np.repeat([[1.0, 1.0], [2, 2]], 20, axis=0))
    assert rare.high == even.high == 1
    assert rare.low is not None and even.low is not None
    assert rare.low < 0.5
    assert even.low > 0.8


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_an_unseen_item_that_weighs_nothing_leaves_the_value(level: Level) -> None:
    """The sums over items give the coefficient itself where each item weighs one."""
    from tiltmeter.stats.raters import unseen_items

    seen: list[float] = []
    rng = np.random.default_rng(3)
    ratings = np.clip(np.round(3 + rng.normal(0, 1, (30, 1)) + rng.normal(0, 0.8, (30, 4))), 1, 5)
    ratings[2, 1] = ratings[5, 3] = np.nan

    def once(value, counts, distances, features, value_of, clusters=None):  # type: ignore[no-untyped-def]
        seen.append(float(value_of(features(counts).sum(axis=0)[None])[0]))
        return unseen_items.unseen_items_interval(
            value, counts, distances, features, value_of, clusters
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tiltmeter.stats.raters.kappa_and_alpha.unseen_items_interval", once)
        found = alpha_inference(ratings, level=level)
        fleiss_inference(ratings[6:])
    assert seen[0] == pytest.approx(krippendorff_alpha(ratings, level=level))
    assert seen[1] == pytest.approx(fleiss_kappa(ratings[6:]))
    assert found.low is not None and found.high is not None
    assert found.low < seen[0] < found.high


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_independent_raters_agree_as_chance_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.integers(0, 3, (200, 3)).astype(float)
    alpha = krippendorff_alpha(ratings)
    assert abs(alpha) < 0.3  # six standard errors of about .05


def test_intervals_draw_whole_clusters() -> None:
    """Items of a cluster that are copies of each other are as good as one item."""
    rng = np.random.default_rng(3)
    once = np.where(
        rng.random((60, 5)) < 0.7, np.arange(60)[:, None] % 3, rng.integers(0, 3, (60, 5))
    )
    ratings, clusters = (
        np.repeat(once, 3, axis=0).astype(float),
        np.repeat(np.arange(60), 3).astype(str),
    )
    for inference in (alpha_inference, fleiss_inference):

        def width(data: Array, labels: Labels | None) -> float:
            found = inference(data, clusters=labels)  # noqa: B023
            assert found.low is not None and found.high is not None
            return found.high - found.low

        copied, alone = width(ratings, clusters), width(once.astype(float), None)
        assert copied == pytest.approx(alone, rel=0.1)
        assert width(ratings, None) < 0.75 * copied  # about 1 / sqrt(3)


def test_fleiss_interval_surrounds_the_value_or_says_why_not() -> None:
    ratings = np.array([[1.0] * n + [0.0] * (5 - n) for n in (5, 5, 4, 1, 0, 2, 0, 5)])
    found = fleiss_inference(ratings)
    assert found.low is not None and found.high is not None
    assert found.low < fleiss_kappa(ratings) < found.high
    one = fleiss_inference(ratings, clusters=np.array(["a"] * 8))
    assert one.low is None and "one cluster" in one.why
