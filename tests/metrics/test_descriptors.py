"""Spread and cost of descriptors: values by hand, what chance gives, and a share that rises with the data."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample, TwoSides
from tiltmeter.metrics import descriptors as d


def sentences(costs, *, templates=3, nouns=4, noise=0.0, seed=0, axes=1):
    """Columns of sentences whose descriptors cost so much, in every axis."""
    rng = np.random.default_rng(seed)
    axis, of, template, noun = (
        part.ravel() for part in np.indices((axes, len(costs), templates, nouns))
    )
    nats = 5 + np.array(costs)[of] + template + 0.1 * (noun % 4) + noise * rng.normal(size=len(of))
    return [-nats * 7, np.full(len(of), 7.0), axis, of, template, noun]


def slowly(columns):
    """The square of the spread by loops over all pairs of sentences."""
    logprob, tokens, axis, of, template, noun = columns
    nats = -logprob / tokens
    keys = [*zip(axis, template, noun, strict=True)]
    apart = [y - np.mean([z for z, k in zip(nats, keys, strict=True) if k == key])
             for y, key in zip(nats, keys, strict=True)]  # fmt: skip
    products = [
        apart[i] * apart[j]
        for i in range(len(nats)) for j in range(len(nats))
        if axis[i] == axis[j] and of[i] == of[j] and template[i] != template[j] and noun[i] != noun[j]
    ]  # fmt: skip
    kinds, axes = len({*zip(axis, of, strict=True)}), len({*axis})
    return np.mean(products) * kinds / (kinds - axes)


def test_the_spread_is_the_standard_deviation_of_the_costs():
    costs = [0.0, 1.0, 2.0]
    assert d.descriptor_spread(*sentences(costs)) == pytest.approx(1)  # of 0, 1 and 2
    assert d.descriptor_spread(*sentences(costs, axes=2)) == pytest.approx(1)
    for shape in ({"templates": 1}, {"nouns": 1}):
        assert d.descriptor_spread(*sentences(costs, **shape)) == pytest.approx(1)


def test_a_slow_second_way_gives_the_same():
    columns = sentences([0.0, 0.3, 1.0, 0.2], noise=0.4, axes=2)
    assert d.descriptor_spread(*columns) ** 2 == pytest.approx(slowly(columns))


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
    assert sure.low is None and "only two templates or nouns" in sure.why
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
