"""Tests of the wordings that studies bring."""

import pytest

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import find, known
from tiltmeter.core.reading.templates import places
from tiltmeter.core.wordings import WORDING, Wordings

FEWEST = 5
"""From so many wordings an interval for wordings like them can be given."""
WITH_WORDINGS = {
    name: study.wordings
    for name in sorted(known("studies"))
    if (study := find("studies", name, "STUDY")).wordings is not None
}
DOGS = Wordings({"en": {"plain": "Is {text} rude? {options}", "short": "{text}: {options}"}})


def test_studies_that_ask_in_words_have_wordings():
    asking = {"bbq", "decisions", "difference_awareness", "hate_prompts", "story_choice"}
    assert WITH_WORDINGS.keys() >= {*asking, "word_association"}


@pytest.mark.parametrize("name", WITH_WORDINGS)
def test_every_kind_has_the_same_names_and_its_templates_the_same_places(name):
    wordings = WITH_WORDINGS[name]
    assert len(wordings.names) >= FEWEST
    assert wordings.names[0] == "standard"
    for kind, own in wordings.own.items():
        assert tuple(own) == wordings.names, kind
        assert len({*own.values()}) == len(own), f"{kind} has a template twice"
        for template in own.values():
            wordings.check(template, kind=kind)
            assert {*places(template)} == {*places(own["standard"])}, template
            assert template == template.strip()


@pytest.mark.parametrize("name", WITH_WORDINGS)
def test_a_study_with_wordings_has_the_setting_for_one(name):
    assert WORDING in find("studies", name, "STUDY").settings


def test_what_is_filled_in_is_never_read_as_a_template():
    assert DOGS.put("en", "short", {"text": "{options}", "options": "a"}) == "{options}: a"


def test_names_and_templates_that_cannot_be_used_are_refused():
    with pytest.raises(UnknownName, match="short"):
        DOGS.template("en", "shrt")
    with pytest.raises(BadInput, match=r"has no \{options\}"):
        DOGS.template("en", "{text}?")
    with pytest.raises(BadInput, match=r"has \{colour\}, which is not known"):
        DOGS.template("en", "{text} {options} {colour}")
    with pytest.raises(BadInput, match="single"):
        DOGS.template("en", "{text} {options")
