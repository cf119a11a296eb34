"""What benchmarks are given and give back, and where they are found."""

import importlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Final, Literal, TypeAlias, TypeVar

Value: TypeAlias = str | float | int | None
Clock: TypeAlias = Literal["wall", "processor"]
T = TypeVar("T")
TIMES: Final = "times as long"
"""Column of another program's row: its seconds divided by Tiltmeter's for the same task."""
DIFFERENCE: Final = "largest difference"
"""Column: how far two programs' numbers lie apart at most."""
SAME: Final = "decisions equal"
"""Column: in how many cases two programs decide alike: "40 of 40"."""


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
    clock: Clock = field(default_factory=lambda: _Time.clock)
    """Whose seconds they are: those of a clock on the wall, or processor time of this process."""


class _Time:
    """The clock that `timed` reads."""

    clock: Clock = "wall"


def use_clock(clock: Clock) -> None:
    """Let `timed` measure these seconds from now on; processor time hardly changes with other load."""
    _Time.clock = clock


def now() -> float:
    """Seconds of the chosen clock, from an arbitrary beginning."""
    return time.process_time() if _Time.clock == "processor" else time.perf_counter()


def known() -> list[str]:
    """Names of the benchmarks."""
    here = Path(__file__).parent
    return sorted(file.stem for file in here.glob("*.py") if not file.stem.startswith("_"))


def with_peers() -> list[str]:
    """Names of the benchmarks that compare Tiltmeter with other programs."""
    return [name for name in known() if task(name)]


def task(name: str) -> str:
    """What a benchmark with other programs compares, as its `TASK` says; "" for any other."""
    return str(getattr(load(name), "TASK", ""))


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
    begun = now()
    made = function()
    return made, now() - begun


def wall_timed(function: Callable[[], T]) -> tuple[T, float]:
    """As `timed`, but always on the wall: for what waits for another process or a disk."""
    begun = time.perf_counter()
    made = function()
    return made, time.perf_counter() - begun
