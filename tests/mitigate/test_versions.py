"""Sentences turned round, word lists, and what is told where they cannot be used."""

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.mitigate.versions import (
    SentenceVersions,
    Sets,
    attributes,
    drawn,
    neutral,
    read_words,
    versions,
)

GENDER = read_words("gender")


def turned(text, sets=GENDER):
    return [found.texts for found in versions([text], sets)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He sold his car.", ("She sold her car.", "He sold his car.")),
        ("HER mother's idea", ("HER mother's idea", "HIS father's idea")),
        ("The King said: himself!", ("The Queen said: herself!", "The King said: himself!")),
        ("men, women", None),  # of both groups
        ("The theatre is here.", None),  # no part of a word
        ("", None),
    ],
)
def test_all_defining_words_of_a_sentence_are_exchanged(text, expected):
    assert turned(text) == ([expected] if expected else [])


def test_words_with_capitals_name_a_group_with_capitals_only():
    race = read_words("race")
    assert turned("A black car.", race) == []
    assert turned("A Black poet.", race) == [("A Black poet.", "A White poet.", "A Asian poet.")]


def test_turning_round_twice_gives_the_sentence_back():
    for word, other in (("she", "he"), ("Mothers", "Fathers"), ("NIECE", "NEPHEW")):
        (once,) = turned(f"Then {word} left.")
        (back,) = turned(once[1])
        assert once[0] == f"Then {word} left."
        assert once[1] == f"Then {other} left."
        assert back == once


def test_long_sentences_and_those_of_no_group_are_left_out():
    assert turned("He " + "ran " * 60) == []
    assert list(neutral(["It rained.", "He ran.", "...", "the " * 61], GENDER)) == ["It rained."]


def test_a_draw_is_seeded_in_order_and_without_repetitions():
    found = [SentenceVersions(0, (f"she {i}", f"he {i}")) for i in range(20)]
    one = drawn([*found, *found], 5, np.random.default_rng(3))
    assert one == drawn([*found, *found], 5, np.random.default_rng(3))
    assert len({f.texts for f in one}) == 5
    assert [found.index(f) for f in one] == sorted(found.index(f) for f in one)
    assert drawn(found, 99, np.random.default_rng(3)) == found
    with pytest.raises(BadInput, match="no sentence of the corpus holds a defining word"):
        drawn([], 5, np.random.default_rng(3))


def test_packaged_words_differ_in_the_group_alone():
    for attribute in attributes():
        sets = read_words(attribute)
        assert all(len(set(words)) == len(sets.groups) for words in sets.sets)
        for words in sets.sets:
            for group, word in enumerate(words):
                number, own = sets.place(word)
                assert own == group or word in sets.sets[number], word


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[age\n", "is not TOML"),
        ("[gender]\ngroups = ['a', 'b']\n", "gender has no sets"),
        ("[gender]\ngroups = ['a']\nsets = [['x']]\n", "fewer than two groups"),
        ("[gender]\ngroups = ['a', 'b']\nsets = []\n", "gender.sets is empty"),
        (
            "[gender]\ngroups = ['a', 'b']\nsets = [['x', 'y'], ['z']]\n",
            r"gender.sets\[2\] is not one word for each of a, b",
        ),
        ("[gender]\ngroups = ['a', 'b']\nsets = [['x', 'y z']]\n", "not a single word"),
        ("[gender]\ngroups = ['a', 'b']\nsets = [['x', 3]]\n", r"gender.sets\[1\]\[2\] is 3"),
    ],
)
def test_wrong_word_files_are_told(tmp_path, text, message):
    file = tmp_path / "words.toml"
    file.write_text(text)
    with pytest.raises((BadInput, BadItems), match=message):
        read_words("gender", file)


def test_an_unknown_attribute_is_told_with_those_there_are():
    with pytest.raises(UnknownName, match=r"gendre.*gender"):
        read_words("gendre")
    assert Sets(("a", "b"), (("x", "y"),)).place("z") is None
