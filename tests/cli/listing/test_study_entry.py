"""What lists say of a study, and whether its data are there."""

from functools import cache

import pytest

from support.command_line import own_cache  # noqa: F401  # fixture
from tiltmeter.cli.listing.study_entry import data_state, study_entry
from tiltmeter.core.finder import find, known
from tiltmeter.core.model.questions import QUESTIONS
from tiltmeter.core.study_groups import ASKED_OF
from tiltmeter.data.downloads import registry


@cache
def entry(name):
    return study_entry(find("studies", name, "STUDY"))


def test_questions_have_no_other_words_for_models():
    assert {question.asked_of for question in QUESTIONS.values()} == {*ASKED_OF, ""}


@pytest.mark.parametrize("name", known("studies"))
def test_a_study_is_asked_of_some_kind_of_model(name):
    assert entry(name)["needs"]


@pytest.mark.parametrize(
    ("name", "there", "state"),
    [
        ("crows_pairs", (), "get"),
        ("crows_pairs", ("crows_pairs",), "here"),
        ("crows_pairs", ("crows_pairs_fr",), "get"),
        ("seat", ("seat",), "get"),  # a usual run reads both
        ("seat", ("seat", "seat_religion"), "here"),
        ("stereoset", (), "get"),  # although the items were counted on a set that nobody can fetch
        ("stereoset_pairs", (), "get"),
        ("stereoset", ("stereoset",), "here"),
        ("stereoset", ("stereoset_rebuilt",), "here"),
        ("starter_pairs", (), "here"),
        ("counterfactual", (), "here"),
        ("pairs", (), "file"),
        ("ceat", ("weat",), "file"),
    ],
)
def test_data_are_here_to_get_or_the_users_to_bring(monkeypatch, name, there, state):
    status = registry.status

    def known_status(data):
        return (
            "here"
            if data in there
            else "absent"
            if registry.find(data).files[0].url
            else status(data)
        )

    monkeypatch.setattr(registry, "status", known_status)
    assert data_state(entry(name)) == state
