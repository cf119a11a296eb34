"""Subsets by models as a picture: which it has, its numbers and marks, and when there is none."""

from dataclasses import replace

from report import example
from report.documents.test_matrix import column, text_of
from tiltmeter.report.documents.model_heat import model_heats
from tiltmeter.report.text import number

ONE, OTHER = example.result(), example.result("other", seed=9, shift=-0.2)


def of(result, value):
    return next(
        e for e in result.estimates if dict(e.groups) == ({"bias_type": value} if value else {})
    )


def test_every_cell_has_its_number_and_a_star_says_that_it_is_significant():
    (picture,) = [p for p in model_heats([ONE, OTHER], ()) if p.name == "models-bias_type"]
    text = text_of(picture.wide)
    assert "Stereotype rate (%) by bias type and model" in text
    values = column(picture.table, "bias_type").values
    assert values[0] == "all"
    for result, name in ((ONE, "demo"), (OTHER, "other")):
        cells = dict(zip(values, column(picture.table, name).cells, strict=True))
        for value in ("", "age"):
            e = of(result, value)
            said = f"{number(e.value, e.unit)}{'*' if e.significant else ''}"
            assert cells[value or "all"].startswith(said)
            assert f">{said}<" in picture.wide
    every = [e for r in (ONE, OTHER) for e in r.estimates if set(e.groups) <= {"bias_type"}]
    sure = sum(e.significant is True and e.name == "stereotype_rate" for e in every)
    assert 0 < sure == picture.wide.count('class="sure"') < len(values) * 2


def test_no_picture_of_one_model_or_on_different_scales():
    assert model_heats([ONE], ()) == []
    other = replace(OTHER, estimates=tuple(replace(e, neutral=0.0) for e in OTHER.estimates))
    assert model_heats([ONE, other], ()) == []
