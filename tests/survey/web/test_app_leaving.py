"""Nobody gets to the end, or leaves unwarned, while answers are not stored."""

from functools import partial

import pytest
from sqlalchemy import select

from support.browsers import follow
from support.survey.forms import a_form
from tiltmeter.survey.schema import Answer
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.serving import served

pytestmark = pytest.mark.browser


@pytest.fixture
def tab(browser, store):
    """The only page of a small form, in a browser."""
    form = a_form(items=1)
    with served(survey_app(store, store.save(partial(open_study, form=form)))) as address:
        context = browser.new_context(locale="en")
        opened = context.new_page()
        opened.goto(address)
        follow(opened, "button[value=yes]")
        yield opened
        context.close()


def count(store):
    return len(store.read(lambda session: session.scalars(select(Answer)).all()))


def test_the_code_waits_for_every_answer_and_leaving_warns(tab, store):
    asked = []

    def stay(dialog):
        asked.append(dialog.type)
        dialog.dismiss()

    tab.on("dialog", stay)
    tab.route("**/api/answers", lambda route: route.abort())
    for slider in tab.locator("input[type=range]").all():
        slider.click()
    tab.click("form button")
    tab.wait_for_selector("#state.waiting")
    with tab.expect_event("dialog"):
        tab.evaluate("location.href = '/done'")
    assert asked == ["beforeunload"]
    assert tab.locator("#code").count() == 0 and tab.locator("input[type=range]").count() == 3
    assert tab.inner_text("#state") == "Not saved yet"
    assert count(store) == 0

    tab.unroute("**/api/answers")
    tab.evaluate("dispatchEvent(new Event('online'))")
    tab.wait_for_selector("#code")
    assert count(store) == 3
    assert asked == ["beforeunload"]


def test_changes_of_one_moment_go_in_one_request(tab, store):
    requests = []
    tab.on("request", lambda one: requests.append(one.url) if "/api/" in one.url else None)
    slider = tab.locator("input[type=range]").first
    with tab.expect_response("**/api/answers"):
        slider.evaluate(
            "(range) => [10, 20, 30].forEach((value) => {"
            "  range.value = value; range.dispatchEvent(new Event('input', { bubbles: true }));"
            "  range.dispatchEvent(new Event('change', { bubbles: true })); })"
        )
        assert tab.get_attribute("#state", "class") == "waiting"
    tab.wait_for_selector("#state.saved")
    assert (len(requests), count(store)) == (1, 3)


def test_a_page_that_is_left_right_after_an_answer_still_sends_it(tab, store):
    tab.on("dialog", lambda dialog: dialog.accept())
    tab.locator("input[type=range]").first.click()
    tab.goto("about:blank")
    for _ in range(100):
        if count(store):
            break
        tab.wait_for_timeout(100)
    assert count(store) == 1
