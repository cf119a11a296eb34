"""What the answers of one person are compared with: those of all others to the same items."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.types import Array, Integers

LEAST = 1e-12
"""Sums of squares below this are rounding error."""
THREE = 3
"""Answers that an item needs so that the answer of one of the others can be compared with the rest."""


@dataclass(frozen=True, slots=True)
class Part:
    """A person's answers that may be permuted among each other, beside those of the others."""

    answers: int
    others_squares: Array
    """The square of the others' answer to each item, centred, shape (answers,)."""
    squares: Array
    """The square of each of the person's answers, centred, shape (answers,)."""
    others: Array
    """The others' mean answer to each item, centred; or, of labels, the shares (items, labels)."""
    given: Array
    """The person's answers, centred; or the numbers of the labels."""

    def sums(self, permutations: Integers) -> Array:
        """The sums of products of the others' answers and the person's, by permutation (rows)."""
        if self.others.ndim == 1:
            return np.asarray(self.given[permutations] @ self.others)
        # Halved, two different labels are as far apart as the ends of a scale.
        items = np.arange(self.answers)
        return np.asarray(self.others[items, self.given[permutations]].sum(axis=1) / 2)

    @property
    def observed(self) -> float:
        """The sum of products of each answer with those of the others to the same item."""
        return float(self.sums(np.arange(self.answers)[None])[0])


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over a person's answers, by simulated person."""

    products: Array
    others_squares: Array
    squares: Array


def effective_number(squares: Array) -> float:
    """How many answers vary about as much as all together: all of them, or one that is unlike all others.

    >>> effective_number(np.array([1.0, 1, 1, 1])), effective_number(np.array([1.0, 0, 0, 0]))
    (4.0, 1.0)
    """
    total = float((squares * squares).sum())
    return float(squares.sum()) ** 2 / total if total > 0 else 0.0


def correlations(parts: Sequence[Moments | None]) -> Array:
    """The correlation of each simulated person, of all parts together; those without one are left out."""
    known = [part for part in parts if part is not None]
    if not known:
        return np.empty(0)
    products = np.sum([part.products for part in known], axis=0)
    squares = np.sum([part.squares for part in known], axis=0)
    others = np.sum([part.others_squares for part in known], axis=0)
    there = (squares > LEAST) & (others > LEAST)
    return np.asarray(np.clip(products[there] / np.sqrt(squares[there] * others[there]), -1, 1))


class Others(ABC):
    """The answers to each item one after another, so that one of the others can be drawn."""

    def __init__(self, table: Array) -> None:
        self.table, self.there = table, ~np.isnan(table)
        self.counts = self.there.sum(axis=1)
        self.flat = table[self.there]  # by item, then by person
        self.first = np.concatenate([[0], np.cumsum(self.counts)[:-1]]).astype(np.int64)

    def shared(self, person: int, fewest: int = 2) -> Integers:
        """The items that the person answered, with at least so many answers in all."""
        return np.flatnonzero(self.there[:, person] & (self.counts >= fewest))

    @abstractmethod
    def part(self, person: int) -> Part | None:
        """The person's answers beside those of the others; None of fewer than two."""

    @abstractmethod
    def typical(self, person: int, rng: np.random.Generator, draws: int) -> Moments | None:
        """Moments of simulated people who give the answer of one of the others to each of the same items.

        Each is compared with the rest, without the person and whose answer it is. None where fewer than two
        items have three answers.
        """

    def drawn(self, person: int, items: Integers, rng: np.random.Generator, draws: int) -> Array:
        """The answer of one of the others at random, shape (draws, items)."""
        others = self.counts[items] - 1
        place = (rng.random((draws, len(items))) * others).astype(np.int64)
        own = self.there[items, :person].sum(axis=1)
        return np.asarray(self.flat[self.first[items] + place + (place >= own)])


class OtherMeans(Others):
    """The others' mean answer to each item; answers are positions on a scale, shape (items, people)."""

    def __init__(self, table: Array) -> None:
        super().__init__(table)
        self.sums = np.where(self.there, table, 0).sum(axis=1)

    def of(self, person: int) -> tuple[Array, Array]:
        """The person's answers and the others' means, to the items that both answered.

        >>> given, others = OtherMeans(np.array([[1.0, 0, 0.5], [1, np.nan, np.nan]])).of(0)
        >>> given.tolist(), others.tolist()
        ([1.0], [0.25])
        """
        items = self.shared(person)
        given = self.table[items, person]
        return given, (self.sums[items] - given) / (self.counts[items] - 1)

    def part(self, person: int) -> Part | None:
        """The person's answers beside the others' means; see `Others`."""
        given, others = self.of(person)
        if len(given) < 2:  # noqa: PLR2004
            return None
        x, y = others - others.mean(), given - given.mean()
        return Part(len(given), x * x, y * y, x, y)

    def typical(self, person: int, rng: np.random.Generator, draws: int) -> Moments | None:
        """Moments of simulated people; see `Others`."""
        items = self.shared(person, THREE)
        if len(items) < 2:  # noqa: PLR2004
            return None
        y = self.drawn(person, items, rng, draws)
        x = (self.sums[items] - self.table[items, person] - y) / (self.counts[items] - 2)
        x -= x.mean(axis=1, keepdims=True)
        y = y - y.mean(axis=1, keepdims=True)
        return Moments((x * y).sum(axis=1), (x * x).sum(axis=1), (y * y).sum(axis=1))

    def pooled_variance(self) -> float:
        """The variance of people's differences from the others, pooled over all people."""
        both = self.there & (self.counts > 1)[:, None]
        rest = np.where(both, self.counts[:, None] - 1, 1)
        others = (self.sums[:, None] - np.where(both, self.table, 0)) / rest
        differences = np.where(both, self.table - others, np.nan)
        each = both.sum(axis=0)
        if not (each > 1).any():
            return 0.0
        several = differences[:, each > 1]
        squares = np.nansum((several - np.nanmean(several, axis=0)) ** 2)
        return float(squares / (each[each > 1] - 1).sum())


class OtherShares(Others):
    """The shares of the others who gave each label; labels are numbers, shape (items, people)."""

    def __init__(self, table: Array) -> None:
        labels, codes = np.unique(table[~np.isnan(table)], return_inverse=True)
        coded = np.full(table.shape, np.nan)
        coded[~np.isnan(table)] = codes
        super().__init__(coded)
        self.labels = len(labels)
        self.times = np.zeros((len(table), len(labels)))
        for label in range(len(labels)):
            self.times[:, label] = (coded == label).sum(axis=1)

    def part(self, person: int) -> Part | None:
        """The person's labels beside the others' shares; see `Others`."""
        items = self.shared(person)
        n = len(items)
        if n < 2:  # noqa: PLR2004
            return None
        given = self.table[items, person].astype(np.int64)
        others = self.times[items]
        others[np.arange(n), given] -= 1
        others /= (self.counts[items] - 1)[:, None]
        others -= others.mean(axis=0)
        shares = np.bincount(given) / n
        squares = (1 - 2 * shares[given] + shares @ shares) / 2
        return Part(n, (others * others).sum(axis=1) / 2, squares, others, given)

    def typical(self, person: int, rng: np.random.Generator, draws: int) -> Moments | None:
        """Moments of simulated people; see `Others`.

        With b the numbers of the others who gave each label, and v the label that is drawn, the shares are
        x = (b − v) / (answers − 2). Sums of products and squares follow without a table of draws × items ×
        labels.
        """
        items = self.shared(person, THREE)
        n = len(items)
        if n < 2:  # noqa: PLR2004
            return None
        labels = self.drawn(person, items, rng, draws).astype(np.int64)
        rest = (self.counts[items] - 2).astype(np.float64)
        others = self.times[items]
        others[np.arange(n), self.table[items, person].astype(np.int64)] -= 1
        of_label = others[np.arange(n), labels]  # (draws, items)
        squares_of_item = (others * others).sum(axis=1)
        squared = ((squares_of_item - 2 * of_label + 1) / rest**2).sum(axis=1)
        at = (np.arange(draws)[:, None] * self.labels + labels).ravel()
        size = draws * self.labels
        times = np.bincount(at, minlength=size).reshape(draws, self.labels)
        weighed = np.bincount(at, weights=np.tile(1 / rest, draws), minlength=size)
        sums = (others / rest[:, None]).sum(axis=0) - weighed.reshape(draws, self.labels)
        products = ((of_label - 1) / rest).sum(axis=1) - (times * sums).sum(axis=1) / n
        others_squares = squared - (sums * sums).sum(axis=1) / n
        squares = n - (times * times).sum(axis=1) / n
        return Moments(products / 2, others_squares / 2, squares / 2)
