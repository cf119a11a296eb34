"""Options for opening a model, such as its device, its precision and a change to apply to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from tiltmeter.core.reading.options import Option, check_options

if TYPE_CHECKING:
    from tiltmeter.core.model.protocols import Fact

AUTO = "auto"
"""The precision float32 or, where that does not fit into free memory, the one of the model's files."""
PRECISIONS = (AUTO, "float32", "bfloat16", "float16")
Device = Annotated[str, Option("Device: auto, cpu, cuda, cuda:1, mps.")]
Revision = Annotated[str | None, Option("Hub branch, tag or commit.")]
AllowPickle = Annotated[bool, Option("Load weights that are not safetensors.")]


class ModelChange(Protocol):
    """A change to apply to a model before studies run on it, such as removing directions."""

    @property
    def digest(self) -> str:
        """A digest of everything in the change that affects answers."""
        ...

    def install(self, model: Any, name: str) -> "Mapping[str, Fact]":
        """Apply the change to a transformers model; returns facts for the card."""
        ...


@dataclass(frozen=True, slots=True)
class SharedOptions:
    """Options that apply to several models at once."""

    device: Device = "auto"
    precision: Annotated[
        str,
        Option(
            "auto (float32 where it fits into free memory), float32, bfloat16, float16.",
            choices=PRECISIONS,
        ),
    ] = AUTO
    batch_tokens: Annotated[
        int | None, Option("Tokens in a forward pass; limits memory use.", min=1)
    ] = None
    trust_remote_code: Annotated[bool, Option("Run Python code that comes with the model.")] = False
    allow_pickle: AllowPickle = False
    at_once: Annotated[int, Option("Concurrent requests to a server.", min=1)] = 4
    timeout: Annotated[float, Option("Seconds to wait for a server's answer.", min=0.1)] = 120.0
    tries: Annotated[int, Option("Attempts for a request to a server.", min=1)] = 6

    def __post_init__(self) -> None:
        """Refuse precisions that no back-end has, and limits that are too low."""
        check_options(self)


@dataclass(frozen=True, slots=True)
class Options(SharedOptions):
    """All options for opening a model."""

    revision: Revision = None
    start_token: Annotated[
        str | None, Option("Start token of a causal model.", may_be_empty=True)
    ] = None
    tokenizer: Annotated[
        str | None, Option("Folder or hub id with the tokenizer of a served model.")
    ] = None
    skip_invalid: bool = False
    """Whether lines of a vector file that cannot be read are left out, like invalid items of the data."""
    change: ModelChange | None = None
    """A change to apply to the model once its weights are loaded; None for none."""


DEFAULTS = Options()
"""The options with which a model is opened if the user sets none."""
