"""A paid study with people who left in different ways: who they were, and what they are owed."""

from functools import partial

from support.survey import forms
from tiltmeter.survey.keys import DAY, now
from tiltmeter.survey.leaving import finish
from tiltmeter.survey.persons import withdraw
from tiltmeter.survey.schema import Person

RAW = "5f1a9c0e7d3b"
"""How ids on the platform begin; the rest is the name of the person."""
REST = """
[pay]
amount = 2.00
currency = "GBP"
hourly = 12.00
[outcomes.screened_out]
pay = 0.14
[outcomes.withdrew]
pay = 2.00
"""
TIME = 20_000 * DAY + 12_345_678


def leave(store, person, outcome):
    """Have a person leave with an outcome, as the pages would."""

    def left(session):
        row = session.get_one(Person, person)
        row.outcome, row.ended = outcome, now()

    store.save(left)


def a_paid_study(store, platform="prolific", ids=("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")):
    """The number of a study, and the random ids of its people by name.

    slow: finished, 600 s for 2.00 GBP, which is 12 an hour · slower: finished, 900 s, so 1.00 is owed ·
    flat: finished, with one rating for all · out: screened out · gone: withdrew · here: under way ·
    nobody: finished, without an id.
    """
    form = forms.a_form(2, rest=REST)
    study = forms.a_study(store, form)
    people = {}
    for name, seconds in (("slow", 300), ("slower", 450), ("flat", 300), ("nobody", 300)):
        people[name] = coming(store, study, platform, ids, "" if name == "nobody" else name)
        rating = (lambda *_: 50.0) if name == "flat" else (lambda _, q: float(7 * len(q.name)))
        forms.fill_in(store, form, people[name], rating, seconds=seconds, start=TIME)
        store.save(partial(finish, person=people[name], form=form))
    for name in ("out", "gone", "here"):
        people[name] = coming(store, study, platform, ids, name)
    leave(store, people["out"], "screened_out")
    store.save(withdraw, person=people.pop("gone"))
    return study, people


def coming(store, study, platform, ids, name):
    """Somebody comes from the platform and agrees; "" for somebody without an id."""
    raw = dict(zip(ids, (f"{RAW}{name}", "study7", f"session_{name}"), strict=False))
    return forms.someone(store, study, platform=platform, ids=raw if name else {})
