"""Tokens of the fake models, and their answers about them, which are hashes of the tokens in sight."""

import re
import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from struct import pack
from typing import NamedTuple

import numpy as np

from tiltmeter.core.model.conversations import Finish, Reply, Writing, request_key
from tiltmeter.core.model.requests import Blanked, Continuation, Tokens
from tiltmeter.core.model.thoughts import with_thought_apart
from tiltmeter.core.types import Array
from tiltmeter.models.embedding.passage_vectors import places

PIECE = 6
"""The longest piece of a word, in characters; longer words are split as by subword tokenizers."""
MASK = "[MASK]"
_BYTES = 8
"""How many bytes a token has in what is hashed."""
_DIGEST = 4
"""The length of a hash, in bytes."""
_PIECES = re.compile(rf"{re.escape(MASK)}|(?:(?!{re.escape(MASK)}).){{1,{PIECE}}}")


def tokenized(text: str, *, framed: bool) -> Tokens:
    """The tokens of a text, which are pieces of words; if `framed`, with a special token at either end.

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
    """A token of a word, and the range of the word's characters that it covers."""

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
    """The log-probability of a token when these other tokens are in sight."""
    return _hashed(pack(f"<{1 + len(sight)}q", token, *sight))


def blank_logprobs(request: Blanked) -> Array:
    """The log-probability of each token that is read, given the other tokens that are not hidden."""
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
    """The log-probability of each token of `ids`, given those before it and the text after the gap."""
    seen = (*((-1,) if request.start else ()), *request.context, *request.ids)
    ids = pack(f"<{len(seen)}q", *seen)
    behind = pack(f"<{1 + len(request.after)}q", -2, *request.after) if request.after else b""
    places = range(_BYTES * (len(seen) - len(request.ids)), len(ids), _BYTES)
    return _each_hashed([ids[at : at + _BYTES] + ids[:at] + behind for at in places])


def _hashed(text: bytes) -> float:
    """A log-probability from −1 to −11, by a hash of these bytes."""
    return float(_each_hashed([text])[0])


def _each_hashed(texts: Sequence[bytes]) -> Array:
    """Log-probabilities from −1 to −11, by hashes of these bytes."""
    digests = b"".join([blake2b(text, digest_size=_DIGEST).digest() for text in texts])
    return -1.0 - np.frombuffer(digests, ">u4") % 10_007 / 1_000


WIDTH = 16
CONTEXT = 0.5
"""The weight of the mean of its text in a token's vector."""


def embedded(tokens: Tokens, at: tuple[int, int], pooling: str) -> Array | None:
    """The vector of a passage, shape (16,); None where it has no token to make it from."""
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
    """The vector of a token: a direction of its own, shape (16,), with length 1."""
    drawn = blake2b(token.to_bytes(8, signed=True), digest_size=4 * WIDTH).digest()
    return _unit(np.frombuffer(drawn, dtype="<i4").astype(np.float64))


def _unit(rows: Array) -> Array:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def _bare(tokens: Tokens) -> Tokens:
    kept = [i for i, special in enumerate(tokens.special) if not special]
    ids, spans = tuple(tokens.ids[i] for i in kept), tuple(tokens.spans[i] for i in kept)
    return Tokens(ids, (False,) * len(ids), (), spans)


_LABEL = re.compile(r": ([\w-]+)\.$", re.MULTILINE)
"""The label at the end of a line of examples."""
_EITHER = re.compile(r"\beither (.+?) or (.+?) as ")
"""Two labels offered within a question."""


def reply_to(request: Writing, *, level: bool, thinks: bool = False) -> Reply:
    """A reply with a label that the prompt shows or offers, or with yes or no, or sometimes with neither.

    Args:
        request: The request, whose hash chooses the reply.
        level: Whether the reply is always the first label.
        thinks: Whether a thought of three to ten words comes before it.

    >>> from tiltmeter.core.model.conversations import Message, Prompt
    >>> asked = Prompt((Message("user", "Is it either hot or cold as far as you know?"),))
    >>> reply_to(Writing(asked, 8), level=True).text
    ' hot'
    """
    text = request.prompt.plain
    offered = _EITHER.search(text)
    labels = dict.fromkeys(_LABEL.findall(text)) or (offered and offered.groups()) or ("yes", "no")
    words = [*labels] if level else [*labels, *labels, "I cannot say"]
    at = 0 if level else text_hash(request_key(request)) % len(words)
    whole = words[at].split()
    kept = whole[: request.max_tokens]
    finish: Finish = "stop" if len(kept) == len(whole) else "length"
    reply = Reply(" " + " ".join(kept), finish, 1 + len(text.split()), len(kept))
    return _with_thought(reply, request, [*labels]) if thinks else reply


def _with_thought(reply: Reply, request: Writing, labels: Sequence[str]) -> Reply:
    """The reply behind a thought about the labels; without an answer if there is no room for the thought."""
    number = text_hash(f"thought {request_key(request)}")
    words = ["Is", "it", *(labels[(number >> at) % len(labels)] for at in range(1 + number % 8))]
    kept = words[: request.thinking_tokens or request.max_tokens]
    if len(kept) < len(words):
        thought = f"<think>{' '.join(kept)}"
        cut = Reply(thought, "length", reply.tokens_in, len(kept), thought_tokens=len(kept))
        return with_thought_apart(cut)
    whole = f"<think>{' '.join(words)}</think>{reply.text}"
    tokens = len(words) + reply.tokens_out
    return with_thought_apart(
        replace(reply, text=whole, tokens_out=tokens, thought_tokens=len(words))
    )


def text_hash(text: str) -> int:
    """A 32-bit hash of a text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).digest())
