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
_DIGEST = 4
"""Bytes of a hash."""
_PIECES = re.compile(rf"{re.escape(MASK)}|(?:(?!{re.escape(MASK)}).){{1,{PIECE}}}")


def tokenized(text: str, *, framed: bool) -> Tokens:
    """Pieces of words as tokens; framed, with a token before and after them.

    >>> tokenized("a grandmother", framed=False).spans
    ((0, 1), (2, 8), (8, 13))
    """
    ids: list[int] = []
    words: list[int] = []
    spans: list[tuple[int, int]] = []
    end = 0
    for number, word in enumerate(text.split()):
        begin = text.index(word, end)
        end = begin + len(word)
        pieces = _pieces(word)
        if len(pieces) == 1:  # most words
            ids.append(pieces[0].id)
            words.append(number)
            spans.append((begin, end))
            continue
        for piece in pieces:
            ids.append(piece.id)
            words.append(number)
            spans.append((begin + piece.start, begin + piece.end))
    special = (False,) * len(ids)
    if not framed:
        return Tokens(tuple(ids), special, tuple(words), tuple(spans))
    return Tokens((0, *ids, 1), (True, *special, True), (-1, *words, -1), ((0, 0), *spans, (0, 0)))


class _Piece(NamedTuple):
    """A token of a word, and which of its characters it covers."""

    id: int
    start: int
    end: int


@lru_cache(maxsize=4096)
def _pieces(word: str) -> tuple[_Piece, ...]:
    return tuple(
        _Piece(2 + zlib.crc32(piece[0].lower().encode()) % 1_000_003, *piece.span())
        for piece in _PIECES.finditer(word)
    )


def logprob(token: int, sight: Sequence[int]) -> float:
    """How likely a token is where these others are in sight, as a log-probability."""
    return _hashed(pack(f"<{1 + len(sight)}q", token, *sight))


def blank_logprobs(request: Blanked) -> Array:
    """Of each token that is read: all that is in sight are the others that are not hidden."""
    ids = pack(f"<{len(request.ids)}q", *request.ids)
    if not request.hidden:
        places = [_BYTES * at for at in request.read]
        return _each_hashed([ids[a : a + _BYTES] + ids[:a] + ids[a + _BYTES :] for a in places])
    sights = []
    for at in request.read:
        seen, begin = [ids[_BYTES * at : _BYTES * (at + 1)]], 0
        for gone in sorted({at, *request.hidden}):
            seen.append(ids[begin : _BYTES * gone])
            begin = _BYTES * (gone + 1)
        sights.append(b"".join((*seen, ids[begin:])))
    return _each_hashed(sights)


def continuation_logprobs(request: Continuation) -> Array:
    """Of each token: all that is in sight are those before it, and what follows all of them."""
    seen = (*((-1,) if request.start else ()), *request.context, *request.ids)
    ids = pack(f"<{len(seen)}q", *seen)
    behind = pack(f"<{1 + len(request.after)}q", -2, *request.after) if request.after else b""
    places = range(_BYTES * (len(seen) - len(request.ids)), len(ids), _BYTES)
    return _each_hashed([ids[at : at + _BYTES] + ids[:at] + behind for at in places])


def _hashed(text: bytes) -> float:
    """From −1 to −11."""
    return float(_each_hashed([text])[0])


def _each_hashed(texts: Sequence[bytes]) -> Array:
    """From −1 to −11 each."""
    digests = b"".join([blake2b(text, digest_size=_DIGEST).digest() for text in texts])
    return -1.0 - np.frombuffer(digests, ">u4") % 10_007 / 1_000
