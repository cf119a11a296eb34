"""The options of each kind of training, and what follows from them."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import KW_ONLY, asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import Encoding, Option, SkipInvalid, check_options
from tiltmeter.train.step_options import StepOptions
from tiltmeter.train.steps import Plan

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from tiltmeter.data.texts.inference_pairs import PairKind

Number = TypeVar("Number", int, float)
USUAL_STEPS = 200
"""How many steps a language model is trained further, unless steps or epochs are given."""
SHARES = (0.4, 0.3, 0.3)
"""Shares of the texts for training, validation and test, as in Elsafoury 2023, section 6."""
PLACES = frozenset(
    {
        "model",
        "data",
        "corpus",
        "out",
        "device",
        "revision",
        "allow_pickle",
        "encoding",
        "at_once",
        "processes",
    }
)
"""Options that say where things are and how they are opened and computed.

The trained weights do not depend on them, beyond rounding and the random numbers of dropout.
"""
Corpus = Annotated[
    str,
    Option(
        "Running text: .txt, .tokens or .jsonl, also .gz, a folder, hf:OWNER/NAME/FILE@REVISION, sst, "
        "imdb.",
        file=True,
    ),
]
RandomSeed = Annotated[int, Option("Random seed.", min=0)]


def _opened(kinds: str) -> Option:
    what = f"{kinds} model: a folder, a hub id or a registered name."
    return Option(what, argument=True, complete="models")


def new_folder(what: str, default: str) -> Option:
    """The option for the folder that is written; its help names the default, built from other options."""
    return Option(f"{what} (default: {default}).", metavar="FOLDER")


def plain_name(model: str) -> str:
    """A name for a folder: the last part of a model's name or path, without its kind.

    >>> plain_name("masked:models/bert/")
    'bert'
    """
    return Path(model.rpartition(":")[2]).expanduser().resolve().name or "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairConfig(StepOptions):
    """Options of a training on pairs of texts, some of which are held out."""

    epochs: int
    held_out: Annotated[
        float,
        Option("Share of the documents or premises held out from training.", above=0, below=1),
    ] = 0.1
    pairs: Annotated[
        int | None, Option("Maximum number of pairs, including held-out ones.", min=4)
    ] = None
    seed: RandomSeed = 0
    encoding: Encoding = ""


@dataclass(frozen=True, slots=True)
class NextSentenceConfig(PairConfig):
    """What a next-sentence head is trained on, and with which options."""

    model: Annotated[str, _opened("A masked, causal or permutation")]
    corpus: Corpus
    out: Annotated[str, new_folder("The head's folder", "heads/MODEL-next")] = ""
    _: KW_ONLY
    epochs: int = 3
    batch_size: int = 32
    learning_rate: float = 1e-5
    max_tokens: Annotated[
        int,
        Option(
            "Maximum number of tokens in a pair; in longer ones, the longer sentence is cut.", min=8
        ),
    ] = 256
    patience: int | None = 3
    freeze: Annotated[bool, Option("Train only the head and leave the model unchanged.")] = False

    @property
    def folder(self) -> Path:
        """The folder of the head, in which a training that was stopped is continued."""
        return Path(self.out or f"heads/{plain_name(self.model)}-next").expanduser()


@dataclass(frozen=True, slots=True)
class InferenceConfig(PairConfig):
    """What a model that writes hypotheses is trained on, and with which options."""

    model: Annotated[str, _opened("A causal or seq2seq")]
    data: Annotated[
        str,
        Option(
            "A table: premise, hypothesis, label (nli); event, relation, tail (if-then); or snli, "
            "multinli, atomic.",
            file=True,
        ),
    ]
    pair_kind: Annotated[
        "PairKind",
        Option("nli or if-then.", typed=str, choices=("nli", "if-then"), noun="kind of pairs"),
    ]
    out: Annotated[str, new_folder("The new folder", "generators/MODEL-KIND")] = ""
    _: KW_ONLY
    relations: Annotated[
        tuple[str, ...],
        Option(
            "A relation to learn, with its words if they are your own; repeatable (default: "
            "neutral for nli, all in the data for if-then).",
            name="relation", metavar="NAME[=WORDS]",
        ),
    ] = ()  # fmt: skip
    epochs: int = 4
    batch_size: int = 16
    learning_rate: float = 5e-5
    max_tokens: Annotated[
        int, Option("Maximum number of tokens in a pair; longer ones are left out.", min=8)
    ] = 96
    patience: int | None = 2

    @property
    def folder(self) -> Path:
        """The folder of the checkpoint, in which a training that was stopped is continued."""
        folder = f"generators/{plain_name(self.model)}-{self.pair_kind}"
        return Path(self.out or folder).expanduser()


@dataclass(frozen=True, slots=True)
class ContinuedConfig(StepOptions):
    """How a language model is trained further; the caller provides the texts."""

    model: Annotated[str, _opened("A masked or causal")]
    out: Annotated[str, new_folder("The new folder", "mitigations/MODEL-METHOD[-ATTRIBUTE]")] = ""
    _: KW_ONLY
    steps: Annotated[
        int | None, Option("Training steps (default: 200, unless --epochs is given).", min=1)
    ] = None
    epochs: int | None = None
    batch_size: int = 16
    max_tokens: Annotated[
        int, Option("Maximum number of tokens in an example, a row of text.", min=8)
    ] = 128
    learning_rate: float = 5e-5
    patience: Annotated[
        int | None,
        Option(
            "Stop after this many evaluations without a lower loss, and keep the weights with the "
            "lowest (default: keep the last).", min=1,
        ),
    ] = None  # fmt: skip
    evaluate_every: Annotated[
        int | None,
        Option(
            "Steps between evaluations (default: one epoch with --patience, otherwise before the first "
            "and after the last).", min=1,
        ),
    ] = None  # fmt: skip
    checkpoint_every: int = 50
    seed: RandomSeed = 0
    raise_dropout: bool = False
    """Whether dropout is raised above the rate in the model's configuration."""
    hidden_dropout: Annotated[
        float | None,
        Option("dropout: rate for hidden states (default: the published value).", min=0, below=1),
    ] = None
    attention_dropout: Annotated[
        float | None,
        Option("dropout: rate for attention (default: the published value).", min=0, below=1),
    ] = None

    def __post_init__(self) -> None:
        """Refuse values that are out of range, and two lengths of the training.

        Raises:
            BadInput: A number is out of range, or both steps and epochs are given.
            UnknownName: The model cannot be trained in this precision.
        """
        check_options(self)
        if self.steps is not None and self.epochs is not None:
            raise BadInput("the training has both steps and epochs", "give --steps or --epochs")

    def further_plan(self, per_epoch: int) -> Plan:
        """The plan of a training with `per_epoch` steps in an epoch.

        Without patience all steps are made and the last weights are kept.

        Raises:
            BadInput: There are no fewer warm-up steps than steps.
        """
        steps = self.steps or (None if self.epochs else USUAL_STEPS)
        plan = self.plan(per_epoch, steps=steps, first_look=True)
        if self.patience is not None:
            return plan
        every = self.evaluate_every or plan.steps
        return replace(plan, patience=None, evaluate_every=every)


def _numbers(
    kind: Callable[[str], Number], option: str, what: str, example: str, text: str
) -> tuple[Number, ...]:
    with suppress(ValueError):
        if "_" not in text:  # Python takes 1_0 for 10
            return tuple(kind(part) for part in text.split(","))
    raise BadInput(f"{option} is {text!r}", f"write {what} with commas: {example}")


_SEEDS = partial(_numbers, int, "--seeds", "whole numbers", "0,1,2")
_SHARES = partial(_numbers, float, "--shares", "numbers", "0.4,0.3,0.3")


@dataclass(frozen=True, slots=True)
class ClassifierConfig(StepOptions):
    """All options that decide a classifier's weights, with the defaults of Elsafoury 2023, section 6."""

    model: Annotated[
        str,
        Option(
            "A masked, causal, permutation or seq2seq model, an encoder, or mitigated:FOLDER.",
            argument=True, complete="models",
        ),
    ]  # fmt: skip
    data: Annotated[str, Option("A registered set of labelled texts, or a table.", metavar="FILE")]
    out: Annotated[str, new_folder("Folder", "classifiers/MODEL-DATA")] = ""
    positive: Annotated[str, Option("The label that is positive; several with + between them.")] = (
        ""
    )
    cleaning: Annotated[str, Option("elsafoury2021, none, or a TOML file of yours.")] = (
        "elsafoury2021"
    )
    _: KW_ONLY
    seeds: Annotated[
        tuple[int, ...], Option("Seeds of the trainings (default 0,1,2).", typed=str, parse=_SEEDS)
    ] = (0, 1, 2)
    shares: Annotated[
        tuple[float, ...],
        Option(
            "Shares to train on, to validate on and to test on (default 0.4,0.3,0.3).",
            typed=str, parse=_SHARES,
        ),
    ] = SHARES  # fmt: skip
    split_seed: Annotated[int, Option("Seed of the split.", min=0)] = 0
    epochs: int = 3
    batch_size: int = 32
    learning_rate: float = 2e-5
    max_tokens: int = 61
    patience: Annotated[
        int | None,
        Option(
            "Stop after this many evaluations without a lower loss (default: train all epochs and keep "
            "the best).", min=1,
        ),
    ] = None  # fmt: skip
    limit: Annotated[int | None, Option("Use a random sample of this many texts.", min=9)] = None
    encoding: Encoding = ""
    skip_invalid: SkipInvalid = False

    def __post_init__(self) -> None:
        """Refuse values that cannot be used for a training.

        Raises:
            BadInput: A number is out of range, or the seeds are not different whole numbers from 0.
        """
        check_options(self)
        if not self.seeds or len(set(self.seeds)) < len(self.seeds) or min(self.seeds) < 0:
            raise BadInput(
                f"the seeds are {self.seeds}", "give different whole numbers from 0: 0,1,2"
            )

    @property
    def folder(self) -> Path:
        """The folder of the checkpoints, which has one folder inside for each seed."""
        folder = f"classifiers/{plain_name(self.model)}-{Path(self.data).stem}"
        return Path(self.out or folder).expanduser()


def chosen_settings(config: "DataclassInstance", *without: str) -> dict[str, Any]:
    """The options of a training on which its weights depend, without those in PLACES and in `without`.

    They are stored with the result, to tell whether a folder belongs to the same training.
    """
    return {k: v for k, v in asdict(config).items() if k not in PLACES and k not in without}


def most_tokens(wanted: int, model: Any, tokenizer: Any) -> int:
    """The greatest number of tokens in an example: `wanted`, or what the model reads if that is less."""
    from tiltmeter.models.opening import hf

    longest = hf.longest(model, tokenizer)
    return wanted if longest is None else min(wanted, longest)
