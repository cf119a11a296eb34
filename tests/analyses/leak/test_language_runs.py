"""Runs in several languages: what must be alike, and what is noted."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from support.leakage_runs import write_run
from tiltmeter.analyses.leak.language_runs import (
    check_alike,
    model_cells,
    read_language_runs,
    run_notes,
)
from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.models import fake
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return read_language_runs([write_run(folder / language, language) for language in ("en", "ru")])


def changed(run, **card):
    return replace(run, result=replace(run.result, card=replace(run.card, **card)))


def test_runs_know_their_language_and_dimensions(runs):
    assert [run.language for run in runs] == ["en", "ru"]
    dimensions = runs[1].dimensions()
    assert dimensions["cold - warm"] == "communion" and len(dimensions) == 16
    with pytest.raises(BadInput, match="its language is en, as that of"):
        read_language_runs([Path(runs[0].path)] * 2)
    (in_memory,) = read_language_runs([runs[0].result])
    assert (in_memory.language, in_memory.result) == ("en", runs[0].result)


def test_runs_must_be_alike(runs):
    check_alike(runs)
    for what, card in {
        "models": {"model": {"name": "other"}},
        "studies": {"study": "other"},
        "rules": {"rule": "other"},
        "conventions": {"convention": "other"},
    }.items():
        with pytest.raises(BadInput, match=f"these are runs of different {what}: .*, other; give"):
            check_alike([runs[0], changed(runs[1], **card)])


def test_other_settings_are_noted(runs):
    """Templates are words of a language; a margin is not."""
    assert run_notes(runs) == []
    other = changed(runs[1], settings={**runs[1].card.settings, "margin": "2"})
    assert run_notes([runs[0], other]) == ["The runs differ in the setting margin (en: 1, ru: 2)."]
    (note,) = run_notes(runs, "cao2023_code")
    assert note.startswith("The runs were made under the convention paper.")


STUDY = find("studies", "group_traits", "STUDY")


@pytest.fixture(scope="module")
def result():
    model = fake.load("")
    chosen = choose(STUDY, fake.answers(""), model="fake")
    settings = {**chosen.settings, "groups": "woman", "templates": "[group]是更[trait]。"}
    data = STUDY.load("leakage_zh", settings=settings)
    return measure(STUDY, model, data, chosen=replace(chosen, settings=settings))


def test_poles_are_the_estimates_of_each_side(result):
    cells = model_cells(result)
    assert (cells.name, cells.groups, len(cells.columns)) == ("zh", ("woman",), 32)
    assert cells.columns[:2] == ("powerless", "powerful")
    found = {e.name: e.value for e in result.estimates if e.groups.get("pair") == "cold - warm"
             and "group" in e.groups}  # fmt: skip
    place = cells.columns.index("cold")
    expected = [found["left_pole"], found["right_pole"]]
    assert cells.values[0, place : place + 2].tolist() == expected
    pairs = model_cells(result, unit="pairs")
    assert pairs.values[0, pairs.columns.index("cold - warm")] == found["association"]
    assert np.diff(expected) == pytest.approx([found["association"]])


def test_the_language_must_be_known(result):
    data = {key: value for key, value in result.card.data.items() if key != "language"}
    silent = replace(result, card=replace(result.card, data=data))
    with pytest.raises(BadInput, match="nothing says the language of this run of group_traits"):
        model_cells(silent)
    assert model_cells(silent, language="ru").name == "ru"
