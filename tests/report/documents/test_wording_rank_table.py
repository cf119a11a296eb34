"""The table of ranks by wording, and when a sentence names the first model."""

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.report.documents.wording_rank_table import rank_sections, rank_sentences


def rank(model, value, wording="", low=None, high=None, why=""):
    groups = {"wording": wording} if wording else {}
    return Estimate("model_rank", value, low, high, None, 9, None, "", why, groups, model=model,
                    meaning=Meaning("Rank by rate", caution="Rank 1 is the lowest."))  # fmt: skip


RANKS = [rank("b", 2.0, low=1.0, high=2.0), rank("a", 1.0, low=1.0, high=1.0), rank("b", 1.0, "x"),
         rank("a", 2.0, "x"), rank("b", 2.0, "y"), rank("a", 1.0, "y")]  # fmt: skip


def test_models_stand_in_their_order_with_a_column_for_each_wording():
    (section,) = rank_sections(RANKS)
    table = section.blocks[1]
    shown = {column.title: list(column.values) for column in table.columns}
    assert shown == {
        "Model": ["a", "b"],
        "All": [1, 2],
        "Range": ["1", "1 to 2"],
        "x": [2, 1],
        "y": [1, 2],
    }
    assert list(table.notes) == ["Rank 1 is the lowest."]


def test_without_ranges_the_reason_stands_below():
    (section,) = rank_sections(
        [rank("a", 1.0, why="no range: few"), rank("b", 2.0, why="no range: few")]
    )
    table = section.blocks[1]
    assert [column.title for column in table.columns] == ["Model", "All"]
    assert list(table.notes) == ["no range: few", "Rank 1 is the lowest."]


def test_a_single_first_is_named():
    assert rank_sentences(RANKS) == [
        "a, first over all, is first in 1 of 2 wordings. Its rank in wordings like these is 1."
    ]
    assert rank_sentences([rank("a", 1.0), rank("b", 1.0)]) == [] == rank_sentences([])
    assert rank_sections([]) == []
