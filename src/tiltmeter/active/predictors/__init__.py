"""Models of label distributions, a file each, called as on the command line; found by `core.finder`."""

from tiltmeter.active.predictor import Predictor
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.finder import find, known

KIND = "active.predictors"


def predictor_named(name: str) -> Predictor:
    """The predictor of this name; UnknownName, with the nearest names, where there is none.

    >>> predictor_named("softmax").title
    'Softmax regression'
    """
    if name not in known(KIND):
        raise UnknownName("predictor", name, known(KIND))
    predictor: Predictor = find(KIND, name, "PREDICTOR")
    return predictor
