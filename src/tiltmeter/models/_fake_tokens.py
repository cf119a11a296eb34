"""Tokens of the fake models, and what they say about them: hashes of the token and what is in sight."""

import re
import zlib
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from struct import pack
from typing import NamedTuple

import numpy as np

from tiltmeter.core.requests import Blanked, Continuation, Tokens
from tiltmeter.core.types import Array

PIECE = 6
"""Words longer than this are cut into pieces, as subword tokenizers do."""
MASK = "[MASK]"
_BYTES = 8
"""Of a token within what is hashed."""
_WORDS = re.compile(r"\S+")
_PIECES = re.compile(rf"{re.escape(MASK)}|(?:(?!{re.escape(MASK)}).){{1,{PIECE}}}")


def tokenized(text: str, *, framed: bool) -> Tokens:
    """Pieces of words as tokens; framed, with a token before and after them.

    >>> tokenized("a grandmother", framed=False).spans
    ((0, 1), (2, 8), (8, 13))
    """
    ids: list[int] = []
    words: list[int] = []
    spans: list[tuple[int, int]] = []
    for number, word in enumerate(_WORDS.finditer(text)):
        pieces = _pieces(word[0])
        begin = word.start()
        ids += pieces.ids
        words += [number] * len(pieces.ids)
        spans += [(begin + start, begin + end) for start, end in pieces.spans]
    special = (False,) * len(ids)
    if not framed:
        return Tokens(tuple(ids), special, tuple(words), tuple(spans))
    return Tokens((0, *ids, 1), (True, *special, True), (-1, *words, -1), ((0, 0), *spans, (0, 0)))


class _Pieces(NamedTuple):
    """The tokens of a word, and which of its characters each covers."""

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]


@lru_cache(maxsize=4096)
def _pieces(word: str) -> _Pieces:
    found = list(_PIECES.finditer(word))
    ids = (2 + zlib.crc32(piece[0].lower().encode()) % 1_000_003 for piece in found)
    return _Pieces(tuple(ids), tuple(piece.span() for piece in found))


def logprob(token: int, sight: Sequence[int]) -> float:
    """How likely a token is where these others are in sight, as a log-probability."""
    return _hashed(pack(f"<{1 + len(sight)}q", token, *sight))


def blank_logprobs(request: Blanked) -> Array:
    """Of each token that is read: all that is in sight are the others that are not hidden."""
    ids = pack(f"<{len(request.ids)}q", *request.ids)
    if not request.hidden:
        places = ((_BYTES * at, _BYTES * (at + 1)) for at in request.read)
        return np.array([_hashed(ids[a:b] + ids[:a] + ids[b:]) for a, b in places])
    found = []
    for at in request.read:
        seen, begin = [ids[_BYTES * at : _BYTES * (at + 1)]], 0
        for gone in sorted({at, *request.hidden}):
            seen.append(ids[begin : _BYTES * gone])
            begin = _BYTES * (gone + 1)
        found.append(_hashed(b"".join((*seen, ids[begin:]))))
    return np.array(found)


def continuation_logprobs(request: Continuation) -> Array:
    """Of each token: all that is in sight are those before it, and what follows all of them."""
    seen = (*((-1,) if request.start else ()), *request.context, *request.ids)
    ids = pack(f"<{len(seen)}q", *seen)
    behind = pack(f"<{1 + len(request.after)}q", -2, *request.after) if request.after else b""
    return np.array(
        [
            _hashed(b"".join((ids[at : at + _BYTES], ids[:at], behind)))
            for at in range(_BYTES * (len(seen) - len(request.ids)), len(ids), _BYTES)
        ]
    )


def _hashed(said: bytes) -> float:
    """From −1 to −11."""
    return -1.0 - int.from_bytes(blake2b(said, digest_size=4).digest()) % 10_007 / 1_000
