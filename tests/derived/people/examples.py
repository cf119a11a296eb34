"""Made-up matrices and people for tests of alignment."""

import numpy as np

from tiltmeter.core.study_views import Matrix, MatrixSides
from tiltmeter.data.people.people import People, from_ratings
from tiltmeter.data.people.ratings import Ratings
from tiltmeter.derived.matrices.matrix import ScoreLayers, ScoreMatrix

PAIRS = tuple(f"low{i} - high{i}" for i in range(8))
GROUPS = ("sailors", "bakers", "pianists", "farmers", "poets", "clerks")
VIEW = Matrix(
    "association",
    rows="group",
    columns="pair",
    sides=MatrixSides(("left", "right")),
    layers="template",
)


def matrix(values, groups=GROUPS, pairs=PAIRS, name="mine"):
    none = np.full(np.shape(values), np.nan)
    return ScoreMatrix(
        name, tuple(groups), tuple(pairs), np.asarray(values, float), none, none, none, view=VIEW
    )


def table(values, groups=GROUPS, pairs=PAIRS, **facts):
    counts = np.full(np.shape(values), np.nan)
    return People("people", tuple(groups), tuple(pairs), np.asarray(values, float), counts, **facts)


def random_people(seed=0, annotators=12, noise=20.0):
    rng = np.random.default_rng(seed)
    truth = rng.uniform(20, 80, size=(len(GROUPS), len(PAIRS)))
    values = np.clip(truth + rng.normal(scale=noise, size=(annotators, *truth.shape)), 0, 100)
    names = tuple(f"a{i}" for i in range(annotators))
    return truth, from_ratings(Ratings(names, GROUPS, PAIRS, values.round()), name="people")


def layered(truth, rng):
    """Five noisy templates; the last says what people say of all but the first two groups."""
    layers = np.stack([truth + rng.normal(scale=60, size=truth.shape) for _ in range(5)])
    layers[4] = truth
    layers[4, :2] = -truth[:2]
    names = tuple(f"template {i}" for i in range(5))
    return ScoreLayers(
        "mine", names, ("",) * 5, GROUPS, PAIRS, np.zeros_like(layers), layers, view=VIEW
    )
