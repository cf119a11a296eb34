"""How a model is opened: on which device, in which precision, and what is done to it afterwards."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.protocols import Fact

PRECISIONS = ("float32", "bfloat16", "float16", "auto")


class ModelChange(Protocol):
    """Something done to a model that every study then runs on."""

    @property
    def digest(self) -> str:
        """Changes with what it does to a model."""
        ...

    def install(self, model: Any, name: str) -> Mapping[str, Fact]:
        """Do it to a transformers model; what the card should say of it."""
        ...


@dataclass(frozen=True, slots=True)
class Options:
    """How a model is opened."""

    device: str = "auto"
    """auto, cpu, cuda, cuda:1, mps, …; auto takes a GPU where there is one."""
    precision: str = "float32"
    """float32, bfloat16, float16 or auto; only float32 gives the reference numbers.

    auto is for `run.screening`, which opens a model twice; a model opened by itself is in float32.
    """
    batch_tokens: int | None = None
    """Tokens, padding included, of one forward pass; None: what suits the device."""
    revision: str | None = None
    """Branch, tag or commit of a hub id."""
    trust_remote_code: bool = False
    """Run Python code that comes with the model."""
    allow_pickle: bool = False
    """Load weights that are not safetensors: unpickling them can run code."""
    start_token: str | None = None
    """What a causal model reads before the text; None: its own."""
    at_once: int = 4
    """Requests to a server that are under way at the same time."""
    timeout: float = 120.0
    """Seconds to wait for a server's answer."""
    tries: int = 6
    """How often a request to a server is tried where the trouble may pass."""
    change: ModelChange | None = None
    """What is done to the model once its weights are loaded; None: nothing."""

    def __post_init__(self) -> None:
        """Refuse a precision that no back-end has, and limits that would let nothing be asked."""
        if min(self.at_once, self.tries) < 1 or not 0 < self.timeout < math.inf:
            raise BadInput(
                "at_once, tries and timeout must be positive",
                f"found {self.at_once}, {self.tries} and {self.timeout}",
            )
        if self.precision not in PRECISIONS:
            raise UnknownName("precision", self.precision, PRECISIONS)


DEFAULTS = Options()
"""What suits most machines and models."""
