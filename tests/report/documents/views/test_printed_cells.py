"""The layout of a paper's table: which rows stand together, and which axes share a column."""

from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import PrintedCells
from tiltmeter.report.documents.views.printed_cells import cells_blocks, cells_file


def table(cells, rows, columns):
    records = [
        Record("", {"value": value}, {**at, "compared": "ours", "shown": str(value)}, kind="T1")
        for *places, value in cells
        for at in [{a: v for a, v in zip((*rows, *columns), places, strict=True) if v}]
    ]
    card = Card(
        study="s", study_version="1", model={}, data={"name": "d"}, rule="", convention="", seed=0
    )
    return cells_blocks(Result(card, records, []), PrintedCells("T1", "", "T1", rows, columns))[0]


def shown(made):
    return [tuple(row) for row in zip(*(column.cells for column in made.columns), strict=True)]


def test_axes_of_which_no_row_has_two_are_one_column():
    cells = [
        ("crows", "", "", "bert", 1), ("crows", "stereo", "", "bert", 2), ("crows", "", "age", "bert", 3),
        ("wino", "", "", "bert", 4),
    ]  # fmt: skip
    made = table(cells, ("study", "direction", "bias_type"), ("model",))
    assert [c.title for c in made.columns] == ["study", "direction, bias type", "bert"]
    assert shown(made) == [
        ("crows", "all", "1"), ("", "stereo", "2"), ("", "age", "3"), ("wino", "all", "4"),
    ]  # fmt: skip


def test_axes_that_a_row_has_together_stay_apart_and_later_rows_join_theirs():
    cells = [
        ("gender", "", "lms", 1), ("gender", "mother", "lms", 2), ("race", "", "lms", 3),
        ("gender", "boy", "ss", 4),
    ]  # fmt: skip
    made = table(cells, ("domain", "target"), ("measure",))
    assert shown(made) == [
        ("gender", "all", "1", ""), ("", "mother", "2", ""), ("", "boy", "", "4"), ("race", "all", "3", ""),
    ]  # fmt: skip


def test_reasons_name_whole_rows_or_columns_and_otherwise_cells():
    whys = {
        ("a", "x"): "no a",
        ("a", "y"): "no a",
        ("b", "x"): "no x",
        ("c", "x"): "no x",
        ("b", "y"): "odd",
    }
    records = [
        Record(
            "", {}, {"model": model, "measure": measure, "compared": "not computable", "why": why}, kind="T1"
        )
        for (model, measure), why in whys.items()
    ]  # fmt: skip
    card = Card(
        study="s", study_version="1", model={}, data={"name": "d"}, rule="", convention="", seed=0
    )
    view = PrintedCells("T1", "", "T1", ("model",), ("measure",))
    lines = cells_blocks(Result(card, records, []), view)[1].lines
    assert [line for line in lines if "not computable" in line] == [
        "a: not computable: no a.",
        "b x; c x: not computable: no x.",
        "b y: not computable: odd.",
    ]


def test_a_table_too_wide_for_intervals_says_where_they_are():
    """Five columns; of a number without an interval there is nothing to look up."""
    for ends, notes in (
        ({"low": 1.0, "high": 3.0}, ["Intervals and n of our numbers: T1.csv."]),
        ({}, []),
    ):
        records = [
            Record(
                "",
                {"value": 2, "n": 9, **ends},
                {"m": m, "compared": "ours", "shown": "2"},
                kind="T1",
            )
            for m in "abcde"
        ]
        card = Card(
            study="s",
            study_version="1",
            model={},
            data={"name": "d"},
            rule="",
            convention="",
            seed=0,
        )
        result, view = Result(card, records, []), PrintedCells("T1", "", "T1", (), ("m",))
        assert cells_blocks(result, view)[0].notes == notes
        (row, *_) = zip(*(c.values for c in cells_file(result, view).columns), strict=True)
        assert 9 in row
