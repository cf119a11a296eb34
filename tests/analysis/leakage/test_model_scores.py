"""A run's scores as cells of a language: they are the run's own estimates."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.analysis.leakage.model_scores import model_cells
from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.models import fake
from tiltmeter.run.choosing import choose
from tiltmeter.run.measure import measure

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
