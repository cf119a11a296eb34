"""Predictors of human entropy, a file each, called as on the command line; found by `core.finder`."""

from tiltmeter.active.human_entropy import TrainsEntropy
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.finder import find, known

KIND = "active.entropy_predictors"


def entropy_predictor_named(name: str) -> TrainsEntropy:
    """What trains the predictor of this name; UnknownName, with the nearest names, where there is none."""
    if name not in known(KIND):
        raise UnknownName("predictor of human entropy", name, known(KIND))
    train: TrainsEntropy = find(KIND, name, "ENTROPY_PREDICTOR")
    return train
