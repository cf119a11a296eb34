"""Estimates by row and column: what stands where, and what files have besides."""

from report.documents.views.cells_shown import RATE, VIEW, R, cells, in_file, result
from tiltmeter.core.estimates import Inference
from tiltmeter.core.quantity import quantity
from tiltmeter.core.views import NumberColumn, NumberTable
from tiltmeter.report.documents.views.number_table import number_file, number_tables


def test_a_row_a_place_with_exactly_these_axes():
    made = result(
        RATE.at(60.0), RATE.at(55.0, groups={"town": "B"}), RATE.at(70.0, groups={"town": "A"}),
        RATE.at(1.0, groups={"town": "A", "year": "1"}),
    )  # fmt: skip
    (table,) = number_tables(made, VIEW)
    assert cells(table) == (["town", "rate, %"], [("B", "55.0"), ("A", "70.0")])
    high = NumberTable("rates", "Rates", ("town",), (NumberColumn("rate"),), order="high")
    assert cells(number_tables(made, high)[0])[1][0] == ("A", "70.0")


def test_rows_may_be_those_without_an_axis_and_an_axis_that_nothing_has_is_not_spread():
    made = result(
        RATE.at(55.0, groups={"town": "B"}), RATE.at(1.0, groups={"town": "A", "year": "1"})
    )
    rest = NumberTable("t", "T", ("*",), (NumberColumn("rate"),), where={"year": ""})
    assert cells(number_tables(made, rest)[0])[1] == [("B", "55.0")]
    spread = NumberTable("t", "T", ("town",), (NumberColumn("rate"),), spread="county")
    assert number_tables(made, spread) == []


def test_files_have_what_readers_do_not_see():
    sure = Inference(40.0, 60.0, p=0.03)
    made = result(RATE.at(50.0, sure, n=9, groups={"town": "A"}, p_adjusted=0.06, verdict="odd"))
    assert in_file(made, VIEW) == [{
        "town": "A", "rate": "50.0", "rate_low": "40.0", "rate_high": "60.0", "rate_p": "0.03",
        "rate_p_adjusted": "0.06", "rate_n": "9", "rate_verdict": "odd",
    }]  # fmt: skip


def test_interval_n_p_verdict_and_reason_are_columns():
    fields = ("n", "value", "interval", "p", "verdict", "why", "neutral")
    view = NumberTable("t", "T", ("town",), tuple(NumberColumn("rate", f) for f in fields))
    a = RATE.at(50.0, Inference(40.0, 60.0, p=0.4), n=1200, groups={"town": "A"}, verdict="odd")
    b = RATE.at(None, why="no votes", groups={"town": "B"})
    heads, rows = cells(number_tables(result(a, b), view)[0])
    assert heads == ["town", "n", "rate, %", "interval", "p", "verdict", "why", "neutral"]
    assert rows == [
        ("A", "1,200", "50.0", "40.0 to 60.0", "0.400", "odd", "", "50"),
        ("B", "0", "undefined", "", "", "", "no votes", "50"),
    ]


def test_p_before_and_after_adjustment_where_only_some_are_adjusted():
    view = NumberTable(
        "t",
        "T",
        ("town",),
        tuple(NumberColumn("r", f) for f in ("p", "p_adjusted", "p_unadjusted")),
    )
    made = result(
        R.at(0.5, Inference(None, None, 0.02), groups={"town": "A"}, p_adjusted=0.04),
        R.at(0.5, Inference(None, None, 0.3), groups={"town": "B"}),
    )
    assert cells(number_tables(made, view)[0]) == (
        ["town", "p (Holm)", "p (Holm)", "p"],
        [("A", "0.0400", "0.0400", "0.0200"), ("B", "0.300", "", "0.300")],
    )
    whole = NumberTable("t", "T", ("town",), (NumberColumn("r"), *view.columns))
    ps = [(row["r_p"], row["r_p_adjusted"]) for row in in_file(made, whole)]
    assert ps == [("0.02", "0.04"), ("0.3", "")]


def test_a_row_a_measure_with_its_unit_where_they_differ():
    view = NumberTable("t", "T", ("measure",), (NumberColumn(),), measures=("r", "rate"))
    (table,) = number_tables(
        result(RATE.at(50.0), R.at(0.5), RATE.at(1, groups={"town": "A"})), view
    )
    assert cells(table) == (["", "value"], [("Correlation", "0.50"), ("Rate", "50.0\u00a0%")])


def test_an_axis_is_spread_over_columns_the_whole_first():
    view = NumberTable("t", "T", ("town",), (NumberColumn("r"),), spread="year")
    made = result(
        R.at(0.1, groups={"town": "A", "year": "1"}), R.at(0.3, groups={"town": "A"}),
        R.at(0.2, groups={"town": "A", "year": "2"}), labels={"year": {"1": "first"}},
    )  # fmt: skip
    assert cells(number_tables(made, view)[0]) == (
        ["town", "r", "first", "2"], [("A", "0.30", "0.10", "0.20")],
    )  # fmt: skip
    assert in_file(made, view) == [{"town": "A", "r": "0.3", "r_1": "0.1", "r_2": "0.2"}]


def test_of_several_measures_each_has_its_group_of_columns_and_significant_cells_a_star():
    view = NumberTable(
        "t", "T", ("town",), (NumberColumn("rate"), NumberColumn("r")), spread="year"
    )
    sure = Inference(60.0, 80.0, p=0.001)
    made = result(
        RATE.at(70.0, sure, groups={"town": "A", "year": "1"}), R.at(0.1, groups={"town": "A", "year": "1"}),
        RATE.at(40.0, groups={"town": "A", "year": "2"}),
        RATE.at(1.0, groups={"town": "A", "year": "2", "street": "x"}),
    )  # fmt: skip
    (table,) = number_tables(made, view)
    assert cells(table) == (
        ["town", "rate, 1", "rate, 2", "r, 1"],
        [("A", "70.0*", "40.0", "0.10")],
    )
    assert (list(table.strong), table.notes[0][:14]) == ([], "* significant ")


def test_columns_at_further_coordinates_and_only_some_estimates():
    at = (
        NumberColumn("r", at={"state": "before"}),
        NumberColumn("r", at={"state": "after"}, heading="now"),
    )
    view = NumberTable("t", "T", ("town",), at, where={"kind": "x"})
    groups = {"town": "A", "kind": "x"}
    made = result(
        R.at(0.1, groups=groups | {"state": "before"}), R.at(0.2, groups=groups | {"state": "after"}),
        R.at(0.9, groups={"town": "B", "kind": "y", "state": "before"}),
    )  # fmt: skip
    assert cells(number_tables(made, view)[0]) == (["town", "r", "now"], [("A", "0.10", "0.20")])
    assert [*in_file(made, view)[0]] == ["town", "r_before", "r_after"]


def test_one_table_for_each_value_of_an_axis_and_one_file():
    view = NumberTable("t", "T", ("town",), (NumberColumn("r"),), by="year", order="high")
    made = result(*(R.at(float(year), groups={"town": "A", "year": year}) for year in ("2", "3")))
    assert [t.title for t in number_tables(made, view)] == ["2", "3"]
    assert [row["year"] for row in in_file(made, view)] == ["2", "3"]


def test_rows_stand_out_by_verdict_or_by_significance():
    sure = Inference(60.0, 80.0, p=0.001)
    made = result(
        RATE.at(70.0, sure, groups={"town": "A"}),
        RATE.at(50.0, groups={"town": "B"}, verdict="odd"),
    )
    assert number_tables(made, VIEW)[0].strong == [True, False]
    view = NumberTable("t", "T", ("town",), VIEW.columns, strong=("odd",))
    assert number_tables(made, view)[0].strong == [False, True]


def test_a_column_without_a_measure_takes_the_one_that_is_there():
    view = NumberTable(
        "t", "T", ("town",), (NumberColumn(), NumberColumn("n")), measures=("r", "rate")
    )
    n = quantity("n", "Number", decimals=0)
    made = result(
        R.at(0.5, groups={"town": "A"}), RATE.at(50.0, n=2, groups={"town": "B"}),
        n.at(7.0, groups={"town": "A"}),
    )  # fmt: skip
    heads, rows = cells(number_tables(made, view)[0])
    assert heads == ["town", "value", "Number", "n"]
    assert rows == [("A", "0.50", "7", ""), ("B", "50.0\u00a0%‡", "", "2")]
    assert in_file(made, view)[1]["value"] == "50.0"


def test_nothing_is_shown_of_nothing():
    assert number_tables(result(RATE.at(50.0)), VIEW) == []
    assert number_file(result(RATE.at(50.0)), VIEW).rows == 0
