"""A survey in a real browser, on a phone and on a desk: sliders, and answers while the network is away."""

import os
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from support.browsers import follow
from support.survey.forms import a_form, without_country
from tiltmeter.survey.schema import Answer, PageEvent
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.serving import served

pytestmark = pytest.mark.browser
PICTURES = os.environ.get("TILTMETER_PICTURES")
"""A folder for pictures of the pages, to look at; none are made without it."""


@pytest.fixture(params=[360, 1280])
def width(request):
    return request.param


@pytest.fixture
def tab(browser, width):
    context = browser.new_context(viewport={"width": width, "height": 800}, locale="en")
    opened = context.new_page()
    opened.said = []
    opened.on("console", lambda message: opened.said.append(message.text))
    opened.on("pageerror", lambda error: opened.said.append(str(error)))
    yield opened
    context.close()


@pytest.fixture
def site(store, request):
    form = without_country(request.param)
    with served(survey_app(store, store.save(partial(open_study, form=form)))) as address:
        yield address


def picture(tab, name, width):
    if PICTURES:
        tab.screenshot(path=Path(PICTURES) / f"{name}-{width}.png", full_page=True)


def begin(tab, site, width, name):
    """Go through the first pages to the first screen."""
    tab.goto(site)
    picture(tab, f"{name}-start", width)
    follow(tab, "a.button")
    picture(tab, f"{name}-consent", width)
    follow(tab, "button[value=yes]")
    follow(tab, "a.button")
    assert tab.locator("form[data-screen]").count()
    wide = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


def answers(store):
    return store.read(lambda session: [
        (row.question, row.value) for row in session.scalars(select(Answer).order_by(Answer.number))
    ])  # fmt: skip


def saved(tab):
    tab.wait_for_selector("#state.saved", timeout=15_000)


BYTES = """() => Object.fromEntries([...performance.getEntriesByType('navigation'),
  ...performance.getEntriesByType('resource')].map((it) => [new URL(it.name).pathname, it.transferSize]))"""


@pytest.mark.parametrize("site", ["group_traits"], indirect=True)
@pytest.mark.parametrize("width", [360], indirect=True)
def test_the_first_page_needs_nothing_else_and_later_pages_only_themselves(tab, site):
    tab.goto(site)
    assert tab.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") == "736px"
    tab.wait_for_function(f"Object.keys(({BYTES})()).length > 2")  # fetched for later
    assert not tab.evaluate("document.querySelectorAll('[rel=stylesheet], script').length")
    follow(tab, "a.button")
    follow(tab, "button[value=yes]")
    for path in ("/instructions", "/page/traits.1"):
        loaded = tab.evaluate(BYTES)
        assert loaded.pop(path) > 0 and "/static/survey.css" in loaded
        assert set(loaded.values()) == {0}  # what the browser had
        assert tab.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") == "736px"
        if tab.locator("a.button").count():
            follow(tab, "a.button")
    assert tab.said == []


@pytest.mark.parametrize("site", ["group_traits"], indirect=True)
def test_sliders_are_saved_once_touched_also_after_a_time_offline(tab, site, store, width):
    begin(tab, site, width, "sliders")
    sliders = tab.locator("input[type=range]")
    assert sliders.count() == 16
    assert tab.locator("output").all_inner_texts() == ["tap or drag"] * 16

    sliders.nth(0).click()  # the middle: its resting place
    saved(tab)
    assert [value for _, value in answers(store)] == [50]
    sliders.nth(1).focus()
    tab.keyboard.press("Tab")
    saved(tab)
    assert len(answers(store)) == 1  # passing by is no answer
    sliders.nth(1).focus()
    tab.keyboard.press("Space")
    sliders.nth(2).focus()
    tab.keyboard.press("ArrowRight")
    saved(tab)
    assert [value for _, value in answers(store)] == [50, 50, 51]

    tab.context.set_offline(True)
    box = sliders.nth(3).bounding_box()
    sliders.nth(3).click(position={"x": box["width"] * 0.8, "y": box["height"] / 2})
    tab.wait_for_selector("#state.waiting")
    assert "Not saved yet" in tab.inner_text("#state")
    picture(tab, "sliders-offline", width)
    assert len(answers(store)) == 3
    tab.context.set_offline(False)
    saved(tab)
    positions = tab.evaluate("[...document.querySelectorAll('[type=range]')].map(o => o.value)")
    tab.reload()
    saved(tab)
    assert tab.locator("input[type=range].untouched").count() == 12
    again = tab.evaluate("[...document.querySelectorAll('[type=range]')].map(o => o.value)")
    assert positions == again and float(again[3]) > 70
    assert len(answers(store)) == 4
    picture(tab, "sliders", width)

    tab.click("form button")
    tab.wait_for_selector("fieldset.missing")
    marked = ("fieldset.missing", "input[aria-invalid=true][aria-describedby]", ".problems a")
    assert [tab.locator(each).count() for each in marked] == [12, 12, 12]
    assert tab.evaluate("document.activeElement.id") == "question4"
    picture(tab, "sliders-missing", width)
    for at in range(4, 16):
        sliders.nth(at).focus()
        tab.keyboard.press("ArrowLeft")
    assert sliders.nth(15).get_attribute("aria-valuetext") == "49"
    tab.locator("form button").focus()
    assert tab.locator("fieldset.missing, [aria-invalid]").count() == 0
    tab.click("form button")
    tab.wait_for_selector("textarea")
    assert len(answers(store)) == len(set(answers(store))) == 16
    expected = ("ERR_INTERNET_DISCONNECTED", "422")
    assert [said for said in tab.said if not any(known in said for known in expected)] == []


@pytest.mark.parametrize("site", ["inference7"], indirect=True)
def test_skip_logic_follows_and_what_is_not_saved_survives_a_reload(tab, site, store, width):
    begin(tab, site, width, "inference")
    shown = tab.locator("fieldset:not([hidden])")
    assert shown.count() == 1
    tab.check("input[name=q0][value=yes]")
    tab.check("input[name=q1][value=yes]")
    assert shown.count() == 8
    saved(tab)
    picture(tab, "inference", width)
    tab.route("**/api/answers", lambda route: route.abort())
    tab.check("input[name=q2][value='4']")
    tab.fill("textarea", "a <b>word</b>")
    tab.locator("textarea").blur()
    tab.wait_for_selector("#state.waiting")
    tab.reload()
    assert tab.is_checked("input[name=q2][value='4']")
    assert tab.input_value("textarea") == "a <b>word</b>"
    tab.unroute("**/api/answers")
    saved(tab)
    assert answers(store)[2:] == [("identity", "4"), ("what", "a <b>word</b>")]
    for name, value in (("q3", "1"), ("q4", "3"), ("q5", "no"), ("q6", "no")):
        tab.check(f"input[name={name}][value='{value}']")
    first = tab.url
    tab.click("form button")
    tab.wait_for_url(lambda url: url != first)
    assert len(answers(store)) == 8
    kinds = store.read(lambda session: set(session.scalars(select(PageEvent.kind))))
    assert {"shown", "submitted"} <= kinds
    assert [said for said in tab.said if "ERR_FAILED" not in said] == []


OPTING_OUT = """
[[pages.questions]]
name = "cold - hot"
kind = "slider"
text = "And how hot?"
left = "cold"
right = "hot"
opt_out = "I do not know"
"""


@pytest.mark.parametrize("width", [360], indirect=True)
def test_a_box_for_not_answering_and_the_slider_exclude_each_other(tab, store, width):
    form = a_form(1, rest=OPTING_OUT)
    with served(survey_app(store, store.save(partial(open_study, form=form)))) as site:
        tab.goto(site)
        follow(tab, "button[value=yes]")
        slider, box = tab.locator("input[type=range]").nth(3), tab.locator("[type=checkbox]")
        box.check()
        saved(tab)
        slider.focus()
        tab.keyboard.press("ArrowRight")
        saved(tab)
        assert not box.is_checked()
        box.check()
        saved(tab)
        picture(tab, "opt-out", width)
        assert "untouched" in slider.get_attribute("class")
        tab.reload()
        assert box.is_checked() and "untouched" in slider.get_attribute("class")
        assert [value for _, value in answers(store)] == ["OPTED_OUT", 51, "OPTED_OUT"]
        tab.click("form button")
        tab.wait_for_selector("fieldset.missing")
        assert tab.locator("fieldset.missing").count() == 3
        assert box.is_checked()
    assert [said for said in tab.said if "422" not in said] == []
