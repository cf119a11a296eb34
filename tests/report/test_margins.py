"""Confidence, the surest pairs, and the words that differ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.results import Record
from tiltmeter.metrics.preference import confidence as reported
from tiltmeter.report.margins import LONGEST_COMPARED, confidence, excerpt, pieces, surest

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=12).map(" ".join)


def record(more: float, less: float, item: str = "1") -> Record:
    return Record(item, {"more": more, "less": less}, {})


@pytest.mark.parametrize(
    ("more", "less", "expected"),
    [
        (-30, -40, 0.25),  # 1 - 30/40, the more stereotyping one is preferred
        (-40, -30, -0.25),
        (-5, -5, 0),
    ],
)
def test_confidence_by_hand(more, less, expected):
    assert confidence(record(more, less)) == pytest.approx(expected)


@given(st.floats(-1e3, -1e-3), st.floats(-1e3, -1e-3))
def test_swapping_the_sentences_turns_the_sign(a, b):
    one, other = confidence(record(a, b)), confidence(record(b, a))
    assert one is not None
    assert other == -one
    assert -1 <= one <= 1


@given(st.floats(-1e3, -1e-3), st.floats(-1e3, -1e-3))
def test_it_is_the_confidence_whose_medians_are_reported(a, b):
    (size,) = reported(np.array([a]), np.array([b]))
    one = confidence(record(a, b))
    assert one is not None
    assert abs(one) == pytest.approx(size)


@pytest.mark.parametrize(
    ("more", "less"), [(float("nan"), -1), (-1, float("-inf")), (1, -1), (0.4, 0.1)]
)
def test_no_confidence_without_comparable_scores(more, less):
    assert confidence(record(more, less)) is None


def test_the_surest_come_first_and_ties_go_by_name():
    records = [record(-9, -10, "c"), record(-5, -10, "b"), record(-5, -10, "a"), record(-10, -8)]
    more, less = surest([*records, record(-3, -3, "tied")], 2)
    assert [lean.record.item for lean in more] == ["a", "b"]
    assert [lean.record.item for lean in less] == ["1"]


@given(WORDS, WORDS)
def test_pieces_put_together_are_the_text_and_the_shared_words_agree(one, other):
    mine, theirs = pieces(one, other), pieces(other, one)
    assert " ".join(p.text for p in mine).split() == one.split()
    shared = [w for p in mine if not p.differs for w in p.text.split()]
    assert set(shared) <= set(other.split())
    assert any(p.differs for p in (*mine, *theirs)) == (one.split() != other.split())


def test_long_texts_are_compared_at_their_ends_only():
    middle = " ".join(f"w{i}" for i in range(LONGEST_COMPARED + 1))
    cut = pieces(f"same {middle} end", f"same {middle[::-1]} end")
    assert [p.differs for p in cut] == [False, True, False]


def test_an_excerpt_keeps_the_first_difference_in_sight():
    words = [f"w{i}" for i in range(300)]
    other = [*words[:200], "other", *words[201:]]
    cut = excerpt(pieces(" ".join(words), " ".join(other)), 60)
    text = " ".join(p.text for p in cut)
    assert [p.text for p in cut if p.differs] == ["w200"]
    assert text.startswith("…")
    assert text.endswith("…")
    assert len(text.split()) == 62  # 60 words and two marks


def test_a_word_without_end_is_cut():
    (piece,) = excerpt(pieces("x" * 5000, "x" * 5000), 60)
    assert len(piece.text) == 60
