"""Everybody leaves with an outcome, and the panel counts who came back with which code."""

from contextlib import ExitStack

import httpx2
import pytest

from support.survey.browsing import agree, hidden_fields, rows
from support.survey.forms import a_form
from support.survey.stub_panel import stub_panel
from tiltmeter.survey.form_file import form_of
from tiltmeter.survey.keys import now
from tiltmeter.survey.leaving import time_out
from tiltmeter.survey.outcomes import OUTCOMES
from tiltmeter.survey.places import MINUTE
from tiltmeter.survey.schema import Answer, Person
from tiltmeter.survey.web.bots import FormPage
from tiltmeter.survey.web.serving import served

FORM = """
name = "jobs"
title = "Jobs"
consent = "Do you agree?"
[sampling]
each = 1
votes = 2
[[pages]]
name = "adult"
part = "screening"
[[pages.questions]]
name = "adult"
kind = "choice"
text = "Are you 18 or older?"
options = ["yes", "no"]
screen_out = ["no"]
[[pages]]
name = "about"
part = "start"
[[pages.questions]]
name = "works"
kind = "choice"
text = "Do you work?"
options = ["yes", "no"]
screen_out = ["no"]
[[pages]]
name = "judge"
show = ["text"]
[[pages.questions]]
name = "job"
kind = "choice"
text = "Is this a job?"
options = ["yes", "no"]
[[checks]]
kind = "name_item"
after = 1
text = "What was on the last page?"
[demographics]
[[demographics.questions]]
name = "age"
kind = "choice"
text = "Age?"
options = ["young", "old"]
{outcomes}
[[items]]
id = "baker"
text = "a baker"
"""


@pytest.fixture
def panel():
    with stub_panel() as opened:
        yield opened


@pytest.fixture
def survey(visit, panel):
    tables = "".join(f'[outcomes.{o}]\ncode = "C-{o}"\nurl = "{panel.back}"\n' for o in OUTCOMES)
    opened = visit(form_of(FORM.format(outcomes=tables)))
    with served(opened.app) as address:
        panel.study = address
        yield opened


class Someone:
    """A person of the panel, with a browser."""

    def __init__(self, panel, name, client):
        self.panel, self.name, self.client = panel, name, client
        self.reply = self.get(panel.link(name))

    def get(self, address):
        self.reply = self.client.get(address)
        return self.reply

    def at(self, path):
        return self.get(f"{self.panel.study}{path}")

    def send(self, **fields):
        """Send the form of the page with these fields."""
        action, hidden = hidden_fields(self.reply)
        self.reply = self.client.post(f"{self.panel.study}{action}", data=hidden | fields)
        return self

    def agree(self, answer="yes"):
        self.send(q0="yes")
        return self.send(agree=answer)

    def answer_all(self, named="a baker"):
        return self.send(q0="yes").send(q0="yes").send(q0=named).send(q0="old")

    @property
    def page(self):
        return FormPage(self.reply.text)

    def return_to_panel(self):
        self.get(self.page.link)


@pytest.fixture
def comes(panel):
    """Lets a person of the panel come, with a new browser or another person's."""
    with ExitStack() as stack:

        def opened(name, client=None):
            client = client or stack.enter_context(httpx2.Client(follow_redirects=True))
            return Someone(panel, name, client)

        yield opened


def finish(person):
    person.agree().answer_all()


def fail(person):
    person.agree().answer_all(named="no idea")


def screened(person):
    person.send(q0="no")


def decline(person):
    person.agree("no")


def stop(person):
    person.agree().at("/stop")
    person.send(how="keep")


def withdraw(person):
    person.agree().send(q0="yes").at("/stop")
    person.send(how="erase")


def test_each_outcome_sends_people_back_with_its_code(survey, panel, store, comes):
    for name, way in {
        "finished": finish, "failed_checks": fail, "screened_out": screened, "declined": decline,
        "stopped": stop, "withdrew": withdraw,
    }.items():  # fmt: skip
        person = comes(name)
        way(person)
        assert (person.page.outcome, person.page.code) == (name, f"C-{name}")
        person.return_to_panel()
    idle = comes("timed_out")
    idle.agree()
    late = now() + 31 * MINUTE
    assert store.save(time_out, study=survey.study, form=survey.form, at=late) == 1
    # the places of all but `finished` were given back
    comes("second").agree().answer_all()
    full = comes("full")
    assert full.page.outcome == "full"
    assert comes("timed_out").page.outcome == "timed_out"  # nothing is left to go on with
    for person in (full, idle):
        person.at("/work")
        person.return_to_panel()
    assert panel.codes == {outcome: [f"C-{outcome}"] for outcome in OUTCOMES}
    stored = {row.outcome for row in rows(store, Person)}
    assert stored == {*OUTCOMES}


def test_who_went_away_goes_on_while_there_is_a_place(survey, store, comes):
    idle = comes("ann")
    idle.agree().send(q0="yes")
    store.save(time_out, study=survey.study, form=survey.form, at=now() + 31 * MINUTE)
    assert [row.outcome for row in rows(store, Person)] == ["timed_out"]
    idle.send(q0="yes").send(q0="a baker").send(q0="old")
    assert idle.page.outcome == "finished"


@pytest.mark.usefixtures("survey")
def test_people_who_left_see_their_page_again_and_cannot_begin_anew(store, comes):
    for name, way in {"finished": finish, "withdrew": withdraw, "screened_out": screened}.items():
        way(comes(name))
        assert comes(name).page.code == f"C-{name}"
    assert len(rows(store, Person)) == 3


@pytest.mark.usefixtures("survey")
def test_after_the_start_a_page_can_still_screen_people_out(store, comes):
    person = comes("ann").agree().send(q0="no")
    assert person.page.outcome == "screened_out"
    assert [row.value for row in rows(store, Answer)] == ["no"]
    assert person.at("/work").url.path == "/done"


@pytest.mark.usefixtures("survey")
def test_the_next_person_on_a_browser_sees_nothing_of_the_last_one(comes):
    first = comes("ann")
    finish(first)
    second = comes("ben", first.client)
    assert second.page.action == "/screening"
    decline(second)
    assert (second.page.outcome, second.page.code) == ("declined", "C-declined")
    assert second.at("/done").text.count("C-finished") == 0
    third = comes("cem", first.client)
    withdraw(third)
    assert third.page.code == "C-withdrew"
    nobody = comes("dan", first.client)
    assert "C-withdrew" not in nobody.reply.text
    finish(nobody)
    assert FormPage(nobody.at("/").text).outcome == "full"  # a bare address begins anew


@pytest.mark.usefixtures("survey")
def test_the_one_who_withdrew_leaves_the_id_and_the_outcome_alone(store, comes):
    person = comes("ann")
    person.agree().send(q0="yes").send(q0="yes").at("/stop")
    assert "Only your panel id" in person.reply.text
    person.send(how="erase")
    assert "Only your panel id" in person.reply.text
    (row,) = rows(store, Person)
    assert (row.outcome, row.consented, row.language) == ("withdrew", None, "")
    assert rows(store, Answer) == []


def test_that_people_are_paid_all_the_same_is_said_only_if_the_form_says_it(visit):
    for pay, times in (("", 0), ("pay = 0", 0), ("pay = 1.5", 2)):
        tables = "".join(f"[outcomes.{o}]\n{pay}\n" for o in ("stopped", "withdrew"))
        browser = visit(
            form_of(FORM.format(outcomes=tables).replace('"jobs"', f'"j{pay}"'))
        ).browser()
        page = FormPage(browser.get("/").text)
        fields = {f.name: f.attributes.get("value", "") for f in page.fields}
        page = FormPage(browser.post("/screening", data=fields | {"q0": "yes"}).text)
        fields = {f.name: f.attributes.get("value", "") for f in page.fields}
        browser.post("/consent", data=fields | {"agree": "yes"})
        assert browser.get("/stop").text.count("You will still be paid") == times


@pytest.mark.usefixtures("survey")
def test_who_agreed_before_and_now_declines_is_asked_what_becomes_of_the_answers(store, comes):
    comes("ann").agree().send(q0="yes")
    again = comes("ann")
    again.agree("no")
    assert again.reply.url.path == "/stop"
    again.send(how="keep")
    assert again.page.code == "C-stopped" and len(rows(store, Answer)) == 1


@pytest.mark.parametrize("agreed", ["no", "yes"])
def test_a_consent_that_is_sent_again_after_its_reply_leads_to_where_the_person_is(visit, agreed):
    browser = visit(a_form(items=1)).browser()
    action, fields = hidden_fields(browser.get("/?PROLIFIC_PID=ann"))
    sent = fields | {"agree": agreed}
    first, again = (browser.post(action, data=sent) for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert FormPage(again.text).outcome == FormPage(first.text).outcome
    assert FormPage(again.text).name == FormPage(first.text).name
    assert browser.post(action, data=sent | {"passed": "forged"}).status_code == 403


def test_who_withdrew_and_did_not_get_the_reply_still_gets_the_last_page(visit, store):
    browser = visit(a_form(items=1)).browser()
    agree(browser, "/?PROLIFIC_PID=ann")
    action, fields = hidden_fields(browser.get("/stop"))
    pages = [FormPage(browser.post(action, data=fields | {"how": "erase"}).text) for _ in range(2)]
    assert [page.outcome for page in pages] == ["withdrew", "withdrew"]
    assert [person.outcome for person in rows(store, Person)] == ["withdrew"]


def test_the_last_place_is_seen_to_be_taken_at_once(visit):
    survey = visit(a_form(items=1, sampling="votes = 1"))
    for name, outcome in (("ann", ""), ("ben", ""), ("cem", "full")):
        if name == "cem":
            agree(survey.browser(), "/?PROLIFIC_PID=ann")
        page = FormPage(survey.browser().get(f"/?PROLIFIC_PID={name}").text)
        assert page.outcome == outcome
