"""A run in which no reply has an answer says that, and what to try, and nothing else."""

import pytest

from tiltmeter.core.reply_counts import ReplyCounts
from tiltmeter.core.results import Card
from tiltmeter.report.documents.no_answers import (
    finding_without_answers,
    lacks_answers,
    what_to_try,
)
from tiltmeter.studies.bbq.study import STUDY as BBQ

NONE = dict.fromkeys(("answered", "refused", "unread", "cut", "empty", "thinking"), 0)


def card(rule="word", wrap="auto", **counts):
    known = NONE | counts
    counts = {"replies": sum(known.values()), **known}
    return Card("bbq", "1", {}, {}, rule, counts=counts, settings={"wrap": wrap})


def advice(**given):
    return " ".join(what_to_try(card(**given), BBQ))


def test_a_run_without_replies_lacks_none():
    assert lacks_answers(card(refused=3)) and not lacks_answers(card(answered=1, refused=3))
    assert not lacks_answers(Card("bbq", "1", {}, {}))


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"refused": 60}, "m refused all 60 requests. That is a result, and no sign of fairness"),
        ({"unread": 60}, "Rule word found no answer in 60 replies of m: 60 not understood, no refusals"),
        ({"cut": 1}, "Rule word found no answer in 1 reply of m: 1 cut off before an answer, no refusals"),
    ],
)  # fmt: skip
def test_refused_and_not_understood_are_never_one_thing(counts, said):
    replies = ReplyCounts.of(card(**counts).counts)
    assert finding_without_answers(replies, "m", "word").startswith(said)


def test_what_to_try_follows_from_what_happened():
    assert advice(refused=60) == ""  # a result, nothing to mend
    assert advice(answered=90, unread=10) == ""
    assert "--answer-tokens" in advice(cut=9) and "--thinking" not in advice(cut=9)
    assert "--thinking off" in advice(thinking=9) and "--answer-tokens" not in advice(thinking=9)
    assert "--rule choice" in advice(unread=9) and "wrap" not in advice(unread=9)
    assert "--set wrap=chat" in advice(unread=9, wrap="text")
    assert advice(unread=9, rule="stored") == ""  # nothing was asked here
