"""The page in a real browser: nothing is fetched, texts are hidden, nothing hangs over the edge."""

from collections.abc import Iterator
from typing import Any

import pytest

import tiltmeter as tm
from report import contexts, example
from report.made_audits import document, found, small
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    results = [example.result(), example.result(example.LONG_NAME, seed=9, shift=-0.2)]
    pages = {
        "one": page(run_document(results[0], example.study())),
        "two": page(example.compared(results, example.differences(*results))),
        "three": page(run_document(contexts.result(), example.study())),
        "audit": page(
            document(
                small(
                    found(
                        "Pairs of sentences that name one of two groups", 80.0, 0.001, ("x", "y")
                    ),
                    found("B", 51.0, 0.8),
                )
            )
        ),
    }
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in pages}


@pytest.fixture
def tab(browser) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 820, "height": 900})
    opened = context.new_page()
    opened.said = []
    opened.asked = []
    opened.on("console", lambda message: opened.said.append(message.text))
    opened.on("pageerror", lambda error: opened.said.append(str(error)))
    opened.on("request", lambda request: opened.asked.append(request.url))
    yield opened
    context.close()


@pytest.mark.parametrize("which", ["one", "two", "three"])
def test_the_page_asks_for_itself_only_and_complains_of_nothing(tab, files, which):
    tab.goto(files[which])
    if which == "one":
        tab.check("#show-text")
    assert tab.asked == [files[which]]
    assert tab.said == []
    assert tab.title().startswith("CrowS-Pairs") and "demo" in tab.title()


def test_texts_are_hidden_until_asked_one_by_one_or_all(tab, files):
    tab.goto(files["one"])
    texts = tab.locator(".texts")
    assert texts.count() == 20
    assert not any(t.is_visible() for t in texts.all())
    tab.check("#items-1-2", force=True)
    assert [i for i, t in enumerate(texts.all()) if t.is_visible()] == [1]
    tab.check("#show-text")
    assert all(t.is_visible() for t in texts.all())
    tab.uncheck("#show-text")
    assert [i for i, t in enumerate(texts.all()) if t.is_visible()] == [1]


def test_print_shows_no_text_that_was_not_asked_for_but_unfolds_the_numbers(tab, files):
    tab.goto(files["one"])
    tab.emulate_media(media="print")
    assert not any(t.is_visible() for t in tab.locator(".texts").all())
    assert not tab.locator("#show-text").is_visible()
    assert all(t.is_visible() for t in tab.locator("table").all())


@pytest.mark.parametrize("which", ["one", "two", "three"])
@pytest.mark.parametrize("width", [320, 360, 641, 1400])
def test_nothing_hangs_over_the_edge(tab, files, which, width):
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto(files[which])
    tab.check("#show-text")
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    edges = tab.evaluate(
        """[...document.querySelectorAll('svg text')].filter(t => t.getClientRects().length)
        .map(t => [t.textContent, t.getBoundingClientRect()])
        .filter(([, r]) => r.left < -0.5 || r.right > innerWidth + 0.5).map(([t]) => t)"""
    )
    assert edges == []


@pytest.mark.parametrize("width", [360, 820])
def test_one_layout_of_each_picture_is_shown(tab, files, width):
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto(files["one"])
    assert tab.locator("figure .wide:visible").count() == (3 if width == 820 else 0)
    assert tab.locator("figure .narrow:visible").count() == (0 if width == 820 else 3)


@pytest.mark.parametrize("which", ["one", "two", "three"])
@pytest.mark.parametrize("width", [360, 820])
def test_labels_and_values_of_a_row_do_not_run_into_each_other(tab, files, which, width):
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto(files[which])
    overlaps = tab.evaluate(
        """[...document.querySelectorAll('svg .row')].filter(r => r.getClientRects().length)
        .map(r => [r.querySelector('.label'), r.querySelector('.value')])
        .map(([a, b]) => [a, a.getBoundingClientRect(), b.getBoundingClientRect()])
        .filter(([, a, b]) => a.right > b.left && a.bottom > b.top + 4)
        .map(([a]) => a.textContent)"""
    )
    assert overlaps == []


@pytest.mark.parametrize("which", ["one", "two", "three", "audit"])
def test_paper_has_all_of_every_table_and_nothing_dark(browser, files, which):
    context = browser.new_context(
        viewport={"width": 680, "height": 1000}, color_scheme="dark"
    )  # A4 between its margins
    opened = context.new_page()
    opened.emulate_media(media="print", color_scheme="dark")
    opened.goto(files[which])
    assert opened.evaluate("document.documentElement.scrollWidth") <= 680
    assert (
        opened.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    )
    wide = """[...document.querySelectorAll('table, svg, pre')].filter(e => e.getClientRects().length)
        .map(e => Math.round(e.getBoundingClientRect().right)).filter(right => right > 681)"""
    assert opened.evaluate(wide) == []
    context.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_an_audit_is_at_a_glance(tab, files, width, height):
    tab.set_viewport_size({"width": width, "height": height})
    tab.goto(files["audit"])
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    box = tab.locator("figure svg:visible").first.bounding_box()
    assert box["y"] + box["height"] <= height


def test_both_themes_are_used(browser, files):
    grounds = []
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        opened = context.new_page()
        opened.goto(files["one"])
        grounds.append(opened.evaluate("getComputedStyle(document.body).backgroundColor"))
        context.close()
    assert grounds == ["rgb(253, 252, 250)", "rgb(25, 24, 23)"]


def test_everything_can_be_reached_with_the_keyboard(tab, files):
    tab.goto(files["one"])
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Skip to the finding"
    for _ in range(3):  # past the table of the first picture
        if tab.evaluate("document.activeElement.id") != "show-text":
            tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.id") == "show-text"
    tab.keyboard.press("Space")
    assert tab.locator(".texts").first.is_visible()


@pytest.mark.parametrize("width", [320, 360, 641, 1400])
def test_the_page_of_before_and_after_fits_and_asks_for_itself_only(tab, tmp_path, width):
    results = [example.result(), example.result(example.LONG_NAME, seed=9, shift=-0.2)]
    (tmp_path / "a.html").write_text(tm.analyse.before_after(results).page(), "utf-8")
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto((tmp_path / "a.html").as_uri())
    assert len(tab.asked) == 1
    assert tab.said == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    edges = tab.evaluate(
        """[...document.querySelectorAll('svg text')].filter(t => t.getClientRects().length)
        .map(t => [t.textContent, t.getBoundingClientRect()])
        .filter(([, r]) => r.left < -0.5 || r.right > innerWidth + 0.5).map(([t]) => t)"""
    )
    assert edges == []
