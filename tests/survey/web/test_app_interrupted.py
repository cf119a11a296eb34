"""Answers survive 20 seconds offline, a second tab, the Back button, and a browser that is closed."""

from functools import partial

import pytest

from support.browsers import follow
from support.survey.browsing import rows, texts
from support.survey.forms import a_form
from tiltmeter.survey.people_answers import current_answers
from tiltmeter.survey.schema import Answer, Person
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.serving import served

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def site(store):
    def opened(form):
        return served(survey_app(store, store.save(partial(open_study, form=form))))

    return opened


@pytest.fixture
def context(browser):
    with browser.new_context(locale="en") as opened:
        yield opened


def begin(context, address):
    tab = context.new_page()
    tab.goto(address)
    follow(tab, "button[value=yes]")
    return tab


def counted(store):
    person = rows(store, Person)[0].id
    found = store.read(partial(current_answers, person=person))
    return {question: value for (_, _, question), value in found.items()}


def slide(tab, number, key="ArrowRight"):
    tab.locator("[type=range]").nth(number).press(key)


def test_nothing_is_lost_in_20_seconds_offline_or_with_the_browser(context, browser, site, store):
    context.clock.install()
    with site(a_form(sampling="each = 2")) as address:
        tab = begin(context, address)
        slide(tab, 0)
        tab.wait_for_selector("#state.saved")
        first = tab.url
        context.set_offline(True)
        slide(tab, 1, "Home")
        assert tab.inner_text("#state.waiting") == "Not saved yet"
        for _ in range(20):
            tab.clock.run_for(1000)  # the page's time; an attempt fails between two steps
            tab.wait_for_timeout(20)
        assert tab.locator("#state.waiting").count() and len(rows(store, Answer)) == 1
        kept = context.storage_state()  # what a browser keeps when it is closed
        tab.close()
        with browser.new_context(locale="en", storage_state=kept) as again:
            tab = again.new_page()
            tab.goto(address)
            tab.wait_for_selector("#state.saved")
            assert tab.url == first and len(rows(store, Answer)) == 2
            slide(tab, 2, "End")
            again.set_offline(True)
            tab.click("form button")
            again.set_offline(False)
            tab.wait_for_url(lambda url: url != first)
    assert sorted(row.value for row in rows(store, Answer)) == [0, 51, 100]


def test_two_tabs_of_one_person_lose_nothing(context, site, store):
    with site(a_form(sampling="each = 2")) as address:
        one = begin(context, address)
        two = context.new_page()
        two.goto(f"{address}/work")
        slide(one, 0)
        one.wait_for_selector("#state.saved")
        slide(two, 1)
        slide(two, 2)
        two.wait_for_selector("#state.saved")
        first = two.url
        two.click("form button")
        two.wait_for_url(lambda url: url != first)
        one.reload()
        assert [o.input_value() for o in one.locator("[type=range]").all()] == ["51"] * 3
    assert [row.value for row in rows(store, Answer)] == [51, 51, 51]


@pytest.mark.parametrize("back", [True, False])
def test_the_back_button_of_the_browser(context, site, store, back):
    with site(a_form(sampling="each = 2", top=f"back = {str(back).lower()}")) as address:
        tab = begin(context, address)
        first = tab.url
        for number in range(3):
            slide(tab, number)
        tab.click("form button")
        tab.wait_for_url(lambda url: url != first)
        second = tab.url
        tab.go_back()
        tab.wait_for_selector("form[data-screen]")
        assert tab.url == (first if back else second)
        if back:
            slide(tab, 0)
            tab.wait_for_selector("#state.saved")
            tab.click("form button")
            tab.wait_for_url(second)
    assert len(rows(store, Answer)) == 3 + back
    assert [*counted(store).values()] == [52 if back else 51, 51, 51]


def test_an_answer_that_disappears_is_withdrawn_and_comes_back_with_its_question(
    context, site, store
):
    with site(texts("nurses")) as address:
        tab = begin(context, address)
        tab.check("[value=yes]")
        tab.fill("textarea", "typed")
        for choice, expected in (
            ("no", {"gate": "no"}), ("yes", {"gate": "yes", "words": "typed"}),
        ):  # fmt: skip
            tab.check(f"[value={choice}]")
            tab.wait_for_selector("#state.saved")
            assert counted(store) == expected
        tab.fill("textarea", "")
        tab.locator("textarea").blur()
        tab.wait_for_selector("#state.saved")
    assert [row.value for row in rows(store, Answer) if row.question == "words"] == [
        "typed", None, "typed", None
    ]  # fmt: skip


def test_answers_given_while_the_server_is_slow_are_sent(context, site, store):
    with site(a_form(sampling="each = 2")) as address:
        tab = begin(context, address)

        def later(route):
            tab.wait_for_timeout(600)
            route.continue_()

        tab.route("**/api/answers", later)
        slide(tab, 0)
        tab.wait_for_timeout(300)
        slide(tab, 1)  # while the first one is on its way
        tab.wait_for_selector("#state.saved")
        tab.unroute("**/api/answers")
        slide(tab, 2)
        tab.wait_for_selector("#state.saved")
    assert len(rows(store, Answer)) == 3


QUEUE_IS_EMPTY = """async () => {
    const isFull = () => Object.values(localStorage).some((queue) => queue !== "[]");
    while (isFull()) await new Promise((done) => setTimeout(done, 20));
}"""


@pytest.fixture
def left(context, site):
    """Leaves a page with three answers and runs a script before the next one comes; gives the submissions."""
    with site(a_form(sampling="each = 2")) as address:
        tab = begin(context, address)
        for number in range(3):
            slide(tab, number)
        tab.wait_for_selector("#state.saved")

        def leave(script, submissions=1, delay=150):
            first, posted = tab.url, []

            def slowly(route):
                posted.append(route.request.method)
                if len(posted) == submissions:
                    tab.wait_for_timeout(500)
                    route.continue_()

            tab.evaluate(f"""() => document.querySelector("form").addEventListener(
                "submit", () => setTimeout(() => {{ {script} }}, {delay}), {{ once: true }})""")
            tab.route("**/page/*", slowly)
            tab.locator("form button").press("Enter")
            tab.wait_for_url(lambda url: url != first, timeout=10_000)
            tab.evaluate(QUEUE_IS_EMPTY)
            tab.unroute_all(behavior="ignoreErrors")
            return [method for method in posted if method == "POST"]

        yield leave


def test_a_page_is_submitted_once_however_long_the_next_one_takes(left, store):
    submissions = left("""
        document.querySelector("form button").click();
        dispatchEvent(new Event("online"));
        document.dispatchEvent(new Event("visibilitychange"));
    """)
    assert submissions == ["POST"]
    assert len(rows(store, Answer)) == 3


def test_a_submission_that_was_stopped_can_be_repeated(left, store):
    again = (
        """stop(); performance.now = () => 1e9; document.querySelector("form button").click();"""
    )
    assert left(again, submissions=2) == ["POST", "POST"]
    assert len(rows(store, Answer)) == 3


CHANGED = """
const slider = document.querySelector("[type=range]");
slider.value = 80;
for (const kind of ["input", "change"]) slider.dispatchEvent(new Event(kind, { bubbles: true }));
"""


@pytest.mark.parametrize("delay", [0, 150])
def test_an_answer_changed_while_a_page_is_left_does_not_hold_it_and_is_stored(left, store, delay):
    left(CHANGED, delay=delay)
    assert [*counted(store).values()] == [80, 51, 51]
