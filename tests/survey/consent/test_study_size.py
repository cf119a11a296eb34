"""How many people, hours and how much money a design needs."""

from decimal import Decimal

import pytest

from support.survey.forms import a_form
from tiltmeter.survey.consent.study_size import quota_mismatches, study_size

MONEY = "\n[study]\nminutes = 15\n[pay]\namount = 1.5\n"


@pytest.mark.parametrize(
    ("items", "sampling", "common", "people", "answers"),
    [
        (4, "each = 2\nvotes = 3", 0, 6, 12),
        (5, "each = 2\nvotes = 3", 0, 8, 16),  # 15 places, two a person
        (4, "votes = 3", 0, 3, 12),  # everybody gets all
        (4, "each = 2\nvotes = 3", 1, 9, 18),  # one of the two is the common one
        (4, "each = 2\nquotas = { a = 2, b = 3 }", 0, 10, 20),
        (2, "each = 2\nvotes = 3", 2, 3, 6),
    ],
)
def test_people_and_answers(items, sampling, common, people, answers):
    form = a_form(items, sampling=sampling, common=common, rest=MONEY)
    size = study_size(form)
    assert (size.people, size.answers) == (people, answers)
    assert (size.hours, size.pay) == (people / 4, people * Decimal("1.5"))


@pytest.mark.parametrize(("votes", "people"), [("", 3), ("votes = 5\n", 3), ("votes = 1\n", 2)])
def test_quotas_by_answer_end_a_study_too(votes, people):
    """Three people by gender, nine by age; items are enough for two or ten."""
    cells = "[sampling.people]\nsex = { f = 1, m = 2 }\nage = { old = 4, young = 5 }\n"
    asked = "".join(
        f'[[pages]]\nname = "{name}"\npart = "start"\n[[pages.questions]]\nname = "{name}"\n'
        f'kind = "choice"\ntext = "?"\noptions = {options}\n'
        for name, options in (("sex", '["f", "m"]'), ("age", '["old", "young"]'))
    )
    form = a_form(4, sampling=f"each = 2\n{votes}{cells}", rest=asked)
    assert study_size(form).people == people


def test_without_votes_there_is_no_size():
    size = study_size(a_form(rest=MONEY))
    assert (size.items, size.people, size.hours, size.pay) == (4, None, None, None)


def test_repeated_items_are_answers_too():
    assert (
        study_size(a_form(sampling="each = 2\nvotes = 2", rest="\n[repeat]\nitems = 1\n")).answers
        == 12
    )


@pytest.mark.parametrize(
    ("quotas", "people", "expected"),
    [
        ("f = 1, m = 2", "f = 2, m = 4", []),
        ("f = 1, m = 2", "f = 2, m = 9", ["sex, m: 9 people in all, but a quota of 2 per item needs 4"]),
        ("f = 1", "f = 2, m = 1", ["sex, m: 1 person in all, but a quota of 0 per item needs 0"]),
    ],
)  # fmt: skip
def test_quotas_per_item_and_people_in_all_add_up(quotas, people, expected):
    """Four items, two for each person: a quota of 1 is the work of two people."""
    asked = (
        '[[pages]]\nname = "sex"\npart = "start"\n[[pages.questions]]\nname = "sex"\n'
        'kind = "choice"\ntext = "?"\noptions = ["f", "m"]\n'
    )
    sampling = (
        f'each = 2\nstratum = "sex"\nquotas = {{ {quotas} }}\npeople = {{ sex = {{ {people} }} }}'
    )
    mismatches = [*quota_mismatches(a_form(4, sampling=sampling, rest=asked))]
    assert [line.partition(" (")[0] for line in mismatches] == expected
