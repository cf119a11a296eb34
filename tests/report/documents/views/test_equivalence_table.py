from dataclasses import replace

from tiltmeter.core.equivalence import Equivalence
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.report.documents.views.equivalence_table import (
    equivalence_sentence,
    equivalence_table,
)
from tiltmeter.report.tables import as_rows

MADE = Equivalence("2 points", -2.0, 2.0, -0.5, 1.4, 0.9, "", 812, "pairs")
RATE = Estimate(
    "rate_difference", 0.4, -0.8, 1.6, 0.3, 900, 0.0, "percentage points",
    meaning=Meaning("Difference of rates", difference_of="rate"), equivalence=MADE,
)  # fmt: skip
MODELS = ("new", "old")


def within(low, high, *, better="", p=0.3, **more):
    meaning = replace(RATE.meaning, better=better)
    made = replace(MADE, low=low, high=high, **more)
    return replace(RATE, low=low - 0.3, high=high + 0.3, p=p, meaning=meaning, equivalence=made)


def test_equivalent_has_its_margin_and_its_interval():
    assert equivalence_sentence(RATE) == (
        "Equivalent within 2 points (−0.5 to +1.4, 90\u00a0% interval)."
    )


def test_different_and_yet_equivalent_are_both_said():
    both = replace(RATE, value=1.0, low=0.2, high=1.8, p=0.01, equivalence=replace(MADE, low=0.3))
    assert equivalence_sentence(both).startswith("Different, and yet equivalent within 2 points")


def test_different_says_whether_it_is_more_than_the_margin():
    far = replace(within(2.5, 3.5, p=0.001), value=3.0)
    assert equivalence_sentence(far).startswith("Different by more than 2 points")
    near = replace(within(0.5, 3.5, p=0.01), value=2.0)
    assert "Different and not shown to be within 2 points" in equivalence_sentence(near)


def test_undecided_says_what_would_decide_and_who_is_not_worse():
    said = equivalence_sentence(within(-2.6, 1.4, better="lower"), MODELS)
    assert "new is not worse than old by more than 2 points." in said
    assert "About 820 pairs would show it in 4 of 5 samples" in said
    said = equivalence_sentence(within(-1.5, 2.4, better="lower"), MODELS)
    assert "old is not worse than new by more than 2 points." in said


def test_no_verdict_says_why():
    none = replace(RATE, equivalence=Equivalence("2 points", why="the difference has no interval"))
    assert equivalence_sentence(none).endswith("within 2 points: the difference has no interval.")
    assert equivalence_sentence(replace(RATE, equivalence=None)) == ""


def test_files_have_the_margin_with_the_verdict():
    undecided = replace(within(-2.6, 1.4, better="lower"), groups={"race": "x"})
    table = equivalence_table([RATE, undecided, replace(RATE, equivalence=None)], {}, name="e")
    first, second = as_rows(table)
    assert (first["margin"], first["verdict"], first["low"], first["level"]) == (
        "2 points", "equivalent", -0.5, 0.9,
    )  # fmt: skip
    assert (second["race"], second["not_worse"], second["needed"]) == ("x", "yes", 812)
    assert table.columns[0].cells == ["Rates", "x"]
