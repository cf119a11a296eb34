"""The last layer of an encoder trained on the bought votes, for machines without a GPU.

What goes into the layer is computed once for each text, which is cut after 32 tokens. A training takes
seconds, so that all strategies can be simulated with several seeds in an hour.
"""

from functools import partial

from tiltmeter.active.label_distributions import LabelTraining
from tiltmeter.active.predictor import Predictor
from tiltmeter.active.predictors.finetuned import FinetunedTraining

LAST_LAYER = LabelTraining(epochs=3, batch_size=16, learning_rate=1e-3, max_tokens=32, layers=1)
PREDICTOR = Predictor(
    "Fine-tuned last layer of an encoder", partial(FinetunedTraining, how=LAST_LAYER),
    every=100, pool_sample=2_000,
)  # fmt: skip
