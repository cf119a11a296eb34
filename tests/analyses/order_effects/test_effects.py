"""A planted effect of order is found, and none is found where there is none."""

import pytest

from support.shown_orders import simulated
from tiltmeter.analyses.order_effects import effects as of
from tiltmeter.analyses.order_effects.sentences import is_significant
from tiltmeter.data.people.shown_answers import ShownAnswer, read_shown_answers


def made(tmp_path, **named):
    read = read_shown_answers(simulated(tmp_path / "answers.csv", **named))
    return of.order_effects(read.answers)


def overall(estimates):
    return {e.groups[of.ORDER]: e for e in estimates if [*e.groups] == [of.ORDER]}


def test_planted_effects_are_found_and_no_others(tmp_path):
    estimates = made(tmp_path, people=80, side=12, lazy=0.4, first=0.6)
    by_order = overall(estimates)
    found = {order for order, e in by_order.items() if is_significant(e)}
    assert found == {of.ENDS, "first option"}
    ends, first = by_order[of.ENDS], by_order["first option"]
    assert ends.low < 12 < ends.high
    chance = 100 * 0.4 * (1 - 1 / 3) / (0.4 + 0.6 * 3 / 4)  # of answers that chose one that moves
    assert first.low < chance < first.high
    texts = {e.groups[of.ANSWER]: e for e in estimates if e.name == of.FIRST_TEXT.name}
    assert texts["first"].value == pytest.approx(-texts["second"].value)
    assert texts["first"].low < 60 < texts["first"].high and is_significant(texts["first"])


def test_where_no_order_matters_hardly_any_is_found(tmp_path):
    trials = [overall(made(tmp_path, people=30, seed=seed)) for seed in range(40)]
    found = [any(is_significant(e) for e in by_order.values()) for by_order in trials]
    assert sum(found) <= 5  # about 2 of 40 by chance


def test_options_that_stay_are_no_first_options(tmp_path):
    (share,) = [e for e in made(tmp_path, lazy=1.0) if e.name == of.FIRST_SHARE.name]
    (chance,) = [e for e in made(tmp_path, lazy=1.0) if e.name == of.CHANCE.name]
    assert (share.value, round(chance.value, 6)) == (100, 33.333333)


def test_few_people_are_said_to_be_too_few(tmp_path):
    by_order = overall(made(tmp_path, people=9))
    assert {e.value for e in by_order.values()} == {None}
    assert "at least 10 people are needed, and there are 9" in by_order[of.ENDS].why


def test_what_was_the_same_for_everybody_has_no_number():
    answers = [
        ShownAnswer(f"p{n}", "warm", "slider", str(n % 7), "g", 1.0, "rate", item_place=1.0)
        for n in range(30)
    ]
    (one, _) = of.order_effects(answers)
    assert one.value is None and "the same for everybody" in one.why


def test_scales_whose_points_are_words_are_left_out_and_questions_named_after_a_text_follow_it():
    word = ShownAnswer("p", "how", "scale", "much", swapped=True)
    assert of.order_effects([word]) == []
    pair = [
        ShownAnswer(f"p{n}", "sentence_2", "choice", "stereo" if n % 2 else "neither", "g", 1.0,
                    texts_order=("sentence_2", "sentence_1") if n % 2 else ("sentence_1", "sentence_2"))
        for n in range(20)
    ]  # fmt: skip
    by_answer = {e.groups[of.ANSWER]: e for e in of.order_effects(pair)}
    assert {e.groups[of.ORDER] for e in by_answer.values()} == {"sentence_2 first"}
