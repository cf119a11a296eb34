"""The last layer of an encoder trained on the bought votes, for machines without a GPU.

What goes into the layer is computed once for each text, which is cut after 32 tokens. A training takes
seconds, so that all strategies can be simulated with several seeds in an hour.
"""

from tiltmeter.active.encoders.encoder_training import EncoderTraining
from tiltmeter.active.predictor import Predictor
from tiltmeter.active.predictors.finetuned import FinetunedTraining

LAST_LAYER = EncoderTraining(epochs=3, patience=2, learning_rate=1e-3, max_tokens=32, layers=1)
PREDICTOR = Predictor(
    "Fine-tuned last layer of an encoder", FinetunedTraining, every=100, pool_sample=2_000,
    encoder_training=LAST_LAYER,
)  # fmt: skip
