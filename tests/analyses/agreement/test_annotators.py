"""Which annotators are marked over all their answers: in simulated crowds, and by hand."""

import numpy as np
import pytest

from simulations.raters import Crowd, Design, crowd, marks
from tiltmeter.analyses.agreement.annotators import ANNOTATORS, answers_of_annotators
from tiltmeter.analyses.agreement.rater_agreement import rater_agreement
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.results import Card
from tiltmeter.data.people.judgments import Judgments


def numbers(data):
    return Numbers(Card("agreement", "1", {}, {}), rater_agreement(data))


def verdicts(made, name):
    return {e.groups["annotator"]: e.verdict for e in made.all(name) if e.verdict}


def judgments(answers, **more):
    items, people = answers.shape
    names = tuple(f"p{n}" for n in range(people))
    return Judgments("made", "0", names, tuple(map(str, range(items))), {"tone": answers}, **more)


def verdicts_of(data, level="interval"):
    _, estimates = answers_of_annotators(data, dict.fromkeys(data.answers, level), 0)
    return verdicts(Numbers(Card("agreement", "1", {}, {}), estimates), "answers_r")


def test_reversed_and_careless_raters_are_found_over_all_their_answers():
    made = numbers(crowd(0, Crowd(reversed_raters=3, careless=8)))
    of_all = verdicts(made, "answers_r")
    assert {who for who, verdict in of_all.items() if verdict == "reversed"} == {"p0", "p1", "p2"}
    unrelated = {who for who, verdict in of_all.items() if verdict == "unrelated"}
    assert unrelated <= {f"p{n}" for n in range(3, 11)}
    assert len(unrelated) >= 7
    assert len(of_all) == 3 + len(unrelated)
    counts = {e.groups["mark"]: e.value for e in made.all(ANNOTATORS)}
    assert counts == {"reversed": 3, "unrelated": len(unrelated), "cannot tell": 0,
                      "related": 77 - len(unrelated)}  # fmt: skip
    assert verdicts(made, "scale_r") == {}  # four items a question show nothing


def test_raters_who_answer_alike_are_not_marked():
    assert verdicts(numbers(crowd(1, Crowd())), "answers_r") == {}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_of_500_raters_the_reversed_and_the_careless_are_marked_and_no_others(seed):
    counts = marks(seed, Crowd(500, reversed_raters=3, careless=50))
    assert counts.reversed_found == 3
    assert counts.unrelated_found >= 45
    assert counts.wrong_mark == 0
    assert counts.good_marked <= 2
    assert counts.good_related >= 440


@pytest.mark.parametrize("kind", ["slider", "ordinal", "nominal", "binary"])
@pytest.mark.parametrize("is_skewed", [False, True])
def test_eight_answers_cannot_tell_and_nobody_careful_is_marked(kind, is_skewed):
    counts = marks(2, Design(kind, is_skewed, raters=120, reversed_raters=2, careless=12))
    assert counts.good_marked <= 2
    assert counts.passed <= 1
    assert counts.good_related < 80  # of 106: for the others eight answers cannot tell


@pytest.mark.parametrize("kind", ["ordinal", "nominal"])
def test_64_answers_can_tell(kind):
    counts = marks(
        0, Design(kind, answers=64, per_item=5, raters=60, reversed_raters=0, careless=6)
    )
    assert counts.unrelated_found >= 5
    assert counts.good_marked == 0
    assert counts.good_related >= 52


def test_too_few_answers_do_not_show_that_they_are_unrelated():
    of_all = verdicts(numbers(crowd(1, Crowd(careless=8, questions=2))), "answers_r")
    unrelated = [who for who, verdict in of_all.items() if verdict == "unrelated"]
    assert len(unrelated) <= 2 and {*unrelated} <= {f"p{n}" for n in range(8)}
    assert [*of_all.values()].count("cannot tell") >= 6


def test_the_same_answer_to_everything_is_a_mark_only_where_others_vary():
    rng = np.random.default_rng(0)
    varied = rng.integers(1, 6, (12, 1)) + np.zeros((1, 8))
    varied[:, 5] = 3
    assert verdicts_of(judgments(varied))["p5"] == "constant"
    usual = np.ones((12, 8))
    usual[0, :4] = 2  # nearly everybody says 1 to everything
    assert "constant" not in verdicts_of(judgments(usual)).values()


def test_copies_are_found_and_named():
    rng = np.random.default_rng(0)
    sliders = np.round(rng.uniform(20, 80, (30, 1)) + rng.normal(0, 10, (30, 8)))
    sliders[:, 6] = sliders[:, 1]
    made = numbers(judgments(sliders))
    assert {who for who, v in verdicts(made, "answers_r").items() if v == "copied"} == {"p1", "p6"}
    assert {(e.groups["annotator"], e.groups["other"], e.value) for e in made.all("equal_answers")} == {
        ("p1", "p6", 30), ("p6", "p1", 30),
    }  # fmt: skip


def test_who_is_far_faster_than_the_others_is_marked():
    rng = np.random.default_rng(0)
    answers = np.round(rng.uniform(0, 100, (30, 1)) + rng.normal(0, 15, (30, 20)))
    seconds = np.exp(rng.normal(2.5, 0.4, (30, 20)))
    seconds[:, 4] /= 20
    made = numbers(judgments(answers, seconds={"tone": seconds}))
    assert verdicts(made, "answers_r") == {"p4": "too fast"}
    (pace,) = [e for e in made.all("pace") if e.verdict]
    assert pace.value == pytest.approx(0.05, rel=0.3)


def test_labels_count_as_labels():
    """Annotators of four labels of whom one answers at random; the numbers of the labels do not matter."""
    rng = np.random.default_rng(1)
    truth = rng.integers(4, size=(60, 1))
    answers = np.where(rng.random((60, 10)) < 0.85, truth, rng.integers(4, size=(60, 10))).astype(
        float
    )
    answers[:, 9] = rng.integers(4, size=60)
    words = {"tone": ("calm", "warm", "cold", "odd")}
    renamed = np.array([3.0, 0, 2, 1])[answers.astype(int)]
    for table in (answers, renamed):
        assert verdicts_of(judgments(table, words=words), "nominal") == {"p9": "unrelated"}
