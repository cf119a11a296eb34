"""Orders of one person: the same at every call, balanced over people, and by name and never by place."""

from collections import Counter
from itertools import product

import pytest

from tiltmeter.survey.form_pages import Page
from tiltmeter.survey.order.form_order import FormOrder
from tiltmeter.survey.order.person_order import AS_WRITTEN, PersonOrder, Shown, Turn, balanced_order
from tiltmeter.survey.question import AnswerOption, Condition
from tiltmeter.survey.questions.choice import ChoiceQuestion
from tiltmeter.survey.questions.scale import ScaleQuestion
from tiltmeter.survey.questions.slider import SliderQuestion

ALL = FormOrder("random", "random", "random", "by slider", "random", "random")
OPTIONS = tuple(
    AnswerOption(value, {"en": value}, stays=value == "none") for value in ("a", "b", "none", "c")
)
ROWS = tuple(SliderQuestion(name, text={"en": "?"}) for name in "uvwx")
PAGE = Page(
    "rate", questions=(*ROWS, ChoiceQuestion("best", text={"en": "Which?"}, options=OPTIONS))
)
PAIR = Page(
    "pair",
    show=("reply_1", "reply_2"),
    questions=(
        ChoiceQuestion("one", text={"en": "What does {reply_1} do?"}, options=OPTIONS),
        ChoiceQuestion("why_one", text={"en": "Why does {reply_1}?"}, options=OPTIONS),
        ChoiceQuestion("both", text={"en": "And both?"}, options=OPTIONS),
        ChoiceQuestion("two", text={"en": "What does {reply_2} do?"}, options=OPTIONS),
        ChoiceQuestion("why_two", text={"en": "Why does {reply_2}?"}, options=OPTIONS),
    ),
)


def of_people(count, order=ALL, secret="s"):
    return [PersonOrder(order, secret, number) for number in range(count)]


@pytest.mark.parametrize("count", [2, 3, 5])
def test_everything_has_every_place_equally_often(count):
    orders = [balanced_order("s", "x", number, count) for number in range(6 * count)]
    places = Counter((thing, place) for order in orders for place, thing in enumerate(order))
    assert places == dict.fromkeys(product(range(count), repeat=2), 6)


def test_each_block_of_people_is_complete_so_that_half_of_any_two_successors_is_swapped():
    swapped = [of.swapped(PAGE, ROWS[0]) for of in of_people(100)]
    assert all(one != other for one, other in zip(swapped[::2], swapped[1::2], strict=True))
    turns = [AS_WRITTEN, *of_people(1)]
    firsts = [turns[1].texts(PAIR, Turn(7, number))[0] for number in range(4)]
    assert Counter(firsts[:2]) == Counter(firsts[2:]) == {"reply_1": 1, "reply_2": 1}


def test_orders_of_two_things_have_nothing_to_do_with_each_other():
    people = of_people(400)
    both = Counter((of.swapped(PAGE, ROWS[0]), of.swapped(PAGE, ROWS[1])) for of in people)
    assert all(80 < count < 120 for count in both.values())
    assert of_people(1, secret="t")[0] != people[0]


def test_the_same_person_sees_the_same_order_and_nobody_can_foresee_it_without_the_secret():
    mine = [q.name for q in PersonOrder(ALL, "s", 3).questions(PAGE)]
    assert mine == [q.name for q in PersonOrder(ALL, "s", 3).questions(PAGE)]
    others = {
        tuple(q.name for q in PersonOrder(ALL, secret, 3).questions(PAGE)) for secret in "abcdef"
    }
    assert len(others) > 1


def test_poles_of_a_page_change_sides_together_or_each_alone():
    by_page = of_people(8, FormOrder(poles="by page"))
    assert all(len({of.swapped(PAGE, row) for row in ROWS}) == 1 for of in by_page)
    alone = of_people(8, FormOrder(poles="by slider"))
    assert any(len({of.swapped(PAGE, row) for row in ROWS}) == 2 for of in alone)


def test_a_scale_is_turned_round_and_never_mixed():
    points = tuple(AnswerOption(value, {}) for value in "12345")
    scale = ScaleQuestion("how", text={"en": "?"}, options=points)
    shown = {"".join(o.value for o in of.options(PAGE, scale)) for of in of_people(10)}
    assert shown == {"12345", "54321"}


def test_options_that_stay_and_questions_that_say_so_keep_their_places():
    people = of_people(30)
    shown = [[option.value for option in of.options(PAGE, PAGE.questions[-1])] for of in people]
    assert {order[2] for order in shown} == {"none"}
    assert Counter(order[0] for order in shown) == {"a": 10, "b": 10, "c": 10}
    yes_no = ChoiceQuestion("valid", text={"en": "?"}, options=OPTIONS, order="fixed")
    assert all(of.options(PAGE, yes_no) == OPTIONS for of in people)
    still = SliderQuestion("v", text={"en": "?"}, order="fixed")
    page = Page("rate", questions=(ROWS[0], still, ROWS[2], ROWS[3]))
    assert all(of.questions(page)[1] == still for of in people)
    assert not any(of.swapped(page, still) for of in people)


def test_questions_about_the_person_are_left_as_they_are_written():
    question = ChoiceQuestion("age", text={"en": "?"}, options=OPTIONS)
    for page in (Page("demographics", "end", (question,)), Page("you", "start", (question,))):
        assert all(of.options(page, question) == OPTIONS for of in of_people(9))
    asked = ChoiceQuestion("age", text={"en": "?"}, options=OPTIONS, order="random")
    shown = {"".join(o.value for o in of.options(page, asked)) for of in of_people(9)}
    assert len(shown) > 1


def test_questions_about_a_text_follow_it():
    written, turned = (
        [q.name for q in AS_WRITTEN.questions(PAIR, texts)]
        for texts in (("reply_1", "reply_2"), ("reply_2", "reply_1"))
    )
    assert written == ["one", "why_one", "both", "two", "why_two"]
    assert turned == ["two", "why_two", "both", "one", "why_one"]


def test_a_page_never_comes_before_one_that_it_depends_on():
    pages = [
        Page("a", questions=(ChoiceQuestion("valid", text={"en": "?"}, options=OPTIONS),)),
        Page("b", questions=ROWS[:1], when=Condition({"valid": ("a",)})),
        Page("c", questions=ROWS[1:2]),
    ]
    orders = {"".join(page.name for page in of.pages(pages)) for of in of_people(60)}
    assert orders == {"abc", "acb", "cab"}


def test_what_is_recorded_is_what_was_shown():
    for of in of_people(12):
        names = [q.name for q in of.questions(PAGE)]
        for row in ROWS:
            shown = of.shown(PAGE, row, pages=[PAGE, PAIR])
            assert shown.row == names.index(row.name) + 1
            assert shown.page == of.pages([PAGE, PAIR]).index(PAGE) + 1
            assert shown.swapped == of.swapped(PAGE, row)
            assert Shown.of(shown.stored()) == shown
        turn = Turn(5, of.number)
        shown = of.shown(PAIR, PAIR.questions[0], turn=turn)
        assert shown.texts == of.texts(PAIR, turn)
        assert shown.options == tuple(o.value for o in of.options(PAIR, PAIR.questions[0]))


def test_nothing_is_recorded_of_what_is_fixed():
    assert AS_WRITTEN.shown(PAGE, ROWS[0], pages=[PAGE, PAIR], turn=Turn(5, 0)).stored() is None
