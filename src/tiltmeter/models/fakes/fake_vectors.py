"""Made-up vectors: what shares words is near, and a word is a little different in every text."""

from functools import lru_cache
from hashlib import blake2b

import numpy as np

from tiltmeter.core.requests import Tokens
from tiltmeter.core.types import Array
from tiltmeter.models.embedding.passage_vectors import places

WIDTH = 16
CONTEXT = 0.5
"""How much of the mean of its text is in a token's vector."""


def embedded(tokens: Tokens, at: tuple[int, int], pooling: str) -> Array | None:
    """The vector of a passage, shape (16,); None where there is no token that it could be made of."""
    if pooling == "bare_first_piece":
        tokens = _bare(tokens)
    bare = pooling == "own"
    where = places(tokens, (0, 0), "word") if bare else places(tokens, at, pooling)
    if not where:
        return None
    plain = np.array([vector(token) for token in tokens.ids])  # (t, 16)
    if bare:
        return _unit(plain[where].mean(0))
    states = _unit(plain + CONTEXT * plain.mean(0))  # (t, 16)
    if pooling in {"start", "pooler"}:
        where = list(range(len(states)))
    pooled = np.asarray(states[where].mean(0))
    return np.tanh(3 * pooled) if pooling == "pooler" else pooled


@lru_cache(maxsize=4096)
def vector(token: int) -> Array:
    """A direction of its own for every token, shape (16,), of length 1."""
    drawn = blake2b(token.to_bytes(8, signed=True), digest_size=4 * WIDTH).digest()
    return _unit(np.frombuffer(drawn, dtype="<i4").astype(np.float64))


def _unit(rows: Array) -> Array:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def _bare(tokens: Tokens) -> Tokens:
    kept = [i for i, special in enumerate(tokens.special) if not special]
    ids, spans = tuple(tokens.ids[i] for i in kept), tuple(tokens.spans[i] for i in kept)
    return Tokens(ids, (False,) * len(ids), (), spans)
