"""Tables of estimates name their rows, say a remark once, and know which rows rest on too few items."""

from tiltmeter.core.estimates import Estimate
from tiltmeter.report.documents.estimate_tables import estimate_table, others_table
from tiltmeter.report.plots.forest import Row


def of(n, why="", **more):
    return Estimate(
        "rate", 60.0, 50.5, 70.0, 0.01, n, 50, "%", why=why, groups={"job": f"j{n}"}, **more
    )


def test_a_remark_is_said_once_and_kept_by_row():
    few, many, more = of(3, "rough"), of(30, "rough"), of(40)
    table = estimate_table("Rate", [Row(f"j{e.n}", e) for e in (few, many, more)])
    assert table.notes == ["‡ n is less than 5: too few to say.", "j3; j30: rough"]
    assert table.remarks == [("j3", ["rough"]), ("j30", ["rough"]), ("j40", [""])]
    assert table.too_few == [True, False, False] and table.strong == [False, True, True]
    assert table.of_rows([1, 2]).remarks == table.remarks[1:]


def test_other_measures_are_indented_by_subset():
    whole = Estimate("share", 10.0, None, None, None, 70, None, "%")
    table = others_table([whole, of(30)], ["Share", "job: j30"])
    assert table.depths == [0, 1] and table.columns[0].cells == ["Share", "job: j30"]
