"""The page of groups and traits in a real browser, at every width and in both themes."""

import itertools

import pytest

from report import cells, example
from report.test_html_browser import tab  # noqa: F401  # fixture
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.studies.group_traits.study import STUDY

pytestmark = pytest.mark.browser
LONG = {"sailors": "people who have sailed around the world at least twice", "anglers": "W" * 40}


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    both = [cells.result(names=LONG), cells.result("other", seed=4, names=LONG)]
    pages = {
        "one": page(run_document(both[0], STUDY)),
        "two": page(example.compared(both, compare(*both))),
    }
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in pages}


@pytest.mark.parametrize("which", ["one", "two"])
@pytest.mark.parametrize("width", [320, 400, 641, 1400])
def test_nothing_hangs_over_the_edge(tab, files, which, width):  # noqa: F811
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto(files[which])
    tab.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert tab.said == []
    assert tab.asked == [files[which]]
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    edges = tab.evaluate(
        """[...document.querySelectorAll('svg text')].filter(t => t.getClientRects().length)
        .map(t => [t.textContent, t.getBoundingClientRect()])
        .filter(([, r]) => r.left < -0.5 || r.right > innerWidth + 0.5).map(([t]) => t)"""
    )
    assert edges == []


@pytest.mark.parametrize("width", [400, 1000])
def test_letters_of_pictures_are_large_enough_and_columns_do_not_collide(tab, files, width):  # noqa: F811
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto(files["one"])
    sizes = tab.evaluate(
        """[...document.querySelectorAll('figure svg text')].filter(t => t.getClientRects().length)
        .map(t => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().d || 0)
        .filter(s => s > 0)"""
    )
    assert min(sizes) > 9.5
    heads = tab.evaluate(
        """[...document.querySelectorAll('[aria-labelledby=finding] svg .head')]
        .filter(t => t.getClientRects().length)
        .map(t => t.getBoundingClientRect()).map(r => [r.left, r.right])"""
    )
    assert len(heads) == 5
    assert all(a[1] <= b[0] + 1 for a, b in itertools.pairwise(heads))


def test_a_link_of_the_contents_leads_to_the_charts(tab, files):  # noqa: F811
    tab.goto(files["one"])
    link = tab.locator("nav a[href='#r1-profiles']")
    assert link.inner_text() == "Group by group"
    link.click()
    assert tab.locator("#r1-profiles").is_visible()
    assert tab.locator("[aria-labelledby='r1-profiles-1-rows'] svg").first.is_visible()


def test_both_themes_colour_the_cells(browser, files):
    fills = []
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        opened = context.new_page()
        opened.goto(files["one"])
        fills.append(
            opened.evaluate(
                "['left', 'right'].map(k => getComputedStyle("
                "document.querySelector(`[aria-labelledby=finding] .wide rect.${k}`)).fill)"
            )
        )
        context.close()
    assert fills == [
        ["rgb(43, 111, 149)", "rgb(176, 83, 31)"],
        ["rgb(109, 179, 218)", "rgb(224, 142, 87)"],
    ]
