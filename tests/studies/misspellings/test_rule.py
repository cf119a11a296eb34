"""One record of a text before and after an edit."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadItems
from tiltmeter.core.model.conversations import Message, Prompt, Reply
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.studies.misspellings.rule import RULES, EditedText

EDITS = {rule.name: rule for rule in RULES}


class Says(fake.FakeWriter):
    """Gives these replies, or finds the options this likely, in turn; keeps what it was asked."""

    __slots__ = ("asked", "given")

    def __init__(self, *given):
        super().__init__("says")
        object.__setattr__(self, "given", given)
        object.__setattr__(self, "asked", [])

    def write(self, requests):
        self.asked.extend(requests)
        return [Reply(self.given[i % len(self.given)]) for i in range(len(requests))]

    def choice_logprobs(self, requests):
        return [np.array(self.given[0]) for _ in requests]


def text(name="1", truth="yes"):
    prompt = Prompt((Message("user", f"‘t{name}’: yes or no?"),))
    return PromptedText(name, f"t{name}", prompt, ("yes", "no"), truth, "yes")


def test_a_text_before_and_after_an_edit():
    one = EditedText("1/fck", text(), text("2"), {"edit": "fck"}, "t")
    model = Says("Yes", "No")
    (record,) = EDITS["word"].score(model, [one], Context())
    assert len(model.asked) == 2
    assert (record.scores["before_said_positive"], record.scores["after_said_positive"]) == (1, 0)
    assert record.texts == {"text": "t1", "options": "yes\nno", "edited": "t2"}
    assert record.groups == {"edit": "fck", "flip": "yes → no"}
    assert (record.cluster, record.said) == ("t", "No")
    for replies in (("Yes", "Yes"), ("Yes", "Perhaps")):
        (same,) = EDITS["word"].score(Says(*replies), [one], Context())
        assert same.groups == {"edit": "fck"}
    (choice,) = EDITS["choice"].score(Says([-1.0, -2.0]), [one], Context())
    assert choice.scores["after_logprob_1"] == -2
    bad = replace(one, after=text("2", truth="maybe"))
    with pytest.raises(BadItems, match="text '1/fck'"):
        EDITS["word"].score(model, [bad], Context())
