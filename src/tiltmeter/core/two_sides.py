"""The two sides of a contrast, as its measures get them."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar, cast

import numpy as np

from tiltmeter.core.types import Column, Labels

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
    """Of what the measures draw together."""
    _kept: dict[str, object] = field(default_factory=dict)

    def once(self, name: str, make: Callable[[np.random.Generator], S]) -> S:
        """What several measures need: made for the first of them, kept for the others.

        Args:
            name: What it is. It also seeds the generator, so the order of the measures does not matter.
            make: Makes it, from a random generator.

        >>> sides = TwoSides([], np.array([]), [], np.array([]))
        >>> draw = lambda rng: float(rng.random())
        >>> sides.once("x", draw) == sides.once("x", draw) != sides.once("y", draw)
        True
        """
        if name not in self._kept:
            self._kept[name] = make(np.random.default_rng([*self.seed, zlib.crc32(name.encode())]))
        return cast("S", self._kept[name])
