"""Marks behind values, and what explains them."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from support.page_properties import page_faults
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.report.document import Document, Section
from tiltmeter.report.documents.estimate_tables import estimate_table, full_table, others_table
from tiltmeter.report.documents.pictures import forest_pictures
from tiltmeter.report.html import page
from tiltmeter.report.latex.tables import as_latex
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.tables import as_csv, as_markdown
from tiltmeter.report.terminal import print_document
from tiltmeter.report.value_marks import interval_against_p, mark_notes, value_mark

NOTE = "§ The interval and p disagree, because {}; significant needs both."
WHY_ADJUSTED = "p is adjusted for several tests and the interval is not"
WHY_OTHER = "they come from different methods"
ADJUSTED, OTHER = NOTE.format(WHY_ADJUSTED), NOTE.format(WHY_OTHER)


def rate(low=51.0, high=69.0, p=0.03, p_adjusted=None, n=90, **further):
    return Estimate(
        "rate", 60.0, low, high, p, n, 50.0, "%", p_adjusted=p_adjusted, adjustment="Holm",
        groups={"who": "bakers"}, **further,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("estimate", "mark", "note"),
    [
        (rate(), "", []),
        (rate(p_adjusted=0.12), "§", [ADJUSTED]),
        (rate(p=0.2), "§", [OTHER]),
        (rate(p=0.2, p_adjusted=0.4), "§", [OTHER]),
        (rate(low=49.0, p=0.03), "§", [OTHER]),
        (rate(low=49.0, p=0.2), "", []),
        (rate(p=None), "", []),
        (rate(low=None, high=None), "", []),
        (rate(p_adjusted=0.12, meaning=Meaning(magnitude=True)), "", []),
        (rate(p_adjusted=0.12, n=3), "‡", ["‡ n is less than 5: too few to say."]),
    ],
)
def test_a_value_is_marked_where_interval_and_p_disagree(estimate, mark, note):
    assert (value_mark(estimate), mark_notes([estimate, None])) == (mark, note)


def test_notes_name_each_reason_once():
    both = mark_notes([rate(p=0.2), rate(p_adjusted=0.12), rate(p_adjusted=0.2)])
    assert both == [NOTE.format(f"{WHY_OTHER}; or {WHY_ADJUSTED}")]


@pytest.mark.parametrize("make", [
    lambda e: estimate_table("Rate", [Row("bakers", e)]),
    lambda e: others_table([e], ["Rate"]),
    lambda e: full_table([e], {}),
])  # fmt: skip
def test_the_reason_stands_with_the_number_in_every_output(make):
    table, out = make(rate(p_adjusted=0.12)), io.StringIO()
    document = Document("T", "t", ["One."], [Section("s", "S", [table])])
    print_document(document, Console(file=out, width=100))
    shown = [
        as_markdown(table),
        as_latex(table).replace(r"\S{}", "§").replace("\n", " "),
        page(document),
    ]
    if "terminal" in table.on:
        shown.append(out.getvalue().replace("\n", " "))
    for text in shown:
        assert "60.0" in text and "§" in text
        assert WHY_ADJUSTED in " ".join(text.split())
    assert "§" not in as_csv(table) and not page_faults(page(document))
    assert "§" not in page(Document("T", "t", ["One."], [Section("s", "S", [make(rate())])]))


def test_the_reason_stands_under_a_forest_plot_in_both_layouts():
    (drawn,) = forest_pictures(
        [Row("bakers", rate(p_adjusted=0.12))], name="f", title="F", caption=""
    )
    for layout in (drawn.wide, drawn.narrow):
        assert "60.0§ (51.0 to 69.0)" in layout and "§ The interval and p disagree" in layout


GOLDENS = Path(__file__).parents[1] / "goldens" / "analyses"


def test_of_every_golden_a_number_without_a_verdict_that_its_interval_supports_has_the_mark():
    """The invariant over real results: not significant, but an interval beside the neutral value."""
    seen = 0
    for file in sorted(GOLDENS.glob("*/estimates.json")):
        rows = json.loads(file.read_text("utf-8"))
        for row in (row for row in rows if isinstance(row, dict)):
            fields = ("value", "low", "high", "p", "p_adjusted", "neutral")
            known = {name: row.get(name) for name in fields}
            if not all(
                isinstance(known[name], int | float) for name in ("value", "low", "high", "neutral")
            ):
                continue
            e = Estimate(row["name"], n=row["n"], unit=row.get("unit", ""), **known)
            excludes = not e.low <= e.neutral <= e.high
            if excludes and e.significant is False and e.n >= 5:
                seen += 1
                assert (
                    value_mark(e) == "§" and interval_against_p(e) == "excludes" and mark_notes([e])
                )
    assert seen
