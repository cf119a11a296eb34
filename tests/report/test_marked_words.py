"""Marked words, and excerpts around them."""

from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.report.marked_words import LONGEST_COMPARED, excerpt, pieces

WORDS = st.lists(st.sampled_from(["a", "b", "c", "dd"]), max_size=12).map(" ".join)


def unmarked(text: str, other: str) -> list[str]:
    return [w for words, differs in pieces(text, other) if not differs for w in words.split()]


@given(WORDS, WORDS)
def test_every_word_is_there_and_what_is_shared_is_in_both(text, other):
    found = pieces(text, other)
    assert " ".join(words for words, _ in found) == text
    rest = iter(other.split())
    assert all(word in rest for word in unmarked(text, other))  # a subsequence of the other


@given(WORDS)
def test_equal_texts_have_no_marks(text):
    assert not any(differs for _, differs in pieces(text, text))


def test_long_middles_count_as_different_as_a_whole():
    words = [f"w{i}" for i in range(LONGEST_COMPARED + 1)]
    ((middle, differs),) = pieces(" ".join(words), " ".join(reversed(words)))
    assert differs
    assert len(middle.split()) == len(words)


@given(WORDS, WORDS, st.integers(2, 6))
def test_an_excerpt_shows_the_first_difference(text, other, longest):
    whole = pieces(text, other)
    short = excerpt(whole, longest)
    words = [w for part, _ in short for w in part.split() if w != "…"]
    assert len(words) == min(longest, len(text.split()))
    if any(differs for _, differs in whole):
        assert any(differs for _, differs in short)


def test_words_too_long_for_any_language_are_cut():
    ((word, _),) = excerpt([("x" * 500, False)], 5)
    assert len(word) == 60
