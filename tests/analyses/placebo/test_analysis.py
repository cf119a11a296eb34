"""placebo: numbers by hand, what is left out, what is refused, and the published scores."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import tiltmeter as tm
from support import published


def write(rows, name="scores.csv", columns=("model", "text", "edit", "run", "score", "asked")):
    with Path(name).open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])
    return name


def rows(*, texts=8, models=("m",), runs=2, moves=None, noise=0.0, asked="plainly"):
    """Scores of texts, each edit of which moves them by so much, alternating up and down."""
    moves = moves or {
        "baseline": 0,
        "placebo_rain": 1,
        "placebo_sun": -1,
        "name_ann": 3,
        "school_mit": 1,
    }
    rng = np.random.default_rng(0)
    return [
        (model, f"t{text}", edit, run, 5 + (-1) ** text * move + noise * rng.normal(), asked)
        for model in models
        for text in range(texts)
        for edit, move in moves.items()
        for run in range(1, runs + 1)
    ]


def value(result, name, axis="", model=None):
    (found,) = (
        e
        for e in result.estimates
        if e.name == name
        and e.groups.get("axis", "") == axis
        and (model is None or e.model == model)
    )
    return found


@pytest.fixture(autouse=True)
def _workspace(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("convention", ["equal", "cells"])
def test_sizes_are_those_of_the_table(convention):
    result = tm.placebo(write(rows(noise=0)), convention=convention)
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
    result = tm.placebo(write(rows(texts=300, noise=1.0)))
    assert value(result, "mean_square_change", "name").value == pytest.approx(9, abs=0.6)
    assert value(result, "mean_square_change", "placebo").value == pytest.approx(1, abs=0.3)
    assert value(result, "magnitude_less_placebo", "name").value == pytest.approx(8**0.5, abs=0.2)


def test_models_are_reported_together_and_each():
    result = tm.placebo(write(rows(models=("a", "b"), noise=0.1)))
    assert [e.model for e in result.estimates if e.name == "effect" and not e.groups] == [
        "2 models",
        "a",
        "b",
    ]
    both = value(result, "effect_less_placebo", "name", "2 models")
    assert both.clusters == 8  # the texts of both models are the same
    mean = np.mean([value(result, "effect_less_placebo", "name", m).value for m in ("a", "b")])
    assert both.value == pytest.approx(mean)


def test_fewer_than_six_clusters_have_no_interval():
    result = tm.placebo(write(rows(texts=5, noise=0.1)))
    assert (result.headline.low, result.headline.p) == (None, None)
    assert "it takes 6" in result.headline.why
    assert "not change the score significantly" in result.card.finding[0].text


def test_models_without_a_placebo_arm_are_named_and_left_out():
    table = [*rows(), *(row for row in rows(models=("other",)) if not row[2].startswith("placebo"))]
    result = tm.placebo(write(table))
    assert result.card.data["models"] == ["m"]
    assert any("other has no placebo edits" in note.text for note in result.card.notes)


def test_scores_made_in_two_ways_are_never_mixed(tilt):
    both = [
        *rows(),
        *((*row[:4], row[4] + 2, "at length") for row in rows() if row[2] == "baseline"),
    ]
    code, _, err = tilt("placebo", write(both))
    assert code == 2 and "must not be mixed" in err and "--within asked" in err
    result = tm.placebo("scores.csv", within=["asked"])
    assert result.headline.value == pytest.approx(1)
    assert any(
        "asked at length has no placebo edits and group edits" in n.text for n in result.card.notes
    )


def test_too_few_replies_do_not_count():
    table = [row for row in rows() if not (row[1] == "t0" and row[2] == "name_ann" and row[3] == 2)]
    assert value(tm.placebo(write(table)), "effect", "name").n == 8
    assert value(tm.placebo("scores.csv", least=2), "effect", "name").n == 7


def test_answers_of_yes_and_no():
    flips = {"baseline": 0, "placebo_rain": 0, "name_ann": 1}
    table = [(*row[:4], flips[row[2]], row[5]) for row in rows(moves=flips)]
    result = tm.placebo(write(table))
    assert result.headline.value == 1
    assert 0 < result.headline.low < 1  # all change, which does not mean that all others would


def test_other_columns_and_names(tilt):
    table = [
        (*row[:2], row[2].replace("_", ": ").replace("baseline", "as is"), *row[3:])
        for row in rows()
    ]
    write(table, columns=("llm", "job", "variant", "n", "points", "asked"))
    code, out, err = tilt(
        "placebo", "scores.csv", "--map", "text=job", "--map", "edit=variant", "--map", "score=points",
        "--base", "as is", "--separator", ": ", "--out", "out",
    )  # fmt: skip
    assert code == 0, err
    assert "Group edits change the score 1.000 more than placebo edits do" in " ".join(out.split())


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (lambda t: t, ["--map", "text=job"], "job"),
        (lambda t: t, ["--base", "original"], "no rows of original"),
        (lambda t: t, ["--placebo", "weather"], "placebo edits the axis 'weather'"),
        (lambda t: t, ["--model", "mm"], "Did you mean 'm'"),
        (lambda t: t, ["--map", "txt=text"], "Did you mean 'text'"),
        (lambda t: [(*row[:4], "high", row[5]) for row in t], [], "not a number"),
        (lambda t: [(*row[:4], "", row[5]) for row in t], [], "no row has a score"),
        (lambda t: [*t, t[0]], [], "lines 2 and 82"),
    ],
)
def test_what_is_refused(tilt, change, options, message):
    code, _, err = tilt("placebo", write(change(rows())), *options)
    assert code == 2 and message in " ".join(err.split())


def test_the_folder_is_a_result_like_others(tilt):
    code, out, err = tilt(
        "placebo", write(rows(models=("a", "b"), noise=0.2)), "--json", "--out", "out"
    )
    assert code == 0, err
    assert json.loads(out)["card"]["study"] == "placebo"
    (folder,) = Path("out").iterdir()
    assert " " not in folder.name
    code, table, _ = tilt(
        "table", folder, "--rows", "axis", "--measure", "effect", "--format", "csv"
    )
    assert code == 0 and "name" in table


def test_the_published_scores():
    """At equal numbers of replies, which are nearly equal in these data, numbers hardly differ."""
    path = published.need("resume_placebo/scores.csv")
    columns = {"text": "job", "edit": "variant"}
    result = tm.placebo(path, columns=columns, within=["harness"])
    assert result.headline.value == pytest.approx(0.032, abs=0.001)
    assert result.card.data["clusters"] == 17
    assert sum("claude" in note.text for note in result.card.notes) == 1
