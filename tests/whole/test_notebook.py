"""A real notebook is executed, and what it shows is opened in a real browser."""

import os
import re

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytestmark = pytest.mark.slow
CELLS = (
    'import tiltmeter as tm\nresult = tm.run("starter_pairs", "fake:masked")\nresult',
    'comparison = tm.compare(result, tm.run("starter_pairs", "fake:causal"))\ncomparison',
    'tm.score(None, "fake:masked", ["The nurse said <b>she</b> ran.", "The nurse said <b>he</b> ran."])',
    "result",
    "print(repr(result))",
    'result.plot("bias_type")',
)
THEME = """
body { margin: 0; padding: 8px; font: 14px sans-serif; background: white; color: black }
.jp table { border: none; font-size: 12px; table-layout: fixed; margin-left: auto; color: red }
.jp td, .jp th, .jp tr { text-align: right; max-width: none; vertical-align: middle; padding: 0.5em }
.jp tbody tr:nth-child(odd) { background: #ccc }
.jp p { margin: 3em 0 }
"""
"""What JupyterLab does to an output, made stronger."""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """The outputs of each cell, as a notebook's file has them."""
    folder = tmp_path_factory.mktemp("notebook")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    before = os.environ.get("TILTMETER_CACHE")
    os.environ["TILTMETER_CACHE"] = str(folder / "cache")
    try:
        client = nbclient.NotebookClient(
            book, timeout=200, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
        )
        client.execute()
    finally:
        os.environ.pop("TILTMETER_CACHE")
        if before is not None:
            os.environ["TILTMETER_CACHE"] = before
    nbformat.validate(book)
    return [cell.outputs for cell in book.cells]


def html_of(outputs):
    return [
        o.data["text/html"] for cell in outputs for o in cell if "text/html" in o.get("data", {})
    ]


def test_results_comparisons_and_scores_show_themselves(outputs):
    result, comparison, scores, again = html_of(outputs)
    assert "prefers the more stereotyping sentence in 45.2" in result
    assert "fake:masked − fake:causal" in comparison
    assert "&lt;b&gt;" in scores
    assert "<b>" not in scores
    assert again != result  # other anchors
    assert re.sub(r"tm-\w+-\d+", "", again) == re.sub(r"tm-\w+-\d+", "", result)


def test_every_output_has_plain_text_too(outputs):
    plain = [o.data["text/plain"] for cell in outputs for o in cell if "data" in o]
    assert plain[0].startswith("<starter_pairs: fake:masked prefers")
    assert plain[1].startswith("<compare: fake:masked is ")
    assert plain[2].startswith("<scores of fake:masked by pll_shared")
    (printed,) = (o.text for o in outputs[4])
    assert printed.strip() == plain[0]


def test_a_picture_shows_itself(outputs):
    (shown,) = outputs[5]
    assert shown.data["image/svg+xml"].startswith("<svg")


@pytest.fixture
def page(outputs, tmp_path):
    file = tmp_path / "notebook.html"
    body = "".join(f'<div class="jp">{html}</div>' for html in html_of(outputs))
    start = (
        "<!doctype html><html><meta charset=utf-8><meta name=viewport content='width=device-width'>"
    )
    file.write_text(f"{start}<style>{THEME}</style><body>{body}", "utf-8")
    return file.as_uri()


def opened(browser, page, width, scheme="light"):
    tab = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(page)
    assert asked == [page]
    return tab


@pytest.mark.browser
@pytest.mark.parametrize(("width", "layout"), [(1000, "wide"), (360, "narrow")])
def test_it_fits_desktop_and_phone(browser, page, width, layout):
    tab = opened(browser, page, width)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    for name in ("wide", "narrow"):
        shown = tab.eval_on_selector_all(
            f".tiltmeter .{name}", "all => all.map(e => e.offsetHeight > 0)"
        )
        assert shown == [name == layout] * 3
    ids = tab.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    assert len(ids) == len(set(ids)) > 4
    tab.close()


@pytest.mark.browser
def test_the_notebooks_own_style_does_not_get_in(browser, page):
    tab = opened(browser, page, 1000)
    named = ("backgroundColor", "textAlign", "color")
    style = f"e => [{', '.join(f'getComputedStyle(e).{name}' for name in named)}]"
    rows = tab.eval_on_selector_all(".tiltmeter tbody tr", f"all => all.map({style})")
    assert {row[0] for row in rows} == {"rgba(0, 0, 0, 0)"}
    names = tab.eval_on_selector_all(".tiltmeter tbody th", f"all => all.map({style})")
    assert {(align, colour) for _, align, colour in names} == {("left", "rgb(34, 33, 31)")}
    assert tab.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    tab.close()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("scheme", "theme", "dark"),
    [("light", "", False), ("dark", "", True), ("dark", "true", False), ("light", "false", True)],
)
def test_it_follows_the_notebooks_theme_before_the_systems(browser, page, scheme, theme, dark):
    tab = opened(browser, page, 800, scheme)
    if theme:
        tab.evaluate(f"document.body.dataset.jpThemeLight = '{theme}'")
    read = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]"
    paper, ink = tab.eval_on_selector(".tiltmeter", read)
    assert (paper, ink) == (
        ("rgb(25, 24, 23)", "rgb(233, 229, 222)")
        if dark
        else ("rgb(253, 252, 250)", "rgb(34, 33, 31)")
    )
    tab.close()
