"""Pages that are written from right to left, in a real browser: the order of poles, mouse and keys."""

from functools import partial

import pytest

from support.browsers import follow
from support.survey.browsing import rows
from tiltmeter.survey.form_file import form_of
from tiltmeter.survey.schema import Answer
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.serving import served

pytestmark = pytest.mark.browser
FORM = """
name = "two"
title = { en = "Groups", ar = "المجموعات" }
consent = { en = "Agree?", ar = "موافق؟" }
languages = ["en", "ar"]
[[pages]]
name = "p"
part = "item"
show = ["text"]
[[pages.questions]]
kind = "slider"
low = 0
high = 100
text = { en = "How are {item}?", ar = "كيف {item}؟" }
rows = [
  { name = "a", left = { en = "cold", ar = "بارد" }, right = { en = "warm", ar = "دافئ" } },
  { name = "b", left = { en = "weak", ar = "ضعيف" }, right = { en = "strong", ar = "قوي" } },
  { name = "c", left = { en = "poor", ar = "فقير" }, right = { en = "rich", ar = "غني" } },
]
[[items]]
id = "one"
text = { en = "anglers" }
"""


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize(("language", "from_right"), [("en", False), ("ar", True)])
def test_a_slider_runs_from_its_first_pole_and_stores_the_same_values(
    browser, store, width, language, from_right
):
    context = browser.new_context(viewport={"width": width, "height": 800}, locale=language)
    tab = context.new_page()
    with served(survey_app(store, store.save(partial(open_study, form=form_of(FORM))))) as address:
        tab.goto(address)
        follow(tab, "button[value=yes]")
        first, last = (tab.locator(f"#{end}0").bounding_box()["x"] for end in ("left", "right"))
        assert (first > last) == from_right
        sliders = tab.locator("[type=range]")
        box = sliders.nth(0).bounding_box()
        share = 0.8 if from_right else 0.2
        sliders.nth(0).click(position={"x": box["width"] * share, "y": box["height"] / 2})
        sliders.nth(1).focus()
        tab.keyboard.press("ArrowLeft" if from_right else "ArrowRight")  # towards the last pole
        tab.keyboard.press("ArrowUp")
        sliders.nth(2).focus()
        tab.keyboard.press("Home")
        tab.wait_for_selector("#state.saved", timeout=15_000)
        wide = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
        item = tab.locator("legend bdi")
        assert item.count() == from_right
        if from_right:
            assert (item.get_attribute("lang"), item.get_attribute("dir")) == ("en", "ltr")
        context.close()
    values = {row.question: row.value for row in rows(store, Answer)}  # the last of each
    assert wide <= 0
    assert values["a"] == pytest.approx(20, abs=2)
    assert (values["b"], values["c"]) == (52, 0)
