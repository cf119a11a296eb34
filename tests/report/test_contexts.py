"""Context associations in words, in the terminal and as data of the page."""

import io
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from report import contexts
from report.test_table import shown
from tiltmeter.core.results import Estimate, Record
from tiltmeter.report.estimate_families import extremes, main_family
from tiltmeter.report.margins import farthest, margin
from tiltmeter.report.measure_table import beside
from tiltmeter.report.table import print_comparison
from tiltmeter.report.wording import finding, title, verdict

SS, LMS, ICAT = contexts.three(57.0, 83.6)
TERMS = [
    replace(SS, n=27 + i, value=40.0 + 2 * i, groups={"target": f"term {i:02}"}) for i in range(12)
]


def said(estimate: Estimate, *others: Estimate) -> str:
    return f"{finding(estimate, 'demo', others)} {verdict(estimate)}".replace("\u00a0", " ")


def test_a_stereotype_score_is_told_with_what_it_is_read_beside():
    assert said(replace(SS, p=0.012), SS, LMS, ICAT, *TERMS) == (
        "demo prefers the stereotype to the anti-stereotype in 57.0 % of 96 contexts, averaged over 12 "
        "target terms, 95 % interval 55.0 to 59.0; no preference would be 50. It prefers what makes "
        "sense to what does not in 83.6 % (lms; a model that picks at random 50, an ideal one 100); "
        "icat 71.9 of 100. This is a lean towards the stereotype (p = 0.0120)."
    )


def test_without_the_others_it_says_what_it_knows():
    below = replace(SS, value=42.0, low=40.0, high=44.0)
    text = said(below)
    assert text.endswith("no preference would be 50. This is a lean towards the anti-stereotype.")
    assert "terms" not in text
    assert "lms" not in said(below, SS, replace(LMS, value=None))


def test_the_other_scores_are_held_against_a_model_that_picks_at_random():
    assert said(LMS) == (
        "demo: language modelling score (lms) is 83.6 % over 96 contexts, 95 % interval 81.6 to 85.6; a "
        "model that picks at random would be 50. This is above a model that picks at random, by more "
        "than chance explains."
    )
    assert "icat is 71.9 %" in said(ICAT)


def test_comparisons_have_words_of_their_own():
    assert title("ss_difference") == "Difference of stereotype scores (ss)"
    gap = replace(SS, name="lms_difference", value=2.0, neutral=0.0, unit="percentage points")
    assert "difference of language modelling scores (lms) is 2.0 points over 96 contexts" in said(
        gap
    )
    together = contexts.correlation([contexts.result("a"), contexts.result("b")])
    assert finding(together) == (
        "a, b: over these models, the rank correlation of lms and ss (Spearman’s ρ) is 0.500, without "
        "an interval; no correlation would be 0."
    )
    assert verdict(together) == "This cannot be told from no correlation (p = 1.00)."
    sure = replace(together, p=0.01)
    assert verdict(sure) == "This is more than chance explains (p = 0.0100)."


def row(line: str) -> list[str]:
    return line.split()


def test_the_scores_stand_side_by_side_parts_under_their_whole():
    found = contexts.result()
    lines = shown(found).splitlines()
    start = lines.index("Side by side, %")
    heading = row(lines[start + 1])
    assert heading == ["n", "lms", "interval", "ss", "interval", "icat", "interval"]
    domains = list(contexts.DOMAINS)
    parts = [f"  {domain}" for domain in domains]
    order = ["all", *domains, "intrasentence", *parts, "intersentence", *parts]
    table = lines[start + 2 : start + 2 + len(order)]
    assert [line[: len(name)] for line, name in zip(table, order, strict=True)] == order
    values = {(e.name, *e.groups.values()): e for e in found.estimates}
    cells = []
    for name in ("lms", "ss", "icat"):
        e = values[name, "intersentence", "race"]
        cells += [f"{e.value:.1f}", f"{e.low:.1f}–{e.high:.1f}"]
    assert row(table[13]) == ["race", "12", *cells]


def test_where_it_is_narrow_intervals_go_first_and_the_headline_keeps_its_own():
    at = {width: shown(contexts.result(), width).splitlines() for width in (66, 56, 44, 38, 20)}
    headings = {w: row(lines[lines.index("Side by side, %") + 1]) for w, lines in at.items()}
    assert headings[66] == ["n", "lms", "interval", "ss", "interval", "icat"]
    assert headings[56] == ["n", "lms", "ss", "interval", "icat"]
    assert headings[44] == ["n", "lms", "ss", "icat"]
    assert headings[20] == ["ss"]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    results = [contexts.result(name, seed=i) for i, name in enumerate("abc")]
    console = Console(width=width, file=io.StringIO(), record=True)
    compared = [*contexts.differences(*results[:2]), contexts.correlation(results)]
    print_comparison(compared, console)
    lines = [*shown(results[0], width).splitlines(), *console.export_text().splitlines()]
    assert max(map(cell_len, lines)) <= width
    assert not any(line.endswith(" ") for line in lines)


def test_plain_output_holds_nothing_but_ascii():
    assert "term" in shown(contexts.result(), 80, "ascii")  # encoding fails on anything else


def test_nothing_is_shown_twice():
    text = shown(contexts.result())
    assert text.count("Language modelling score") == 0  # lms stands in the table of all three
    assert "Other measures" not in text
    assert "MDE" not in text
    assert "pairs" not in text


def test_the_ends_of_the_terms_are_listed_with_a_caution():
    rows = [*TERMS, SS, LMS, replace(TERMS[0], value=None, groups={"target": "none"})]
    ends = extremes(rows)
    assert ends is not None
    assert [e.groups["target"] for e in ends.most] == [
        f"term {i}" for i in ("11", "10", "09", "08", "07")
    ]
    assert [e.groups["target"] for e in ends.least] == [f"term 0{i}" for i in range(5)]
    assert len(ends.ranked) == 13
    assert ends.caution == (
        "A term has only 27 to 38 contexts, so its interval is wide, and of 12 terms some stand at either "
        "end by chance: other contexts would bring others there."
    )
    tested = [replace(t, p=0.02, p_adjusted=0.24) for t in TERMS[1:]]
    sure = replace(TERMS[0], p=0.001, p_adjusted=0.012, low=30.0, high=44.0)
    told = extremes([sure, *tested])
    assert told is not None
    assert told.caution.endswith(
        "Of 12 terms tested, 1 can be told from no preference after Holm’s adjustment."
    )


def test_few_terms_are_never_in_both_lists():
    ends = extremes(TERMS[:3])
    assert ends is not None
    assert (len(ends.most), len(ends.least)) == (1, 1)
    assert extremes(TERMS[:1]) is None
    assert extremes([SS]) is None


def test_terms_are_no_categories_however_few():
    family = main_family(contexts.result().estimates)
    assert family is not None
    assert family.axes == ("domain",)


def test_a_cell_without_a_value_says_why_once():
    def part(e: Estimate, value: float | None, why: str, **groups: str) -> Estimate:
        return replace(e, value=value, why=why, groups=groups)

    rows = [SS, LMS]
    for name in ("age", "craft"):
        rows += [part(LMS, 80.0, "only 3 target terms: rough", domain=name)]
        rows += [part(SS, None, "every context is tied", domain=name)]
    text = shown(replace(contexts.result(), estimates=rows))
    assert text.count("age; craft: only 3 target terms: rough") == 1
    assert text.count("age; craft: ss is undefined: every context is tied") == 1


def test_a_reason_of_many_rows_is_counted_and_a_column_of_nothing_left_out():
    rows = [SS, LMS]
    for i in range(5):
        bare = replace(
            LMS, low=None, high=None, why="no interval: none", groups={"domain": f"d{i}"}
        )
        rows += [bare, replace(bare, name="ss", why="")]
    lines = shown(replace(contexts.result(), estimates=rows)).splitlines()
    assert "5 of 6 rows: no interval: none" in lines
    without = [replace(e, low=None, high=None, why="") for e in rows]
    lines = shown(replace(contexts.result(), estimates=without)).splitlines()
    assert row(lines[lines.index("Side by side, %") + 1]) == ["n", "lms", "ss"]


def test_a_measure_that_is_missing_leaves_its_place_empty():
    table = beside([SS, LMS, replace(SS, groups={"domain": "age"})])
    assert table is not None
    assert table.names == ("lms", "ss")
    assert [e is None for e in table.lines[1].estimates] == [True, False]
    assert beside([SS]) is None
    assert beside([replace(SS, name="stereotype_rate"), replace(SS, name="confidence_gap")]) is None


def test_a_crossing_without_its_whole_has_its_full_name():
    crossed = {"task": "intrasentence", "domain": "age"}
    table = beside([SS, LMS, replace(SS, groups=crossed), replace(LMS, groups=crossed)])
    assert table is not None
    assert [(line.label, line.depth) for line in table.lines] == [
        ("all", 0),
        ("intrasentence × age", 0),
    ]


def test_a_comparison_shows_the_differences_of_all_three_and_the_correlation_as_a_sentence():
    results = [contexts.result(name, seed=i) for i, name in enumerate("abc")]
    console = Console(width=80, file=io.StringIO(), record=True)
    print_comparison([*contexts.differences(*results[:2]), contexts.correlation(results)], console)
    text = console.export_text()
    assert text.strip().startswith("a − b: difference of stereotype scores (ss) is")
    assert "Differences side by side, percentage points" in text
    assert "Both prefer the same sentence" in text
    (last,) = text.split("a, b, c: ")[1:]
    assert last.startswith("over these models, the rank correlation of lms and ss (Spearman’s ρ)")
    assert "there are 3" in last
    assert " value " not in last  # a table of one number would say nothing more


def context(item: str, stereotype: float, anti: float) -> Record:
    return Record(item, {"stereotype": stereotype, "anti_stereotype": anti, "unrelated": -9.0}, {})


def test_margins_by_hand():
    records = [context("b", -1.0, -4.0), context("a", -2.0, -5.0), context("c", -4.0, -2.5)]
    towards, away = farthest([*records, context("tied", -1.0, -1.0)], 5)
    assert [(x.record.item, x.confidence, x.unit) for x in towards] == [
        ("a", 3.0, "nats"),
        ("b", 3.0, "nats"),
    ]
    assert [(x.record.item, x.confidence) for x in away] == [("c", -1.5)]
    assert margin(context("d", float("-inf"), -1.0)) is None
    assert margin(Record("e", {"more": -1.0, "less": -2.0}, {})) is None


def test_scores_above_zero_are_no_log_probabilities():
    (lean,), _ = farthest([context("a", 0.7, 0.2)], 5)
    assert lean.confidence == pytest.approx(0.5)
    assert lean.unit == "points"


def test_what_a_head_knows_stands_beside_its_numbers():
    from dataclasses import replace

    from tiltmeter.core.study import PAPER
    from tiltmeter.models import fake
    from tiltmeter.report.conditions import head_of
    from tiltmeter.run.choosing import choose
    from tiltmeter.run.measure import measure
    from tiltmeter.studies.stereoset import STUDY

    model = fake.load("")
    chosen = choose(STUDY, fake.ANSWERS, model="fake")
    card = measure(STUDY, model, STUDY.sample(), chosen=chosen).card
    assert card.convention == PAPER.name
    assert head_of(card) == ""
    trained = replace(card, model={**card.model, "head: held-out accuracy": 0.475})
    assert head_of(trained) == "right about 47.5 % of held-out pairs; chance is 50"
