"""What a metric's uncertainty is computed from: its columns, what is independent, and random numbers."""

import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast
from zlib import crc32

import numpy as np

from tiltmeter.core.equivalence import UNKNOWN, Claims
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.types import Array, Column, Labels, Ties

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class TwoSides:
    """The rows of both sides; all measures that read the same columns of them share one."""

    a: Sequence[Column]
    """The columns of the first side."""
    clusters_a: Labels
    b: Sequence[Column]
    clusters_b: Labels
    seed: tuple[int, ...] = (0,)
    """The seed of the random draws that the measures share."""
    _kept: dict[str, object] = field(default_factory=dict)

    def once(self, name: str, make: Callable[[np.random.Generator], S]) -> S:
        """Compute what several measures need for the first of them, and keep it for the others.

        Args:
            name: What it is. It also seeds the generator, so the order of the measures does not matter.
            make: Makes it, from a random generator.

        >>> sides = TwoSides([], np.array([]), [], np.array([]))
        >>> draw = lambda rng: float(rng.random())
        >>> sides.once("x", draw) == sides.once("x", draw) != sides.once("y", draw)
        True
        """
        if name not in self._kept:
            # crc32, as Python's own hashes of texts differ between processes.
            self._kept[name] = make(np.random.default_rng([*self.seed, zlib.crc32(name.encode())]))
        return cast("S", self._kept[name])


def ties_of(metric: Callable[..., float]) -> Ties:
    """How a metric counts ties, where it was given that with `functools.partial`; else half."""
    ties: Ties = getattr(metric, "keywords", {}).get("ties", "half")
    return ties


def as_numbers(columns: Iterable[Column]) -> list[Array]:
    """Columns of scores as arrays of numbers."""
    return [np.asarray(column, dtype=np.float64) for column in columns]


def as_labels(columns: Iterable[Column]) -> list[Any]:
    """Columns of labels as arrays of texts."""
    return [np.asarray(column, dtype=np.str_) for column in columns]


def rng_of(seed: int, name: str) -> np.random.Generator:
    """What all numbers of this name draw, whatever the subset: equal subsets get equal intervals."""
    # Python's own hash of a text differs from process to process.
    return np.random.default_rng([seed, crc32(name.encode())])


@dataclass(frozen=True, slots=True)
class Sample:
    """The items that a metric is computed on."""

    metric: Callable[..., float]
    """Takes the columns in their order; its ties are set already."""
    columns: Sequence[Column]
    """The columns that the metric reads, with one row per item."""
    clusters: Labels
    """A label for each row; independent items all have different labels."""
    rng: np.random.Generator
    fixed: bool = False
    """Whether the design of the data fixed how many items have each label, as in a test suite."""

    @property
    def value(self) -> float:
        """The metric's value on all items."""
        return self.metric(*self.columns)

    @property
    def ties(self) -> Ties:
        """How the metric counts ties."""
        return ties_of(self.metric)


@dataclass(frozen=True, slots=True)
class PairedSample:
    """The same items scored twice, by model A and by model B."""

    metric: Callable[..., float]
    a: Sequence[Column]
    """The columns that the metric reads, then those of `Comparison.reads`; of a measure with a contrast then
    `side`, 0 for items of the first value and 1 for those it is held against."""
    b: Sequence[Column]
    """The columns of model B, in the same order of items as `a`. Labels (an item's term, its category) are
    the same in both."""
    clusters: Labels
    rng: np.random.Generator
    fixed: bool = False
    """Whether the design fixed the labels, so that resamples keep how many there are of each."""
    confidence: float = 0.95
    """The level of the interval. The same draws give an interval at .9 that lies inside the one at .95."""

    @property
    def difference(self) -> float:
        """The metric of A minus that of B."""
        return self.metric(*self.a) - self.metric(*self.b)


@dataclass(frozen=True, slots=True)
class ContrastSample:
    """The items of two values of an axis, held against each other."""

    metric: Callable[..., float]
    sides: TwoSides
    """What all measures of the same sides need comes from `sides.once`."""
    rng: np.random.Generator
    """The random numbers of this measure alone."""


def uncertainty(
    interval: Callable[[], tuple[float, float, str]] | None = None,
    test: Callable[[], tuple[float, str]] | None = None,
    *,
    notes: Iterable[str] = (),
    rough: str = "",
    test_first: bool = False,
    claims: Claims = UNKNOWN,
) -> Inference:
    """An interval and a test, each with the reason where it is undefined.

    Args:
        interval: Its ends and its kind.
        test: Its p and its kind.
        notes: Remarks; empty ones are left out.
        rough: A remark on the interval, where there is one.
        test_first: Whether the test draws its random numbers before the interval does.
        claims: What the interval of a difference may show of equivalence.

    >>> def undefined():
    ...     raise Undefined("there is one item")
    >>> uncertainty(lambda: (1.0, 2.0, "Wilson"), undefined).why
    'no test: there is one item'
    """
    low, high, how, p, tested = None, None, "", None, ""
    why = [note for note in notes if note]
    for is_test in (True, False) if test_first else (False, True):
        try:
            if is_test and test is not None:
                p, tested = test()
            elif not is_test and interval is not None:
                low, high, how = interval()
                why += [rough] if rough else []
        except Undefined as undefined:
            why.append(f"no {'test' if is_test else 'interval'}: {undefined}")
    return Inference(low, high, p, how, tested, why="; ".join(why), claims=claims)
