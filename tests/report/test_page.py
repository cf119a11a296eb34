"""The page as a text: its numbers, what it escapes, and that equal results give equal pages."""

import html
import itertools
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from report import example
from tiltmeter.core.results import Note
from tiltmeter.report import wording
from tiltmeter.report.page import page

VOID = {"meta", "input", "br", "img", "link"}


class Outline(HTMLParser):
    """Elements in order, checked to be nested rightly; ids; heading levels; table cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "tr" in self.open and self.open[-1] in {"td", "th"}:
            self.rows[-1][-1] += data.strip()


@pytest.fixture(scope="module")
def one() -> str:
    return page([example.result()], study=example.study())


@pytest.fixture(scope="module")
def two() -> str:
    results = [example.result(), example.result(example.LONG_NAME, seed=9, shift=-0.2)]
    return page(results, example.differences(*results), study=example.study())


def test_every_number_of_every_estimate_stands_in_the_table(one):
    rows = [row for row in Outline(one).rows if len(row) > 10]  # those of the full table
    for e in example.result().estimates:
        cells = [wording.title(e.name), wording.subset(e.groups), f"{e.n:,}"]
        (row,) = [r for r in rows if r[:3] == cells]
        if e.value is None:
            assert row[3] == f"undefined: {e.why}"
            continue
        assert row[3] == f"{e.value:.1f}\u00a0%"
        assert row[4] == ("" if e.low is None else f"{e.low:.1f} to {e.high:.1f}")
        shown = [wording.p_text(p) if p is not None else "" for p in (e.p, e.p_adjusted)]
        mde = "" if e.mde is None else f"{e.mde:.1f}"
        assert row[5:10] == [*shown, mde, f"{e.neutral:g}", str(e.tied)]
        assert row[10:] == [e.ties, e.rule, e.convention, e.interval, e.test]


def test_the_differences_of_two_models_are_there(two):
    rows = Outline(two).rows
    both = [example.result(), example.result(example.LONG_NAME, seed=9, shift=-0.2)]
    for e in example.differences(*both):
        assert e.value is not None
        value = wording.with_unit(e.value, e.unit)
        assert any(e.model in row and value in row for row in rows)


def test_the_finding_what_it_means_and_what_not_and_how_to_repeat_it(one):
    text = html.unescape(re.sub(r"<[^>]+>", "", one))
    head = example.result().estimates[0]
    for part in (
        wording.finding(head, "demo"),
        wording.verdict(head),
        example.study().measures_what,
        example.study().not_what,
        "The sentences state stereotypes, some of them offensive.",
        "tiltmeter run crows_pairs demo --data pairs.csv --skip-invalid",
        "pairs.csv:90: both sentences are the same; <b>delete</b> the row",
        "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef",
        "134,515,008",
        "torch: 2.13.0",
        "given the ones before it",
    ):
        assert part in text


def test_equal_results_give_equal_pages_whenever_they_were_made(one):
    again = example.result()
    later = replace(again, card=replace(again.card, run={"started": "2032", "seconds": 99}))
    assert page([later], study=example.study()) == one
    assert "2031-01-02" not in one


def test_nothing_outside_is_loaded_and_no_script_runs(two):
    outline = Outline(two)
    names = {tag for tag, _ in outline.tags}
    assert not names & {"script", "link", "iframe", "img", "object", "embed", "form", "base"}
    assert not re.search(r"url\(|@import", two)
    for tag, attributes in outline.tags:
        assert not [a for a in attributes if a.startswith("on") or a in {"src", "srcset"}]
        assert tag == "a" or "href" not in attributes
    policy = next(a["content"] for t, a in outline.tags if t == "meta" and "http-equiv" in a)
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'")


def test_hostile_texts_are_text(one):
    assert "<script" not in one
    assert one.count("</style>") == 1
    assert "&lt;script&gt;document.title=" in one
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b]", one)
    assert "[U+202E]gnirts desrever[U+202C]" in one
    assert "قال الرجل" in one


def test_hostile_words_everywhere_else_are_text_too():
    odd = "\"'><script>x</script></style></title>\u202e\ud800"
    base = example.result(odd)
    card = replace(
        base.card, study=odd, rule=odd, convention=odd, ties=odd, method=odd, command=odd,
        notes=[Note("data", odd)], invalid=[odd], versions={odd: odd}, data={odd: odd, "warning": odd},
    )  # fmt: skip
    records = [replace(r, item=odd, groups={odd: odd}) for r in base.records]
    estimates = [
        replace(e, name=e.name + odd, why=odd, model=odd, test=odd, interval=odd, unit=odd,
                groups=dict.fromkeys([odd][: len(e.groups)], "".join([odd, *e.groups.values()])))
        for e in base.estimates
    ]  # fmt: skip
    made = page([replace(base, card=card, records=records, estimates=estimates)])
    assert "<script" not in made
    assert made.count("</style>") == 1
    assert "\u202e" not in made
    Outline(made)
    made.encode("utf-8")


def test_undefined_shows_its_reason_and_never_a_number():
    base = example.result()
    why = "every pair is tied"
    gone = [replace(e, value=None, low=None, high=None, p=None, p_adjusted=None, why=why)
            for e in base.estimates]  # fmt: skip
    made = page([replace(base, estimates=gone)])
    assert f"stereotype rate is undefined: {why}." in made
    assert made.count(f"undefined: {why}") > len(gone)
    assert not re.search(
        r"\b(nan|None|inf)\b", re.sub(r"<style>.*?</style>", "", made, flags=re.DOTALL)
    )


def test_no_texts_means_not_in_the_file():
    made = page([example.result()], show_text=False)
    assert "ladder" not in made
    assert "<input" not in made
    assert "left out of this file" in made


def test_long_texts_are_cut_and_the_whole_unfolds(one):
    assert "The whole text, 4,986 words" in one
    assert one.count("and then the day went on") > 1600  # both sentences, whole
    assert "…</p>" in one


@pytest.mark.parametrize("which", ["one", "two"])
def test_headings_landmarks_and_ids(which, request):
    outline = Outline(request.getfixturevalue(which))
    levels = [int(tag[1]) for tag, _ in outline.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
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
    assert targets
    assert set(targets) <= set(ids)
    assert [tag for tag, _ in outline.tags if tag in {"header", "main", "nav", "footer"}] == [
        "header", "main", "nav", "footer",
    ]  # fmt: skip


def test_a_result_of_another_kind_has_no_pairs_and_no_categories():
    base = example.result()
    sizes = [replace(base.estimates[0], name="effect_size", value=0.25, neutral=0.0, unit="")]
    records = [replace(r, scores={"effect": 0.1}, texts={}) for r in base.records]
    made = page([replace(base, records=records, estimates=sizes)])
    Outline(made)
    assert "effect size is 0.250 over 240 items" in made
    assert "How surely" not in made


def test_an_axis_of_very_many_subsets_is_listed_not_drawn():
    base = example.result()
    many = [replace(base.estimates[0], groups={"term": f"t{i}"}) for i in range(300)]
    made = page([replace(base, estimates=[*base.estimates, *many])])
    assert "By bias type" in made
    assert made.count("term: t299") == 1  # in the list of all numbers


def test_data_that_all_models_share_is_described_once(one, two):
    assert one.count("5f70bf18a086007016e948b04aed3b") == 1
    assert two.count("5f70bf18a086007016e948b04aed3b") == 1


def _colours(style: str, head: str) -> dict[str, str]:
    block = style[style.index(head) :]
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{3,6})\b", block[: block.index("}")]))


def _luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """By WCAG 2.2: 1 for equal colours, 21 for black on white."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def test_the_contrast_formula_on_known_pairs():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", [":root {", "prefers-color-scheme: dark", "@media print"])
def test_text_can_be_read_in_every_theme(one, theme):
    style = one[one.index("<style>") : one.index("</style>")]
    colours = _colours(style, theme)
    for name in ("ink", "quiet", "link", "more", "less", "warn"):
        for ground in ("paper", "panel"):
            assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
    assert contrast(colours["mark-ink"], colours["mark"]) >= 4.5


def test_association_tests_are_shown_by_words_too_and_say_what_their_sign_means():
    from tiltmeter.core.results import Card, Estimate, Result
    from tiltmeter.report.sections import sections

    def of(name, low, high):
        return [
            Estimate(
                name, value, low, high, 0.01, 16, 0, "standard deviations", groups={"test": test}
            )
            for test, value in (("kitchen", 1.2), ("sea", -0.4))
        ]

    estimates = [*of("effect_size", -0.5, 1.5), *of("effect_size_clustered", -0.9, 1.9)]
    about = {"name": "demo"}, {"name": "mine"}
    card = Card("seat", "1", *about, "mean_pool", "paper", "", 0, "a method", {"total": 32})
    (section,) = sections([Result(card, [], estimates)])
    ((picture, caption),) = section.further
    assert [e.name for e in picture.rows] == ["effect_size_clustered"] * 2
    assert "by words" in caption
    assert section.is_effect
