"""Form files: what is read, and everything that is wrong with one at once."""

import re

import pytest

from support.survey import forms
from tiltmeter.core.errors import BadItems
from tiltmeter.survey.form_file import built_in, form_of, read_form
from tiltmeter.survey.question import Condition


def wrong(text):
    """What is wrong with a form, without the file's name."""
    with pytest.raises(BadItems) as raised:
        form_of(text)
    return [str(problem).removeprefix("form.toml: ") for problem in raised.value.problems]


def test_a_misspelt_kind_and_an_empty_file_are_named_for_what_they_are(tmp_path):
    row = '{ name = "a - b", left = "a", right = "b" }'
    rows = f'[[pages.questions]]\nkind = "slidr"\ntext = "?"\nrows = [{row}]'
    with pytest.raises(BadItems) as why:
        form_of(f'name = "f"\ntitle = "F"\nconsent = "?"\n[[pages]]\nname = "p"\n{rows}')
    assert [problem.reason.split(".")[-1] for problem in why.value.problems] == ["kind is 'slidr'"]
    empty = tmp_path / "empty.toml"
    empty.write_text("", "utf-8")
    with pytest.raises(BadItems, match=r'empty\.toml: has no name; write name = "…"'):
        read_form(empty)


@pytest.mark.parametrize("name", built_in())
def test_a_built_in_form_is_sound_and_names_its_source(name):
    form = read_form(name)
    assert form.name == name
    assert form.source and form.warning and form.items and form.licence == "Apache-2.0"


def test_groups_and_traits_are_those_of_the_publications():
    traits, leakage = read_form("group_traits"), read_form("familiar_groups")
    for form, span, groups in ((traits, (0, 100), 26), (leakage, (-50, 50), 30)):
        before, page = form.pages
        assert (before.part, form.sampling.stratum) == ("start", "country")
        assert form.languages == ("en", "ru", "zh", "hi") and not form.back
        assert {(q.low, q.high) for q in page.questions} == {span}
        assert (len(page.questions), len(form.items)) == (16, groups)
        assert form.sampling.each == 4
        assert [(check.kind, check.after) for check in form.checks] == [
            ("name_item", 1), ("high_trait", 2), ("low_trait", 2),
        ]  # fmt: skip
        assert (form.repeat.items, form.repeat.at_least) == (1, 0.8)
        assert (form.pay.amount, form.study.minutes) == (2, 10)
    assert leakage.sampling.familiar == 4


def test_the_texts_of_four_languages_are_in_four_scripts():
    scripts = {"en": "[a-z]", "ru": "[а-я]", "zh": "[\u4e00-\u9fff]", "hi": "[\u0900-\u097f]"}
    for name in ("group_traits", "familiar_groups"):
        form = read_form(name)
        words = [form.title, form.consent, *(item.texts["text"] for item in form.items)]
        words += [side for q in form.pages[1].questions for side in (q.left, q.right)]
        for text in words:
            for language, script in scripts.items():
                assert re.search(script, text[language], re.IGNORECASE), text


def test_writing_and_checking_forms_have_the_papers_numbers():
    write = read_form("write_pairs")
    (pair, direction, types) = write.pages[0].questions
    assert (pair.kind, pair.warn_distance, write.pay.variety) == ("pair", 13, 1.0)
    assert len(direction.options) == 2 and len(types.options) == 9
    assert len(read_form("validate_pairs").pages[0].questions) == 4
    assert read_form("validate_pairs").sampling.votes == 5
    assert read_form("validate_triples").sampling.votes == 5


def test_an_implausible_inference_ends_the_questions():
    page = read_form("inference7").pages[0]
    assert [q.name for q in page.shown({})] == ["valid"]
    assert [q.name for q in page.shown({"valid": "yes", "plausible": "no"})] == [
        "valid",
        "plausible",
    ]
    assert len(page.shown({"valid": "yes", "plausible": "yes"})) == 8
    assert [len(q.options) for q in page.questions if q.kind == "scale"] == [5, 5, 5]


def test_all_problems_are_listed_at_once():
    text = forms.FORM.format(top='tittle = "x"', sampling="each = 9", rest="").replace(
        "high = 100", "high = -1"
    )
    found = wrong(text)
    assert "has an unknown key 'tittle'; did you mean 'title'?" in found[-1] + found[0]
    assert sum("runs from 0 to -1" in one for one in found) == 3


@pytest.mark.parametrize(
    ("top", "rest", "reason"),
    [
        ('languages = ["en", "ru"]', "", "is in one language only; write { en ="),
        ("", '[[checks]]\nkind = "name_group"\ntext = "x"', "checks[1].kind is 'name_group'; write "),
        ("", '[[items]]\nid = "a"', "item 'a' has no text"),
        ("", '[[items]]\nid = "a"\ntext = "x"\n[[items]]\nid = "a"\ntext = "y"',
         "the item 'a' occurs 2 times"),
        ("", '[[items]]\nid = "t"\nkind = "training"\ntext = "x"', "items[1] 't' has no expected answers"),
        ("", '[outcomes.finished]\nurl = "http://a.b"', "that begins with https://"),
        ("", "[demographics]\nlinked = true", "demographics has no consent"),
        ("", '[pay]\ncurrency = "EUR"', "pay has no amount; write amount"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(top, rest, reason):
    text = forms.FORM.format(top=top, sampling="", rest=rest)
    assert any(reason in one for one in wrong(text))


CHOICES = """
name = "x"
title = "x"
consent = "x"
[[pages]]
name = "p"
part = "item"
[[pages.questions]]
name = "a"
kind = "choice"
text = "A?"
options = ["yes", "no"]
[[pages.questions]]
name = "b"
kind = "text"
text = "B?"
when = { WHEN }
"""


def test_conditions_name_earlier_questions_and_values_that_exist():
    form = form_of(CHOICES.replace("WHEN", 'a = "yes"'))
    assert form.pages[0].questions[1].when == Condition({"a": ("yes",)})
    assert (
        "when names 'c'; name an earlier question: a"
        in wrong(CHOICES.replace("WHEN", 'c = "x"'))[0]
    )
    assert (
        "when names 'maybe', which 'a' cannot be"
        in wrong(CHOICES.replace("WHEN", 'a = "maybe"'))[0]
    )
    assert "name an earlier question" in wrong(CHOICES.replace("WHEN", 'b = "x"'))[0]


@pytest.mark.parametrize("entry", ["votes = 0", "lease = 0"])
def test_no_votes_and_no_time_are_refused(entry):
    with pytest.raises(BadItems, match=entry.partition(" ")[0]):
        forms.a_form(sampling=entry)
