"""The published judgments give the paper's numbers, under the convention that it used and on one scale."""

import pytest

import published
from tiltmeter.analysis.quality.judged_hypotheses import PUBLISHED, judged_hypotheses
from tiltmeter.core.errors import UnknownName
from tiltmeter.data.people.inference_annotations import (
    HypothesisJudgments,
    read_hypothesis_judgments,
)

FILES = [
    f"stereo_inferences/{n}_annotation{s}_per_example_updated.csv"
    for n, s in (("1", ""), ("4", "s"))
]
DOMAINS = {"socioeconomic status": 42, "religion": 31, "politics": 29, "nationality": 28, "race": 22,
           "gender": 22}  # fmt: skip
"""Based on identity, in per cent."""
ALL_FOUR = {"valid": 90.9, "plausible": 83.7, "situation": 68.0, "identity": 25.7}
PAIR = {"valid": 94.9, "plausible": 89.3, "situation": 78.5, "identity": 53.9}
ILLEGITIMATE = {"MNLI": 22.9, "SNLI": 7.8, "COMET": 7.6}


def test_no_such_convention():
    with pytest.raises(UnknownName, match="convention"):
        judged_hypotheses(HypothesisJudgments("x", (), (), frozenset()), convention="raw")


@pytest.fixture(scope="module")
def answers():
    return read_hypothesis_judgments([published.need(path) for path in FILES])


@pytest.fixture(scope="module")
def made(answers):
    return judged_hypotheses(answers)


@published.needs(FILES[0])
def test_on_one_scale(answers, made):
    assert (len(answers.rows), answers.hypotheses, len(made.judgments.rows)) == (2049, 1281, 2046)
    for domain, share in DOMAINS.items():
        found = made.share("based on identity", "domain", domain).share
        assert found.value == pytest.approx(share, abs=0.55)
        assert found.low < found.value < found.high
    assert round(made.share("based on identity").share.value, 1) == 29.5
    assert round(made.share("stereotype, yes or maybe").share.value, 1) == 30.9
    assert round(made.share("negative, of those not neutral").share.value) == 52
    for question, share in ALL_FOUR.items():
        panel = made.panel(question)
        assert (round(panel.all_four.value, 1), round(panel.pair.value, 1)) == (
            share,
            PAIR[question],
        )
        assert panel.all_four.value <= panel.three.value <= panel.pair.value
    sentiment = made.panel("sentiment")
    assert (round(sentiment.pair.value, 1), round(sentiment.all_four.value, 1)) == (74.5, 58.5)
    assert made.panel("stereotype").pair.value == pytest.approx(61.9, abs=0.15)
    assert 0.7 < sentiment.alpha.value < 0.76


@published.needs(FILES[0])
def test_as_the_paper_counted(answers):
    made = judged_hypotheses(answers, convention=PUBLISHED)
    assert made.share("based on identity").n == 1144
    for generator, share in ILLEGITIMATE.items():
        found = made.share("not valid or not plausible", "generator", generator)
        assert round(found.share.value, 1) == share
    sentiment = made.panel("sentiment")
    assert (round(sentiment.pair.value, 1), round(sentiment.all_four.value, 1)) == (57.0, 27.8)


@published.needs(FILES[0])
def test_the_third_annotator_is_found_unaided(made):
    assert [(one.question, one.annotator) for one in made.reversed] == [
        ("sentiment", "Annotator 3")
    ]
    never = {(one.question, one.annotator): one.never for one in made.scales}
    assert never["stereotype", "Annotator 3"] == (5,)
    assert never["stereotype", "Annotator 1"] == (2,)
