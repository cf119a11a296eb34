"""Who is screened out before the consent is asked nothing else, and nobody gets past the questions."""

from support.survey.browsing import rows
from support.survey.forms import a_form
from tiltmeter.survey.schema import Answer, PageEvent, Person
from tiltmeter.survey.web.bots import FormPage

SCREENING = """
[[pages]]
name = "adult"
part = "screening"
[[pages.questions]]
name = "adult"
kind = "choice"
text = "Are you 18 or older?"
options = ["yes", "no"]
screen_out = ["no"]
[[pages.questions]]
name = "driver"
kind = "choice"
text = "Do you drive?"
options = ["yes", "no"]
when = { adult = "yes" }
"""
LINK = "/?PROLIFIC_PID=ann"


def screening(visit, **sent):
    """Send the page before the consent; gives the browser and the reply."""
    browser = visit(a_form(rest=SCREENING)).browser()
    page = FormPage(browser.get(LINK).text)
    fields = {f.name: f.attributes.get("value", "") for f in page.fields if f.name[0] != "q"}
    return browser, browser.post(page.action, data=fields | sent)


def test_an_answer_that_screens_out_leads_to_the_last_page_and_is_not_stored(visit, store):
    browser, reply = screening(visit, q0="no")
    assert FormPage(reply.text).outcome == "screened_out"
    (person,) = rows(store, Person)
    assert (person.outcome, person.consented) == ("screened_out", None)
    assert (rows(store, Answer), rows(store, PageEvent)) == ([], [])
    assert FormPage(browser.get(LINK).text).outcome == "screened_out"  # a second try is no use


def test_questions_before_the_consent_must_be_answered_where_they_are_asked(visit, store):
    _, reply = screening(visit, q0="yes")
    assert reply.status_code == 422 and 'aria-invalid="true"' in reply.text
    _, reply = screening(visit, q0="yes", q1="no")
    assert FormPage(reply.text).action == "/consent"
    assert rows(store, Person) == []


def test_the_consent_cannot_be_reached_past_the_questions(visit, store):
    browser, reply = screening(visit)
    page = FormPage(reply.text)
    passed = next(f.attributes["value"] for f in page.fields if f.name == "passed")
    assert FormPage(browser.get("/consent", params={"passed": passed}).text).action == "/screening"
    csrf = next(f.attributes["value"] for f in page.fields if f.name == "csrf")
    sent = {"csrf": csrf, "passed": passed, "agree": "yes"}
    assert FormPage(browser.post("/consent", data=sent).text).action == "/screening"
    assert rows(store, Person) == []
