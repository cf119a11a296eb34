"""Sections of a result: measures side by side, reasons once, other axes."""

import re
from dataclasses import replace

from report import contexts, example
from report.documents.examples import on_page, terminal, words
from tiltmeter.core.estimates import Meaning


def test_other_measures_over_other_axes_are_shown_too():
    base = example.result()
    sizes = [
        replace(base.estimates[0], name="effect_size", value=0.25, low=-0.1, high=0.6, neutral=0.0,
                unit="", groups={"domain": f"d{i}"}, meaning=Meaning("Effect size"))
        for i in range(5)
    ]  # fmt: skip
    text = terminal(replace(base, estimates=[*base.estimates, *sizes]))
    assert "Effect size by domain" in text
    assert "−0.100 to 0.600" in text


def test_nothing_but_undefined_numbers_still_prints():
    base = example.result()
    why = "every pair is tied"
    gone = [replace(e, value=None, low=None, high=None, p=None, p_adjusted=None, mde=None, why=why)
            for e in base.estimates]  # fmt: skip
    result = replace(base, estimates=gone)
    assert f"stereotype rate is undefined: {why}." in terminal(result)
    assert "not significant" not in terminal(result)  # nothing was tested
    assert "Scored by" in terminal(replace(base, estimates=[]))
    made = on_page(result)
    assert f"{len(gone)} estimates are undefined: {why} ({len(gone)})." in words(made)
    assert made.count(why) < 5  # and not once for each number
    assert not re.search(r"\b(nan|None|inf)\b", words(made))


def test_a_reason_of_many_rows_is_said_once():
    base = example.result()
    why = "no interval: one cluster"
    bare = [
        replace(e, low=None, high=None, why=why) for e in base.estimates if "bias_type" in e.groups
    ]
    text = terminal(replace(base, estimates=[base.estimates[0], *bare]))
    assert text.count(why) == 1
    assert f"9 of 10 rows: {why}" in text


def test_measures_of_one_score_stand_side_by_side_and_are_not_shown_twice():
    text = terminal(contexts.result())
    assert "Side by side, %" in text
    assert "Other measures" not in text
    assert "MDE" not in text
    assert "pairs" not in text.replace(example.study().not_what, "")
