"""Made-up scores of intersectional groups and of their components."""

from dataclasses import replace

import numpy as np

import tiltmeter as tm
from tiltmeter.analyses.intersections import analysis
from tiltmeter.analyses.intersections.components import component_scores
from tiltmeter.core.results import Card, Result
from tiltmeter.derived.matrices.matrix import ScoreLayers
from tiltmeter.studies.group_traits.study import STUDY

(VIEW,) = STUDY.views
PAIRS = ("poor - rich", "weak - strong", "cold - warm", "dull - keen")
DIMENSIONS = ("agency", "agency", "communion", "beliefs")
SINGLE = ("man", "woman", "tall", "short")
DOMAINS = ("gender", "gender", "height", "height")
CROSSED = {
    "tall man": ("tall", "man"),
    "male tall person": ("man", "tall"),
    "tall woman": ("tall", "woman"),
    "female tall person": ("woman", "tall"),
    "short woman": ("short", "woman"),
}


def layers(values, *, templates=("a", "b", "c"), names=None, more=None):
    """Scores of poles by group, (templates, poles) or (poles,), as layers."""
    names = tuple(names or values)
    shape = (len(templates), 2 * len(PAIRS))
    scores = np.stack([np.broadcast_to(values[name], shape) for name in names], axis=1)
    parts = tuple((CROSSED | (more or {})).get(name, ("", "")) for name in names)
    domains = tuple(
        dict(zip(SINGLE, DOMAINS, strict=True)).get(name, "height × gender") for name in names
    )
    n = len(PAIRS)
    return ScoreLayers(
        "m", tuple(templates), ("",) * len(templates), names, PAIRS,
        scores[:, :, :n], scores[:, :, n:], domains, DIMENSIONS, parts, VIEW,
    )  # fmt: skip


def random_scores(seed=0, templates=3):
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=(templates, 8)) for name in (*SINGLE, *CROSSED)}


def pair_scores(values):
    return values.mean(axis=0)[4:] - values.mean(axis=0)[:4]


def rising(values):
    """Pair scores in this order: left poles 0."""
    return np.array([0, 0, 0, 0, *values], dtype=float)


def like():
    """Parts with opposite orders of traits; crossed groups like the part said second."""
    up, down = rising([1, 2, 3, 4]), rising([4, 3, 2, 1])
    values = {"man": up, "woman": up, "tall": down, "short": down}
    return values | {name: values[parts[1]] for name, parts in CROSSED.items()}


CARD = Card(
    study="group_traits", study_version="1", model={"name": "m", "fingerprint": "f"},
    data={"name": "d", "sha256": "s"}, rule="set", convention="paper", ties="half", seed=0, method="",
    counts={"scored": 0}, views=(VIEW,),
)  # fmt: skip


def analysed(monkeypatch, scores, **changes):
    """The result on made-up scores of intersectional groups."""
    made = replace(component_scores([layers(scores)]), **changes)
    monkeypatch.setattr(analysis, "scores_of_runs", lambda _: made)
    return tm.analyse.intersections([Result(CARD, [], [])])
