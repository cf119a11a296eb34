"""Which annotators are marked as reversed or unrelated, in simulated crowds."""

import pytest

from simulations.raters import Crowd, crowd, marks
from tiltmeter.analyses.agreement.rater_agreement import rater_agreement
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.results import Card


def numbers(data):
    return Numbers(Card("agreement", "1", {}, {}), rater_agreement(data))


def verdicts(made, name):
    return {e.groups["annotator"]: e.verdict for e in made.all(name) if e.verdict}


@pytest.mark.parametrize("seed", range(3))
def test_reversed_and_careless_raters_are_found_over_all_their_answers(seed):
    made = numbers(crowd(seed, Crowd(reversed_raters=3, careless=8)))
    of_all = verdicts(made, "answers_r")
    assert {who for who, verdict in of_all.items() if verdict == "reversed"} == {"p0", "p1", "p2"}
    unrelated = {who for who, verdict in of_all.items() if verdict == "unrelated"}
    assert unrelated <= {f"p{n}" for n in range(3, 11)}
    assert len(unrelated) >= 7
    assert len(of_all) == 3 + len(unrelated)
    assert verdicts(made, "scale_r") == {}  # four items a question show nothing


@pytest.mark.parametrize("seed", range(3))
def test_raters_who_answer_alike_are_not_marked(seed):
    made = numbers(crowd(seed, Crowd()))
    assert verdicts(made, "answers_r") == verdicts(made, "scale_r") == {}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_of_500_raters_the_reversed_and_the_careless_are_marked_and_no_others(seed):
    counts = marks(seed, Crowd(500, reversed_raters=3, careless=50))
    assert counts.reversed_found == 3
    assert counts.unrelated_found >= 45  # 4 or 5 of 100 at random look related by more than chance
    assert counts.wrong_mark == counts.good_marked == counts.of_questions == 0


def test_too_few_answers_do_not_show_that_they_are_unrelated():
    made = numbers(crowd(1, Crowd(careless=8, questions=2)))
    assert "unrelated" not in verdicts(made, "answers_r").values()
