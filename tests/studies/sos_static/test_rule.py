"""How near identities' vectors lie to profanity, held against numbers that are known."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from tiltmeter.core.data.items import Term
from tiltmeter.core.errors import BadInput
from tiltmeter.core.rules import Context
from tiltmeter.studies.sos_static.rule import score


@dataclass
class Words:
    """Word vectors from a dictionary; of several words the mean."""

    vectors: dict
    name: str = "words"
    limit: int | None = None
    asked: list = field(default_factory=list)

    def passage_lengths(self, passages):
        return [sum(w in self.vectors for w in p.text.split()) for p in passages]

    def embed(self, passages, *, pooling):
        assert pooling == "own"
        self.asked += [p.text for p in passages]
        known = [[self.vectors[w] for w in p.text.split() if w in self.vectors] for p in passages]
        return np.array([np.mean(found, axis=0) for found in known])


def at(cosine):
    """A vector of length 2 with this cosine to (1, 0)."""
    return [2 * cosine, 2 * np.sqrt(1 - cosine**2)]


def terms(*texts, against=("bad",)):
    return [Term(text, text, against, {"attribute": "a", "identity": text}) for text in texts]


def settings(**named):
    return Context(settings={"several": "mean", "missing": "out", **named})


def test_the_farthest_is_0_and_the_nearest_1():
    model = Words({"bad": [3.0, 0.0], "x": at(0.1), "y": at(0.5), "z": at(0.2)})
    found = score(model, terms("x", "y", "z"), settings())
    assert [r.scores["raw_cosine"] for r in found] == pytest.approx([0.1, 0.5, 0.2])
    assert [r.scores["sos"] for r in found] == pytest.approx([0, 1, 0.25])


def test_profanity_is_the_plain_mean_of_its_vectors():
    # (1, 0) and (0, 3): the longer one draws the mean to itself; cosine of (.5, 1.5) with the axes
    model = Words({"bad": [1.0, 0.0], "worse": [0.0, 3.0], "x": [1.0, 0.0], "y": [0.0, 1.0]})
    found = score(model, terms("x", "y", against=("bad", "worse")), settings())
    assert [r.scores["raw_cosine"] for r in found] == pytest.approx(
        [1 / np.sqrt(10), 3 / np.sqrt(10)]
    )


# Cosines and group means of word2vec, as published by Elsafoury et al. 2022 beside their code
WOMEN = {
    "woman": 0.254603773355484, "female": 0.2624353170394897, "girl": 0.3132802844047546,
    "wife": 0.1900171786546707, "sister": 0.1606385856866836, "daughter": 0.1956914067268371,
    "mother": 0.2300858348608017,
}  # fmt: skip
MEN = {
    "man": 0.2725727558135986, "male": 0.3043054640293121, "boy": 0.2728014290332794,
    "son": 0.1604663729667663, "father": 0.15488101541996, "husband": 0.2109562456607818,
    "brother": 0.1814288794994354,
}  # fmt: skip
NEAREST = {"hetrosexual": 0.5265253782272339}


def test_published_means_of_groups():
    cosines = {**WOMEN, **MEN, **NEAREST}
    model = Words({"bad": [1.0, 0.0], **{word: at(c) for word, c in cosines.items()}})
    found = {r.item: r.scores["sos"] for r in score(model, terms(*cosines), settings())}
    assert np.mean([found[w] for w in WOMEN]) == pytest.approx(0.2008776198, abs=1e-6)
    assert np.mean([found[w] for w in MEN]) == pytest.approx(0.18191163162035, abs=1e-6)


def test_published_code_counts_missing_words_as_0():
    model = Words({"bad": [1.0, 0.0], **{word: at(c) for word, c in {**MEN, **NEAREST}.items()}})
    context = settings(missing="zero")
    found = score(model, terms(*MEN, "hetrosexual", "cisgender"), context)
    straight = [r.scores["sos"] for r in found if r.item in {"hetrosexual", "cisgender"}]
    assert straight == pytest.approx([1, 0])  # whose published mean is .5
    assert not context.problems
    context = settings()
    found = score(model, terms(*MEN, "hetrosexual", "cisgender"), context)
    assert "cisgender" not in {r.item for r in found}
    assert [str(p) for p in context.problems] == [
        "item 'cisgender': 'cisgender' (a) is left out: it has no vector in this model"
    ]


def test_terms_of_several_words():
    vectors = {"bad": [1.0, 0.0], "far": at(0.1), "out": at(0.5), "x": at(0.9)}
    found = score(Words(vectors), terms("far", "far out", "x"), settings())
    assert [r.item for r in found] == ["far", "far out", "x"]
    assert 0 < found[1].scores["sos"] < 1
    context = settings(several="out", missing="zero")
    found = score(Words(vectors), terms("far", "far out", "x", against=("bad", "so bad")), context)
    assert [r.item for r in found] == ["far", "x"]
    assert "it has several words" in str(context.problems[0])
    assert [str(note) for note in context.notes] == [
        "1 of 2 words of the profanity list have no vector and are not included in its mean."
    ]


def test_words_of_the_list_are_not_named():
    context = settings()
    model = Words({"bad": [1.0, 0.0], "x": at(0.1), "y": at(0.5)})
    score(model, terms("x", "y", against=("bad", "unmentionable")), context)
    assert "unmentionable" not in " ".join(map(str, context.notes))


def test_no_word_of_the_list_has_a_vector():
    with pytest.raises(BadInput, match="no word of the profanity list has a vector in words"):
        score(Words({"x": at(0.1)}), terms("x"), settings())


def test_a_list_that_cancels_out():
    model = Words({"bad": [1.0, 0.0], "worse": [-1.0, 0.0], "x": at(0.1)})
    with pytest.raises(BadInput, match="cancel"):
        score(model, terms("x", against=("bad", "worse")), settings())


def test_what_has_no_place_on_the_scale():
    context = settings()
    model = Words({"bad": [1.0, 0.0], "x": at(0.1), "y": [0.0, 0.0]})
    assert score(model, terms("x", "y"), context) == []
    said = [str(p) for p in context.problems]
    assert "nothing to compare with" in said[0]
    assert "its vector is 0" in said[1]


def test_all_is_asked_at_once_and_each_text_once():
    model = Words({"bad": [1.0, 0.0], "x": at(0.1), "y": at(0.3)})
    score(model, terms("x", "y"), settings())
    assert model.asked == ["x", "y", "bad"]
