"""Colours of a table of models say the side."""

from dataclasses import replace

from report import example
from report.documents.test_matrix import column
from tiltmeter.report.documents.model_heat import model_heats

ONE, OTHER = example.result(), example.result("other", seed=9, shift=-0.2)


def test_colours_say_the_side_and_the_first_row_is_all_items():
    changed = [
        replace(e, value=80.0 if e.groups.get("bias_type") == "age" else 20.0)
        for e in ONE.estimates
    ]
    one = replace(ONE, estimates=tuple(changed))
    (picture,) = [p for p in model_heats([one, one], ()) if p.name == "models-bias_type"]
    rows = column(picture.table, "bias_type").values
    assert rows[:2] == ["all", "age"]
    cells, key = picture.wide.split('class="legend"')
    assert cells.count('class="right"') == 2  # the one category of both
    assert key.count('class="right"') == 5  # four colours and their name
    assert [words in key for words in (">20.0<", ">50<", ">80.0<")] == [True] * 3
