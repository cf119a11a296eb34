"""What benchmarks are given and give back, and where they are found."""

import importlib
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TypeAlias, TypeVar

Value: TypeAlias = str | float | int | None
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Settings:
    """How much to measure, and on which models."""

    quick: bool = False
    """Sizes that take seconds: good for a look, not for reporting."""
    tiny: bool = False
    """The smallest models and data that go through everything: for the tests."""
    pairs: int | None = None
    """How many sentence pairs; None takes all, or a sample where `quick`."""
    masked: str | None = None
    """A trained masked model (folder or hub id), whose tokenizer random models of its size use too."""
    causal: str | None = "demo"
    """A trained causal model; None leaves it out."""

    @property
    def count(self) -> int | None:
        """Pairs to score: what was asked for, else few where it is to be quick, else all."""
        if self.pairs is not None:
            return self.pairs
        return 6 if self.tiny else 60 if self.quick else None


@dataclass(frozen=True, slots=True)
class Row:
    """One way of doing one task, measured."""

    case: str
    """The task: "CrowS-Pairs, BERT-base size, random weights"."""
    way: str
    """Who does it, and how: "tiltmeter, bfloat16"."""
    seconds: float | None = None
    """For the whole task; None where seconds are not what is measured."""
    values: Mapping[str, Value] = field(default_factory=dict)
    """What else was measured, by the heading of its column, with its unit."""
    note: str = ""
    """What a reader must know: that a subset was scaled up, which batch size was best."""
    skipped: str = ""
    """Why it was not measured."""


def known() -> list[str]:
    """Names of the benchmarks."""
    here = Path(__file__).parent
    return sorted(file.stem for file in here.glob("*.py") if not file.stem.startswith("_"))


def load(name: str) -> ModuleType:
    """The benchmark of that name."""
    return importlib.import_module(f"{__package__}.{name}")


def title(benchmark: ModuleType) -> str:
    """The first line of its docstring."""
    return (benchmark.__doc__ or benchmark.__name__).strip().splitlines()[0].rstrip(".")


def run(name: str, settings: Settings) -> Iterator[Row]:
    """The rows of one benchmark, as they are measured."""
    rows: Callable[[Settings], Iterator[Row]] = load(name).rows
    yield from rows(settings)


def timed(function: Callable[[], T]) -> tuple[T, float]:
    """What it gives, and how many seconds it took."""
    begun = time.perf_counter()
    made = function()
    return made, time.perf_counter() - begun


def as_json(benchmark: str, row: Row) -> dict[str, object]:
    """One flat object a row."""
    return {"benchmark": benchmark, **asdict(row)}


def machine() -> dict[str, Value]:
    """What the numbers were measured on."""
    about: dict[str, Value] = {
        "processor": _processor(),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
    }
    try:
        import torch
        import transformers
    except ImportError:
        return about
    return about | {
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "threads": torch.get_num_threads(),
        "instructions": torch.backends.cpu.get_cpu_capability(),
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
    }


def _processor() -> str:
    said = Path("/proc/cpuinfo")
    if said.is_file():
        for line in said.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
