"""Cells of number tables: reasons, few items, units, bounds."""

from report.documents.views.cells_shown import RATE, VIEW, R, cells, in_file, result
from tiltmeter.core.estimates import Inference
from tiltmeter.core.quantity import quantity
from tiltmeter.core.views import NumberColumn, NumberTable
from tiltmeter.report.documents.views.number_table import number_tables


def test_each_reason_is_said_once_and_few_items_are_marked():
    made = result(
        RATE.at(None, why="no votes", groups={"town": "A"}),
        RATE.at(None, why="no votes", groups={"town": "B"}),
        RATE.at(100.0, n=2, groups={"town": "C"}),
    )
    (table,) = number_tables(made, VIEW)
    assert table.columns[1].cells == ["undefined", "undefined", "100.0‡"]
    few, why = table.notes
    assert few.startswith("‡") and "A; B" in why and "no votes" in why
    both = NumberTable("t", "T", ("town",), (NumberColumn("rate"), NumberColumn("r", heading="s")))
    places = [{"town": "A"}, {"town": "B"}]
    made = result(*(q.at(1.0, n=9, why="rough", groups=at) for at in places for q in (RATE, R)))
    assert number_tables(made, both)[0].notes == ["both rows: rate; s: rough"]


def test_a_unit_that_many_columns_share_is_said_once():
    several = [quantity(name, name, unit="%") for name in ("a", "b", "c")]
    view = NumberTable("t", "T", ("town",), tuple(NumberColumn(q.name) for q in several))
    (table,) = number_tables(result(*(q.at(1.0, groups={"town": "A"}) for q in several)), view)
    assert cells(table)[0] == ["town", "a", "b", "c"]
    assert table.notes == ["Values in %."]


def test_bounds_and_intervals_without_a_limit():
    view = NumberTable(
        "t", "T", ("town",), (NumberColumn("rate"), NumberColumn("rate", "interval"))
    )
    more = RATE.at(70.0, Inference(60.0, None), groups={"town": "A"}, bound=">")
    less = RATE.at(20.0, Inference(0.0, 60.0), groups={"town": "B"}, bound="<")
    (table,) = number_tables(result(more, less), view)
    assert cells(table)[1] == [
        ("A", ">\u00a070.0", "60.0 or more"),
        ("B", "<\u00a020.0", "0.0 to 60.0"),
    ]
    assert more.significant
    assert table.strong == [False, False]
    first = in_file(result(more, less), view)[0]
    assert (first["rate_low"], first["rate_high"], first["rate_bound"]) == ("60.0", "", ">")
