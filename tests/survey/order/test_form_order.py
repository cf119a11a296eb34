"""Which texts may change places, and forms that could not be understood in another order."""

import pytest

from support.survey.forms import a_form
from tiltmeter.core.errors import BadItems
from tiltmeter.survey.form_file import form_of
from tiltmeter.survey.form_pages import Page
from tiltmeter.survey.order.form_order import (
    FormOrder,
    alternatives,
    follow_each_other,
    place_names,
    with_names,
)
from tiltmeter.survey.questions.slider import SliderQuestion
from tiltmeter.survey.questions.text import TextQuestion

PAIR = """
name = "which"
title = "Which?"
consent = "Do you agree?"
{top}
[[pages]]
name = "compare"
show = ["request", "reply_1", "reply_2"]
{page}
[[pages.questions]]
name = "better"
kind = "choice"
text = "Which is better?"
options = [{{ value = "first", text = "{first}" }}, {{ value = "second", text = "{second}" }}]

[[items]]
id = "1"
request = "?"
reply_1 = "a"
reply_2 = "b"
"""


def pair(*, top="", page="", first="Reply {reply_1}", second="Reply {reply_2}"):
    return form_of(PAIR.format(top=top, page=page, first=first, second=second))


def test_only_items_and_interchangeable_texts_are_in_random_order_unless_the_form_says_more():
    assert a_form().order == FormOrder("random", "fixed", "fixed", "fixed", "fixed", "random")
    assert alternatives(pair().pages[0]) == ("reply_1", "reply_2")
    assert alternatives(a_form().pages[0]) == ()


def test_texts_that_are_not_numbered_are_listed():
    page = Page("judge", show=("context", "a", "b", "c"), mixed=("a", "b", "c"))
    assert alternatives(page) == ("a", "b", "c")
    names = place_names(page, ("c", "a", "b"))
    assert with_names("What is {a}? And {b}?", names) == "What is B? And C?"
    assert with_names("What is {a}?", place_names(page)) == "What is A?"


def test_a_page_that_calls_a_text_by_its_place_must_say_which_text_it_means():
    with pytest.raises(BadItems, match=r"says 'Reply 1'; write \{reply_1\} for its place"):
        pair(first="Reply 1", second="Reply 2")
    fixed = pair(top='[order]\ntexts = "fixed"', first="Reply 1", second="Reply 2")
    assert not fixed.mixes_texts
    assert pair(first="The one about 12 eggs", second="Neither").mixes_texts  # 12 is no place


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ({"page": 'mixed = ["reply_3"]'}, "mixes 'reply_3', which it does not show"),
        ({"top": '[order]\npoles = "by person"'}, "by person"),
        ({"top": '[order]\nreplies = "random"'}, "replies"),
    ],
)
def test_what_cannot_be_mixed_is_refused(named, why):
    with pytest.raises(BadItems, match=why):
        pair(**named)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (
            "How is {group} seen?",
            r"write \{item\} or \{reply_1\} or \{reply_2\}, or remove the braces",
        ),
        ("Is {reply_3} good?", r"people would read \{reply_3\}, for which nothing is put in"),
    ],
)
def test_a_word_in_braces_that_nothing_fills_is_refused(text, known):
    with pytest.raises(BadItems, match=known):
        pair(page=f'text = "{text}"')
    with pytest.raises(BadItems, match=r"page 'compare': people would read \{item\}"):
        pair(first="{item}, or {reply_1}")  # the answers to choose from name places only
    with pytest.raises(BadItems, match=r"page 'demographics': .* remove the braces"):
        a_form(rest='[[demographics.questions]]\nname = "age"\nkind = "text"\ntext = "{age}?"\n')
    assert pair(page='text = "See {item}: {reply_1}, {reply_2}, {2}."')


def test_a_text_field_has_no_order():
    faults = [
        str(fault) for fault in TextQuestion("why", text={"en": "?"}, order="random").faults()
    ]
    assert faults == ["has nothing to show in random order"]


def test_rows_change_places_only_with_rows_under_the_same_text():
    one, other = ({"en": text} for text in ("One?", "Other?"))
    rows = [
        SliderQuestion(n, text=t) for n, t in (("a", one), ("b", one), ("c", other), ("d", other))
    ]
    questions = [*rows, TextQuestion("why", text=other), SliderQuestion("e", text=other)]
    assert [*follow_each_other(questions)] == [range(2), range(2, 4)]
