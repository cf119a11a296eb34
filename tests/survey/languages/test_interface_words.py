"""Words of buttons and notes: all of them in every built-in language, and those of a form."""

import re
from pathlib import Path

import pytest

import tiltmeter.survey
from tiltmeter.core.errors import BadItems
from tiltmeter.core.reading.typed_values import fields_of
from tiltmeter.survey.consent.study_facts import StudyFacts
from tiltmeter.survey.form_file import form_of
from tiltmeter.survey.languages.interface_words import (
    BUILT_IN,
    ENGLISH,
    missing_words,
    placeholders,
    unread_words,
    words_in,
)
from tiltmeter.survey.outcomes import OUTCOMES

FILE = "survey/web/interface_words.toml"
SURVEY = Path(tiltmeter.survey.__file__).parent
MAY_BE_LATIN = {"name"}
"""Words that may hold Latin letters in every language."""
FORM = """
name = "f"
title = "t"
consent = "c"
languages = ["{language}"]
{words}
[[pages]]
name = "p"
part = "item"
show = ["text"]
questions = [{{ name = "q", kind = "text", text = "?" }}]
"""


def form(words, language="ar"):
    return form_of(FORM.format(language=language, words=words))


@pytest.mark.parametrize("language", BUILT_IN)
def test_every_language_has_every_word_with_the_same_placeholders(language):
    words = BUILT_IN[language]
    missing = [word for word in ENGLISH if word not in words]
    assert not missing, f"{FILE}, [{language}]: add {', '.join(missing)}"
    surplus = [word for word in words if word not in ENGLISH]
    assert not surplus, f"{FILE}, [{language}]: [en] has no {', '.join(surplus)}"
    unlike = [w for w, text in words.items() if placeholders(text) != placeholders(ENGLISH[w])]
    assert not unlike, f"{FILE}, [{language}]: other placeholders than in [en]: {', '.join(unlike)}"
    empty = [word for word, text in words.items() if not text.strip()]
    assert not empty, f"{FILE}, [{language}]: {', '.join(empty)} are empty"


@pytest.mark.parametrize("language", [code for code in BUILT_IN if code != "en"])
def test_no_word_is_left_in_english(language):
    same = [
        word for word, text in BUILT_IN[language].items()
        if text == ENGLISH[word] and text.count(" ") > 1
    ]  # fmt: skip
    assert not same, f"{FILE}, [{language}]: translate {', '.join(same)}"
    if language in {"ru", "zh", "hi", "ar"}:
        latin = [
            word for word, text in BUILT_IN[language].items()
            if re.search("[A-Za-z]", re.sub(r"\{\w+\}", "", text))
        ]  # fmt: skip
        assert not latin, f"{FILE}, [{language}]: Latin letters in {', '.join(latin)}"


def test_the_languages_are_those_that_the_documentation_names():
    assert [*BUILT_IN] == ["en", "ru", "zh", "hi", "de", "fr", "es", "ar"]


def test_pages_use_no_word_that_does_not_exist_and_no_word_is_unused():
    sources = [*SURVEY.rglob("*.py"), *SURVEY.rglob("*.html")]
    text = "\n".join(file.read_text("utf-8") for file in sources)
    used = set(re.findall(r"""words(?:\(\w+(?:\.\w+)?\))?\[["'](\w+)["']\]""", text))
    assert used <= {*ENGLISH}, f"{FILE}, [en]: add {', '.join(used - {*ENGLISH})}"
    of_facts = {f"study_{name}" for name in fields_of(StudyFacts)} | {f"left_{o}" for o in OUTCOMES}
    unused = [
        word for word in ENGLISH
        if not re.search(rf"""["']{word}["']""", text) and word not in {*of_facts, "study_pay"}
    ]  # fmt: skip
    assert not unused, f"{FILE}: nothing shows {', '.join(unused)}"


def test_a_form_says_single_words_otherwise():
    read = form('[words.ar]\npage_of = "{total}/{n}"')
    words = words_in("ar", read.words)
    assert words["page_of"].format(n=2, total=5) == "5/2"
    assert words["continue"] == BUILT_IN["ar"]["continue"]
    assert "page_of" not in unread_words("ar", read.words)
    assert "continue" in unread_words("ar", read.words)


def test_a_language_of_a_form_s_own_is_english_where_it_says_nothing():
    read = form('[words.fi]\ncontinue = "Jatka"', "fi")
    words = words_in("fi", read.words)
    assert (words["continue"], words["back"], words["name"]) == ("Jatka", "Back", "Suomi")
    assert {*missing_words("fi", read.words)} == {*ENGLISH} - {"continue", "name"}
    assert unread_words("fi", read.words) == () == unread_words("en-GB", {})


def test_a_variety_of_a_language_has_its_words():
    assert words_in("ar-EG") == BUILT_IN["ar"] and not missing_words("ar-EG", {})
    assert unread_words("ar-EG", {})


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ('[words.ar]\ncontinu = "x"', "words.ar.continu is no word of buttons and notes; did you mean"),
        ('[words.ar]\npage_of = "x {n}"', "words.ar.page_of lacks {total}"),
        ('[words.ar]\nback = "x {n}"', "words.ar.back has {n}, unlike the English; remove it; English: Back"),
        ('[words.ar]\nrange = "{low} {high} {low}"', "words.ar.range has {low} more often than the English"),
        ('[words.ar]\nfamiliar = "{n!r} {n}"', "words.ar.familiar has a brace that is part of no"),
        ('[words.ar]\nback = "}"', "words.ar.back has a brace"),
        ('[words.ar]\nback = " "', "words.ar.back is ' '"),
        ('[words.ar]\nback = "a\\nb"', "words.ar.back is 'a\\nb'"),
        ("[words.ar]\nback = 3", "words.ar.back is 3"),
        ('[words]\nar = "x.toml"', "words.ar is 'x.toml'"),
        ("words = 3", "words is 3"),
        ('[words.fr]\nback = "Retour"', "words names the language 'fr'; the form has ar"),
        ('words_read = ["fr"]', "words_read names the language 'fr'; the form has ar"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_word_is_said_with_its_name(words, why):
    with pytest.raises(BadItems) as error:
        form(words)
    assert why in str(error.value)


def test_all_mistakes_are_listed_at_once():
    with pytest.raises(BadItems) as error:
        form('[words.ar]\nbak = "x"\nfamiliar = "x"\npage_of = "x"')
    assert len(error.value.problems) == 4  # two placeholders of page_of
