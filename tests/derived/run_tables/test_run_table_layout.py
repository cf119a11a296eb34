"""Which coordinates are rows and columns where nobody says."""

from report import contexts, example
from tiltmeter.derived.run_tables.run_table_layout import TableLayout, table_layout

PAIRS = [example.result("a"), example.result("b", seed=9, shift=-0.2)]
THREE = [contexts.result(name, seed=i) for i, name in enumerate("abc")]


def test_models_stand_beside_each_other_by_the_axis_with_most_values():
    assert table_layout(PAIRS, (), (), ()) == TableLayout(
        ("bias_type",), ("model",), ("stereotype_rate",)
    )


def test_measures_that_are_read_together_are_columns():
    assert table_layout(THREE, (), (), ()) == TableLayout(
        ("model",), ("measure",), ("lms", "ss", "icat")
    )


def test_what_is_asked_for_leaves_the_other_side_to_the_rest():
    assert table_layout(PAIRS, ["model"], (), ()).columns == ("bias_type",)
    assert table_layout(PAIRS, (), ["bias_type"], ()).rows == ("model",)
    assert table_layout(THREE, (), (), ["icat"]) == TableLayout(
        table_layout(THREE[:1], (), (), ["icat"]).rows, ("model",), ("icat",)
    )
