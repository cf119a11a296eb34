"""Stands in for llama.cpp: weights and contexts whose logits depend on the whole text before them.

A context keeps what each stream has read, and refuses what llama.cpp would end the process for.
"""

from dataclasses import dataclass, field

import numpy as np

from tiltmeter.models.llama_cpp import library

VOCABULARY = 50


def logits_after(text):
    """Logits after a text; every token of it counts, and so does its place."""
    return np.random.default_rng([len(text), *text]).normal(size=VOCABULARY).astype(np.float32)


def obvious_logprobs(text):
    """The log-probabilities of the wanted tokens of a `Scored`, one at a time."""
    values = []
    for at, token in enumerate(text.ids):
        logits = logits_after(text.read[: text.first + at + 1]).astype(np.float64)
        values.append(logits[token] - np.log(np.exp(logits).sum()))
    return values


@dataclass
class FakeWeights:
    """As `library.LlamaWeights`."""

    outputs: int = 16
    bytes_a_cell: int = 2**12
    vocabulary: int = VOCABULARY


@dataclass
class FakeContext:
    """As `library.LlamaContext`, with a list of the passes."""

    weights: FakeWeights
    streams: int
    cells: int
    name: str
    held: dict = field(default_factory=dict)
    """By stream, the tokens that it has read."""
    passes: list = field(default_factory=list)

    def clear(self):
        self.held.clear()

    def copy(self, stream, to):
        self.held[to] = [*self.held[stream]]

    def forget(self, stream, start):
        self.held[stream] = self.held.get(stream, [])[:start]

    def read(self, rows):
        lengths = {}
        answers = []
        for token, place, stream, is_asked in rows:
            text = self.held.setdefault(stream, [])
            assert place == len(text) < self.cells and stream < self.streams
            text.append(token)
            lengths[stream] = lengths.get(stream, 0) + 1
            if is_asked:
                answers.append(logits_after(tuple(text)))
        assert 0 < len(rows) <= library.BATCH and len(answers) <= self.weights.outputs
        self.passes.append(lengths)
        return np.array(answers).reshape(-1, VOCABULARY)
