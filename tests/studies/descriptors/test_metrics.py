"""Spread and cost of descriptors: values by hand, what chance gives, and a share that rises with the data."""

from functools import partial

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample, TwoSides
from tiltmeter.studies.descriptors import metrics as d


def sentences(costs, *, templates=3, nouns=4, noise=0.0, seed=0, axes=1):
    """Columns of sentences whose descriptors cost so much, in every axis."""
    rng = np.random.default_rng(seed)
    axis, of, template, noun = (
        part.ravel() for part in np.indices((axes, len(costs), templates, nouns))
    )
    nats = 5 + np.array(costs)[of] + template + 0.1 * (noun % 4) + noise * rng.normal(size=len(of))
    return [-nats * 7, np.full(len(of), 7.0), axis, of, template, noun]


def slowly(columns, left_out=(-1, -1)):
    """The square of the spread by loops over all pairs of sentences, without a template and a noun."""
    logprob, tokens, axis, of, template, noun = columns
    nats = -logprob / tokens
    keys = [*zip(axis, template, noun, strict=True)]
    apart = [y - np.mean([z for z, k in zip(nats, keys, strict=True) if k == key])
             for y, key in zip(nats, keys, strict=True)]  # fmt: skip
    pairs = [
        (i, j)
        for i in range(len(nats)) for j in range(len(nats))
        if axis[i] == axis[j] and of[i] == of[j] and template[i] != template[j] and noun[i] != noun[j]
        and left_out[0] not in {template[i], template[j]} and left_out[1] not in {noun[i], noun[j]}
    ]  # fmt: skip
    beside = {key: [o for o, k in zip(of, keys, strict=True) if k == key] for key in keys}

    def factor(i, j):
        a, b = beside[keys[i]], beside[keys[j]]
        same = sum(a.count(o) * b.count(o) for o in {*a})
        own = a.count(of[i]) / len(a) + b.count(of[j]) / len(b)
        return 1 - own + same / len(a) / len(b)

    return sum(apart[i] * apart[j] for i, j in pairs) / sum(factor(*pair) for pair in pairs)


def test_the_spread_is_the_standard_deviation_of_the_costs():
    costs = [0.0, 1.0, 2.0]
    assert d.descriptor_spread(*sentences(costs)) == pytest.approx(1)  # of 0, 1 and 2
    assert d.descriptor_spread(*sentences(costs, axes=2)) == pytest.approx(1)
    for shape in ({"templates": 1}, {"nouns": 1}):
        assert d.descriptor_spread(*sentences(costs, **shape)) == pytest.approx(1)


def drawn(columns, share, seed):
    """A random sample of the sentences, some of them twice."""
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(columns[0]))[: int(share * len(columns[0]))]
    rows = rows if share == 1 else np.append(rows, rows[:2])
    return [column[rows] for column in columns]


def test_a_sample_has_the_spread_of_all_sentences_on_average():
    """With a tenth of them there are few descriptors beside each other, or one alone."""
    whole = sentences(np.linspace(0, 2, 9), templates=6, nouns=6, noise=0.3, axes=2)
    squares = []
    for seed in range(300):
        try:
            squares.append(d._squares(drawn(whole, 0.15, seed))[0])
        except Undefined:
            continue
    assert len(squares) > 250
    error = np.std(squares) / len(squares) ** 0.5
    assert np.mean(squares) == pytest.approx(np.var(np.linspace(0, 2, 9), ddof=1), abs=3 * error)
    assert error < 0.06


def test_what_stands_beside_no_other_descriptor_says_nothing():
    """Each sentence alone with its template and noun: no difference was seen, which is not a spread of 0."""
    columns = sentences(np.linspace(0, 1, 12), templates=12, nouns=12)
    alone = [
        i for i in range(len(columns[0])) if (columns[4][i] + columns[5][i]) % 12 == columns[3][i]
    ]
    with pytest.raises(
        Undefined, match=r"no descriptor stands beside others in two sentences that differ"
    ):
        d.descriptor_spread(*[column[alone] for column in columns])


@pytest.mark.parametrize("share", [1, 0.6, 0.3])
def test_a_slow_second_way_gives_the_same(share):
    columns = drawn(sentences([0.0, 0.3, 1.0, 0.2], noise=0.4, axes=2), share, seed=1)
    square, (by_template, by_noun) = d._squares(columns)
    assert square == pytest.approx(slowly(columns))
    assert by_template[1] == pytest.approx(slowly(columns, (1, -1)))
    assert by_noun[2] == pytest.approx(slowly(columns, (-1, 2)))


def test_chance_alone_has_no_spread_and_more_sentences_do_not_raise_it():
    even = [d.descriptor_spread(*sentences([0.0] * 6, noise=1, nouns=n)) for n in (4, 16, 64)]
    assert max(even) < 0.3 and even[2] < 0.1
    costs = np.linspace(-0.2, 0.2, 6)
    few, many = (d.descriptor_spread(*sentences(costs, noise=0.3, nouns=n)) for n in (8, 128))
    assert few == pytest.approx(0.15, abs=0.05) and many == pytest.approx(0.15, abs=0.02)


def test_the_share_of_small_p_rises_with_the_number_of_nouns_alone():
    costs = np.linspace(-0.2, 0.2, 6)
    shares = [d.likelihood_bias(*sentences(costs, noise=0.3, nouns=n)) for n in (8, 32, 128, 512)]
    assert shares == sorted(shares) and shares[0] < 20 and shares[-1] > 85


def test_likelihood_bias_by_hand():
    """Of 5 and 5 nouns apart p is .008, of equal ones 1: two of three pairs."""
    columns = sentences([0.0, 9.0, 9.0], templates=1, nouns=5)
    assert d.likelihood_bias(*columns) == pytest.approx(200 / 3)
    ragged = [np.delete(column, 0) for column in columns]  # the first descriptor lacks a noun
    assert d.likelihood_bias(*ragged) == 0


def contrast(columns, which=1):
    sides = [
        [columns[i][rows] for i in (0, 1, 4, 5)]
        for rows in (columns[3] == which, columns[3] != which)
    ]
    two = TwoSides(sides[0], sides[0][2], sides[1], sides[1][2])
    return d.contrast_costs(ContrastSample(d.nats_per_token, two, np.random.default_rng(0)))


def test_the_cost_is_over_the_sentences_that_both_have():
    columns = sentences([0.0, 1.0, 2.0, 4.0], noise=1e-3)
    value, sure = contrast(columns)
    assert value == pytest.approx(1 - 2, abs=0.01) and sure.low <= value <= sure.high
    half = [column[(columns[3] != 1) | (columns[5] < 2)] for column in columns]
    assert contrast(half)[0] == pytest.approx(-1, abs=0.01)
    one = [column[(columns[3] != 1) | (columns[5] == 0)] for column in columns]
    assert contrast(one)[1].low is not None  # templates alone are resampled
    apart = [column[(columns[3] == 1) == (columns[4] == 0)] for column in columns]
    with pytest.raises(Undefined, match="no template and noun in common"):
        contrast(apart)


def test_intervals_and_their_reasons():
    columns = sentences([0.0, 0.5, 1.0], noise=0.2)
    sure = d.infer_spread(
        Sample(d.descriptor_spread, columns, columns[4], np.random.default_rng(0))
    )
    assert (
        0 <= sure.low < d.descriptor_spread(*columns) < sure.high and "only 3 templates" in sure.why
    )
    two = sentences([0.0, 0.5, 1.0], noise=0.2, templates=2)
    sure = d.infer_spread(Sample(d.descriptor_spread, two, two[4], np.random.default_rng(0)))
    assert (
        sure.low is None
        and "without one of the templates or nouns there is nothing to compare" in sure.why
    )
    value, sure = d.compare_spreads(
        PairedSample(d.descriptor_spread, columns, sentences([0.0, 1.0, 2.0], noise=0.2, seed=1),
                     columns[4], np.random.default_rng(0))
    )  # fmt: skip
    assert value == pytest.approx(-0.5, abs=0.2) and sure.low < value < sure.high


def test_what_is_undefined_says_why():
    for columns, why in (
        (sentences([1.0]), "only one descriptor of each axis"),
        (sentences([0.0, 1.0], templates=1, nouns=1), "only one template and one noun"),
    ):
        with pytest.raises(Undefined, match=why):
            d.descriptor_spread(*columns)
    with pytest.raises(Undefined, match="only one descriptor of each axis"):
        d.likelihood_bias(*sentences([1.0]))


@pytest.mark.parametrize("count", [2, 5, 20, 40, 60, 100, 300])
def test_few_sentences_drawn_from_many_give_a_finite_spread_or_none(count):
    """Of a sample no descriptor need have two sentences that differ in template and noun."""
    whole = sentences(np.linspace(0, 1, 60), templates=5, nouns=8, noise=0.2, axes=4)
    rows = np.random.default_rng(count).permutation(len(whole[0]))[:count]
    columns = [column[rows] for column in whole]
    sample = Sample(d.descriptor_spread, columns, np.arange(count), np.random.default_rng(0))
    infer = partial(d.infer_spread, sample)
    try:
        value = d.descriptor_spread(*columns)
    except Undefined:
        with pytest.raises(
            Undefined, match=r"no descriptor stands beside others|only one descriptor"
        ):
            infer()
        return
    assert np.isfinite(value) and all(end is None or np.isfinite(end) for end in infer()[:2])
