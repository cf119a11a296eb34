"""What the settings of a run mean for its predictors: what they usually do, and what does not go together."""

from dataclasses import replace
from typing import TypeVar

from tiltmeter.active.encoders.encoder_training import EncoderTraining, check_encoder
from tiltmeter.active.entropy_predictors import entropy_predictor_named
from tiltmeter.active.predictors import predictor_named
from tiltmeter.active.settings import LoopSettings
from tiltmeter.core.errors import BadInput

Settings = TypeVar("Settings", bound=LoopSettings)


def entropy_predictor_of(settings: LoopSettings) -> str:
    """The name of the predictor of human entropy: the one given, or the usual one beside the predictor."""
    return settings.entropy_predictor or predictor_named(settings.predictor).entropy_predictor


def encoder_training_of(settings: LoopSettings) -> EncoderTraining:
    """How the encoder is trained: as the predictor usually does it, with the options that were given."""
    usual = predictor_named(settings.predictor).encoder_training or EncoderTraining()
    return replace(settings.training(usual), pooling=settings.pooling)


def trained_by(settings: LoopSettings) -> str:
    """The option because of which the encoder is trained; "" where its vectors are frozen."""
    if predictor_named(settings.predictor).encoder_training:
        return f"--predictor {settings.predictor}"
    name = entropy_predictor_of(settings)
    return f"--entropy-predictor {name}" if name == "finetuned" else ""


def needs_features(settings: LoopSettings) -> bool:
    """Whether anything reads frozen vectors of the texts."""
    reads_them = predictor_named(settings.predictor).encoder_training is None
    return reads_them or entropy_predictor_of(settings) == "ridge" or settings.whom != "at_random"


def settled(settings: Settings, every: int | None, pool_sample: int | None = None) -> Settings:
    """The settings with what their predictor usually does wherever nothing was given.

    Args:
        settings: As the user gave them.
        every: Votes between two trainings, if given.
        pool_sample: Items that a round considers, if given.

    Raises:
        BadInput: An option is for the training of an encoder, and none is trained; or the encoder cannot do
            what it is needed for.
        UnknownName: There is no such predictor, predictor of human entropy or model.
    """
    predictor = predictor_named(settings.predictor)
    entropy_predictor_named(entropy_predictor_of(settings))
    training = trained_by(settings)
    given = [f"--{name.replace('_', '-')}" for name in settings.given()]
    if given and not training:
        raise BadInput(
            f"{', '.join(given)}: --predictor {settings.predictor} reads frozen vectors, and no encoder is "
            "trained",
            "leave it out, or use --predictor finetuned",
        )
    check_encoder(settings.encoder, settings.pooling, training)
    how = encoder_training_of(settings)
    known = {name: getattr(how, name) for name in settings.trains()} if training else {}
    return replace(
        settings,
        every=every or predictor.every,
        pool_sample=predictor.pool_sample if pool_sample is None else pool_sample,
        entropy_predictor=entropy_predictor_of(settings),
        **known,
    )
