"""The page about context associations, as a text and in a real browser."""

import html
import itertools
import re
from dataclasses import replace

import pytest

from report import contexts, example
from report.test_browser import browser, tab
from report.test_page import Outline, contrast
from tiltmeter.report.page import page

__all__ = ["browser", "tab"]  # fixtures

LONG = "a-research-laboratory/a-very-long-model-name-instruct-2.7B-v0.3-<b>preview</b>"


@pytest.fixture(scope="module")
def one() -> str:
    return page([contexts.result()], study=example.study())


@pytest.fixture(scope="module")
def three() -> str:
    results = [contexts.result("demo"), contexts.result(LONG, seed=2), contexts.result("c", seed=3)]
    compared = [*contexts.differences(*results[:2]), contexts.correlation(results)]
    return page(results, compared, study=example.study())


def words(made: str) -> str:
    """The page's own words, without style and pictures."""
    bare = re.sub(r"<(style|svg)\b.*?</\1>", " ", made, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", bare)).split())


def test_contexts_are_called_contexts(one):
    text = words(one).replace(example.study().measures_what, "").replace("3 pairs differ", "")
    assert "Show the text of all contexts on this page" in text
    assert "The contexts it is surest about" in text
    assert "How surely" not in text  # confidence is of pairs
    own = text[text.index("The finding") : text.index("What it means")]
    assert (
        "pair" not in own + text[text.index("Language and stereotypes") : text.index("All numbers")]
    )


@pytest.mark.parametrize("which", ["one", "three"])
def test_headings_and_ids(which, request):
    outline = Outline(request.getfixturevalue(which))
    levels = [int(tag[1]) for tag, _ in outline.tags if re.fullmatch("h[1-6]", tag)]
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))
    ids = [a["id"] for _, a in outline.tags if "id" in a]
    assert len(ids) == len(set(ids))
    targets = [
        name
        for _, a in outline.tags
        for key in ("aria-labelledby", "for", "href")
        for name in (a.get(key) or "").replace("#", "").split()
        if key != "href" or (a["href"] or "").startswith("#")
    ]
    assert set(targets) <= set(ids)


def test_the_scores_stand_side_by_side_with_their_intervals(one):
    found = {(e.name, *e.groups.values()): e for e in contexts.result().estimates}
    parts = [r for r in Outline(one).rows if len(r) == 8 and r[0] == "race" and "–" in r[3]]
    assert len(parts) == 3  # alone, and under either task
    cells = []
    for name in ("lms", "ss", "icat"):
        e = found[name, "intersentence", "race"]
        cells += [f"{e.value:.1f}", f"{e.low:.1f}–{e.high:.1f}"]
    assert '<span class="hidden">intersentence, </span>race</th>' in one  # for those who hear it
    assert parts[2] == ["race", "12", *cells]


def test_a_rough_interval_is_said_under_the_table():
    base = contexts.result()
    rough = [
        replace(e, why="only 2 target terms: <b>rough</b>")
        if "religion" in e.groups.values()
        else e
        for e in base.estimates
        if len(e.groups) < 2
    ]
    made = page([replace(base, estimates=rough)])
    note = '<p class="note">religion: only 2 target terms: &lt;b&gt;rough&lt;/b&gt;.</p>'
    assert made.count(note) == 1


def test_all_target_terms_are_in_the_table_and_ten_in_the_plot(one):
    start = one.index('id="r1-terms">')
    section = one[start : one.index("</section>", start)]
    assert section.count("<polygon") == 2  # the diamond of all items, wide and narrow
    assert section.count("<circle") == 20
    table = section[section.index("<table") :]
    assert all(term in table for terms in contexts.DOMAINS.values() for term in terms)
    assert "some stand at either end by chance" in section


def test_all_models_are_on_one_surface_and_the_correlation_is_a_sentence(three):
    assert three.count('id="icat-title"') == three.count('id="icat-narrow-title"') == 1
    assert three.count('class="model"') == 6 + 3  # three in either layout, and three headings
    text = words(three)
    assert "over these models, the rank correlation of lms and ss (Spearman’s ρ) is 0.500" in text
    assert "Note: no interval: an interval needs at least four points" in text
    assert "Differences side by side" in text
    assert "compared-2" not in three  # no picture of a single number


def test_hostile_texts_and_names_are_text(one, three):
    for made in (one, three):
        assert "<script" not in made
        assert "<b>" not in made
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b]", made)
    assert "&lt;script&gt;document.title=" in one


def test_no_texts_means_not_in_the_file():
    made = page([contexts.result()], show_text=False)
    assert "came by" not in made
    assert "<input" not in made
    assert "left out of this file" in made
    assert "intrasentence-uncle-0" in made


def test_margins_are_said_with_their_unit_and_without_sign(one):
    sure = re.findall(r'class="sure">([^<]+)<', one)
    assert sure[0] == "29.0 nats"  # -1 against -30
    assert len(sure) == 20
    assert all(re.fullmatch(r"\d+\.\d+ nats", text) for text in sure)


def test_nothing_is_claimed_where_nothing_is_scored():
    base = contexts.result()
    made = page([type(base)(base.card, [], [contexts.score("ss", None, 0, 0)])])
    Outline(made)
    assert "Language and stereotypes" not in made
    assert "surest about" not in made


def mixed(ink: str, paper: str, share: float) -> str:
    """The colour of a see-through sheet of `ink` over `paper`."""
    both = zip(*(bytes.fromhex(c[1:]) for c in (ink, paper)), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in both)


@pytest.mark.parametrize("theme", [":root {", "prefers-color-scheme: dark"])
def test_steps_differ_and_names_can_be_read_on_the_deepest_shade(one, theme):
    style = one[one.index(theme) :]
    colours = dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})", style[: style.index("}")]))
    opacity = re.search(r"\.band \{[^}]*fill-opacity: (\.\d+)", one)
    assert opacity is not None
    shades = [colours["paper"]]
    for _ in range(9):
        shades.append(mixed(colours["less"], shades[-1], float(opacity[1])))
    assert all(contrast(a, b) > 1.03 for a, b in itertools.pairwise(shades))
    assert contrast(colours["ink"], shades[-1]) >= 4.5


@pytest.fixture(scope="module")
def files(tmp_path_factory, one, three) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    for name, text in {"one": one, "three": three}.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in ("one", "three")}


@pytest.mark.browser
@pytest.mark.parametrize("which", ["one", "three"])
@pytest.mark.parametrize("width", [320, 360, 641, 820, 1400])
def test_nothing_hangs_over_the_edge_and_nothing_else_is_fetched(tab, files, which, width):
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
    assert tab.asked == [files[which]]
    assert tab.said == []


@pytest.mark.browser
def test_texts_are_hidden_until_asked_one_by_one_or_all(tab, files):
    tab.goto(files["one"])
    texts = tab.locator(".texts")
    assert texts.count() == 20
    assert not any(t.is_visible() for t in texts.all())
    tab.check("#r1-stereotype-2", force=True)
    assert [i for i, t in enumerate(texts.all()) if t.is_visible()] == [1]
    assert texts.nth(1).locator("dt").all_text_contents() == [
        "stereotype, preferred", "anti-stereotype", "unrelated",
    ]  # fmt: skip
    tab.check("#show-text")
    assert all(t.is_visible() for t in texts.all())


@pytest.mark.browser
@pytest.mark.parametrize("width", [360, 820])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_surface_is_drawn_with_steps_one_layout_at_a_time(
    browser, files, width, scheme, tmp_path
):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    opened = context.new_page()
    opened.goto(files["three"])
    shown = opened.locator("section[aria-labelledby=surface] svg:visible")
    assert shown.count() == 1
    assert shown.screenshot(path=str(tmp_path / "surface.png")).startswith(b"\x89PNG")
    # The same sheet lies one to nine times over the paper; names of models never meet.
    assert (
        opened.evaluate("getComputedStyle(document.querySelector('.band')).fillOpacity") == "0.075"
    )
    boxes = shown.locator(".label").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).map(r => [r.left, r.right, r.top, r.bottom])"
    )
    for a, b in itertools.combinations(boxes, 2):
        beside = a[1] <= b[0] + 1 or b[1] <= a[0] + 1
        under = a[3] <= b[2] + 4 or b[3] <= a[2] + 4  # lines are higher than their letters
        assert beside or under
    context.close()
