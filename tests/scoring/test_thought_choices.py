"""Options scored behind a thought of the model's own, on models whose thoughts are known."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.model.conversations import ALLOWANCES, Message, Prompt, Reply
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.run.asking.manner import Manner, check_replies
from tiltmeter.run.run_options import RunOptions
from tiltmeter.scoring.thought_choices import AFTER_THOUGHT, AFTER_THOUGHT_AS_LISTED, DRAWN_AT

QUESTION = "Is ‘tea’ hot? Answer yes or no."
ITEM = PromptedText("1", "tea", Prompt((Message("user", QUESTION),)), ("yes", "no"), truth="yes")


class Thinks(fake.FakeThinker):
    """Thinks that the first option of the prompt is right, and believes its thought with probability .8."""

    __slots__ = ("asked", "finish")

    def __init__(self, finish: str = "stop") -> None:
        super().__init__("thinks")
        object.__setattr__(self, "asked", [])
        object.__setattr__(self, "finish", finish)

    def write(self, requests):
        self.asked.extend(requests)
        return [
            Reply("", self.finish, 7, 5, "no" if "no or yes" in r.prompt.plain else "yes", 3)
            for r in requests
        ]

    def choice_logprobs(self, requests):
        self.asked.extend(requests)
        return [
            np.log([0.8 if r.thought == option else 0.2 for option in r.options]) for r in requests
        ]


def test_options_are_scored_behind_the_thought():
    """Each order of the options has a thought of its own, and their log-probabilities are averaged."""
    model = Thinks()
    (record,) = AFTER_THOUGHT_AS_LISTED.score(model, [ITEM], Context())
    assert record.scores["said"] == 0
    assert [record.scores[f"logprob_{at}"] for at in range(2)] == pytest.approx(np.log([0.8, 0.2]))
    writing, choosing = model.asked
    assert (writing.temperature, writing.prompt, choosing.thought) == (DRAWN_AT, ITEM.prompt, "yes")
    assert record.thoughts == {"reply": "yes"}
    assert (record.scores["thought"], record.scores["thought_tokens"]) == (1, 3)
    (record,) = AFTER_THOUGHT.score(Thinks(), [ITEM], Context())
    assert (
        record.scores["said"] == -1
    )  # yes behind one thought, no behind the other, equally likely
    assert record.scores["logprob_0"] == pytest.approx(np.log(0.8 * 0.2) / 2)


def test_a_thought_without_an_end_leaves_no_answer():
    """It is an outcome of its own, and nothing is scored behind it."""
    model = Thinks("thinking")
    (record,) = AFTER_THOUGHT_AS_LISTED.score(model, [ITEM], Context())
    assert (record.scores["thinking"], record.scores["listed"], record.finish) == (1, 0, "thinking")
    assert len(model.asked) == 1


def test_a_model_that_does_not_think_is_refused():
    """The reason names the rule to use instead."""

    class Plain(Thinks):
        __slots__ = ()
        can_think = False

    with pytest.raises(CannotAnswer, match="use --rule choice"):
        AFTER_THOUGHT.score(Plain(), [ITEM], Context())


def test_a_model_that_thinks_when_asked_is_asked_to():
    """One that thinks by itself is left to itself; a rule's wish for thoughts has room for them."""

    class Can(Thinks):
        __slots__ = ()
        thinks = False

    for kind, thinking in ((Thinks, ""), (Can, "on")):
        model = kind()
        AFTER_THOUGHT_AS_LISTED.score(model, [ITEM], Context())
        assert model.asked[0].thinking == thinking
        (asked,) = Manner().applied(model.asked[:1], thinks=model.thinks)
        assert asked.thinking_tokens == ALLOWANCES[thinking]


def test_thinking_off_contradicts_the_rule():
    """As thinking contradicts `choice`."""
    with pytest.raises(BadInput, match="contradicts choice_after_thought"):
        check_replies(AFTER_THOUGHT, RunOptions(thinking="off"))
    check_replies(AFTER_THOUGHT, RunOptions(thinking="high", thinking_tokens=50))


def test_each_repeat_is_a_thought_of_its_own():
    """Made-up thoughts differ from repeat to repeat, and so do the probabilities behind them."""
    model = fake.FakeThinker("thinker")
    again = replace(ITEM, prompt=Prompt((Message("user", f"{QUESTION} Please."),)))
    records = AFTER_THOUGHT_AS_LISTED.score(model, [ITEM, again], Context())
    assert len({record.thoughts["reply"] for record in records}) == 2
    assert len({record.scores["logprob_0"] for record in records}) == 2
