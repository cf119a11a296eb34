"""The options of mitigations: directions, prompts and further training."""

from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import Encoding, Option, check_options
from tiltmeter.models.opening.model_options import AllowPickle, Device, Options, Revision
from tiltmeter.train.training_config import (
    ContinuedConfig,
    Corpus,
    RandomSeed,
    new_folder,
    plain_name,
)

if TYPE_CHECKING:
    from tiltmeter.models.applied_mitigations.projection import Point

FitMethod = Literal["sentence_debias", "inlp"]
FIT_METHODS: tuple[FitMethod, ...] = ("sentence_debias", "inlp")
TrainMethod = Literal["cda", "dropout"]
TRAIN_METHODS: tuple[TrainMethod, ...] = ("cda", "dropout")
DECAY, EPSILON = 50.0, 0.01
"""How strongly words are down-weighted, and the smallest weight, by default.

The values are those of the paper on self-debias decoding and of its authors' program.
"""
Model = Annotated[
    str, Option("A folder, a hub id or a registered name.", argument=True, complete="models")
]


@dataclass(frozen=True, slots=True)
class FitConfig:
    """All options that decide which directions are fitted; equal ones give equal directions."""

    method: Annotated[
        FitMethod, Option("sentence_debias or inlp.", argument=True, choices=FIT_METHODS)
    ]
    model: Model
    attribute: Annotated[
        str, Option("gender, race, religion, profanity, or a table of your --words.")
    ]
    corpus: Corpus
    out: Annotated[str, new_folder("The new folder", "mitigations/MODEL-METHOD-ATTRIBUTE")] = ""
    words: Annotated[
        str, Option("A TOML file of defining words (default: the packaged ones).", file=True)
    ] = ""
    k: Annotated[int, Option("sentence_debias: number of directions.", letter="k", min=1)] = 1
    rounds: Annotated[int, Option("inlp: maximum number of classifiers.", min=1)] = 80
    """Each classifier is trained on states from which the directions of all before it were removed."""
    sentences: Annotated[int, Option("Maximum number of sentences from the corpus.", min=1)] = 5_000
    pooling: Annotated[
        str,
        Option(
            "How a sentence is represented: mean, start, last or word.",
            choices=("mean", "start", "last", "word"),
        ),
    ] = "mean"
    point: Annotated[
        "Point",
        Option(
            "Where directions are removed: last, or every layer.",
            typed=str,
            choices=("last", "every"),
        ),
    ] = "last"
    seed: RandomSeed = 0
    device: Device = "auto"
    encoding: Encoding = ""
    revision: Revision = None
    allow_pickle: AllowPickle = False

    def __post_init__(self) -> None:
        """Refuse values that are out of range, and unknown methods.

        Raises:
            BadInput: A number is out of range.
            UnknownName: A value is none of the choices.
        """
        check_options(self)

    @property
    def folder(self) -> Path:
        """The folder to which the directions are written."""
        folder = f"mitigations/{plain_name(self.model)}-{self.method}-{self.attribute}"
        return Path(self.out or folder)

    def opening(self) -> Options:
        """The options with which the model is opened."""
        return Options(device=self.device, revision=self.revision, allow_pickle=self.allow_pickle)


@dataclass(frozen=True, slots=True)
class PromptConfig:
    """Options of self-debias decoding: the prompts, and how strongly words are down-weighted."""

    model: Model
    attribute: Annotated[
        str, Option("Attribute of the published prompts: gender, race, religion, …")
    ]
    out: Annotated[str, new_folder("The new folder", "mitigations/MODEL-self_debias-ATTRIBUTE")] = (
        ""
    )
    prompts: Annotated[
        tuple[str, ...],
        Option("Your own prompt instead; repeatable.", name="prompt", metavar="TEXT"),
    ] = ()
    _: KW_ONLY
    decay: Annotated[float, Option("How strongly words are down-weighted.", min=0)] = DECAY
    epsilon: Annotated[float, Option("The smallest weight a word can get.", min=0, max=1)] = EPSILON

    def __post_init__(self) -> None:
        """Refuse numbers that are out of range, and empty prompts.

        Raises:
            BadInput: A number is out of range, or a prompt is empty.
        """
        check_options(self)
        if not all(text.strip() for text in self.prompts):
            raise BadInput("a prompt is empty", "leave out --prompt, or give a text")

    @property
    def folder(self) -> Path:
        """The folder to which the prompts are written."""
        folder = f"mitigations/{plain_name(self.model)}-self_debias-{self.attribute}"
        return Path(self.out or folder)


@dataclass(frozen=True, slots=True)
class RetrainConfig:
    """Options that decide the trained weights; equal ones give equal weights on the CPU of one machine."""

    method: Annotated[TrainMethod, Option("cda or dropout.", argument=True, choices=TRAIN_METHODS)]
    corpus: Corpus
    training: ContinuedConfig
    attribute: Annotated[
        str, Option("cda: gender, race, religion, or a table of your --words.")
    ] = ""
    words: Annotated[str, Option("cda: a TOML file of defining words.", file=True)] = ""
    keep_neutral: Annotated[bool, Option("cda: keep sentences without a defining word.")] = False
    """Documents then stay complete. Otherwise sentences without a defining word are left out."""
    held_out: Annotated[
        float, Option("Share of the documents held out from training.", above=0, below=1)
    ] = 0.1
    encoding: Encoding = ""

    def __post_init__(self) -> None:
        """Refuse options that the method does not have.

        Raises:
            UnknownName: There is no such method.
            BadInput: An option is missing, out of range, or belongs to the other method.
        """
        check_options(self)
        training = self.training
        if self.method == "cda":
            if not self.attribute:
                raise BadInput("cda needs an attribute whose words it swaps", "give an --attribute")
            if training.hidden_dropout is not None or training.attention_dropout is not None:
                raise BadInput(
                    "cda does not change dropout",
                    "leave the dropout options out, or use the method dropout",
                )
        elif self.attribute or self.words or self.keep_neutral:
            raise BadInput(
                "dropout is of no attribute and exchanges no words",
                "leave out --attribute, --words and --keep-neutral, or train cda",
            )

    @property
    def processes(self) -> int:
        """How many processes the training runs in."""
        return self.training.processes

    @property
    def device(self) -> str:
        """The device, as users write it."""
        return self.training.device

    def on(self, device: str) -> "RetrainConfig":
        """The configuration for a training on this device."""
        return replace(self, training=self.training.on(device))

    @property
    def folder(self) -> Path:
        """The folder of the checkpoint, in which a training that was stopped is continued."""
        words = (plain_name(self.training.model), self.method, self.attribute)
        return Path(self.training.out or f"mitigations/{'-'.join(filter(None, words))}")
