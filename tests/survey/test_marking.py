"""Checks mark what they find, and leave every answer where it is."""

import json
from functools import partial

import pytest

from support import published
from support.survey import forms
from tiltmeter.survey import flow
from tiltmeter.survey.assign import assigned_to, lease_items
from tiltmeter.survey.checks import flatness, is_flat, self_agreement
from tiltmeter.survey.collected import collect
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.formats import tables
from tiltmeter.survey.marking import failed_checks, find_marks, mark_study
from tiltmeter.survey.people_answers import current_answers
from tiltmeter.survey.questions.slider import SliderQuestion

TESTS = """
[[checks]]
kind = "name_item"
after = 1
text = "Which?"
[[checks]]
kind = "high_trait"
after = 2
text = "High?"
[[checks]]
kind = "low_trait"
after = 2
text = "Low?"
[repeat]
items = 1
"""
CAREFUL = {"cold - warm": 90, "poor - wealthy": 30, "weak - strong": 10}


@pytest.fixture
def form():
    return forms.a_form(2, rest=TESTS)


def marked(store, study):
    """The names of the flagged checks, by person."""
    store.save(partial(mark_study, study=study))
    found = store.read(partial(collect, study=study))
    return {p: sorted({one.check for one in own if one.flagged}) for p, own in found.marks.items()}


def takes_part(store, form, study, value, **named):
    person = forms.someone(store, study)
    named["others"] = {"high_trait": "warm", "low_trait": "strong"} | named.get("others", {})
    first = store.save(partial(lease_items, person=person, form=form))[0].item.key
    named["others"].setdefault("name_item", f"group {first[1:]}")
    forms.fill_in(store, form, person, value, **named)
    return person


def test_a_careful_person_has_no_flag_and_a_careless_one_has_all(store, form):
    study = forms.a_study(store, form)
    careful = takes_part(store, form, study, lambda _, q: CAREFUL[q.name])
    seen = set()

    def turns(item, question):
        again = (item.key, question.name) in seen
        seen.add((item.key, question.name))
        return 52.0 if again else 48.0

    others = {"name_item": "no idea", "high_trait": "happy", "low_trait": "happy"}
    careless = takes_part(store, form, study, turns, others=others)
    before = len(store.read(partial(collect, study=study)).responses)
    assert marked(store, study) == {
        careful: [],
        careless: ["high_trait", "low_trait", "name_item", "self_agreement", "straight_line"],
    }
    found = store.read(partial(collect, study=study))
    assert len(found.responses) == before  # nothing is deleted
    agreement = [one for one in found.marks[careful] if one.check == "self_agreement"]
    assert [(one.rule, one.value) for one in agreement] == [("same_side >= 0.8", 1.0)]


def test_marks_are_made_anew_and_not_twice(store, form):
    study = forms.a_study(store, form)
    takes_part(store, form, study, lambda _, q: CAREFUL[q.name])
    assert marked(store, study) == marked(store, study)


def test_two_people_with_the_same_answers_are_marked(store):
    form = forms.a_form(6)
    study = forms.a_study(store, form)
    vary = iter(range(10**6))
    same = lambda item, q: float(len(q.name) * 3 + int(item.key[1:]) * 7)  # noqa: E731
    twins = {takes_part(store, form, study, same) for _ in range(2)}
    alone = takes_part(store, form, study, lambda *_: float(next(vary) * 5 % 100))
    found = marked(store, study)
    assert {p for p, own in found.items() if "duplicate" in own} == twins and alone not in twins


def test_pages_answered_much_faster_than_others_are_marked(store):
    form = forms.a_form(3)
    study = forms.a_study(store, form)
    for seconds in (18, 19, 20, 21, 22, 23):
        takes_part(store, form, study, lambda _, q: CAREFUL[q.name], seconds=seconds)
    fast = takes_part(store, form, study, lambda _, q: CAREFUL[q.name] + 1, seconds=1)
    found = marked(store, study)
    assert [person for person, own in found.items() if "speed" in own] == [fast]


def test_answers_that_should_not_be_there_and_missing_ones_are_marked(store):
    form = read_form("inference7")
    study = forms.a_study(store, form)
    person = forms.someone(store, study)
    (one, other) = store.save(partial(lease_items, person=person, form=form))
    for assignment in (one.assignment, other.assignment):
        forms.answer(store, form, person, assignment, "valid", "yes", page="judge")
        forms.answer(store, form, person, assignment, "plausible", "no", page="judge")
    forms.answer(store, form, person, one.assignment, "stereotype", "yes", page="judge")
    found = find_marks(store.read(partial(collect, study=study)))
    assert [(f.check, f.detail, f.assignment) for f in found[person] if f.flagged] == [
        ("skip_logic", "not asked: stereotype", one.assignment)
    ]


def test_agreement_with_oneself_depends_on_the_rule():
    sliders = [SliderQuestion(name) for name in "abcd"]
    one = dict(zip("abcd", (0, 20, 60, 100), strict=True))
    other = dict(zip("abcd", (49, 30, 70, 90), strict=True))
    rules = ("same_side", "within_10", "correlation")
    found = [self_agreement(one, other, sliders, rule) for rule in rules]
    assert found == [1.0, 0.75, pytest.approx(3045 / (5900 * 2020.75) ** 0.5)]
    constant = dict.fromkeys("abcd", 50)
    assert self_agreement(one, constant, sliders, "correlation") is None
    assert self_agreement(one, {}, sliders) is None


def test_flat_pages_of_published_ratings_are_those_that_the_rule_names():
    path = published.need("us_stereotypes/data_full.json")
    people = json.loads(path.read_text("utf-8"))
    pages = [[*map(float, page.values())] for own in people.values() for page in own.values()]
    assert (len(pages), sum(map(len, pages))) == (522, 8337)
    assert sum(len(set(page)) <= 2 for page in pages) == 5
    assert sum(flatness(page)[1] < 5 for page in pages) == 8
    assert sum(map(is_flat, pages)) == 10


def test_training_screens_do_not_count_as_ratings(store):
    form = read_form("label_text")
    study = forms.a_study(store, form)
    person = forms.someone(store, study)
    forms.fill_in(store, form, person, lambda *_: "neither")
    found = store.read(partial(collect, study=study))
    assert sorted(r.round for r in found.responses) == [flow.TRAINING, flow.FIRST, flow.FIRST]


KNOWN = """
[[pages.questions]]
kind = "slider"
text = "And here?"
rows = [{ name = "attention", left = "no", right = "move it here", expected = [90, 100] }]
[[checks]]
kind = "instructed"
after = 2
[[checks.questions]]
name = "choose_often"
kind = "choice"
text = "Choose “often”."
options = ["never", "often"]
expected = "often"
[[checks]]
kind = "name_item"
after = 1
text = "Which?"
[comprehension]
[[comprehension.questions]]
name = "whose"
kind = "choice"
text = "Whose view?"
options = ["mine", "theirs"]
expected = "theirs"
"""


def test_tests_of_attention_and_comprehension_are_marked_counted_and_no_ratings(store):
    form = forms.a_form(2, rest=KNOWN)
    study = forms.a_study(store, form)
    careful = {"attention": 95, "choose_often": "often", "whose": "theirs", "name_item": "group"}
    people = {
        name: takes_part(store, form, study, lambda *_: 40.0, others=careful | others)
        for name, others in (
            ("careful", {}),
            ("careless", {"attention": 10, "choose_often": "never", "whose": "mine"}),
        )
    }
    found = store.read(partial(collect, study=study))
    values = {
        name: [
            (one.check, one.value)
            for one in find_marks(found)[person]
            if one.check in {"attention", "comprehension"}
        ]
        for name, person in people.items()
    }
    of_item = {
        one.detail.partition(":")[0]: one.assignment is not None
        for one in find_marks(found)[people["careless"]]
        if one.check == "attention"
    }
    assert of_item == {"attention": True, "choose_often": False}
    assert values["careful"] == [*[("attention", 1.0)] * 3, ("comprehension", 1.0)]
    assert values["careless"] == [*[("attention", 0.0)] * 3, ("comprehension", 0.0)]

    def failed(person):
        def counted(session):
            answered = current_answers(session, person)
            return failed_checks(form, assigned_to(session, person), answered)

        return store.read(counted)

    assert (failed(people["careful"]), failed(people["careless"])) == (0, 4)
    _, ratings = tables.ratings(found)
    assert {row["pair"] for row in ratings} == {"cold - warm", "poor - wealthy", "weak - strong"}
    _, answers = tables.answers(found)
    kinds = {(row["page"], row["question"]): row["kind"] for row in answers}
    assert kinds["rate", "attention"] == kinds["check", "choose_often"] == "attention"
    assert kinds["comprehension_2", "whose"] == "attention"
    assert ("comprehension_2", "whose") not in {
        (row["page"], row["question"]) for row in answers if row["person"] == people["careful"]
    }
