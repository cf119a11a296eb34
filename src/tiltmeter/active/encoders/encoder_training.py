"""How an encoder is trained on votes: the options that users give, and which encoders can be trained."""

from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, Final

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import CheckedOptions, Option

POOLINGS: Final = ("mean", "start")
"""How the token states of a text become one vector: their mean, special tokens included, or the state of the
special token before the text."""
TRAINABLE: Final = ("encoder", "masked")
"""Kinds of models whose trunk is trained: of a masked model, the layers below its vocabulary head."""
PRECISIONS: Final = ("float32", "bfloat16")
"""The precisions of the other trainings, which not every installation has."""
TF_IDF: Final = "tf-idf"
"""The features that are computed from the words of the texts alone."""


@dataclass(frozen=True, slots=True)
class EncoderTraining:
    """How an encoder is trained.

    Epochs and patience are by default those of the DAAL paper (Baumler et al. 2023), which gives neither a
    learning rate nor a batch size.
    """

    epochs: int = 50
    """Passes over the learned texts after which training ends, even if the held-out loss still falls."""
    patience: int = 1
    """Epochs without a lower held-out loss after which it stops."""
    learning_rate: float = 5e-5
    """The highest learning rate: it rises in the first tenth of the steps, then falls to 0."""
    batch_size: int = 16
    """Texts that one step learns from."""
    max_tokens: int = 128
    """The maximum number of tokens of a text; longer ones are cut."""
    precision: str = "float32"
    """In which products of matrices are computed; weights are always float32."""
    pooling: str = "mean"
    layers: int = 0
    """Upper layers that are trained, with a head; 0 for the whole encoder. What goes into them is computed
    once for each text and kept: tokens × width × 4 bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderTrainingOptions(CheckedOptions):
    """What users may say of the training of an encoder; None is what the predictor usually does."""

    epochs: Annotated[
        int | None,
        Option("Maximum number of epochs of fine-tuning (default 50; finetuned_top: 3).", min=1),
    ] = None
    patience: Annotated[
        int | None,
        Option(
            "Stop fine-tuning after this many epochs without a lower held-out loss (default 1; "
            "finetuned_top: 2; predictor of human entropy: always 5).",
            min=1,
        ),
    ] = None
    learning_rate: Annotated[
        float | None,
        Option(
            "Peak learning rate of fine-tuning (default 5e-5; finetuned_top: 1e-3).",
            above=0,
            below=1,
        ),
    ] = None
    batch_size: Annotated[
        int | None, Option("Texts per step of fine-tuning (default 16).", min=1)
    ] = None
    max_tokens: Annotated[
        int | None,
        Option(
            "Maximum number of tokens read from a text (default 128; finetuned_top: 32).", min=4
        ),
    ] = None
    precision: Annotated[
        str | None,
        Option(
            "Fine-tune in float32, or bfloat16 for mixed precision (default float32).",
            choices=PRECISIONS, noun="precision to train in",
        ),
    ] = None  # fmt: skip

    @staticmethod
    def trains() -> tuple[str, ...]:
        """The names of these options."""
        return tuple(field.name for field in fields(EncoderTrainingOptions))

    def given(self) -> dict[str, Any]:
        """The options that have a value, by name."""
        values = {name: getattr(self, name) for name in self.trains()}
        return {name: value for name, value in values.items() if value is not None}

    def training(self, usual: EncoderTraining) -> EncoderTraining:
        """The usual training with these options."""
        return replace(usual, **self.given())


def check_encoder(encoder: str, pooling: str, trained_by: str) -> None:
    """Raise an error if an encoder cannot do what is needed, judging by its configuration alone.

    Args:
        encoder: A name, folder or hub id, or tf-idf.
        pooling: One of `POOLINGS`.
        trained_by: The option with which it is to be trained, for the error; "" if its vectors are frozen.

    Raises:
        BadInput: It cannot be trained, or gives no such vectors.
        MissingExtra: The libraries for its training are not installed.
        UnknownName: There is no such model.
    """
    from tiltmeter.core.model.protocols import EmbedsStart, EmbedsTokens  # noqa: PLC0415
    from tiltmeter.models.opening.model_kinds import need_hf  # noqa: PLC0415 (help pages need no models)
    from tiltmeter.models.opening.open_model import resolve  # noqa: PLC0415

    way_out = "name a sentence encoder or a masked model with --encoder"
    if encoder == TF_IDF:
        if trained_by:
            raise BadInput(f"{trained_by} trains an encoder, and {TF_IDF} is none", way_out)
        if pooling != "mean":
            raise BadInput(f"--pooling {pooling} is for encoders, and {TF_IDF} has no tokens' states",
                           "leave out --pooling")  # fmt: skip
        return
    if trained_by:
        need_hf()
    model = resolve(encoder)
    if trained_by and model.scheme not in TRAINABLE:
        reason = f"{trained_by} trains an encoder, and {encoder} is a model of kind {model.scheme}"
        raise BadInput(reason, way_out)
    if EmbedsTokens not in model.answers:
        reason = f"{encoder} is a model of kind {model.scheme}, which has no vectors of texts"
        raise BadInput(reason, f"{way_out}, or use {TF_IDF}")
    if pooling == "start" and EmbedsStart not in model.answers:
        raise BadInput(f"{encoder} puts no start token before a text", "use --pooling mean")
