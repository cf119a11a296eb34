"""The last layer of the encoder trained on the bought votes, with a new head, for machines without a GPU.

What goes into the layer is computed once for each text. A training takes seconds, so that all strategies can
be simulated with several seeds in an hour. Texts are cut after 32 tokens.
"""

from functools import partial

from tiltmeter.active.predictor import Predictor
from tiltmeter.active.predictors.finetuned import FinetunedTraining
from tiltmeter.train.label_distributions import LabelTraining

HOW = LabelTraining(epochs=3, batch_size=16, learning_rate=1e-3, max_tokens=32, layers=1)

PREDICTOR = Predictor(
    "Fine-tuned last layer of an encoder",
    partial(FinetunedTraining, how=HOW),
    every=100,
    pool_sample=2_000,
)
