"""The researchers' pages in a real browser without JavaScript, on a phone and on a desk."""

from functools import partial

import pytest

from support.browsers import follow
from support.survey.accounts import PASSWORD, an_account
from survey.web.test_app_browser import picture, width  # noqa: F401  # fixture
from tiltmeter.survey.form_file import read_form
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.bots import visits
from tiltmeter.survey.web.serving import served

pytestmark = pytest.mark.browser


def test_a_researcher_signs_in_looks_at_a_study_and_downloads_it(store, browser, width):  # noqa: F811
    an_account(store, "root", "admin")
    study = store.save(partial(open_study, form=read_form("label_text")))
    context = browser.new_context(
        viewport={"width": width, "height": 800}, java_script_enabled=False
    )
    tab = context.new_page()
    said = []
    tab.on("console", lambda message: said.append(message.text))

    def look(name):
        assert tab.locator("h1").count() == 1
        box = tab.locator("html").bounding_box()
        assert box["width"] <= width
        unlabelled = "form :is(input:not([type=hidden], [hidden]), select, textarea):not(label *)"
        assert tab.locator(unlabelled).count() == 0
        picture(tab, f"admin-{name}", width)

    with served(survey_app(store, study)) as site:
        [*visits(site, 1)]
        tab.goto(f"{site}/admin/audit")
        look("login")
        tab.fill("[name=name]", "root")
        tab.fill("[name=password]", PASSWORD)
        follow(tab, "main button")
        assert tab.url == f"{site}/admin/audit"
        look("audit")
        follow(tab, "text=Studies")
        look("studies")
        follow(tab, "text=label_text")
        look("study")
        with tab.expect_download() as download:
            tab.click("text=Download the export")
        assert download.value.suggested_filename == "label_text.zip"
        tab.fill("[name=people]", "ann\nben")
        follow(tab, "text=Show the links")
        look("links")
        tab.goto(f"{site}/admin/studies/{study}/erase")
        look("erase")
        for name in ("accounts", "accounts/1"):
            tab.goto(f"{site}/admin/{name}")
            look(name.replace("/", "-"))
        follow(tab, "text=Sign out")
        look("login")
        tab.goto(f"{site}/admin")
        assert tab.url == f"{site}/login?next=/admin"
    assert said == []
    context.close()
