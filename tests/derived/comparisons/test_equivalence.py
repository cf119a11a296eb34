from dataclasses import replace

import pytest

import tiltmeter
from tiltmeter.core.equivalence_margins import read_margins
from tiltmeter.core.errors import UnknownName
from tiltmeter.derived.comparisons.compare import compare, compare_all


@pytest.fixture(scope="module")
def runs():
    return [
        tiltmeter.run("perplexity", "fake:causal", data="starter_text").result,
        tiltmeter.run("starter_pairs", "fake:masked").result,
        tiltmeter.run("starter_pairs", "fake:causal").result,
    ]


def overall(estimates, name):
    return next(e for e in estimates if e.name == name and not e.groups)


def test_without_a_margin_nothing_is_said(runs):
    assert all(e.equivalence is None for e in compare(runs[1], runs[2]))


def test_the_interval_of_the_verdict_lies_inside_the_printed_one(runs):
    e = overall(
        compare(runs[1], runs[2], margins=read_margins(["5"])), "stereotype_rate_difference"
    )
    made = e.equivalence
    assert e.low < made.low < e.value < made.high < e.high
    assert (made.level, made.least, made.most, made.verdict) == (0.9, -5.0, 5.0, "undecided")
    assert made.needed > 270
    wide = overall(compare(runs[1], runs[2], margins=read_margins(["30"])), e.name)
    assert wide.equivalence.verdict == "equivalent"
    # the margin changes nothing else
    assert replace(wide, equivalence=None) == replace(e, equivalence=None)


def test_too_few_pairs_cannot_show_it_whatever_they_say(runs):
    made = compare(runs[1], runs[2], margins=read_margins(["5"]))
    of_age = next(e for e in made if e.groups == {"bias_type": "age"})
    assert of_age.n == 30
    assert of_age.equivalence.why == "it cannot be shown with fewer than 52 clusters"


def test_a_ratio_takes_a_share_and_a_few_documents_show_nothing(runs):
    other = replace(runs[0], card=replace(runs[0].card, model={**runs[0].card.model, "name": "B"}))
    e = overall(compare(runs[0], other, margins=read_margins(["2%"])), "perplexity_ratio")
    assert e.equivalence.verdict == "no verdict"
    assert e.equivalence.most == pytest.approx(1.02)


def test_a_margin_for_a_measure_that_is_not_compared_is_refused(runs):
    with pytest.raises(UnknownName, match="stereo"):
        compare_all(runs[1:], margins=read_margins(["stereo=2"]))
