"""Models of label distributions by their names on the command line."""

from collections.abc import Mapping
from functools import partial

from tiltmeter.active.predictor import Predictor
from tiltmeter.active.predictors.annotators import AnnotatorTraining, check
from tiltmeter.active.predictors.finetuned import FinetunedTraining
from tiltmeter.active.predictors.softmax import SoftmaxTraining
from tiltmeter.core.errors import UnknownName
from tiltmeter.train.label_distributions import LabelTraining

LAST_LAYER = LabelTraining(epochs=3, batch_size=16, learning_rate=1e-3, max_tokens=32, layers=1)
"""For machines without a GPU: what goes into the layer is computed once for each text, which is cut after 32
tokens. A training takes seconds, so that all strategies can be simulated with several seeds in an hour."""
PREDICTORS: Mapping[str, Predictor] = {
    "softmax": Predictor("Softmax regression", SoftmaxTraining),
    "annotators": Predictor(
        "A head for each annotator", AnnotatorTraining, check=check, has_majority=False
    ),
    "finetuned": Predictor("Fine-tuned encoder", FinetunedTraining, every=100, pool_sample=2_000),
    "finetuned_top": Predictor(
        "Fine-tuned last layer of an encoder", partial(FinetunedTraining, how=LAST_LAYER),
        every=100, pool_sample=2_000,
    ),
}  # fmt: skip


def predictor_named(name: str) -> Predictor:
    """The predictor of this name; UnknownName, with the nearest names, where there is none."""
    if name not in PREDICTORS:
        raise UnknownName("predictor", name, PREDICTORS)
    return PREDICTORS[name]
