"""Models whose answers you know: for tests, docs and dry runs. Need no torch, know nothing.

`fake` answers everything; `fake:masked`, `fake:causal` answer as one kind of model would;
`fake:level` gives every token the same probability, so that equally long sentences tie.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np

from tiltmeter.core.asks import (
    Attends,
    Blanked,
    Continuation,
    Continues,
    Fact,
    FillsBlanks,
    StartsBare,
    Tokens,
)
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.types import Array

ANSWERS: tuple[type, ...] = (FillsBlanks, Attends, Continues, StartsBare)
PIECE = 6
"""Words longer than this are cut into pieces, as subword tokenizers do."""


@dataclass(frozen=True, slots=True)
class _Base:
    """Pieces of words are tokens; a token's log-probability is a hash of it and what is in sight."""

    name: str
    level: bool = False
    limit: int | None = 512
    cased: bool = False
    batch_tokens: int = 512
    framed: bool = False
    """Whether texts get a token before and after, as masked models' do."""

    @property
    def fingerprint(self) -> str:
        return f"fake-2-{'level' if self.level else 'hash'}-{self.framed}"

    @property
    def about(self) -> Mapping[str, Fact]:
        return {"architecture": "a hash function: its numbers mean nothing", "parameters": 0}

    def encode(self, texts: Sequence[str]) -> list[Tokens]:
        return [self._encode(text) for text in texts]

    def _encode(self, text: str) -> Tokens:
        pieces = [
            (piece, w)
            for w, word in enumerate(text.lower().split())
            for piece in (word[i : i + PIECE] for i in range(0, len(word), PIECE))
        ]
        ids = tuple(2 + zlib.crc32(piece.encode()) % 1_000_003 for piece, _ in pieces)
        words = tuple(w for _, w in pieces)
        if not self.framed:
            return Tokens(ids, (False,) * len(ids), words)
        return Tokens((0, *ids, 1), (True, *(False for _ in ids), True), (-1, *words, -1))

    def _logprob(self, token: int, sight: Sequence[int]) -> float:
        if self.level:
            return -1.0
        said = np.array([token, *sight], dtype="<i8").tobytes()
        return -1.0 - int.from_bytes(blake2b(said, digest_size=4).digest()) % 10_007 / 1_000


class FakeMasked(_Base):
    """Answers as a masked language model."""

    __slots__ = ()

    def blank_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """One array a request, shape (len(read),)."""
        return [np.array([self._read(r, i) for i in r.read]) for r in requests]

    def attended_logprobs(self, requests: Sequence[Blanked]) -> list[Array]:
        """Attention is the same everywhere: 1 / length."""
        rows = self.blank_logprobs(requests)
        return [
            np.stack([row, np.full(len(row), 1 / len(r.ids))])
            for row, r in zip(rows, requests, strict=True)
        ]

    def _read(self, request: Blanked, at: int) -> float:
        gone = {at, *request.hidden}
        return self._logprob(
            request.ids[at], [i for k, i in enumerate(request.ids) if k not in gone]
        )


class FakeCausal(_Base):
    """Answers as a causal language model."""

    __slots__ = ()

    def continuation_logprobs(self, requests: Sequence[Continuation]) -> list[Array]:
        """One array a request, shape (len(ids),)."""
        return [self._continue(r) for r in requests]

    def _continue(self, request: Continuation) -> Array:
        seen = (*((-1,) if request.start else ()), *request.context, *request.ids)
        first = len(seen) - len(request.ids)
        return np.array([self._logprob(seen[i], seen[:i]) for i in range(first, len(seen))])


class Fake(FakeMasked, FakeCausal):
    """Answers everything."""

    __slots__ = ()


KINDS: Mapping[str, tuple[type[Any], tuple[type, ...]]] = {
    "": (Fake, ANSWERS),
    "masked": (FakeMasked, (FillsBlanks, Attends)),
    "causal": (FakeCausal, (Continues, StartsBare)),
    "level": (Fake, ANSWERS),
}


def answers(location: str) -> tuple[type, ...]:
    """The protocols that `fake:location` satisfies."""
    if location not in KINDS:
        raise UnknownName("fake model", location, filter(None, KINDS))
    return KINDS[location][1]


def load(location: str, options: object = None, *, name: str = "", note: str = "") -> Any:
    """`fake:`, `fake:masked`, `fake:causal` or `fake:level`."""
    del options, note
    answers(location)
    make = KINDS[location][0]
    called = name or (f"fake:{location}" if location else "fake")
    return make(called, level=location == "level", framed=make is not FakeCausal)
