"""What is said of effects minus placebo."""

import pytest

import tiltmeter as tm
from support.edit_scores import rows, write


@pytest.fixture(autouse=True)
def _workspace(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_fewer_than_six_clusters_have_no_interval():
    result = tm.analyse.placebo(write(rows(texts=5, noise=0.1)))
    assert (result.headline.low, result.headline.p) == (None, None)
    assert "it takes 6" in result.headline.why
    assert "not change the score significantly" in result.card.finding[0].text


def test_what_differs_from_placebo_is_named_with_its_number():
    moves = {"baseline": 0, "placebo_rain": 1, "name_ann": 3, "school_mit": 0.2}
    result = tm.analyse.placebo(write(rows(texts=12, moves=moves, noise=0.1)))
    said = [paragraph.text for paragraph in result.card.finding]
    assert said[0].startswith("Group edits change the score")
    assert "of that" in said[1] and "is not about groups" in said[1]
    assert (
        "more than placebo in name (2." in said[2] and "less than placebo in school (−0." in said[2]
    )


def test_without_a_difference_it_does_not_say_that_there_is_one():
    moves = {"baseline": 0, "placebo_rain": 1, "name_ann": 1, "school_mit": 1}
    result = tm.analyse.placebo(write(rows(texts=12, moves=moves, noise=0.5)))
    said = [paragraph.text for paragraph in result.card.finding]
    assert "do not change the score significantly more or less" in said[0]
    assert "None of 2 axes differs significantly from placebo." in said
