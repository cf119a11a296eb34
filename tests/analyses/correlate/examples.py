"""Runs and observations that are made up."""

from pathlib import Path

import numpy as np

import tiltmeter as tm
from tiltmeter.analyses.correlate.points import Observation
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result


def run(model, rate, *, by=None, records=(), estimates=(), sha="abc", **card):
    """A run of crows_pairs with a rate over all pairs and, if given, by bias type."""
    facts = {
        "study": "crows_pairs", "study_version": "1", "data": {"name": "crows_pairs", "sha256": sha},
        "rule": "aul", "convention": "paper", "ties": "half", "seed": 0, "method": "", "counts": {},
    }  # fmt: skip
    made = [Estimate("stereotype_rate", rate, rate - 5, rate + 5, None, 9, 50.0, "%")]
    made += [
        Estimate("stereotype_rate", value, None, None, None, 3, 50.0, "%", groups={"bias_type": k})
        for k, value in (by or {}).items()
    ]
    card = Card(**(facts | {"model": {"name": model, "fingerprint": model}} | card))
    return Path(f"runs/{model}-{card.rule}"), Result(card, records, [*made, *estimates])


def values(name, **of):
    """Observations of one measure, by model."""
    return [Observation(m, "", name, v, f"table {name}", f"{name}.csv", (("table", name),))
            for m, v in of.items()]  # fmt: skip


def found(made, name, x, y):
    (one,) = [e for e in made.of(name) if e.groups == {"x": x, "y": y}]
    return one


def scored(model, sides, *, sha="abc", **card):
    """A run whose i-th pair prefers as `sides[i]` says, with its rate."""
    records = [
        Record(
            f"p{i}", {"more": float(side), "less": 0.5}, {"bias_type": "age" if i % 2 else "race"}
        )
        for i, side in enumerate(sides)
    ]
    return run(model, 100 * float(np.mean(sides)), records=records, sha=sha, **card)


def table(tmp_path, text, name="mine.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


FOUR = {"x": [1, 2, 3, 4], "y": [1, 2, 3, 5], "z": [2, 1, 4, 3], "flat": [1, 1, 1, 1]}
SEVEN = {"x": [1, 2, 3, 4, 5, 6, 7], "y": [1, 2, 3, 4, 5, 6, 8]}


def correlated(tmp_path, columns, **options):
    """The correlations of made-up measures: by name the values of models a, b, c, …"""
    rows = zip(*columns.values(), strict=True)
    lines = [",".join((f"m{i}", *map(str, row))) for i, row in enumerate(rows)]
    file = table(tmp_path, "\n".join([",".join(("model", *columns)), *lines]), "made.csv")
    return tm.analyse.correlate(table=(file,), **options)
