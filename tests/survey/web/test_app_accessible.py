"""axe finds nothing wrong with any kind of page: both sizes, light and dark, with and without scripts."""

from functools import partial

import pytest

from support.survey.page_list import everything, participant_pages
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.serving import served

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize(
    ("settings", "scripts"),
    [
        ({"viewport": {"width": 360, "height": 800}, "color_scheme": "dark"}, True),
        ({"viewport": {"width": 1280, "height": 800}}, False),
    ],
    ids=["narrow and dark", "wide, light and without scripts"],
)
def test_no_page_has_an_accessibility_violation(browser, store, settings, scripts):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    study = store.save(partial(open_study, form=everything()))
    context = browser.new_context(locale="en", bypass_csp=True, **settings)
    tab = context.new_page()
    if not scripts:
        tab.route("**/answers.js", lambda route: route.abort())
    found, seen = {}, []
    with served(survey_app(store, study)) as address:
        for name in participant_pages(tab, address):
            seen.append(name)
            violations = axe.run(tab).response["violations"]
            wrong = [(v["id"], [n["target"] for n in v["nodes"]][:3]) for v in violations]
            if wrong:
                found[name] = wrong
        context.close()
    assert found == {}
    assert {"welcome", "familiar", "judge", "feedback", "check", "demographics", "done"} <= {*seen}
