"""Pairs of sentences that follow each other, and of sentences of other documents."""

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput
from tiltmeter.data.texts.corpus import Corpus
from tiltmeter.data.texts.stored_documents import StoredDocuments
from tiltmeter.train.pairs import examples

shapes = st.lists(st.integers(2, 6), min_size=4, max_size=12)


def made(lengths):
    """Documents whose sentences say which they are: "3.1" is the second of the fourth."""
    documents = tuple(tuple(f"{d}.{i}" for i in range(n)) for d, n in enumerate(lengths))
    return Corpus("made", "", StoredDocuments(documents))


def place(sentence):
    return tuple(map(int, sentence.split(".")))


@settings(deadline=None)
@given(shapes, st.floats(0.05, 0.9), st.integers(0, 99))
def test_pairs_are_what_they_say(lengths, held_out, seed):
    front, back = examples(made(lengths), held_out=held_out, most=None, seed=seed)
    for side in (front, back):
        for one in side:
            (d, i), (e, j) = place(one.first), place(one.second)
            assert (e, j) == (d, i + 1) if one.label == 0 else e != d
        assert [one.label for one in side] == [0, 1] * (len(side) // 2)
    assert len(front) + len(back) == 2 * sum(n - 1 for n in lengths)


@settings(deadline=None)
@given(shapes, st.floats(0.05, 0.9), st.integers(0, 99), st.integers(4, 40))
def test_no_document_is_on_both_sides(lengths, held_out, seed, most):
    for limit in (None, most):
        sides = examples(made(lengths), held_out=held_out, most=limit, seed=seed)
        seen = [{place(s)[0] for one in side for s in one[:2]} for side in sides]
        assert all(seen)
        assert not seen[0] & seen[1]
        assert limit is None or sum(map(len, sides)) <= max(limit, 4)


def test_every_sentence_of_another_document_may_be_drawn_and_none_of_the_own():
    corpus = made([3, 3, 2, 2])
    drawn = set()
    for seed in range(200):
        for side in examples(corpus, held_out=0.5, most=None, seed=seed):
            drawn |= {(place(one.first)[0], one.second) for one in side if one.label}
    everything = {
        (d, s) for d in range(4) for other in corpus.documents for s in other if place(s)[0] != d
    }
    assert drawn == everything


def test_too_few_documents_are_refused():
    with pytest.raises(BadInput, match="it holds 3 document"):
        examples(made([2, 2, 2]), held_out=0.1, most=None, seed=0)


def test_pairs_are_read_from_the_stored_text_and_hold_only_numbers():
    corpus = made([30] * 2_000)
    tracemalloc.start()
    front, back = examples(corpus, held_out=0.1, most=None, seed=1)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    pairs = len(front) + len(back)
    assert pairs == 2 * 2_000 * 29
    assert held < 12 * pairs and peak < 50 * pairs
    assert front[-1] == front[len(front) - 1] and front[-1].label == 1
