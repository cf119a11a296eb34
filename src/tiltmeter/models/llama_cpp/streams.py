"""Reads many texts in one model so that each has the numbers that it has alone.

llama.cpp rounds what goes into a product of quantised weights to 8 bits, so that a difference in the last
digit of a sum can become one of several percent. What changes last digits is, on a processor, where a text's
keys and values lie, with how few rows a product is computed, and kernels that treat rows unequally. So

- each text is a stream of its own, which begins at the first cell of its own part of the memory;
- what texts begin with alike is read once, and the other streams go on from a copy of it;
- in each pass all streams have equally many rows, at least `FEWEST`: shorter ones are filled up with tokens
  that are forgotten again.

Whether that suffices on this machine is checked when a model is opened (`llama_cpp.trial`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from tiltmeter.core.model.prefix_trees import common
from tiltmeter.core.types import Array
from tiltmeter.models.llama_cpp.library import (
    BATCH,
    CACHE,
    LEAST_CELLS,
    MOST_STREAMS,
    LlamaContext,
    LlamaWeights,
    Logits,
    StreamRow,
)

FEWEST = 4
"""Rows of a stream in a pass; products of fewer are computed by other kernels, with other last digits."""
FILLED = 1.25
"""A pass ends before a part that is longer than its shortest one by this factor."""
SHARED = 4
"""Tokens that texts must begin with alike for these to be read once."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A text to be read, and the tokens in it whose log-probabilities are wanted."""

    read: tuple[int, ...]
    """The tokens that the model reads: all but the last."""
    first: int
    """The position after which the first wanted token is predicted."""
    ids: tuple[int, ...]
    """The wanted tokens, predicted after the positions from `first` on."""


@dataclass(slots=True)
class _Piece:
    """A part of a text that is read in one pass."""

    stream: int
    start: int
    tokens: tuple[int, ...]
    asked: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """By position, the texts and the tokens whose log-probabilities the logits there give."""

    @property
    def rows(self) -> int:
        return max(FEWEST, len(self.tokens))


def room(longest: int, bytes_a_cell: int) -> tuple[int, int]:
    """How many streams there are for texts of up to so many tokens, and how many tokens each may have."""
    cells = max(LEAST_CELLS, 1 << (longest + FEWEST - 1).bit_length())
    return max(1, min(MOST_STREAMS, CACHE // (cells * bytes_a_cell))), cells


class Streams:
    """Reads texts with the weights of one model."""

    def __init__(self, weights: LlamaWeights, name: str, *, alone: bool = False) -> None:
        """`alone` reads each text by itself, so that nothing else can matter."""
        self._weights, self._name, self._alone = weights, name, alone
        self._context: LlamaContext | None = None

    def room(self, longest: int) -> tuple[int, int]:
        """How many streams there are for texts of up to so many tokens, and how many tokens each may have."""
        streams, cells = room(longest, self._weights.bytes_a_cell)
        return 1 if self._alone else streams, cells

    def context(self, longest: int) -> LlamaContext:
        """A context with room for several texts of so many tokens, kept until another is needed."""
        return self._made(*self.room(longest))

    def single(self, longest: int) -> LlamaContext:
        """A context with room for one text of so many tokens, kept until another is needed."""
        return self._made(1, self.room(longest)[1])

    def _made(self, streams: int, cells: int) -> LlamaContext:
        if self._context is None or (self._context.streams, self._context.cells) != (
            streams,
            cells,
        ):
            self._context = None  # released before the next takes memory
            self._context = LlamaContext(self._weights, streams, cells, self._name)
        return self._context

    def logprobs(self, texts: Sequence[Scored]) -> list[Array]:
        """The log-probabilities of each text's wanted tokens, shape (len(ids),), in order."""
        answers = [np.zeros(len(text.ids)) for text in texts]
        order = sorted(
            range(len(texts)), key=lambda i: (self.room(len(texts[i].read)), texts[i].read, i)
        )
        for _, alike in groupby(order, key=lambda i: self.room(len(texts[i].read))):
            members = list(alike)
            context = self.context(max(len(texts[i].read) for i in members))
            for at in range(0, len(members), context.streams):
                self._answer(context, members[at : at + context.streams], texts, answers)
        return answers

    def _answer(
        self,
        context: LlamaContext,
        members: Sequence[int],
        texts: Sequence[Scored],
        answers: list[Array],
    ) -> None:
        """Read some texts, sorted, each in its stream, and fill in their answers."""
        context.clear()
        begun = dict.fromkeys(members, 0)
        families = [f for f in _families(members, texts) if len(f) > 1]
        heads = [(f, common(texts[f[0]].read, texts[f[-1]].read)) for f in families]
        stream = {i: at for at, i in enumerate(members)}
        first = [self._piece(stream[f[0]], 0, n, f, texts) for f, n in heads]
        self._read(context, first, texts, answers)
        for family, length in heads:
            begun |= dict.fromkeys(family, length)
            for i in family[1:]:
                context.copy(stream[family[0]], stream[i])
        rest = [self._piece(stream[i], begun[i], len(texts[i].read), [i], texts) for i in members]
        self._read(context, [piece for piece in rest if piece.tokens], texts, answers)

    def _piece(
        self, stream: int, start: int, stop: int, members: Sequence[int], texts: Sequence[Scored]
    ) -> _Piece:
        """A part that several texts have in common, with what is asked in it about each."""
        piece = _Piece(stream, start, texts[members[0]].read[start:stop])
        for i in members:
            text = texts[i]
            for at in range(max(start, text.first), min(stop, text.first + len(text.ids))):
                piece.asked.setdefault(at, []).append((i, at - text.first))
        return piece

    def _read(
        self,
        context: LlamaContext,
        pieces: Sequence[_Piece],
        texts: Sequence[Scored],
        answers: list[Array],
    ) -> None:
        for one_pass in _passes(pieces, self._weights.outputs, context.cells):
            rows, asked = _filled(one_pass, texts[0].read[0])
            logits = context.read(rows)
            for piece in one_pass:
                context.forget(piece.stream, piece.start + len(piece.tokens))
            for row, askers in zip(logits, asked, strict=True):
                total = _log_total(row)
                for i, at in askers:
                    answers[i][at] = float(row[texts[i].ids[at]]) - total


def _log_total(row: Logits) -> float:
    """The logarithm of the sum of the exponentials of a row of logits."""
    highest = row.max()
    return float(highest) + float(np.log(np.exp(row - highest).sum(dtype=np.float64)))


def _families(members: Sequence[int], texts: Sequence[Scored]) -> list[list[int]]:
    """Neighbours, sorted, that begin with at least `SHARED` tokens alike."""
    families: list[list[int]] = []
    for i in members:
        head = families[-1][0] if families else None
        if head is not None and common(texts[head].read, texts[i].read) >= SHARED:
            families[-1].append(i)
        else:
            families.append([i])
    return families


def _passes(pieces: Sequence[_Piece], outputs: int, cells: int) -> Iterator[list[_Piece]]:
    """The pieces in passes; each stream has one part in a pass, and all have equally many rows when filled.

    A piece that is too long for a pass, or asks too much for one, is cut.
    """
    parts: dict[int, list[_Piece]] = {}
    for piece in pieces:
        parts.setdefault(piece.stream, []).extend(_cut(piece, outputs))
    turns = max(map(len, parts.values()), default=0)
    for turn in range(turns):
        now = [cut[turn] for cut in parts.values() if turn < len(cut)]
        together: list[_Piece] = []
        for part in sorted(now, key=lambda part: (part.rows, part.stream)):
            more = [*together, part]
            asked = sum(len(each.asked) for each in more)
            end = max(each.start for each in more) + part.rows  # all are filled up to the longest
            is_full = len(more) * part.rows > BATCH or asked > outputs or end > cells
            if together and (is_full or part.rows > FILLED * together[0].rows):
                yield together
                together = []
            together.append(part)
        if together:
            yield together


def _cut(piece: _Piece, outputs: int) -> Iterator[_Piece]:
    """A piece in parts of at most `BATCH` tokens with at most `outputs` places that are asked about."""
    begun = asked = 0
    for at in range(len(piece.tokens) + 1):
        is_asked = piece.start + at in piece.asked
        if at == len(piece.tokens) or at - begun == BATCH or (is_asked and asked == outputs):
            start, stop = piece.start + begun, piece.start + at
            yield _Piece(
                piece.stream, start, piece.tokens[begun:at],
                {place: piece.asked[place] for place in range(start, stop) if place in piece.asked},
            )  # fmt: skip
            begun, asked = at, 0
        asked += is_asked


def _filled(
    pieces: Sequence[_Piece], filler: int
) -> tuple[list[StreamRow], list[list[tuple[int, int]]]]:
    """The rows of a pass, all streams filled up to equal lengths, and what each asked row is asked for."""
    length = max(piece.rows for piece in pieces)
    rows: list[StreamRow] = []
    asked: list[list[tuple[int, int]]] = []
    for piece in pieces:
        for at in range(length):
            place = piece.start + at
            askers = piece.asked.get(place, []) if at < len(piece.tokens) else []
            token = piece.tokens[at] if at < len(piece.tokens) else filler
            rows.append(StreamRow(token, place, piece.stream, bool(askers)))
            if askers:
                asked.append(askers)
    return rows, asked
