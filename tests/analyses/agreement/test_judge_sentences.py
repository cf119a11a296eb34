"""What is said of judges, from made-up numbers."""

from dataclasses import replace

import pytest

import tiltmeter as tm
from tiltmeter.analyses.agreement.annotator_groups import JUDGE_DIFFERENCE
from tiltmeter.analyses.agreement.judge_numbers import ADVANTAGE, PASSED, WINNING_RATE
from tiltmeter.analyses.agreement.judge_sentences import few_people, judge_paragraphs
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.estimates import Inference
from tiltmeter.stats.raters.judge_errors import ITEMS_ALONE


@pytest.fixture(scope="module")
def card(tmp_path_factory):
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_text("annotator,item,q\na,1,x\nb,1,y\n", "utf-8")
    return replace(tm.analyse.agreement(path, question=["q"]).card, settings={"epsilon": "0.2"})


def said(card, *estimates):
    return " ".join(p.text for p in judge_paragraphs(Numbers(card, estimates)))


def rate(judge, value=0.5, verdict=PASSED, **more):
    return WINNING_RATE.at(
        value, n=4, groups={"question": "q", "judge": judge}, verdict=verdict, **more
    )


def test_verdicts_have_both_numbers_and_undefined_ones_the_reason(card):
    advantage = ADVANTAGE.at(0.71, Inference(0.6, 0.8), groups={"question": "q", "judge": "j"})
    text = said(card, rate("j"), advantage, rate("k", None, "", why="no items"))
    assert (
        "j passes the alternative annotator test at ε = 0.2: ω = 0.50 (2 of 4 annotators)" in text
    )
    assert "ρ = 0.71 (0.60 to 0.80)" in text
    assert "k: the alternative annotator test is not possible: no items." in text


def test_many_judges_are_counted(card):
    many = [rate(f"j{n}", verdict=PASSED if n < 2 else "failed") for n in range(20)]
    assert said(card, *many) == "2 of 20 judges pass at ε = 0.2: j0, j1."


def test_two_groups_are_said_once_with_whom_the_interval_is_about(card):
    def difference(group, value, verdict, interval=ITEMS_ALONE):
        groups = {"question": "q", "judge": "j", "attribute": "sex", "group": group}
        ends = Inference(value - 5, value + 5, interval=interval)
        return JUDGE_DIFFERENCE.at(value, ends, groups=groups, verdict=verdict)

    both = difference("f", 12, "more"), difference("m", -12, "less")
    text = said(card, *both)
    assert text.count("j agrees") == 1
    assert "more with sex f than with the others: 12.0\N{NO-BREAK SPACE}points" in text
    assert "for the same people" in text
    assert "fewer than five people" in few_people(both)[0]
    none = said(card, difference("f", 1, ""), difference("m", -1, "", "joined"))
    assert none.startswith("No judge agrees significantly more or less")
    assert few_people([]) == []


def test_a_test_of_two_annotators_has_a_caution():
    groups = {"question": "q", "judge": "j"}
    (note,) = few_people([WINNING_RATE.at(1.0, n=2, groups=groups, verdict=PASSED)])
    assert note.startswith("The test of j rests on 2 annotators")
    assert few_people([WINNING_RATE.at(1.0, n=3, groups=groups)]) == []
