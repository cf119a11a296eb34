"""What trainings are told in the same way, and what follows from it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.model_options import Options
from tiltmeter.train.steps import Plan, warming_up

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

TRAINABLE = ("float32", "bfloat16")
"""In float16 small gradients vanish."""
LEAST: Mapping[str, int] = {
    "epochs": 1, "steps": 1, "batch_size": 1, "max_tokens": 8, "patience": 1, "checkpoint_every": 1,
    "evaluate_every": 1, "warm_up": 0, "pairs": 4, "at_once": 1, "seed": 0,
}  # fmt: skip
"""Of numbers that a configuration may hold, by name."""
PLACES = frozenset(
    {"model", "data", "corpus", "out", "device", "revision", "allow_pickle", "encoding"}
)
"""Where things are and how they are read: the weights do not depend on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingConfig:
    """How a language model is trained: each kind of training has defaults of its own."""

    batch_size: int
    """Examples that one step learns from."""
    max_tokens: int
    """Of an example. At most what the model reads."""
    learning_rate: float
    warm_up: int | None = None
    """Steps; None: a tenth of all."""
    evaluate_every: int | None = None
    """Steps between two looks at the held-out loss; None: as seldom as the training needs."""
    checkpoint_every: int = 200
    """Steps between two checkpoints."""
    seed: int = 0
    device: str = "auto"
    precision: str = "float32"
    revision: str | None = None
    allow_pickle: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be trained with.

        Raises:
            BadInput: A number is out of range.
            UnknownName: The precision cannot be trained in.
        """
        check_numbers(self)
        if self.precision not in TRAINABLE:
            raise UnknownName("precision to train in", self.precision, TRAINABLE)

    def opening(self) -> Options:
        """How the model is opened."""
        return Options(
            device=self.device, precision=self.precision, revision=self.revision,
            allow_pickle=self.allow_pickle,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class EpochConfig(TrainingConfig):
    """The same of a training in epochs, whose weights with the lowest held-out loss are kept."""

    epochs: int
    patience: int
    """Evaluations without a lower held-out loss after which it stops."""
    held_out: float = 0.1
    """Share of the documents or premises that is not trained on."""
    pairs: int | None = None
    """At most so many pairs, held-out ones included; None: all."""
    encoding: str = ""
    """Of the text, where it is not UTF-8."""

    def plan(self, per_epoch: int, *, first_look: bool = False) -> Plan:
        """How long and how fast, with so many steps in an epoch.

        Raises:
            BadInput: There are more steps of warm-up than steps.
        """
        steps = self.epochs * per_epoch
        return Plan(
            steps=steps,
            warm_up=warming_up(self.warm_up, steps, "--epochs"),
            learning_rate=self.learning_rate,
            evaluate_every=self.evaluate_every or per_epoch,
            patience=self.patience,
            checkpoint_every=self.checkpoint_every,
            first_look=first_look,
        )


def check_numbers(config: "DataclassInstance", **least: int) -> None:
    """Refuse a number out of range; `least` are bounds other than `LEAST`.

    Raises:
        BadInput: One is.
    """
    for name, bound in {**LEAST, **least}.items():
        value = getattr(config, name, None)
        if value is not None and value < bound:
            raise BadInput(f"{name} is {value}", f"give {bound} or more")
    for name, example in (("learning_rate", "5e-5"), ("held_out", "0.1")):
        value = getattr(config, name, None)
        if value is not None and not 0 < value < 1:
            raise BadInput(
                f"{name} is {value}", f"give a number between 0 and 1, such as {example}"
            )


def chosen_settings(config: "DataclassInstance", *without: str) -> dict[str, Any]:
    """All that the weights depend on: the same training has the same, whatever its paths."""
    return {k: v for k, v in asdict(config).items() if k not in PLACES and k not in without}


def most_tokens(wanted: int, model: Any, tokenizer: Any) -> int:
    """Tokens of an example: what is wanted, at most what the model reads."""
    longest = hf.longest(model, tokenizer)
    return wanted if longest is None else min(wanted, longest)
