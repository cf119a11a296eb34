"""Which pairs people find valid, by hand and against enumeration."""

from itertools import product

import numpy as np
import pytest

from tiltmeter.analyses.validation import (
    ANALYSIS,
    ValidationOptions,
    _at_random,
    pair_votes,
    validity,
)
from tiltmeter.core.errors import BadInput
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.judgments import AnswerReading
from tiltmeter.data.people.pair_votes import DIRECTIONS, PairVote
from tiltmeter.run.monitor import Logged

FIRST, SECOND = "stereo neither yes", "neither stereo yes"
LOOSE, NEITHER = "stereo neither no", "neither neither yes"


@pytest.fixture
def table(tmp_path):
    def written(**votes):
        """Each person’s answers about each pair, with spaces between them."""
        path = tmp_path / "mine.csv"
        rows = ["annotator,item,sentence_1,sentence_2,minimal"]
        for item, people in votes.items():
            rows += [f"p{i},{item},{vote.replace(' ', ',')}" for i, vote in enumerate(people)]
        path.write_text("\n".join(rows) + "\n", "utf-8")
        return path

    return written


def numbers(path):
    result = ANALYSIS.compute([path], ValidationOptions(), Logged())
    return {estimate.name: estimate for estimate in result.estimates}, result


def test_the_majority_of_five_decides(table):
    by_name, result = numbers(
        table(
            a=[FIRST] * 3 + [NEITHER] * 2,
            b=[FIRST, FIRST, SECOND, SECOND, NEITHER],  # four find it valid, two in each order
            c=[LOOSE] * 4 + [SECOND],
            d=[NEITHER] * 5,
        )
    )
    assert by_name["valid"].value == 50
    assert by_name["minimal"].value == 75
    assert by_name["valid_minimal"].value == 25
    assert by_name["agreement"].value == pytest.approx(100 * (3 + 4 + 5 + 5) / 20)
    assert by_name["people"].value == 5
    assert (by_name["valid"].n, result.card.data["name"]) == (4, "mine.csv")
    assert [round(end, 1) for end in (by_name["valid"].low, by_name["valid"].high)] == [15.0, 85.0]
    votes = {
        record.item: (record.groups["valid"], *record.scores.values()) for record in result.records
    }
    assert votes == {
        "a": ("yes", 5, 3, 5), "b": ("no", 5, 2, 5), "c": ("yes", 5, 4, 1), "d": ("no", 5, 0, 5),
    }  # fmt: skip


def test_answers_that_are_not_complete_do_not_count(table):
    by_name, _ = numbers(table(a=[FIRST, FIRST, "stereo neither ", NEITHER], b=["stereo neither "]))
    assert by_name["people"].value == 3
    assert by_name["valid"].value == 100
    assert by_name["valid"].n == 1


def test_an_even_number_of_people_needs_more_than_half(table):
    by_name, _ = numbers(table(a=[FIRST] * 2 + [NEITHER] * 2))
    assert by_name["valid"].value == 0


@pytest.mark.parametrize("people", [1, 2, 3, 4])
def test_chance_is_that_of_all_possible_answers(people):
    votes = [PairVote(*both, minimal=True).more for both in product(DIRECTIONS, repeat=2)]
    panels = list(product(votes, repeat=people))
    valid = [any(2 * panel.count(side) > people for side in (1, 2)) for panel in panels]
    assert _at_random(people) == pytest.approx(np.mean(valid))


def test_the_same_votes_as_one_person_at_a_time(table):
    every = [f"{first} {second} yes" for first, second in product(DIRECTIONS, repeat=2)]
    path = table(a=every)
    questions = ("sentence_1", "sentence_2", "minimal")
    votes = pair_votes(read_judgments(path, AnswerReading(questions=questions)))
    assert votes.more.tolist() == [
        [PairVote(*vote.split()[:2], minimal=True).more for vote in every]
    ]
    assert validity(votes)[0].value == 0


@pytest.mark.parametrize(
    ("vote", "said"),
    [
        ("maybe neither yes", "sentence_1: an answer is 'maybe'; give stereo, antistereo, neither"),
        ("stereo neither 1", "minimal: answers are numbers; give yes, no"),
    ],
)
def test_other_answers_are_refused(table, vote, said):
    with pytest.raises(BadInput, match=said):
        numbers(table(a=[vote] * 2))
