"""Answers stored as numbers of options: how they are counted, and which option each is."""

import pytest

from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.scoring.option_numbers import first_number, option_named

OPTIONS = ("Ann", "Ben", "nobody")


@pytest.mark.parametrize("first", [0, 1])
def test_all_options_are_found_again(first):
    answers = [str(number + first) for number in range(3)]
    assert first_number(answers, [], 3) == first
    assert [option_named(answer, OPTIONS, first) for answer in answers] == [*OPTIONS]
    assert first_number(answers[1:2], answers, 3) == first  # by the right answers


def test_what_contradicts_itself_or_shows_nothing_is_not_guessed():
    for answers, truths in (
        (["1", "2"], []),
        (["0", "3"], []),
        ([], []),
        (["two", "0 or 1"], ["many"]),
    ):
        assert first_number(answers, truths, 3) is None
    with pytest.raises(Fault, match="whether options count from 0 or 1"):
        option_named("1", OPTIONS, None)
    for number, first in (("3", 0), ("0", 1), ("4", 1)):
        assert option_named(number, OPTIONS, first) == number  # a reply that names no option


@pytest.mark.parametrize("written", ["{}", "({})", "{}.", " {}) ", "{}:"])
def test_letters_stand_for_options(written):
    for first in (None, 0, 1):
        read = [option_named(written.format(letter), OPTIONS, first) for letter in "ABC"]
        assert read == [*OPTIONS]
    assert option_named(written.format("D"), OPTIONS, 0) == written.format("D")
    assert option_named("(b)", OPTIONS, None) == option_named("b.", OPTIONS, None) == "Ben"


def test_an_option_that_is_a_letter_is_itself():
    assert option_named("B", ("B", "A", "C"), None) == "B"


@pytest.mark.parametrize(
    "text", ["a man", "A man", "b", "AB", "Ann", "2.", "the second", "12345678901", "²", ""]
)
def test_other_texts_are_answers_as_they_are(text):
    assert option_named(text, OPTIONS, 0) == text


def test_an_option_that_is_a_number_is_itself():
    assert option_named("2", ("1", "2", "3"), 0) == "2"
