"""Measures of studies with control edits, over columns as a run makes them."""

import json
from dataclasses import asdict

import pytest

from tiltmeter.core.measures import ARM, Measure
from tiltmeter.core.records import Record
from tiltmeter.metrics.labels import rate
from tiltmeter.run.measuring.columns import columns_of
from tiltmeter.run.measuring.estimates import estimates
from tiltmeter.study_families.controls import (
    CONTROLS,
    PARAPHRASE,
    PLACEBO,
    EditedScore,
    measures_less,
)

FLIPS = EditedScore(
    "flips", ("said",), "", called="Decisions changed", moves="changes the decision", yes_no=True,
    over=((), ("group",)),
)  # fmt: skip
OTHER = Measure("said_rate", rate, ("said",), "%", neutral=None)


def records(arms, texts=8, repeats=1):
    """A base and edits of each text; a placebo edit has no group."""
    return [
        Record(
            f"{text}-{arm}{f'|{repeat + 1}' if repeat else ''}",
            {"said": float(said), "repeat": float(repeat), "repeats": float(repeats)},
            {ARM: arm, **({"group": group} if group else {})},
            f"text {text}",
        )
        for text in range(texts)
        for arm, group, said in arms
        for repeat in range(repeats)
    ]  # fmt: skip


def numbers(made, *measures):
    columns = columns_of(made, ["said", "repeat", "repeats"])
    return {(e.name, *e.groups.values()): e for e in estimates(measures, columns, "half", 0)}


def test_subsets_have_all_control_edits_of_their_texts():
    made = records([("base", "", 0), ("group", "a", 1), ("group", "b", 0), ("placebo", "", 0)])
    found = numbers(made, OTHER, *measures_less(PLACEBO, FLIPS))
    assert found["flips_less_placebo",].value == 50
    assert found["flips_less_placebo", "a"].value == 100
    assert found["flips_less_placebo", "b"].value == 0
    assert found["flips_less_placebo", "a"].n == 8


def test_other_measures_count_no_control_edits_and_unedited_items_alone_if_these_are_an_arm():
    made = records([("base", "", 0), ("group", "a", 1), ("placebo", "", 1)])
    assert numbers(made, OTHER)["said_rate",].value == 0
    made = records(
        [("group", "a", 1), ("group", "b", 0), ("placebo", "", 1), ("same group", "", 1)]
    )
    assert numbers(made, OTHER)["said_rate",].value == 50


def test_each_control_is_reported_where_the_data_have_it():
    every = [m for control in CONTROLS for m in measures_less(control, FLIPS)]
    assert len({m.name for m in every}) == len(every)
    made = records([("base", "", 0), ("group", "a", 1), ("paraphrase", "", 1)])
    names = {name for name, *_ in numbers(made, *every)}
    assert names == {m.name for m in measures_less(PARAPHRASE, FLIPS)[:-1]} | {
        "flips_magnitude_less_paraphrase"
    }
    assert not numbers(records([("base", "", 0), ("group", "a", 1)]), *every)


def test_replies_to_one_edit_are_one_edit():
    made = records([("base", "", 0), ("group", "a", 1), ("placebo", "", 0)], repeats=3)
    found = numbers(made, *measures_less(PLACEBO, FLIPS))
    assert found["flips_less_placebo",].n == 8
    assert found["flips_magnitude_less_placebo",].value == pytest.approx(100)


def test_meanings_can_be_saved():
    """A limit that is not finite cannot."""
    for control in CONTROLS:
        for measure in measures_less(control, FLIPS):
            json.dumps(asdict(measure.meaning), allow_nan=False)
