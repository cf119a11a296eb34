"""What WEAT, SEAT and CEAT report of other lists, on vectors whose values can be derived."""

import json
from dataclasses import replace

import pytest

from scoring.made_up_vectors import Vectors, slow_effect
from tiltmeter.core.data.items import WordSets
from tiltmeter.core.finder import find
from tiltmeter.core.model.protocols import EmbedsTexts
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose

SETS = {
    "targ1": ("Math", ["sums", "sets", "rings"]), "targ2": ("Arts", ["verse", "dance", "opera"]),
    "attr1": ("MaleTerms", ["he", "man"]), "attr2": ("FemaleTerms", ["she", "woman"]),
}  # fmt: skip
TEST = WordSets("weat7", *(tuple(words) for _, words in SETS.values()))
LISTS = [
    {"Category": category, "Seeds": words, "Used in Paper": "Words (Smith, 2020)"}
    for category, words in (("male", ["lad", "sir"]), ("female", ["lass", "lady"]))
]
NAME = "male / female (Smith, 2020)"


@pytest.fixture
def result(tmp_path):
    return ran(tmp_path, Vectors())


def ran(folder, model, **given):
    study = find("studies", "weat", "STUDY")
    test = {key: {"category": name, "examples": words} for key, (name, words) in SETS.items()}
    (folder / "weat7.json").write_text(json.dumps(test))
    (folder / "lists.json").write_text(json.dumps(LISTS))
    settings = {s.name: s.default for s in study.settings} | {"lists": str(folder / "lists.json")}
    data = study.load(folder / "weat7.json", settings=settings)
    chosen = choose(study, [EmbedsTexts], model="vectors", settings=settings)
    return measure(study, model, data, chosen=chosen, **given)


def value(result, name, **groups):
    (found,) = [e for e in result.estimates if e.name == name and dict(e.groups) == groups]
    return found


def test_the_effect_with_each_list(result):
    vector = Vectors().vector
    own = slow_effect(TEST, vector)
    other = slow_effect(replace(TEST, a=("lad", "sir"), b=("lass", "lady")), vector)
    assert value(result, "effect_size", test="weat7").value == pytest.approx(own)
    of_list = value(result, "effect_size_of_list", words_of="weat7", list=NAME)
    assert of_list.value == pytest.approx(other)
    assert of_list.p is None
    assert value(result, "lowest_over_lists", words_of="weat7").value == pytest.approx(
        min(own, other)
    )
    highest = value(result, "highest_over_lists", words_of="weat7")
    assert (highest.value, highest.n) == (pytest.approx(max(own, other)), 2)


def test_the_effect_without_each_word(result):
    vector, sets = Vectors().vector, (TEST.x, TEST.y, TEST.a, TEST.b)
    without = {
        word: slow_effect(
            WordSets("t", *(tuple(w for w in words if w != word) for words in sets)), vector
        )
        for words in sets for word in words
    }  # fmt: skip
    assert value(result, "lowest_without_word", words_of="weat7").value == pytest.approx(
        min(without.values())
    )
    assert value(result, "highest_without_word", words_of="weat7").value == pytest.approx(
        max(without.values())
    )
    own = slow_effect(TEST, vector)
    most = max(without, key=lambda word: abs(without[word] - own))
    change = value(result, "largest_change_without_word", words_of="weat7")
    assert change.value == pytest.approx(without[most] - own)
    assert f"“{most}”" in change.why
    words = value(result, "effect_of_words", words_of="weat7")
    assert (words.value, words.n, words.low) == (pytest.approx(own), 10, None)


def test_words_that_a_model_lacks_are_named(tmp_path):
    found = ran(tmp_path, Vectors(unknown=("lad",)), skip_invalid=True)
    assert value(found, "highest_over_lists", words_of="weat7").n == 1
    assert any("'lad'" in line for line in found.card.invalid)


def test_nothing_is_said_of_lists_that_nobody_asked_for():
    study = find("studies", "weat", "STUDY")
    chosen = choose(study, [EmbedsTexts], model="vectors")
    found = measure(study, Vectors(), study.sample(), chosen=chosen)
    assert {e.name for e in found.estimates} == {"effect_size", "mean_absolute_effect"}
