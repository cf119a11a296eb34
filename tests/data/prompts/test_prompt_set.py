"""Templates filled in, and the items of one text."""

import pytest

from tiltmeter.core.model.conversations import Message
from tiltmeter.core.reading.templates import filled, places
from tiltmeter.data.prompts.prompt_set import (
    AskedText,
    PromptSetting,
    ShownExample,
    chosen_examples,
)

RUDE = AskedText("1", "Get lost!", "rude")
POLITE = AskedText("2", "After you.", "polite")
YES = {"{category}": "yes", "*": "no"}


def asked(*texts, **changes):
    messages = tuple(Message("user", text) for text in texts)
    options = changes.pop("options", ("yes", "no"))
    return PromptSetting("s", messages, options, **changes)


class TestTemplates:
    @pytest.mark.parametrize("text", ["{", "a } b", "{a b}", "{0.x}", "{x!r}", "{x:>9}", "{{}"])
    def test_nothing_but_names(self, text):
        with pytest.raises(ValueError, match="single"):
            places(text)

    def test_what_is_filled_in_is_no_template(self):
        assert filled("{text} {{x}}", {"text": "{category} }} {"}) == "{category} }} { {x}"


class TestPrompts:
    def test_examples_are_lines(self):
        setting = asked("{examples}\n‘{text}’:", truth=YES, example="‘{example}’: {example_label}.")
        shown = [ShownExample("Shut up.", "rude"), ShownExample("Thanks.", "polite")]
        prompt = setting.prompt("Hello.", category="rude", examples=shown)
        assert prompt.plain == "‘Shut up.’: yes.\n‘Thanks.’: no.\n‘Hello.’:"

    def test_examples_are_turns(self):
        messages = (
            Message("system", "Answer."),
            Message("user", "{example}?"),
            Message("assistant", "{example_label}"),
            Message("user", "{text}?"),
        )
        setting = PromptSetting("s", messages, ("yes", "no"), YES)
        shown = [ShownExample("Shut up", "rude"), ShownExample("Thanks", "polite")]
        prompt = setting.prompt("Hello", category="rude", examples=shown)
        assert [(m.speaker[0], m.text) for m in prompt.messages] == [
            ("s", "Answer."),
            ("u", "Shut up?"),
            ("a", "yes"),
            ("u", "Thanks?"),
            ("a", "no"),
            ("u", "Hello?"),
        ]

    def test_examples_are_taken_by_label_in_order(self):
        setting = asked("{text}", shown=("{category}", "polite", "{category}"))
        some = [ShownExample(text, label) for text, label in ("ar", "bp", "cr", "dr") for label in [
            {"r": "rude", "p": "polite"}[label]]]  # fmt: skip
        assert [e.text for e in chosen_examples(setting, some, "rude")] == ["a", "b", "c"]
        with pytest.raises(LookupError, match="rude"):
            chosen_examples(setting, some[:2], "rude")


class TestItems:
    def test_a_question_for_each_category(self):
        setting = asked("Is it {category}? {text}", truth=YES, positive="yes")
        items = [i for t in (RUDE, POLITE) for i in setting.items(t, ("rude", "sad"))]
        assert [(i.groups["category"], i.truth, i.prompt.plain) for i in items] == [
            ("rude", "yes", "Is it rude? Get lost!"),
            ("rude", "no", "Is it rude? After you."),
            ("sad", "no", "Is it sad? After you."),
        ]
        assert len({item.id for item in items}) == 3

    def test_others_are_asked_too_where_wished(self):
        setting = asked("Is it {category}? {text}", truth=YES, asks_others=True)
        items = [*setting.items(RUDE, ("rude", "sad"))]
        assert [(i.groups["category"], i.truth) for i in items] == [("rude", "yes"), ("sad", "no")]

    def test_one_question_is_in_several_tables(self):
        setting = asked("Which? {text}", options=("rude", "sad", "polite"), positive="{category}")
        items = [*setting.items(RUDE, ("rude", "sad")), *setting.items(POLITE, ("rude", "sad"))]
        assert [(i.text, i.groups["category"], i.truth, i.positive) for i in items] == [
            ("Get lost!", "all labels", "rude", ""),
            ("Get lost!", "rude", "rude", "rude"),
            ("After you.", "all labels", "polite", ""),
            ("After you.", "rude", "polite", "rude"),
            ("After you.", "sad", "polite", "sad"),
        ]
        assert len({item.prompt for item in items}) == 2

    def test_a_text_without_a_label_is_in_no_table(self):
        setting = asked("Which? {text}", options=("rude", "sad", "polite"), positive="{category}")
        unknown = AskedText("3", "Hm.", groups={"label": "unclear"}, cluster="c")
        (item,) = setting.items(unknown, ("rude", "sad"))
        assert (item.truth, item.groups["category"], item.cluster) == ("", "all labels", "c")
        assert item.groups["label"] == "unclear"

    def test_an_item_says_how_many_replies_the_set_asks_for(self):
        setting = asked("{text}", truth={"*": "no"}, repeats=3, temperature=0.5)
        (item,) = setting.items(RUDE, ())
        assert (item.repeats, item.cluster) == (3, "1")
        assert "category" not in item.groups
