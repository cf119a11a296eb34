"""Numbers of the placebo analysis by hand: sizes, squares without noise, models, answers of yes and no."""

import numpy as np
import pytest

import tiltmeter as tm
from support.edit_scores import rows, value, write


@pytest.fixture(autouse=True)
def _workspace(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("convention", ["equal", "cells"])
def test_sizes_are_those_of_the_table(convention):
    result = tm.analyse.placebo(write(rows(noise=0)), convention=convention)
    assert result.headline.name == "effect_less_placebo"
    assert result.headline.value == pytest.approx(1)  # (3 + 1) / 2 less 1
    assert value(result, "effect", "name").value == pytest.approx(3)
    assert value(result, "effect_less_placebo", "name").value == pytest.approx(2)
    assert value(result, "effect_less_placebo", "school").value == pytest.approx(0)
    assert value(result, "share_of_placebo", "name").value == pytest.approx(100 / 3)
    assert value(result, "effect", "placebo").value == pytest.approx(1)
    assert value(result, "mean_square_change", "name").value == pytest.approx(9)
    assert value(result, "mean_change", "name").value == pytest.approx(0)
    assert value(result, "effect", "placebo").n == 16


def test_noise_is_taken_off_squares():
    result = tm.analyse.placebo(write(rows(texts=300, noise=1.0)))
    assert value(result, "mean_square_change", "name").value == pytest.approx(9, abs=0.6)
    assert value(result, "mean_square_change", "placebo").value == pytest.approx(1, abs=0.3)
    assert value(result, "magnitude_less_placebo", "name").value == pytest.approx(8**0.5, abs=0.2)


def test_models_are_reported_together_and_each():
    result = tm.analyse.placebo(write(rows(models=("a", "b"), noise=0.1)))
    assert [e.model for e in result.estimates if e.name == "effect" and not e.groups] == [
        "2 models",
        "a",
        "b",
    ]
    both = value(result, "effect_less_placebo", "name", "2 models")
    assert both.clusters == 8  # the texts of both models are the same
    mean = np.mean([value(result, "effect_less_placebo", "name", m).value for m in ("a", "b")])
    assert both.value == pytest.approx(mean)


def test_too_few_replies_do_not_count():
    table = [row for row in rows() if not (row[1] == "t0" and row[2] == "name_ann" and row[3] == 2)]
    assert value(tm.analyse.placebo(write(table)), "effect", "name").n == 8
    assert value(tm.analyse.placebo("scores.csv", min_replies=2), "effect", "name").n == 7


def test_answers_of_yes_and_no():
    flips = {"baseline": 0, "placebo_rain": 0, "name_ann": 1}
    table = [(*row[:4], flips[row[2]], row[5]) for row in rows(moves=flips)]
    result = tm.analyse.placebo(write(table))
    assert result.headline.value == 1
    assert 0 < result.headline.low < 1  # all change, which does not mean that all others would


def test_without_enough_replies_there_are_no_numbers_and_the_reason():
    result = tm.analyse.placebo(write(rows(runs=2)), min_replies=3)
    assert [
        e.value for e in result.estimates if e.name in {"effect_less_placebo", "mean_change"}
    ] == [None] * 8
    assert all(e.why for e in result.estimates)
    assert "There is no effect minus placebo" in result.card.finding[0].text
