"""Rules for texts that a model is asked about in words, on models whose replies are known."""

from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput, BadItems, CannotAnswer
from tiltmeter.core.model.conversations import Message, Prompt, Reply
from tiltmeter.core.rules import Context
from tiltmeter.models import fake
from tiltmeter.scoring.prompted_texts import WRITTEN_RULES

portions = import_module("tiltmeter.run.measuring.portions")
RULES = {rule.name: rule for rule in WRITTEN_RULES}
THREE = ("sexist", "racist", "neither")


class Says(fake.FakeWriter):
    """Gives these replies in turn, and likewise these log-probabilities; keeps what it was asked."""

    __slots__ = ("asked", "given")

    def __init__(self, *given):
        super().__init__("says")
        object.__setattr__(self, "given", given)
        object.__setattr__(self, "asked", [])

    def write(self, requests):
        self.asked.extend(requests)
        replies = [self.given[i % len(self.given)] for i in range(len(requests))]
        return [r if isinstance(r, Reply) else Reply(r, "stop", 7, 2) for r in replies]

    def choice_logprobs(self, requests):
        self.asked.extend(requests)
        return [np.array(self.given[i % len(self.given)]) for i in range(len(requests))]


class Continues(Says):
    """A model without a chat template."""

    __slots__ = ()
    chats = False


def text(id_="1", **more):
    given = {
        "prompt": Prompt((Message("user", f"Is ‘t{id_}’ sexist? ReadAnswer yes or no."),)),
        "options": ("yes", "no"),
        "truth": "yes",
        "positive": "yes",
        "cluster": "t",
    }
    return PromptedText(id_, f"t{id_}", **given | more)


def scores(rule, model, *items, **settings):
    return [r.scores for r in RULES[rule].score(model, items, Context(settings=settings))]


def test_the_whole_reply_is_kept_with_what_it_says():
    model = Says("**Yes**, because …")
    (record,) = RULES["word"].score(model, [text(groups={"category": "sexist"})], Context())
    assert record.said == "**Yes**, because …"
    assert record.scores == {
        "truth": 0, "said": 0, "truth_positive": 1, "said_positive": 1, "listed": 1, "off_list": 0,
        "ambiguous": 0, "empty": 0, "refused": 0, "cut": 0, "thinking": 0, "tokens_in": 7, "tokens_out": 2,
    }  # fmt: skip
    assert (record.cluster, record.groups) == ("t", {"category": "sexist"})
    assert record.texts == {"text": "t1", "options": "yes\nno"}


@pytest.mark.parametrize(
    ("reply", "flag"),
    [
        ("perhaps", "off_list"),
        ("yes or no", "ambiguous"),
        ("", "empty"),
        ("I'm sorry, but no", "refused"),
        (Reply("yes", "content_filter"), "refused"),
    ],
)
def test_what_is_no_answer_is_counted_by_kind(reply, flag):
    (found,) = scores("word", Says(reply), text())
    assert [found[name] for name in ("said", "said_positive", "listed")] == [-1, -1, 0]
    flags = ("off_list", "ambiguous", "empty", "refused")
    assert [name for name in flags if found[name]] == [flag]


def test_requests_are_as_the_item_says():
    model = Says("yes")
    item = text(max_tokens=2, temperature=0.3, top_p=0.9, stop=("\n",))
    RULES["word"].score(model, [item], Context(seed=8))
    (asked,) = model.asked
    assert (asked.max_tokens, asked.temperature, asked.top_p) == (2, 0.3, 0.9)
    assert (asked.stop, asked.repeat, asked.seed) == (("\n",), 0, 8)


def test_more_refusals_can_be_named():
    item = text()
    assert scores("word", Says("Let us move on"), item)[0]["refused"] == 0
    given = {"refusals": "Next, please|let us"}
    assert scores("word", Says("Let us move on"), item, **given)[0]["refused"] == 1


def test_one_label_against_the_rest():
    """Of three labels, the one asked about counts, and any other is not it."""
    item = text(options=THREE, truth="racist", positive="racist")
    other = replace(item, positive="sexist")
    on_a_par = replace(item, positive="")
    found = scores("word", Says("racist"), item, other, on_a_par)
    assert [one["truth_positive"] for one in found] == [1, 0, -1]
    assert [one["said_positive"] for one in found] == [1, 0, -1]
    assert [one["said"] for one in found] == [1, 1, 1]


def test_letters_anywhere_count_for_the_label_asked_about():
    item = text(options=THREE, truth="racist", positive="racist")
    (both,) = scores("contains", Says("sexist, racist"), item)
    assert (both["said_positive"], both["said"], both["ambiguous"]) == (1, -1, 1)
    (none,) = scores("contains", Says("transphobic"), item)
    assert (none["said_positive"], none["said"], none["off_list"]) == (0, -1, 1)
    (word,) = scores("word", Says("transphobic"), item)
    assert word["said_positive"] == -1


def test_the_setting_decides_how_prompts_are_given():
    for model, wrap, chat in (
        (Says("yes"), "auto", True), (Says("yes"), "text", False), (Says("yes"), "chat", True),
        (Continues("yes"), "auto", False), (Continues("yes"), "text", False),
    ):  # fmt: skip
        context = Context(settings={"wrap": wrap})
        RULES["word"].score(model, [text()], context)
        assert [asked.prompt.chat for asked in model.asked] == [chat]
        how = "conversations" if chat else "plain text"
        assert [how in note.text for note in context.notes] == [True]


def test_a_wrap_that_cannot_be_is_refused():
    with pytest.raises(CannotAnswer, match="no chat template; give it plain text with --set wrap="):
        scores("word", Continues("yes"), text(), wrap="chat")
    with pytest.raises(BadInput, match="'both'; use auto, chat or text"):
        scores("word", Says("yes"), text(), wrap="both")


def test_items_that_cannot_be_asked_about_are_refused_before_anything_is_asked():
    model = Says("yes")
    bad = [text("2", options=("yes",)), text("3", truth="maybe"), text("4", positive="maybe")]
    bad += [text("5", roles=("other",))]
    with pytest.raises(BadItems) as error:
        RULES["word"].score(model, [text(), *bad], Context())
    assert len(error.value.problems) == 4 and not model.asked
    assert "text '3': 'maybe' is none of its options: yes, no" in str(error.value)
    assert "text '5': it has 2 options and 1 role" in str(error.value)
    context = Context(skip_invalid=True)
    assert [r.item for r in RULES["word"].score(model, [text(), *bad], context)] == ["1"]


def test_the_likeliest_option_over_both_orders():
    model = Says([-1.0, -2.0], [-3.0, -1.5])
    (found,) = scores("choice", model, text())
    asked = [one.prompt.plain.split("ReadAnswer ")[1] for one in model.asked]
    assert asked == ["yes or no.", "no or yes."]
    assert (found["logprob_0"], found["logprob_1"]) == (-2.0, -1.75)
    assert (found["said"], found["said_positive"], found["order_changes"]) == (1, 0, 1)


def test_options_have_roles_wherever_they_stand():
    man = text(options=("The man", "The woman", "Unknown"), roles=("other", "stereotyped", "unknown"),
               truth="Unknown", positive="")  # fmt: skip
    woman = replace(man, id="2", options=("Unknown", "The woman", "The man"),
                    roles=("unknown", "stereotyped", "other"))  # fmt: skip
    names = ("stereotyped", "other", "unknown")
    for reply, chosen in (
        ("The woman.", [1, 0, 0]),
        ("unknown", [0, 0, 1]),
        ("Both", [-1, -1, -1]),
    ):
        for found in scores("word", Says(reply), man, woman):
            assert [found[name] for name in names] == chosen
    (found,) = scores("choice", Says(np.log([0.1, 0.3, 0.4])), man)
    assert [found[name] for name in names] == pytest.approx([3 / 8, 1 / 8, 4 / 8])
    two = replace(man, roles=("", "target", "target"))
    (found,) = scores("choice", Says(np.log([0.1, 0.3, 0.4])), two)
    assert found["target"] == pytest.approx(7 / 8)
    assert "" not in found


def test_options_follow_plain_text_behind_a_space():
    plain = Prompt((Message("user", "‘x’:"),))
    item = text(prompt=plain)
    spaced, chinese = (
        replace(item, prompt=Prompt((Message("user", "x: "),))),
        text(prompt=plain, options=("是", "否"), truth="", positive=""),
    )
    model = Continues([-1.0, -2.0])
    found = scores("choice", model, item, spaced, chinese)
    assert [one.options for one in model.asked] == [(" yes", " no"), ("yes", "no"), ("是", "否")]
    assert [one["order_changes"] for one in found] == [-1, -1, -1]
    chat = Says([-1.0, -2.0])
    scores("choice", chat, item)
    assert chat.asked[0].options == ("yes", "no")


def test_equally_likely_options_are_no_choice():
    (found,) = scores("choice", Says([-1.0, -1.0]), text())
    assert (found["said"], found["ambiguous"]) == (-1, 1)
