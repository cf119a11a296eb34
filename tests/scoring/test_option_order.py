"""Lists of options in a prompt, turned round."""

import pytest

from tiltmeter.core.model.conversations import Message, Prompt
from tiltmeter.scoring.option_order import reversed_options


def turned(text, options, *, asked=""):
    found = reversed_options(Prompt((Message("user", text),)), options, text=asked)
    return None if found is None else found.plain


@pytest.mark.parametrize(
    ("prompt", "options", "expected"),
    [
        ("ReadAnswer yes or no.", ("yes", "no"), "ReadAnswer no or yes."),
        ("ReadAnswer ‘no’ or ‘yes’:", ("yes", "no"), "ReadAnswer ‘yes’ or ‘no’:"),
        ("Yes/No?", ("yes", "no"), "No/Yes?"),
        (
            "Classify into ‘racist’, ‘sexist’ or ‘neither’.",
            ("sexist", "racist", "neither"),
            "Classify into ‘neither’, ‘sexist’ or ‘racist’.",
        ),
        ("sexist or not-sexist?", ("sexist", "not-sexist"), "not-sexist or sexist?"),
        ("回答是或否。", ("是", "否"), "回答否或是。"),
        ("回答“是”或“否”。", ("是", "否"), "回答“否”或“是”。"),
        ("是否如此？", ("是", "否"), None),
        ("да или нет?", ("да", "нет"), "нет или да?"),
        ("‘a’: sexist.\n‘b’: not-sexist.\n", ("sexist", "not-sexist"), None),
        ("It is a yes then, and not a no.", ("yes", "no"), None),
        ("yes or yes", ("yes", "no"), None),
        ("nothing", ("yes", "no"), None),
    ],
)
def test_lists_of_options(prompt, options, expected):
    assert turned(prompt, options) == expected


def test_the_text_that_is_asked_about_stays():
    prompt = "ReadAnswer yes or no. ‘Say yes or no!’ ReadAnswer:"
    assert turned(prompt, ("yes", "no"), asked="Say yes or no!") == (
        "ReadAnswer no or yes. ‘Say yes or no!’ ReadAnswer:"
    )
    assert turned("‘yes or no’:", ("yes", "no"), asked="yes or no") is None


def test_twice_turned_is_as_it_was():
    prompt = Prompt((Message("system", "yes or no"), Message("user", "x, yes or no?")), chat=False)
    once = reversed_options(prompt, ("yes", "no"))
    assert once is not None and not once.chat
    assert reversed_options(once, ("yes", "no")) == prompt
