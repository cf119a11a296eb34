"""What is said about prompt sets whose parts do not fit."""

from functools import partial

import pytest

from data.prompts.set_files import ASKED, EXAMPLES, SHOWN, TEXTS, TOP, complaints, written
from tiltmeter.data.prompts.prompt_set_file import read_prompt_set


@pytest.fixture
def write(tmp_path):
    return partial(written, tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("options =", "option =", "unknown key 'option'; did you mean 'options'?"),
        ("{text}", "", "no message has {text}; write {text}"),
        ("{text}", "{txt}", "unknown place {txt}; did you mean {text}?"),
        ("{text}", "{text", "a single {"),
        ("{text}", "{text.__class__}", "a single {"),
        ('"yes", "no"]', '"yes", "Yes"]', "options has 'yes' 2 times"),
        ('"yes", "no"]', '"yes"]', "has 1 option;"),
        ('"*" = "no"', '"*" = "never"', "truth of '*' is 'never'; write one of yes, no"),
        ('positive = "yes"', 'positive = "ja"', "positive is 'ja'; write one of yes, no"),
        (', "*" = "no"', "", "no option is right for the label 'polite'"),
        ('categories = ["rude"]', "", "the file names no categories"),
        ('["rude"]', '["rude", "rude"]', "categories: 'rude' is listed 2 times"),
        ('["rude"]', '["all labels"]', "'all labels' has a meaning of its own"),
        ('positive = "yes"', "max_tokens = 0", "max_tokens is 0; write a number of at least 1"),
        ('positive = "yes"', "temperature = nan", "temperature is nan, not a number"),
        ('positive = "yes"', 'wrap = "none"', 'write "auto" or "chat" or "text"'),
        ('positive = "yes"', 'stop = "x"', "stop is not a list of texts"),
        ('positive = "yes"', 'shown = ["rude"]', "no message has a place for the examples"),
        ('positive = "yes"', 'example = "x"', "belong together"),
        ("{text}", "{text} {examples}", "does not say which examples are shown"),
        ('prompt = "Is it {category}? {text}"', "", "has no prompt"),
        ('label = "rude"', 'id = "2"', "2 texts have the id '2'"),
        ('text = "Get lost!"', "", "texts[1] '1' has no text"),
        ('text = "Get lost!"', "text = 5", "texts[1] '1': text is 5, not a text; put it in quotation marks"),
        ('{ place = "street" }', '{ label = "x" }', "groups has 'label', which every item has"),
        ("[settings.zero]", "[setting.zero]", "has no settings"),
    ],
)  # fmt: skip
def test_what_does_not_fit(write, old, new, said):
    path = write((TOP + ASKED + TEXTS).replace(old, new, 1))
    assert any(said in one and one.startswith("mine.toml: ") for one in complaints(path))


def test_a_label_needs_an_option_only_where_its_text_is_asked(write):
    """A sad text is not asked whether it is rude; where others are asked about, it is."""
    other = '[[texts]]\ntext = "Alas."\nlabel = "sad"\n'
    named = ASKED.replace('"*"', "polite")
    two = TOP.replace('"rude"', '"rude", "sad"')
    assert len(read_prompt_set(write(two, named, TEXTS, other)).texts) == 3
    (said,) = complaints(write(two, named + "asks_others = true\n", TEXTS, other))
    assert "no option is right for the label 'rude', 'sad'" in said


def test_too_few_examples(write):
    shown = SHOWN.replace('["rude", "polite"]', '["rude", "rude"]', 1)
    (said,) = complaints(write(TOP, shown, EXAMPLES, TEXTS))
    assert "more examples labelled 'rude' than the set 'a' has; add [[examples]]" in said
