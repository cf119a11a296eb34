"""The page over a folder in a real browser, opened from the disk: by mouse, keyboard and address."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from support.view_pages import TEXTS, compare
from tiltmeter.report.view.view_files import ViewFiles
from tiltmeter.run.files import folder as folders

pytestmark = pytest.mark.browser
FAULTS = (Path(__file__).parents[2] / "support" / "page_faults.js").read_text("utf-8")
VIEWS = [
    "", "#overview?model=fake", "#runs?of=pairs-fake,pairs-rand",
    "#index?study=starter_pairs", "#index?measure=every&group=gender", "#leaderboard", "#changes",
    "#result?of=pairs-fake",
    "#items?of=pairs-fake&measure=stereotype_rate&subset=bias+type%3A+gender",
    "#compare?of=pairs-fake,pairs-rand", "#result?of=nowhere", "#nothing",
]  # fmt: skip


@pytest.fixture
def tab(browser, page):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    opened.faults = []
    opened.on("console", lambda message: opened.faults.append(message.text))
    opened.on("pageerror", lambda error: opened.faults.append(str(error)))
    opened.on("dialog", lambda dialog: (opened.faults.append(dialog.message), dialog.dismiss()))
    home = page.parent.as_uri()
    opened.on("request", lambda r: None if r.url.startswith(home) else opened.faults.append(r.url))
    opened.view = lambda address: view(opened, page, address)
    yield opened
    context.close()
    assert opened.faults == []


def view(tab, page, address):
    tab.goto("about:blank")
    tab.goto(page.as_uri() + address)
    tab.wait_for_selector("main:not([aria-busy]) h2")


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(1280, "light"), pytest.param(768, "light", marks=pytest.mark.long), (360, "dark")],
)
def test_no_view_has_a_fault_or_an_accessibility_violation(browser, page, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True
    )
    tab, found = context.new_page(), {}
    for address in VIEWS:
        view(tab, page, address)
        wrong = [v["id"] for v in axe.run(tab).response["violations"]]
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        tab.evaluate("for (const one of document.querySelectorAll('.skip, .piece')) one.remove()")
        if wrong := wrong + tab.evaluate(FAULTS):
            found[address] = wrong
    context.close()
    assert found == {}


def test_it_opens_on_models_by_studies_with_analyses_apart(tab):
    tab.view("")
    assert tab.locator("h2").text_content() == "Models by studies"
    row = tab.locator(".matrix tbody tr", has_text="Starter pairs")
    cell = row.locator("td").nth(
        tab.locator(".matrix thead th").all_text_contents().index("fake:masked")
    )
    assert (
        "50.0\xa0%" in cell.text_content() and "n 60" in cell.text_content()
    )  # of the audit, the newest
    assert "37.7 to 62.3" in cell.text_content()  # for screen readers
    assert cell.locator("svg .range").count() == 1
    assert "95 % interval 37.7 to 62.3, n = 60" in cell.locator("a").first.get_attribute("title")
    more = cell.locator(".more a")
    assert more.get_attribute("aria-label").startswith(
        "1 other run of fake:masked on Starter pairs"
    )
    apart = tab.locator("section", has_text="Audits and analyses").locator("li")
    assert apart.count() == 2
    assert tab.locator(".matrix", has_text="Audit").count() == 0
    undefined = tab.locator(".matrix td", has_text="undefined")
    assert all(each.locator(".why").text_content() for each in undefined.all())
    more.focus()
    tab.keyboard.press("Enter")
    tab.wait_for_selector("text=Runs of the model on the study")
    assert tab.locator("tbody tr").count() == 2


def test_a_folder_of_analyses_alone_opens_on_their_list(browser, runs, tmp_path):
    both = {name: folders.read(runs / name) for name in ("pairs-fake", "pairs-rand")}
    folders.write(replace(compare(both), runs={}), tmp_path / "analyses" / "one", page="")
    files = ViewFiles([tmp_path / "analyses"], compare, to=(to := tmp_path / "view"))
    page = files.write_page(to, files.names)
    opened = browser.new_page()
    view(opened, page, "")
    assert opened.locator("main h2").inner_text() == "Audits and analyses"
    assert not opened.locator("main h3").count() and opened.locator("main li").count() == 1
    opened.close()


def test_filters_narrow_the_numbers_and_stand_in_the_address(tab):
    tab.view("#index")
    all_rows = tab.locator("tbody tr").count()
    tab.select_option("[name=study]", "starter_pairs")
    assert 2 <= tab.locator("tbody tr").count() < all_rows
    tab.fill("[name=group]", "race")
    tab.fill("[name=model]", "FAKE")
    row = tab.locator("tbody tr")
    assert row.count() == 2  # of the whole and of an audit's sample
    assert "bias type: race-color" in row.first.text_content()
    tab.view(tab.evaluate("location.hash"))
    assert tab.locator("tbody tr").count() == 2
    assert tab.input_value("[name=model]") == "FAKE"
    tab.select_option("[name=significant]", "yes")
    assert tab.locator("[role=status]").text_content().startswith("0 numbers")


def test_a_number_leads_to_its_items_with_every_answer_and_texts_when_asked(tab):
    tab.view("#index?study=starter_pairs&group=gender&model=fake")
    tab.get_by_role("link", name="30.0\xa0%, show its items").click()  # not what else has a 30
    tab.wait_for_selector(".item")
    assert tab.locator("[role=status]").text_content() == "Items 1 to 25 of 30."
    item = tab.locator(".item").first
    assert [*item.locator("tbody th").all_text_contents()] == ["fake:masked", "random"]
    assert item.locator("td").first.text_content() == "less stereotyping sentence"
    assert tab.locator("dd").count() == 0
    item.locator("button").click()
    item.locator("dd").first.wait_for()
    assert item.locator("dt").all_text_contents() == [
        "more stereotyping sentence", "less stereotyping sentence",
    ]  # fmt: skip
    tab.check("#all-texts")
    tab.locator(".item dd").nth(49).wait_for()
    tab.click("text=Next")
    assert tab.locator(".item").count() == 5
    tab.select_option("[name=sort]", "(difference):down")
    differences = tab.evaluate(
        """[...document.querySelectorAll('.item')].map((item) => {
          const [a, b] = [...item.querySelectorAll('tbody tr:first-child td')].slice(1)
            .map((cell) => Number(cell.textContent.replace('−', '-')));
          return a - b;
        })"""
    )
    assert differences == sorted(differences, reverse=True)


def test_two_results_are_compared_by_the_keyboard_alone(tab):
    tab.view("#index?study=starter_pairs")
    for key in ("pairs-fake", "pairs-rand"):
        row = tab.locator("tr", has=tab.locator(f'a[href="#result?of={key}"]'))
        row.locator('[aria-label^="Compare "]').first.focus()
        tab.keyboard.press("Space")
    assert tab.evaluate("location.hash").count("%2C") == 1
    tab.locator("#picked a").focus()
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".beside section >> nth=1")
    # which of the two comes first depends on the second in which each was made
    differ = re.compile("higher than fake:masked|lower than random")
    tab.locator(".piece .headline", has_text=differ).first.wait_for()
    assert tab.evaluate("document.activeElement.localName") == "h2"
    assert tab.locator(".beside svg:visible").count() >= 2
    tab.go_back()
    tab.wait_for_selector("#picked a")


def test_the_first_tab_skips_to_the_results(tab):
    tab.view("#index")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"


def test_nothing_hostile_becomes_more_than_text(tab):
    tab.view("#index?model=<script")
    assert TEXTS[0] in tab.locator("tbody").text_content()
    key = tab.evaluate(
        "[...document.querySelectorAll('a')].map((a) => a.hash).find((h) => h.includes('hostile'))"
    )
    tab.view(key)
    key = key.split("of=")[1].split("&")[0]
    tab.view(f"#items?of={key}")
    tab.check("#all-texts")
    tab.locator(".item dd").nth(60).wait_for()
    assert TEXTS[1] in tab.locator("main").text_content()
    made = tab.evaluate("[...document.querySelectorAll('main *')].map((one) => one.localName)")
    assert not {*made} & {"script", "img", "iframe", "style", "math", "base", "meta"}
    for address in (f"#compare?of={key},pairs-fake", f"#items?of={key}&measure=constructor&subset=toString",
                    "#index?study=<img src=x onerror=window.broken=1>"):  # fmt: skip
        tab.view(address)
        assert tab.evaluate("window.broken") is None
