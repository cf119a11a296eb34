"""Which tables a data check shows: by the kind of the items, and with texts only where they are asked for."""

from tiltmeter.analyses.data_check.data_description import ITEMS
from tiltmeter.analyses.data_check.triple_description import TERMS
from tiltmeter.analyses.data_check.views import views

PAIRS = [ITEMS.at(3), ITEMS.at(2, groups={"bias_type": "age"}), ITEMS.at(1, groups={"region": "x"})]
TRIPLES = [ITEMS.at(3), TERMS.at(1), ITEMS.at(3, groups={"task": "intrasentence"})]


def test_each_axis_of_pairs_has_a_table_and_items_are_listed_along_all_of_them():
    by_name = {view.name: view for view in views(PAIRS, show_text=False)}
    assert [*by_name][:3] == ["by-bias_type", "by-region", "listed"]
    assert by_name["by-bias_type"].title == "Bias type"
    assert by_name["listed"].axes == ("bias_type", "region", "item")
    assert "by-check" in by_name and "make-up" not in by_name


def test_triples_have_tables_of_their_own():
    names = [view.name for view in views(TRIPLES, show_text=False)]
    assert names[:2] == ["listed", "make-up"] and "by-check" not in names


def test_the_terminal_quotes_items_only_if_asked():
    shown = {
        show_text: {view.name: view.on for view in views(TRIPLES, show_text=show_text)}
        for show_text in (False, True)
    }
    quoting = {name for name in shown[True] if shown[True][name] != shown[False][name]}
    assert quoting == {"odd-items", "failing-items"}
