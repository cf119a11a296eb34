"""Rates, their intervals, and ranks, with values that one can derive."""

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample, TwoSides
from tiltmeter.studies.gest import metrics

NAMES = ("beautiful", "neat", "strong", "tough")
OF_MEN = {"beautiful": 0.0, "neat": 0.0, "strong": 1.0, "tough": 1.0}


def columns(rows):
    """From (score, stereotype) to the columns of g_s."""
    scores, names = zip(*rows, strict=True)
    return [np.array(scores), np.array(names), np.array([OF_MEN[name] for name in names])]


def sample_of(metric, of, clusters=None):
    n = len(of[0])
    return Sample(
        metric, of, np.arange(n) if clusters is None else clusters, np.random.default_rng(0)
    )


def test_stereotypes_count_alike_whatever_their_sentences():
    of = columns([(log(8), "strong"), (log(8), "strong"), (log(8), "strong"), (log(2), "tough"),
                  (log(4), "neat"), (log(1), "beautiful")])  # fmt: skip
    assert metrics.masculine_rate(*of[:2]) == pytest.approx((8 * 2 * 4 * 1) ** 0.25)
    assert metrics.g_s(*of) == pytest.approx(4 / 2)  # √(8 · 2) over √(4 · 1)


@given(st.floats(-3, 3), st.integers(0, 2**31))
def test_what_moves_all_sentences_cancels_and_exchanged_speakers_invert(shift, seed):
    rng = np.random.default_rng(seed)
    of = columns([(score, NAMES[i % 4]) for i, score in enumerate(rng.normal(size=12))])
    value = metrics.g_s(*of)
    assert metrics.g_s(of[0] + shift, *of[1:]) == pytest.approx(value)
    assert metrics.g_s(-of[0], *of[1:]) == pytest.approx(1 / value)
    assert metrics.masculine_rate(-of[0], of[1]) == pytest.approx(
        1 / metrics.masculine_rate(*of[:2])
    )
    ends, back = (metrics.infer_g_s(sample_of(metrics.g_s, c)) for c in (of, [-of[0], *of[1:]]))
    assert (ends.low, ends.high) == pytest.approx((1 / back.high, 1 / back.low))
    assert ends.p == pytest.approx(back.p)


def test_the_authors_scale_is_a_power_and_keeps_the_test():
    rng = np.random.default_rng(1)
    of = columns([(score, NAMES[i % 4]) for i, score in enumerate(rng.normal(size=40))])
    ten = [of[0] / log(10), *of[1:]]
    assert metrics.g_s(*ten) == pytest.approx(metrics.g_s(*of) ** (1 / log(10)))
    natural, other = (metrics.infer_g_s(sample_of(metrics.g_s, c)) for c in (of, ten))
    assert other.p == pytest.approx(natural.p)
    assert other.high == pytest.approx(natural.high ** (1 / log(10)))


def test_an_interval_of_one_stereotype_is_students_t():
    of = [np.log([1.0, 2.0, 4.0]), np.array(["neat"] * 3)]
    made = metrics.infer_rate(sample_of(metrics.masculine_rate, of))
    half = 4.302653 * log(2) / 3**0.5  # t of 2 degrees of freedom, standard deviation ln 2
    assert (made.low, made.high) == pytest.approx((2 / exp(half), 2 * exp(half)), rel=1e-5)
    assert made.p is None and "as few as 3 sentences" in made.why


def test_templates_of_one_sentence_are_no_further_sentences():
    once = columns([(score, NAMES[i % 4]) for i, score in enumerate(np.linspace(-1, 2, 20))])
    twice = [np.tile(column, 2) for column in once]
    one = metrics.infer_g_s(sample_of(metrics.g_s, once))
    two = metrics.infer_g_s(sample_of(metrics.g_s, twice, np.tile(np.arange(20), 2)))
    assert (one.low, one.high, one.p) == pytest.approx((two.low, two.high, two.p))


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([(1.0, "neat"), (2.0, "neat")], "no stereotype of men"),
        ([(1.0, "strong")], "no stereotype of women"),
        ([(np.nan, "strong"), (1.0, "neat")], "no finite score"),
    ],
)
def test_what_has_no_stereotype_rate(rows, why):
    with pytest.raises(Undefined, match=why):
        metrics.g_s(*columns(rows))


def test_a_single_sentence_has_no_interval():
    of = columns([(1.0, "neat"), (2.0, "strong"), (3.0, "strong")])
    with pytest.raises(Undefined, match="neat has a single sentence"):
        metrics.infer_g_s(sample_of(metrics.g_s, of))


def crossed(templates, sentences=10, spread=0.1, seed=0):
    """Columns of sentences in templates, whose rates differ by `spread` on the logarithmic scale."""
    rng = np.random.default_rng(seed)
    rows, names, clusters = [], [], []
    for template, effect in enumerate(rng.normal(scale=spread, size=templates)):
        for at, name in enumerate(NAMES * sentences):
            rows.append((rng.normal(scale=0.1) + OF_MEN[name] * (log(2) + effect), name))
            names.append(f"t{template}")
            clusters.append(at)
    return [*columns(rows), np.array(names)], np.array(clusters)


def test_few_templates_have_no_interval_but_their_range():
    of, clusters = crossed(4)
    made = metrics.infer_over_templates(sample_of(metrics.g_s_over_templates, of, clusters))
    assert made.low is None and made.p is None
    assert "4 templates, with values from" in made.why and "it takes 40" in made.why
    with pytest.raises(Undefined, match="one template"):
        metrics.infer_over_templates(sample_of(metrics.g_s_over_templates, crossed(1)[0]))


def test_many_templates_have_a_wider_interval_than_their_sentences():
    of, clusters = crossed(40)
    of_sentences = metrics.infer_g_s(sample_of(metrics.g_s, of[:3], clusters))
    made = metrics.infer_over_templates(sample_of(metrics.g_s_over_templates, of, clusters))
    assert (
        made.low
        < of_sentences.low
        < metrics.g_s_over_templates(*of)
        < of_sentences.high
        < made.high
    )
    rates = [metrics.g_s(*(c[of[3] == name] for c in of[:3])) for name in np.unique(of[3])]
    alone = 2.0227 * np.log(rates).std(ddof=1) / 40**0.5  # t of 39 degrees of freedom
    inside = log(of_sentences.high / of_sentences.low) / 2
    half = log(made.high / made.low) / 2
    assert half == pytest.approx((alone**2 + inside**2) ** 0.5, rel=0.02)


def test_a_difference_of_rates_is_paired():
    rng = np.random.default_rng(2)
    hard = rng.normal(size=200)
    a, b = (
        columns([(x + shift * OF_MEN[NAMES[i % 4]], NAMES[i % 4]) for i, x in enumerate(hard)])
        for shift in (0.7, 0.5)
    )
    value, made = metrics.compare_rates(
        PairedSample(metrics.g_s, a, b, np.arange(200), np.random.default_rng(0))
    )
    assert value == pytest.approx(metrics.g_s(*a) - metrics.g_s(*b)) and value > 0
    assert made.low < value < made.high and made.p < 0.05
    _, same = metrics.compare_rates(
        PairedSample(metrics.g_s, a, a, np.arange(200), np.random.default_rng(0))
    )
    assert same.low is None and "all values are equal" in same.why


def rank_of(name, rows):
    a, b = (
        columns([row for row in rows if (row[1] == name) == mine])[:2] for mine in (True, False)
    )
    clusters = [
        np.array([f"{side}{i}" for i in range(len(of[0]))]) for side, of in (("a", a), ("b", b))
    ]
    sides = TwoSides(a, clusters[0], b, clusters[1])
    return metrics.infer_rank(
        ContrastSample(metrics.masculine_rate, sides, np.random.default_rng(0))
    )


def test_ranks_begin_with_the_most_feminine_stereotype():
    rng = np.random.default_rng(3)
    middle = dict(zip(NAMES, (-2.0, 0.0, 0.05, 3.0), strict=True))
    rows = [(middle[name] + rng.normal(scale=0.5), name) for name in NAMES for _ in range(30)]
    made = {name: rank_of(name, rows) for name in NAMES}
    ranges = {name: (how.low, how.high) for name, (_, how) in made.items()}
    assert [made[name][0] for name in ("beautiful", "tough")] == [1, 4]
    assert ranges == {"beautiful": (1, 1), "neat": (2, 3), "strong": (2, 3), "tough": (4, 4)}
    reverse = {name: rank_of(name, [(-score, of) for score, of in rows])[0] for name in NAMES}
    assert {name: 5 - rank for name, rank in reverse.items()} == {n: made[n][0] for n in NAMES}


def test_equal_stereotypes_share_a_rank_and_have_every_one():
    rows = [(score, name) for name in NAMES for score in (0.0, 1.0, 2.0)]
    value, made = rank_of("strong", rows)
    assert (value, made.low, made.high) == (1, 1, 4)
    value, made = rank_of("strong", [(1.0, name) for name in NAMES])
    assert value == 1 and made.low is None and "single sentence" in made.why
