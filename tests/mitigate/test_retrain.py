"""Sentences with their counterparts: every group equally often, and nothing lost or made up."""

import re

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.data.texts.corpus import Corpus
from tiltmeter.data.texts.stored_documents import StoredDocuments
from tiltmeter.mitigate.retrain import counterparts
from tiltmeter.mitigate.versions import read_words, turned
from tiltmeter.train.text_split import split_documents

GENDER = read_words("gender")
RELIGION = read_words("religion")
DOCUMENTS = [
    ("She saw the mosque.", "It rained.", "The boy met his sister."),
    ("Nobody came.", "It was late."),
    ("The king slept.",),
]


def test_by_hand():
    made = counterparts(DOCUMENTS, GENDER, keep=False)
    assert made.documents == [
        ("She saw the mosque.", "The boy met his sister."),
        ("He saw the mosque.", "The girl met her brother."),
        ("The king slept.",),
        ("The queen slept.",),
    ]
    assert made.naming == 3
    assert made.groups == {"female": 2, "male": 2}  # the second sentence names both


def test_what_is_neutral_can_be_kept():
    made = counterparts(DOCUMENTS, GENDER, keep=True)
    assert made.documents == [
        DOCUMENTS[0],
        ("He saw the mosque.", "It rained.", "The girl met her brother."),
        DOCUMENTS[1],
        DOCUMENTS[2],
        ("The queen slept.",),
    ]


def test_of_three_groups_each_comes_up_equally_often():
    texts = turned("Christians and Jews met near a mosque.", RELIGION)
    assert texts == (
        "Christians and Jews met near a mosque.",
        "Muslims and Christians met near a synagogue.",
        "Jews and Muslims met near a church.",
    )


@pytest.mark.parametrize(
    "sets", [GENDER, RELIGION, read_words("race")], ids=["gender", "religion", "race"]
)
def test_in_all_versions_together_every_group_is_named_equally_often(sets):
    plain = [
        f"I met {words[group]} today." for words in sets.sets for group in range(len(sets.groups))
    ]
    versions = [text for sentence in plain for text in turned(sentence, sets)]
    counts = [
        sum(sets.named(text) == {group} for text in versions) for group in range(len(sets.groups))
    ]
    assert len(set(counts)) == 1
    assert sum(counts) == len(versions)


def test_nothing_but_defining_words_changes():
    sentence = "“HER aunt's dog”, said Mr. Hehir; she'd gone (with the Men)."
    one, other = turned(sentence, GENDER)
    assert one == sentence
    assert re.findall(r"[^\w]+", one) == re.findall(r"[^\w]+", other)
    assert "Hehir" in other
    assert turned("Nobody came.", GENDER) is None


def test_a_corpus_that_names_nobody_is_refused():
    with pytest.raises(
        BadInput, match="no sentence of the corpus that is trained on holds a defining word"
    ):
        counterparts(DOCUMENTS[1:2], GENDER, keep=True)


def test_documents_are_learned_from_or_held_out_whole():
    def corpus(documents):
        stored = StoredDocuments((f"{i} a", f"{i} b") for i in range(documents))
        return Corpus("c", "0", stored)

    def split(documents, share, seed):
        rng = np.random.default_rng(seed)
        parts = split_documents(corpus(documents), share, rng, least=1, why="one is held out")
        return [part.tolist() for part in parts]

    front, back = split(20, 0.1, 3)
    assert (len(front), len(back)) == (18, 2)
    assert sorted([*front, *back]) == [*range(20)]
    assert split(20, 0.1, 3) == [front, back]
    assert split(20, 0.1, 4) != [front, back]
    assert len(split(2, 0.9, 0)[0]) == 1
    with pytest.raises(BadInput, match=r"c: it holds 1 document.* 2 are needed: one is"):
        split(1, 0.1, 0)
