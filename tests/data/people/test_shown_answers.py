"""Answers with what was shown where, as exports hold them."""

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.people.shown_answers import read_shown_answers

HEAD = "person,item,round,page,question,kind,value,item_place,row_place,swapped,texts_order,options_order"
ROWS = (
    "a,g1,1,rate,cold - warm,slider,'-5,1,2,yes,,",
    'a,g1,1,more,best,choice,x,1,,,"[""b"", ""a""]","[""x"", ""y""]"',
    'a,g1,1,more,all,choice,"[""x"", ""y""]",1,,,,"[""y"", ""x""]"',
    "a,g0,0,rate,cold - warm,slider,3,,1,no,,",
)


def written(folder, *rows, head=HEAD):
    (folder / "answers.csv").write_text("\n".join((head, *rows)), "utf-8")
    return folder


def test_an_export_is_read_without_training(tmp_path):
    slider, best, every = read_shown_answers(written(tmp_path, *ROWS)).answers
    assert (slider.value, slider.swapped, slider.row_place, slider.item_place) == ("-5", True, 2, 1)
    assert (slider.texts_order, slider.options_order) == ((), ())
    assert (best.texts_order, best.options_order, best.chosen) == (("b", "a"), ("x", "y"), ("x",))
    assert every.chosen == ("x", "y")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("a,g,1,p,q,slider,5,0,,,,", "item_place is '0'"),
        ("a,g,1,p,q,slider,5,1,,maybe,,", "swapped is 'maybe'"),
        ("a,g,1,p,q,slider,5,1,,,first,", "texts_order is 'first'"),
    ],
)
def test_cells_that_say_nothing_are_named(tmp_path, row, why):
    with pytest.raises(BadItems, match=why):
        read_shown_answers(written(tmp_path, row))


def test_another_table_is_refused(tmp_path):
    with pytest.raises(BadInput, match="which say what was shown where"):
        read_shown_answers(written(tmp_path, "a,q,slider,5", head="person,question,kind,value"))
    with pytest.raises(BadInput, match="has no answers"):
        read_shown_answers(written(tmp_path, ROWS[-1]))  # training alone
