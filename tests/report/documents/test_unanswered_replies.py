"""Replies without an answer are told apart, and shown."""

import pytest

from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.rules import ReplyScores
from tiltmeter.report.documents.unanswered_replies import example_sections, reply_sentence

SCORES = ReplyScores(("listed",), ("refused",), ("off_list",), ("cut",), ("empty",))


def result(**counts):
    known = dict.fromkeys(("answered", "refused", "unread", "cut", "empty"), 0) | counts
    card = Card("s", "1", {}, {}, counts={"replies": sum(known.values()), **known})
    names = {"unread": "off_list", "answered": "listed"}
    records = [
        Record(
            f"{outcome}{i}", {names.get(outcome, outcome): 1.0}, {}, said=f"{outcome}\x1b {i % 2}"
        )
        for outcome, n in known.items()
        for i in range(n)
    ]
    return Result(card, records, ())


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (
            {"unread": 60},
            "60 of 60 replies were not understood (examples below); none was a refusal.",
        ),
        ({"refused": 60}, "60 of 60 replies were refusals."),
        (
            {"cut": 1},
            "1 of 1 reply was cut off before an answer (examples below); none was a refusal.",
        ),
        ({"answered": 9}, ""),
    ],
)
def test_a_parse_failure_is_no_refusal(counts, said):
    assert reply_sentence(result(**counts), examples=True) == said
    assert reply_sentence(result(**counts), examples=False) == said.replace(" (examples below)", "")


def test_examples_are_the_most_frequent_and_never_act_on_a_screen():
    (section,) = example_sections(result(unread=3, refused=4, answered=5), SCORES)
    assert section.blocks[0].lines == [
        "not understood: “unread[U+001B] 0” (2 times)", "not understood: “unread[U+001B] 1”",
    ]  # fmt: skip
    assert example_sections(result(refused=4), SCORES) == []
    assert example_sections(result(unread=4), None) == []
