"""Vectors that are made up from their texts, and what association tests compute from them, slowly."""

from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from tiltmeter.core.model.requests import Passage


@dataclass
class Vectors:
    """A vector for every text and way of pooling; what was asked is remembered."""

    unknown: tuple[str, ...] = ()
    zero: tuple[str, ...] = ()
    long: tuple[str, ...] = ()
    scale: float = 1.0
    limit: int | None = 8
    batch_tokens: int = 64
    name: str = "vectors"
    fingerprint: str = "vectors"
    about: dict[str, str] = field(default_factory=dict)
    asked: list[tuple[str, list[Passage]]] = field(default_factory=list)

    def passage_lengths(self, passages):
        return [0 if p.text in self.unknown else 9 if p.text in self.long else 3 for p in passages]

    def embed(self, passages, *, pooling):
        self.asked.append((pooling, list(passages)))
        return np.stack([self.vector(p.text, p.at, pooling) for p in passages])

    def vector(self, text, at=(0, 0), pooling="own"):
        if text in self.zero:
            return np.zeros(6)
        seed = [*map(ord, text), *at, *map(ord, pooling)]
        return np.random.default_rng(seed).normal(size=6) * self.scale


def mean(values):
    return sum(values) / len(values)


def cosine(u, v):
    return sum(u * v) / sqrt(sum(u * u) * sum(v * v))


def slow_scores(test, vector):
    return {
        f"{test.name}/{side}/{i}": mean([cosine(vector(w), vector(t)) for t in test.a])
        - mean([cosine(vector(w), vector(t)) for t in test.b])
        for side, words in (("X", test.x), ("Y", test.y))
        for i, w in enumerate(words, start=1)
    }


def slow_effect(test, vector):
    scores = slow_scores(test, vector)
    x, y = ([v for k, v in scores.items() if f"/{side}/" in k] for side in "XY")
    both = x + y
    return (mean(x) - mean(y)) / sqrt(sum((v - mean(both)) ** 2 for v in both) / (len(both) - 1))
