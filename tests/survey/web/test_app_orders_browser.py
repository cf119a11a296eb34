"""Random orders in a real browser: sliders the other way round, also where lines begin on the right."""

import re
from functools import partial

import pytest

from support.browsers import follow
from tiltmeter.survey.collected import collect
from tiltmeter.survey.form_file import form_of
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.serving import served

pytestmark = pytest.mark.browser
FORM = """
name = "turned"
languages = ["{language}"]
title = "?"
consent = "?"
[sampling]
each = 1

[order]
poles = "by slider"
options = "random"

[[pages]]
name = "rate"
[[pages.questions]]
name = "cold - warm"
kind = "slider"
left = "0000"
right = "1111"
[[pages.questions]]
name = "known"
kind = "choice"
text = "??"
options = [{{ value = "no", text = "-" }}, {{ value = "yes", text = "+" }}]
[[pages.questions]]
name = "why"
kind = "choice"
text = "???"
when = {{ known = "yes" }}
options = [{{ value = "a", text = "-" }}, {{ value = "b", text = "+" }}]

[[items]]
id = "1"
"""


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_far_end_is_the_same_answer_on_whichever_side_it_is(browser, store, language):
    form = form_of(FORM.format(language=language))
    study = store.save(partial(open_study, form=form))
    sides = []
    with served(survey_app(store, study)) as address:
        for _ in range(2):
            context = browser.new_context(viewport={"width": 1280, "height": 800}, locale=language)
            tab = context.new_page()
            tab.goto(address)
            follow(tab, "button[value=yes]")
            warm = tab.get_by_text("1111", exact=True).bounding_box()["x"]
            middle = 640
            sides.append(warm > middle)
            range_ = tab.locator("input[type=range]")
            box = range_.bounding_box()
            toward = 0.98 if warm > middle else 0.02  # a click near the end that says 1111
            range_.click(position={"x": box["width"] * toward, "y": box["height"] / 2})
            right_is_high = language == "en"
            high_number = (warm > middle) == right_is_high
            shown = float(tab.locator("output").inner_text())
            assert shown > 90 if high_number else shown < 10  # numbers rise with the line
            said = range_.get_attribute("aria-valuetext") or range_.input_value()
            assert float(said) == pytest.approx(shown, abs=1)
            name = "1111 (0) – 0000 (100)" if warm < middle else "0000 (0) – 1111 (100)"
            if right_is_high:
                assert range_.get_attribute("aria-label") == name
            before = shown
            range_.press("ArrowLeft" if warm > middle else "ArrowRight")  # away from the end
            after = float(tab.locator("output").inner_text())
            assert after < before if high_number else after > before
            assert tab.locator("[data-question=why]").is_hidden()
            tab.locator("[data-question=known] input[value=yes]").check()
            tab.locator("[data-question=why] input[value=b]").check()
            tab.wait_for_selector("#state.saved", timeout=15_000)
            follow(tab, "main button")
            context.close()
    collected = store.read(partial(collect, study=study))
    by_question = {}
    for response in collected.responses:
        by_question.setdefault(response.question, []).append(response.value)
    assert all(value > 90 for value in by_question["cold - warm"])
    assert by_question["why"] == ["b", "b"]
    assert sorted(sides) == [False, True]  # two people in a row see both sides
    assert {re.fullmatch(r"yes|no", value)[0] for value in by_question["known"]} == {"yes"}
