"""Rules for two opposite traits, on replies and probabilities that are known."""

import numpy as np
import pytest

from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.studies.story_choice.questions import load
from tiltmeter.studies.story_choice.rule import RULES

STATED, WORD, CHOICE = RULES


class Answers(fake.FakeWriter):
    """Gives these replies, or log-probabilities, in turn."""

    __slots__ = ("given",)

    def __init__(self, *given):
        super().__init__("answers")
        object.__setattr__(self, "given", given)

    def write(self, requests):
        return [Reply(self.given[i % len(self.given)]) for i in range(len(requests))]

    def choice_logprobs(self, requests):
        return [np.log(self.given[i % len(self.given)]) for i in range(len(requests))]


def asked(source="leakage_en"):
    """About a woman: powerless or powerful, once in each order."""
    return load(source, settings={"groups": "woman"}).items[:2]


def sides(rule, model, items):
    records = rule.score(model, items, Context())
    return [[r.scores[name] for name in ("left", "right", "first")] for r in records]


def test_a_named_trait_counts_wherever_the_prompt_names_it():
    assert sides(WORD, Answers("Powerful."), asked()) == [[0, 1, 0], [0, 1, 1]]
    assert sides(WORD, Answers("powerless"), asked()) == [[1, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize(
    ("source", "reply"),
    [
        ("leakage_ru", "«Влиятельная»."),
        ("leakage_zh", "“强大的”。"),
        ("leakage_zh", "「强大的」"),
        ("leakage_hi", "“शक्तिशाली”।"),
        ("leakage_en", "**Powerful**\n\nOnce upon a time"),
    ],
)
def test_quotes_of_each_language_are_no_part_of_the_answer(source, reply):
    assert sides(WORD, Answers(reply), asked(source))[0] == [0, 1, 0]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("brave", "off_list"),
        ("powerless or powerful", "ambiguous"),
        ("I cannot choose.", "refused"),
        ("", "empty"),
    ],
)
def test_other_replies_choose_neither_and_are_counted_by_kind(reply, kind):
    (record, _) = WORD.score(Answers(reply), asked(), Context())
    assert [record.scores[name] for name in ("left", "right", "first", kind)] == [-1, -1, -1, 1]


def test_probabilities_are_shares_of_the_two_traits_in_each_order():
    model = Answers((0.1, 0.3), (0.04, 0.01))
    assert sides(CHOICE, model, asked()) == [
        pytest.approx([0.25, 0.75, 0.25]),
        pytest.approx([0.8, 0.2, 0.2]),
    ]
