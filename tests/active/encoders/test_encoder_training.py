"""Options of a fine-tuning, and what they leave as it usually is."""

from tiltmeter.active.encoders.encoder_training import EncoderTraining, EncoderTrainingOptions
from tiltmeter.active.predictors.finetuned_top import LAST_LAYER


def test_the_defaults_are_the_papers():
    """Up to 50 epochs and patience 1, section 6.4.2 of the thesis; the rest is ours."""
    assert (EncoderTraining().epochs, EncoderTraining().patience) == (50, 1)


def test_only_what_is_given_changes_the_usual_training():
    assert EncoderTrainingOptions().training(LAST_LAYER) == LAST_LAYER
    given = EncoderTrainingOptions(patience=4, learning_rate=1e-4)
    assert given.given() == {"patience": 4, "learning_rate": 1e-4}
    changed = given.training(LAST_LAYER)
    assert (changed.patience, changed.learning_rate, changed.epochs, changed.layers) == (
        4, 1e-4, LAST_LAYER.epochs, 1,
    )  # fmt: skip


def test_every_option_is_one_of_the_training():
    training = EncoderTraining()
    assert all(hasattr(training, name) for name in EncoderTrainingOptions.trains())
