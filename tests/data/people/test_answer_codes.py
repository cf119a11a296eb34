"""Answers as numbers: declared answers and orders, leading numbers, sets of labels and spellings."""

from collections import Counter

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.data.people.answer_codes import DeclaredScale, answer_codes, as_sets, case_folded

LEVELS = DeclaredScale(("low", "medium", "high"), ordered=True)


def coded(*answers, scale=None):
    return answer_codes("tone", Counter(answers), scale)


def test_words_of_a_declared_order_count_by_their_place():
    made = coded("high", "low", scale=LEVELS)
    assert made.codes == {"high": 2, "low": 0}
    assert (made.words, made.declared, made.ordered) == (("low", "medium", "high"), (0, 1, 2), True)


def test_numbers_in_an_order_of_their_own_count_by_their_place():
    made = coded("1", "5.0", scale=DeclaredScale(("5", "3", "1"), ordered=True))
    assert made.codes == {"1": 2, "5.0": 0}


def test_declared_numbers_keep_their_values():
    scale = DeclaredScale(("1", "2", "3", "4", "5"))
    made = coded("2", "4.0", scale=scale)
    assert made.codes == {"2": 2, "4.0": 4}
    assert (made.words, made.declared, made.ordered) == ((), (1, 2, 3, 4, 5), False)
    assert coded("2 - rarely", scale=scale).codes == {"2 - rarely": 2}


def test_words_that_are_declared_have_no_order():
    made = coded("b", scale=DeclaredScale(("c", "b", "a")))
    assert (made.declared, made.ordered, made.words[1]) == ((0, 1, 2), False, "b")


@pytest.mark.parametrize(
    ("answer", "scale"), [("odd", LEVELS), ("6", DeclaredScale(("1", "5"))), ("Low", LEVELS)]
)
def test_an_answer_that_is_not_declared_is_refused(answer, scale):
    with pytest.raises(BadInput, match=f"'{answer}' is not among the declared answers"):
        coded(answer, scale=scale)


@pytest.mark.parametrize(
    "answers",
    [
        ("1 - never", "2 – rarely", "3: often"),
        ("1 (strongly disagree)", "2", "3", "3 (neither)"),
        ("1. never", "2. rarely", "3. often"),
        ("1=never", "2=rarely"),
        ("-1 worse", "0 same", "+1 better"),
        ("1) no", "10) yes"),
    ],
)
def test_leading_numbers_are_read(answers):
    made = coded(*answers)
    assert not made.words
    assert [made.codes[a] for a in answers] == sorted(made.codes[a] for a in answers)
    assert "the numbers that answers begin with" in made.notes[0]


@pytest.mark.parametrize(
    "answers",
    [
        ("1 - never", "1 - always"),  # two answers with one number
        ("18-24", "25-34"),  # ranges
        ("1 - never", "often"),
        ("1st place", "2nd place"),
    ],
)
def test_other_words_with_digits_stay_words(answers):
    assert coded(*answers).words == tuple(sorted(answers))


def test_percentages_are_numbers_where_all_answers_are_some():
    made = coded("10%", "2.5 %", "100%")
    assert made.codes == {"10%": 10, "2.5 %": 2.5, "100%": 100}
    assert made.notes == ("tone: answers are in per cent.",)
    assert coded("10%", "0.2").words == ("0.2", "10%")


def test_commas_in_numbers_are_noted_and_not_guessed():
    for answers in (("1,5", "2,5", "3"), ("1,2", "1")):  # decimal commas, or sets of codes
        made = coded(*answers)
        assert made.words == tuple(sorted(answers))
        assert "write points for the commas" in made.notes[0]


def test_spellings_of_a_declared_answer_lead_to_the_option_that_joins_them():
    with pytest.raises(BadInput, match="--fold-case"):
        coded("LOW", "low", scale=LEVELS)


def test_oddities_are_noted():
    (note,) = coded(*["1", "2", "3", "4", "5"] * 4, "?").notes
    assert "1 of 21 answers is not numeric ('?')" in note
    assert "--missing '?'" in note
    (note,) = coded("Hate", "hate", "fine").notes
    assert "2 answers differ only in case" in note
    assert "--fold-case" in note
    assert coded("1", "2").notes == coded("a", "b").notes == ()


def test_spellings_become_one():
    counts = Counter({"Hate": 1, "hate ": 2, "HATE": 4, "fine": 1})
    assert set(case_folded(counts).values()) == {"HATE", "fine"}
    assert set(case_folded(counts, ["hate"]).values()) == {"hate", "fine"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a; b", "b; a"),
        ("a|b", "b|a"),
        ("a, b", "b, a"),
        ('["a", "b"]', '["b","a"]'),
        ("['a', 'b']", "['b', 'a']"),
    ],
)
def test_sets_in_another_order_are_equal(first, second):
    texts, notes = as_sets("tone", [first, second, "c"])
    assert texts[first] == texts[second] == "a, b"
    assert texts["c"] == "c"
    assert len(notes) == 1


def test_texts_with_commas_are_no_sets_unless_their_order_changes():
    answers = ["yes, I think so", "no, never"]
    assert as_sets("q", answers) == ({answer: answer for answer in answers}, [])
    assert as_sets("q", ["[broken", "x"])[0] == {"[broken": "[broken", "x": "x"}
