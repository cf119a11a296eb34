"""Dumbbells: colours of what is significant, neutral values that were passed."""

import tiltmeter as tm
from report.documents.changed import pairs


def compared(before, after, **options):
    """Results of a model before and after, compared in memory."""
    return tm.analyse.before_after([*before, *after], **options)


def shown(result, name):
    """The columns of a table of the document, by name."""
    table = next(t for t in result.document().tables() if t.name == name)
    return table, {c.name or c.title: c for c in table.columns}


RATE = "crows_pairs-stereotype_rate-pll_shared"


def test_leanings_have_colours_only_where_they_are_significant():
    before = pairs("base", [1] * 20 + [-1] * 2)
    for sides, tones in (([1] * 10 + [-1] * 12, {"better"}), ([1] * 19 + [-1] * 3, {""})):
        _, columns = shown(compared([before], [pairs("done", sides)]), RATE)
        verdict = columns["stereotype_rate_difference_verdict"]
        assert set(verdict.tones) == tones
        assert verdict.cells[0].startswith("closer")


def test_a_neutral_value_that_was_passed_is_shown():
    result = compared([pairs("base", [1, 1, 1, -1])], [pairs("done", [1, -1, -1, -1])])
    _, columns = shown(result, RATE)
    assert columns["stereotype_rate_difference_verdict"].cells[0] == "same, crossed"
