"""Tests of attention and comprehension: what a form may ask, and which answers are right."""

import pytest

from support.survey.forms import a_form
from tiltmeter.core.errors import BadItems
from tiltmeter.survey.known_answers import COMPREHENSION_PAGE

OFTEN = """
kind = "choice"
text = "Choose “often” here."
options = ["never", "often"]
expected = "often"
"""
INSTRUCTED = f"""
[[checks]]
kind = "instructed"
after = 2
[[checks.questions]]
name = "choose_often"
{OFTEN}
"""
BEYOND = """
[[checks]]
kind = "instructed"
[[checks.questions]]
name = "q"
kind = "slider"
left = "a"
right = "b"
expected = [1, 200]
"""
COMPREHENSION = """
[comprehension]
attempts = 3
[[comprehension.questions]]
name = "whose"
kind = "choice"
text = "Whose view is asked?"
options = ["mine", "that of society"]
expected = "that of society"
[[comprehension.questions]]
name = "back"
kind = "choice"
text = "Which are allowed?"
options = ["back", "stop", "skip"]
several = true
expected = ["back", "stop"]
"""


def one(rest):
    """The first question of a form that is made with the given text."""
    return a_form(rest=rest).checks[0].question


def question(lines):
    return one(f'[[checks]]\nkind = "instructed"\n[[checks.questions]]\nname = "q"\n{lines}')


def test_answers_are_right_as_their_kind_says():
    choice = question(OFTEN)
    assert choice.is_test and not choice.is_label
    assert choice.is_expected("often") and not choice.is_expected("never")
    ends = 'kind = "slider"\nleft = "a"\nright = "b"\n'
    exact, wide = question(f"{ends}expected = 100"), question(f"{ends}expected = [90, 100]")
    assert [exact.is_expected(at) for at in (99.0, 100.0)] == [False, True]
    assert [wide.is_expected(at) for at in (89.9, 90.0, 100.0)] == [False, True, True]
    text = question('kind = "text"\ntext = "Type purple."\nexpected = ["purple", "violet"]')
    assert [text.is_expected(given) for given in (" Purple ", "violet", "red")] == [
        True,
        True,
        False,
    ]


def test_a_slider_among_others_may_test_attention_and_is_no_rating():
    form = a_form(
        rest="""
[[pages.questions]]
kind = "slider"
text = "And here?"
rows = [
  { name = "cold - hot", left = "cold", right = "hot" },
  { name = "attention", left = "do not move it here", right = "move it here", expected = [90, 100] },
]
"""
    )
    assert ("rate", "cold - hot") in form.sliders and ("rate", "attention") not in form.sliders


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ('[[checks]]\nkind = "instructed"\ntext = "x"', "no question with an expected answer"),
        ('[[checks]]\nkind = "name_item"', "has no text"),
        (INSTRUCTED.replace('expected = "often"', 'expected = "seldom"'), "none of its options"),
        (INSTRUCTED * 2, "occurs 2 times"),
        (COMPREHENSION.replace('expected = "that of society"', ""), "has no expected answer"),
        (COMPREHENSION.replace('"whose"', '"back"'), "occurs twice"),
        (INSTRUCTED.replace('expected = "often"', 'expected = "often"\nrequired = false'), "optional"),
        (INSTRUCTED.replace('expected = "often"', "expected = true"), "write a text or a number"),
        (
            '[[demographics.questions]]\nname = "d"\n' + OFTEN,
            "has a question with an expected answer",
        ),
        (
            BEYOND,
            "200 is not between 0 and 100",
        ),
        (
            f'[[pages]]\nname = "{COMPREHENSION_PAGE}_2"\n[[pages.questions]]\nname = "q"\n{OFTEN}',
            "this name is taken",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_said(rest, said):
    with pytest.raises(BadItems, match=said):
        a_form(rest=rest)


def test_attempts_end_with_the_first_that_is_all_right():
    rules = a_form(rest=COMPREHENSION).comprehension
    first, second, third = (page.name for page in rules.pages)
    assert (first, second, third) == ("comprehension", "comprehension_2", "comprehension_3")
    assert [rules.attempt(name) for name in (first, third, "rate")] == [1, 3, 0]
    wrong = {(first, "whose"): "mine", (first, "back"): ["back", "stop"]}
    assert rules.right_at({}) is None and rules.is_asked(first, {})
    assert not rules.is_asked(second, {}) and rules.is_asked(second, wrong)
    right = wrong | {(second, "whose"): "that of society", (second, "back"): ["stop", "back"]}
    assert rules.right_at(right) == 2 and not rules.is_asked(third, right)
    never = {(page.name, name): "mine" for page in rules.pages for name in ("whose", "back")}
    assert rules.right_at(never) == 0
