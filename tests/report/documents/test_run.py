"""The document of a run: what the terminal and the page say of it."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from report import contexts, example
from report.documents.examples import on_page, terminal, words
from report.test_html import Outline
from report.test_terminal import shown
from report.test_terminal_excerpt import shown as in_brief
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.results import Card, Note, Result
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.report.text import p_text, subset, title
from tiltmeter.report.value_marks import apart_mark


def plugin(**changes) -> Result:
    """A study of one measure that says nothing of itself, without views."""
    estimate = Estimate("mean_margin", 0.12, 0.02, 0.21, 0.01, 8, 0.0, "nats", model="demo",
                        study="margins", rule="log_likelihood", convention="paper",
                        interval="bootstrap", test="sign-flip test")  # fmt: skip
    card = Card("margins", "1", {"name": "demo"}, {"name": "mine.csv"}, "log_likelihood", "paper",
                "", 0, "a method", {"total": 8, "scored": 8},
                notes=[Note("data", "A row was mended.")])  # fmt: skip
    return Result(card, [], [replace(estimate, **changes)])


def test_a_study_that_declares_nothing_is_headlined_rightly():
    text = " ".join(shown(run_document(plugin())).split())
    assert text.startswith(
        "demo: mean margin is 0.120 nats over 8 items, 95 % interval 0.0200 to 0.210; the neutral value "
        "is 0. Significantly above the neutral value (p = 0.0100)."
    )
    assert "Left out nothing" in text  # a note about the data is none about what was left out
    made = page(run_document(plugin()))
    assert "A row was mended." in made
    for absent in ("How surely", "surest", "Side by side", "stereotyp"):
        assert absent not in made + text


def test_plain_names_of_subsets_are_shown_everywhere(one):
    assert "social class" in terminal(example.result())
    assert "socioeconomic " not in terminal(example.result())
    assert one.count("social class") > 3


def test_what_is_known_about_a_number_that_has_a_value_is_said_too():
    base = example.result()
    noted = replace(base.estimates[1], low=None, high=None, why="no interval: one cluster")
    text = terminal(replace(base, estimates=[base.estimates[0], noted]))
    assert "race-color: no interval: one cluster" in text


def test_a_large_family_is_cut_and_counted():
    base = example.result()
    many = [replace(base.estimates[3], groups={"term": f"t{i}"}) for i in range(79)]
    others = [replace(e, name="other", meaning=Meaning()) for e in many]
    other = replace(base, estimates=[base.estimates[0], *others])
    text = in_brief(run_document(other, example.study()))
    assert "more: --all." in text and len(text.splitlines()) < 55
    made = on_page(replace(base, estimates=[*base.estimates, *many]))
    assert made.count("term: t78") == 1  # in the list of all numbers, not drawn


def test_many_values_without_interval_or_test_are_left_to_the_page():
    base = example.result()
    bare = [
        replace(base.estimates[0], name="size", value=float(i), low=None, high=None, p=None,
                p_adjusted=None, groups={"domain": f"d{i}"}, meaning=Meaning("Size of the gap"))
        for i in range(13)
    ]  # fmt: skip
    few, many = (replace(base, estimates=[*base.estimates, *bare[:n]]) for n in (12, 13))
    assert "Size of the gap by domain" in terminal(few)
    assert "Size of the gap by domain" not in terminal(many)
    assert "Size of the gap by domain" in words(on_page(many))


def test_items_are_called_by_the_study_that_has_them(one, triples):
    assert "The pairs it is surest about" in one
    assert "How surely" in one
    assert "Show the text of all contexts on this page" in words(triples)
    assert "The contexts it is surest about" in triples
    assert "How surely" not in triples  # a confidence is of pairs


def test_the_plane_is_there_where_both_of_its_measures_are(triples):
    assert triples.count('id="plane-title"') == triples.count('id="plane-narrow-title"') == 1
    bare = Result(contexts.result().card, [], [contexts.score("ss", None, 0, 0)])
    made = on_page(bare)
    Outline(made)
    assert "plane-title" not in made
    assert "surest about" not in made


def test_every_number_of_every_estimate_stands_in_the_table(one):
    rows = [row for row in Outline(one).rows if len(row) > 11]  # those of the full table
    head = rows[0]
    result = example.result()
    for e in result.estimates:
        cells = [title(e), subset(e.groups, result.card.labels), f"{e.n:,}"]
        (row,) = [dict(zip(head, r, strict=True)) for r in rows if r[:3] == cells]
        if e.value is None:
            assert row["Why"] == f"undefined: {e.why}"
            assert row["Value"] == ""
            continue
        assert row["Value"] == f"{e.value:.1f}\u00a0%{apart_mark(e)}"
        assert row["Interval"] == ("" if e.low is None else f"{e.low:.1f} to {e.high:.1f}")
        shown_p = [p_text(p) if p is not None else "" for p in (e.p, e.p_adjusted)]
        assert [row["p"], row["p, Holm"]] == shown_p
        assert row["MDE"] == ("" if e.mde is None else f"{e.mde:.1f}")
        assert row["Neutral"] == f"{e.neutral:g}"
        assert [row["Rule"], row["Interval by"], row["Test"]] == [e.rule, e.interval, e.test]


def test_equal_results_give_equal_pages_whenever_they_were_made(one):
    again = example.result()
    later = replace(again, card=replace(again.card, run={"started": "2032", "seconds": 99}))
    assert on_page(later) == one
    assert "2031-01-02" not in one


def test_hostile_texts_are_text(one, triples):
    for made in (one, triples):
        assert "<script" not in made
        assert made.count("</style>") == 1
        assert "&lt;script&gt;document.title=" in made
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b]", made)
    assert "[U+202E]gnirts desrever[U+202C]" in one
    assert "قال الرجل" in one


def test_hostile_words_everywhere_else_are_text_too():
    odd = "\"'><script>x</script></style></title>\u202e\ud800"
    base = example.result(odd)
    meaning = Meaning(odd, odd, counts=odd, sides=(odd, odd), neutral_is=odd, caution=odd)
    card = replace(
        base.card, study=odd, rule=odd, convention=odd, ties=odd, method=odd, command=odd,
        notes=[Note("data", odd), Note("coverage", odd)], invalid=[odd], versions={odd: odd},
        data={odd: odd, "warning": odd}, labels={odd: {odd: odd}}, settings={odd: odd},
    )  # fmt: skip
    records = [replace(r, item=odd, groups={odd: odd}) for r in base.records]
    estimates = [
        replace(e, name=e.name + odd, why=odd, model=odd, test=odd, interval=odd, unit=odd,
                groups=dict.fromkeys([odd][: len(e.groups)], "".join([odd, *e.groups.values()])),
                meaning=meaning)
        for e in base.estimates
    ]  # fmt: skip
    result = replace(base, card=card, records=records, estimates=estimates)
    made = page(run_document(result))
    assert "<script" not in made
    assert made.count("</style>") == 1
    assert "\u202e" not in made
    Outline(made)
    made.encode("utf-8")
    shown(run_document(result)).encode("utf-8")


def test_no_texts_means_not_in_the_file():
    for result, text in ((example.result(), "ladder"), (contexts.result(), "came by")):
        made = on_page(result, show_text=False)
        assert text not in made
        assert "<input" not in made
        assert "left out of this file" in made
        assert "intrasentence-uncle-0" in made or "race-color-" in made


def test_long_texts_are_cut_and_the_whole_unfolds(one):
    assert "The whole text, 4,986 words" in one
    assert one.count("and then the day went on") > 1600  # both sentences, whole
    assert "…</p>" in one


@pytest.mark.parametrize("which", ["one", "triples"])
def test_headings_landmarks_and_ids(which, request):
    outline = Outline(request.getfixturevalue(which))
    levels = [level for level, _ in outline.headings]
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))
    ids = [a["id"] for _, a in outline.tags if "id" in a]
    assert len(ids) == len(set(ids))
    assert [tag for tag, _ in outline.tags if tag in {"header", "main", "nav", "footer"}] == [
        "header", "main", "nav", "footer",
    ]  # fmt: skip


def test_subsets_without_an_overall_number_make_an_overview():
    def of(name: str, low: float, high: float, variant: str = "") -> list[Estimate]:
        meaning = Meaning(f"Effect {name}", variant_of=variant, neutral_is="no difference",
                          caution="read this picture" if variant else "")  # fmt: skip
        return [
            Estimate(
                name, value, low, high, 0.01, 16, 0, "sd", groups={"test": test}, meaning=meaning
            )
            for test, value in (("t1", 1.2), ("t2", -0.4), ("t3", 0.2), ("t4", 0.1))
        ]

    card = Card("mine", "1", {"name": "demo"}, {"name": "mine"}, "mean_pool", "paper", "", 0, "m",
                {"total": 32}, labels={"test": {"t1": "bakers × pans"}})  # fmt: skip
    result = Result(card, [], [*of("size", 0.05, 1.5), *of("by_words", -0.9, 1.9, "size")])
    text = " ".join(shown(run_document(result)).split())
    assert text.startswith("demo: effect size is significant in 4 of 4 tests (p < .05).")
    assert "of bakers × pans. But items from one source are not independent" in text
    assert "it is significant in 0 of 4" in text
    made = page(run_document(result))
    assert "read this picture" in made


def test_remarks_that_differ_in_numbers_only_are_one_line_in_the_terminal():
    few = "no minimum detectable effect: too few items without ties ({}) for the sign test"
    rate = Estimate("rate", 50, 10, 90, 1.0, 9, 50, "%")
    rows = [replace(rate, groups={"kind": f"k{i}"}, why=few.format(i)) for i in range(1, 6)]
    result = Result(plugin().card, [], [rate, *rows])
    lines = [line for line in shown(run_document(result), 120).splitlines() if "too few" in line]
    assert lines == [f"5 of 6 rows: {few.format('1 to 5')}"]
    assert words(on_page(result)).count("too few items without ties (3)") > 0
