"""Made-up tables of scores of edited texts, for the tests of the effect minus placebo."""

import csv
from pathlib import Path

import numpy as np


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
