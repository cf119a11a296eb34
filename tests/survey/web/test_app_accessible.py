"""axe finds nothing wrong with any kind of page: both sizes, light and dark, with and without scripts."""

from functools import partial

import pytest

from support.survey.page_list import everything, everything_in, participant_pages
from tiltmeter.survey.languages.interface_words import BUILT_IN
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.serving import served

pytestmark = [pytest.mark.browser, pytest.mark.slow]
EXTREMES = ("ar", "de")
"""Languages written from the right, and with the longest words; the others are `long`."""


def violations_by_page(tab, address, up_to=""):
    """What axe finds on each kind of page of a survey, up to one of them; and the pages that were seen."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found, seen = {}, []
    for name in participant_pages(tab, address):
        seen.append(name)
        violations = axe.run(tab).response["violations"]
        wrong = [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in violations]
        if wrong:
            found[name] = wrong
        if name == up_to:
            break
    return found, seen


@pytest.mark.parametrize(
    ("settings", "scripts"),
    [
        ({"viewport": {"width": 360, "height": 800}, "color_scheme": "dark"}, True),
        ({"viewport": {"width": 1280, "height": 800}}, False),
    ],
    ids=["narrow and dark", "wide, light and without scripts"],
)
def test_no_page_has_an_accessibility_violation(browser, store, settings, scripts):
    study = store.save(partial(open_study, form=everything()))
    context = browser.new_context(locale="en", bypass_csp=True, **settings)
    tab = context.new_page()
    if not scripts:
        tab.route("**/answers.js", lambda route: route.abort())
    with served(survey_app(store, study)) as address:
        found, seen = violations_by_page(tab, address)
        context.close()
    assert found == {}
    assert {"welcome", "familiar", "judge", "feedback", "check", "demographics", "done"} <= {*seen}


@pytest.mark.parametrize(
    "language",
    [
        pytest.param(code, marks=[] if code in EXTREMES else pytest.mark.long)
        for code in BUILT_IN
        if code != "en"
    ],
)
def test_no_page_in_another_language_has_an_accessibility_violation(browser, store, language):
    word = "".join(letter for letter in BUILT_IN[language]["consent"] if letter.isalpha())
    study = store.save(partial(open_study, form=everything_in(language, word)))
    context = browser.new_context(
        locale=language, bypass_csp=True, viewport={"width": 360, "height": 800}
    )
    tab = context.new_page()
    with served(survey_app(store, study)) as address:
        found, seen = violations_by_page(tab, address, "feedback")
        context.close()
    assert found == {}
    assert {"welcome", "consent", "judge, incomplete", "feedback"} <= {*seen}
