"""Quotas by answers: who is wanted, who comes too late, and who frees a place."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from sqlalchemy import select

from support.survey.forms import a_form, a_study, answer, fill_in, someone, submit
from tiltmeter.core.errors import BadItems
from tiltmeter.survey.answer_quotas import all_full, answer_cells, full_for
from tiltmeter.survey.answers import NewEvent
from tiltmeter.survey.assign import lease_items
from tiltmeter.survey.flow import screens
from tiltmeter.survey.keys import new_key
from tiltmeter.survey.places import MINUTE
from tiltmeter.survey.schema import Assignment, Person

START = """
[[pages]]
name = "about"
part = "start"
[[pages.questions]]
name = "gender"
kind = "choice"
text = "Gender?"
options = ["woman", "man", "other"]
[[pages.questions]]
name = "age"
kind = "scale"
text = "Age?"
options = ["under 40", "40 or over"]
"""
CELLS = """
[sampling.people]
gender = { woman = 2, man = 1 }
age = { "under 40" = 2, "40 or over" = 9 }
"""


def quota_form(cells=CELLS, *, items=4, sampling="each = 1"):
    return a_form(items, sampling=sampling + cells, rest=START)


@pytest.fixture
def form():
    return quota_form()


@pytest.fixture
def study(store, form):
    return a_study(store, form)


def answers_to(store, form, study, gender, age="40 or over"):
    """A person who has answered the questions before the work."""
    person = someone(store, study)
    for question, value in (("gender", gender), ("age", age)):
        answer(store, form, person, None, question, value, page="about")
    submits(store, form, person)
    return person


def submits(store, form, person):
    """The page before the work."""
    (screen, *_) = screens(form, [])
    submit(store, form, person, screen, NewEvent(new_key(1), screen.key, "shown", 1), at=2)


def given(store, form, person):
    return len(store.save(partial(lease_items, person=person, form=form)))


def comes(store, form, study, *answers):
    person = answers_to(store, form, study, *answers)
    return person if given(store, form, person) else None


def cells(store, form, study):
    found = store.read(partial(answer_cells, study=study, form=form))
    return {cell.answer: (cell.finished, cell.working, cell.is_full) for cell in found}


def test_nobody_is_given_work_before_they_have_answered(store, form, study):
    person = someone(store, study)
    assert given(store, form, person) == 0
    answer(store, form, person, None, "gender", "man", page="about")
    assert given(store, form, person) == 0  # age is asked, too
    answer(store, form, person, None, "age", "40 or over", page="about")
    assert given(store, form, person) == 0  # and the page can still be changed
    submits(store, form, person)
    assert given(store, form, person) == 1


def test_a_cell_takes_as_many_people_as_it_says_and_no_others(store, form, study):
    assert all(comes(store, form, study, "woman") for _ in range(2))
    assert comes(store, form, study, "woman") is None
    assert comes(store, form, study, "other") is None  # not named, so not wanted
    assert comes(store, form, study, "man")
    assert comes(store, form, study, "man") is None
    assert cells(store, form, study) == {
        "woman": (0, 2, True), "man": (0, 1, True), "under 40": (0, 0, False),
        "40 or over": (0, 3, False),
    }  # fmt: skip
    assert store.read(partial(all_full, study=study, form=form))


def test_every_question_has_its_own_cells(store, study, form):
    assert comes(store, form, study, "woman", "under 40")
    assert comes(store, form, study, "man", "under 40")
    asked = partial(full_for, study=study, form=form)
    assert store.read(partial(asked, answers={"gender": "woman"})) == ""
    assert store.read(partial(asked, answers={"age": "under 40"})) == "age: under 40"
    both = {"gender": "woman", "age": "under 40"}
    assert store.read(partial(asked, answers=both)) == "age: under 40"
    assert comes(store, form, study, "woman", "under 40") is None
    assert comes(store, form, study, "woman", "40 or over")
    assert not store.read(partial(all_full, study=study, form=quota_form("", items=4)))


@pytest.mark.parametrize("outcome", ["stopped", "timed_out", "failed_checks", "screened_out"])
def test_who_leaves_frees_the_cell_and_who_finishes_holds_it(store, form, study, outcome):
    first = comes(store, form, study, "man")
    fill_in(store, form, first, others={"gender": "man", "age": "40 or over"})

    def leave(session, how):
        session.get_one(Person, first).outcome = how

    store.save(partial(leave, how="finished"))
    assert comes(store, form, study, "man") is None
    assert cells(store, form, study)["man"] == (1, 0, True)
    store.save(partial(leave, how=outcome))
    assert comes(store, form, study, "man")


def test_who_went_away_frees_the_cell_and_may_come_back_while_it_is_free(store, form, study):
    first = comes(store, form, study, "man")

    def away(session):
        for row in session.scalars(select(Assignment).where(Assignment.person_id == first)):
            row.until -= 2 * form.sampling.lease * MINUTE

    store.save(away)
    assert cells(store, form, study)["man"] == (0, 0, False)
    assert given(store, form, first) >= 1  # nobody else has come
    store.save(away)
    second = comes(store, form, study, "man")
    assert second is not None
    before = given(store, form, second)
    assert given(store, form, second) == before  # asking again keeps the place


def test_the_answer_is_the_stratum_of_the_quotas_per_item(store):
    form = quota_form("\nstratum = 'gender'\nquotas = { woman = 2, man = 1 }\n", items=1)
    study = a_study(store, form)
    assert comes(store, form, study, "man")
    assert comes(store, form, study, "man") is None
    assert comes(store, form, study, "other") is None
    women = [comes(store, form, study, "woman") for _ in range(3)]
    assert [bool(woman) for woman in women] == [True, True, False]
    strata = store.read(lambda session: [*session.scalars(select(Assignment.stratum))])
    assert sorted(strata) == ["man", "woman", "woman"]


def test_people_who_come_at_once_never_overfill_a_cell(store):
    form = quota_form("\n[sampling.people]\ngender = { woman = 3 }\n", items=40)
    study = a_study(store, form)
    people = [answers_to(store, form, study, "woman") for _ in range(12)]
    with ThreadPoolExecutor(12) as pool:
        counts = [*pool.map(lambda person: given(store, form, person), people)]
    assert sorted(counts) == [0] * 9 + [1] * 3
    assert cells(store, form, study)["woman"] == (0, 3, True)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("[sampling.people]\nshoe = { a = 1 }", "'shoe': is no question before the work"),
        ("[sampling.people]\ngender = { cat = 1 }", "has no answer 'cat'"),
        ("stratum = 'gender'\nquotas = { cat = 1 }", "has no answer 'cat'"),
        ("stratum = 'cold - warm'", "is no question before the work"),
    ],
)
def test_quotas_are_about_answers_that_can_be_given(cells, said):
    with pytest.raises(BadItems, match=said):
        quota_form(f"\n{cells}\n")


def test_a_question_of_a_quota_is_required_and_has_one_answer():
    for change, said in (
        ('"Gender?"\nrequired = false', "may be left unanswered"),
        ('"Gender?"\nseveral = true', "is no choice of one option"),
    ):
        rest = START.replace('"Gender?"', change)
        with pytest.raises(BadItems, match=said):
            a_form(sampling=f"each = 1{CELLS}", rest=rest)
