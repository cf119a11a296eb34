"""The page of people in a real browser: axe finds nothing, and only the table scrolls sideways."""

import pytest

from support.browsers import follow
from support.survey.account_pages import people_pages, sign_in_as
from support.survey.accounts import an_account
from support.survey.paid import a_paid_study
from survey.web.test_app_browser import picture
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.serving import served

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_people_are_listed_accessibly(store, browser, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    an_account(store, "root", "admin")
    study, people = a_paid_study(store)
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True
    )
    tab = context.new_page()
    with served(survey_app(store, study)) as site:
        tab.goto(f"{site}/login?next=/admin")
        sign_in_as(tab, "root")
        one = f"{site}/admin/studies/{study}"
        tab.goto(one)
        found = {"study": axe.run(tab).response["violations"]}
        picture(tab, "admin-study-paid", width)
        for name in people_pages(tab, f"{one}/people", lambda: "nobody"):
            found[name] = axe.run(tab).response["violations"]
            assert tab.evaluate("document.documentElement.scrollWidth") <= width
            picture(tab, f"admin-{name.replace(', ', '-').replace(' ', '-')}", width)
        with tab.expect_download() as download:
            tab.click("text=Download the lists")
        assert download.value.suggested_filename == "warmth-lists.zip"
        tab.fill("[name=id]", people["flat"])
        tab.select_option("[name=kind]", "random")
        tab.check("[name=sure]")
        follow(tab, "text=Erase the person")
        assert people["flat"] not in tab.content() and tab.url == f"{one}/people"
    context.close()
    assert {name: [v["id"] for v in several] for name, several in found.items() if several} == {}
