"""A small form, and people who fill it in, for the tests of surveys."""

import re
from functools import partial

from tiltmeter.survey import flow
from tiltmeter.survey import people_answers as stored
from tiltmeter.survey.answers import NewAnswer, NewEvent, save_answers, submit_screen
from tiltmeter.survey.assign import assigned_to, lease_items, repeat_items
from tiltmeter.survey.form_file import form_of, form_text, with_items
from tiltmeter.survey.keys import new_key
from tiltmeter.survey.persons import consent, enrol, respondent
from tiltmeter.survey.studies import open_study

NO_COUNTRY = r'^\[\[pages\]\]\nname = "country".*?(?=^\[\[pages\]\])'
"""The page on which built-in forms ask for the country."""
FORM = """
name = "warmth"
title = "How are groups seen?"
consent = "Do you agree?"
{top}
[sampling]
{sampling}

[[pages]]
name = "rate"
part = "item"
show = ["text"]

[[pages.questions]]
kind = "slider"
low = 0
high = 100
text = "How are {{item}} seen?"
rows = [
  {{ name = "cold - warm", left = "cold", right = "warm" }},
  {{ name = "poor - wealthy", left = "poor", right = "wealthy" }},
  {{ name = "weak - strong", left = "weak", right = "strong" }},
]
{rest}
"""

STAGES = """
name = "plan"
title = "Plan"
consent = "Do you agree?"
[sampling]
each = 2
[[pages]]
name = "about"
part = "start"
[[pages.questions]]
name = "student"
kind = "choice"
text = "Are you a student?"
options = ["yes", "no"]
[[pages]]
name = "of_students"
part = "start"
when = { student = "yes" }
[[pages.questions]]
name = "year"
kind = "choice"
text = "Which year?"
options = ["1", "2"]
[[pages]]
name = "judge"
[[pages.questions]]
name = "valid"
kind = "choice"
text = "{item}?"
options = ["yes", "no"]
[[pages]]
name = "why"
when = { valid = "no" }
[[pages.questions]]
name = "reason"
kind = "text"
text = "Why?"
[[checks]]
kind = "name_item"
after = 2
text = "Which?"
[[demographics.questions]]
name = "age"
kind = "choice"
text = "Age?"
options = ["young", "old"]
[[items]]
id = "easy"
kind = "training"
text = "easy"
expected = { valid = "yes" }
[[items]]
id = "a"
text = "a"
[[items]]
id = "b"
text = "b"
[[items]]
id = "c"
text = "c"
"""
"""A form with a page of every stage, two of which depend on an answer."""


def without_country(name):
    """A built-in form without its page before the items, for what is about the items."""
    text = re.sub(NO_COUNTRY, "", form_text(name), flags=re.DOTALL | re.MULTILINE)
    return form_of(text.replace('stratum = "country"\n', ""))


def filled(form, folder):
    """The form; with made-up items if it has none of its own."""
    if any(item.kind == "real" for item in form.items):
        return form
    shown = dict.fromkeys(text for page in form.pages for text in page.show)
    rows = (
        ",".join(["id", *shown]),
        *(",".join([f"{i}", *(f"{t} {i}" for t in shown)]) for i in range(20)),
    )
    (folder / "items.csv").write_text("\n".join(rows), "utf-8")
    return with_items(form, folder / "items.csv")


def a_form(items=4, *, top="", sampling="", rest="", common=0):
    listed = "".join(
        f'\n[[items]]\nid = "g{i}"\ntext = "group {i}"\n'
        + ("common = true\n" if i < common else "")
        for i in range(items)
    )
    return form_of(FORM.format(top=top, sampling=sampling, rest=rest + listed))


def a_study(store, form):
    return store.save(partial(open_study, form=form))


def someone(store, study, raw="", **named):
    """A person who has agreed to take part."""
    came = {"platform": "prolific", "ids": {"PROLIFIC_PID": raw} if raw else {}} | named
    person = store.save(partial(enrol, study=study, **came)).id
    store.save(partial(consent, person=person))
    return person


def answer(store, form, person, assignment, question="cold - warm", value=60.0, **named):
    new = NewAnswer(
        named.pop("key", None) or new_key(), named.pop("page", "rate"), question, value, 1, assignment,
        **named,
    )  # fmt: skip
    save(store, form, person, [new])
    return new.key


def save(store, form, person, answers, **named):
    """Store one person's answers."""

    def saved(session):
        who = respondent(session, person)
        return save_answers(session, [(who, new) for new in answers], form=form, **named)

    return store.save(saved)


def sixty(_item, _question):
    return 60.0


def fill_in(store, form, person, value=sixty, *, seconds=20, others=None, start=1_000_000):
    """Answer every screen of a person, item by item, as a browser would."""
    store.save(partial(lease_items, person=person, form=form))
    clock = start
    for again in (False, True):
        if again:
            store.save(partial(repeat_items, person=person, form=form))
        while True:
            every = flow.screens(form, store.read(partial(assigned_to, person=person)))
            answered = store.read(partial(stored.current_answers, person=person))
            done = store.read(partial(stored.submitted_screens, person=person))
            screen = flow.next_screen(every, answered, done)
            if screen is None or screen.page.name == flow.DEMOGRAPHICS_PAGE:
                break
            clock = one_screen(store, form, person, screen, clock, value, seconds, others or {})


def one_screen(store, form, person, screen, clock, value, seconds, others):
    shown = NewEvent(new_key(clock), screen.key, "shown", clock, screen.assignment)
    clock += int(seconds * 1000)
    item = screen.assigned.item if screen.assigned else None
    new = []
    for question in screen.page.questions:
        said = others[question.name] if question.name in others else value(item, question)
        if said is not None:
            new.append(NewAnswer(new_key(clock), screen.page.name, question.name, said, clock,
                                 screen.assignment))  # fmt: skip
    save(store, form, person, new)
    missing = submit(store, form, person, screen, shown, at=clock)
    assert not missing, missing
    return clock


def submit(store, form, person, screen, shown, *, at):
    """Submit a screen; gives what is missing."""
    every = flow.screens(form, store.read(partial(assigned_to, person=person)))
    about = [one for one in every if one.assignment == screen.assignment]
    sent = NewEvent(new_key(at), screen.key, "submitted", at, screen.assignment)
    return store.save(
        partial(submit_screen, person=person, form=form, screen=screen, about=about,
                answered=store.read(partial(stored.current_answers, person=person)),
                before=store.read(partial(stored.submitted_screens, person=person)),
                events=(shown, sent))
    )  # fmt: skip
