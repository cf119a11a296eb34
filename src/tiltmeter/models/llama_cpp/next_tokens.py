"""Logits of the next token, for writing one reply after another."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tiltmeter.models.llama_cpp.library import BATCH, LlamaContext, Logits, StreamRow
from tiltmeter.models.llama_cpp.streams import FEWEST, Streams

if TYPE_CHECKING:
    import torch


class LlamaNextTokens:
    """Reads a prompt, then continues it by one token at a time; one reply at a time.

    A reply is written by itself: read beside others, its tokens would be computed by other kernels, and
    quantised weights make large differences of small ones. The prompt that was read last is kept, so that
    several replies to it cost one reading.
    """

    joins = False
    rereads = True

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self.longest = 0
        """Tokens of the longest prompt with its reply, for which room is made."""
        self._context: LlamaContext | None = None
        self._prompt: tuple[int, ...] = ()
        self._after: Logits | None = None

    def for_texts_of(self, longest: int) -> "LlamaNextTokens":
        """The same, with room for texts of so many tokens."""
        self.longest = longest
        return self

    def read(
        self, texts: Sequence[Sequence[int]], later: Sequence[Sequence[int]] = ()
    ) -> "torch.Tensor":
        """The logits after a text, (1, vocabulary)."""
        del later
        (text,) = texts
        context = self._streams.single(self.longest)
        if context is not self._context or self._prompt != tuple(text) or self._after is None:
            context.clear()
            self._context, self._prompt = context, tuple(text)
            self._after = _read(context, text)
        context.forget(0, len(text))  # the last reply to this prompt
        return _tensor(self._after)

    def join(self, texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        """Refuse to read a text beside another one."""
        raise NotImplementedError("one reply is written at a time")

    def read_on(self, rows: Sequence[int], texts: Sequence[Sequence[int]]) -> "torch.Tensor":
        """The logits after the text that continues the last one by a token, (1, vocabulary)."""
        (text,) = texts
        if self._context is None or [*rows] != [0]:
            raise ValueError("one reply is written at a time")
        return _tensor(
            self._context.read([StreamRow(text[-1], len(text) - 1, 0, is_asked=True)])[0]
        )


def _read(context: LlamaContext, text: Sequence[int]) -> Logits:
    """Read a text by itself, in parts; returns the logits after it, (vocabulary,)."""
    logits: list[Logits] = []
    for start in range(0, len(text), BATCH):
        part = text[start : start + BATCH]
        rows = [
            StreamRow(token, start + at, 0, start + at == len(text) - 1)
            for at, token in enumerate(part)
        ]
        rows += [
            StreamRow(text[0], start + at, 0, is_asked=False) for at in range(len(part), FEWEST)
        ]
        logits = [*context.read(rows).copy()]
        context.forget(0, start + len(part))
    return logits[0]


def _tensor(row: Logits) -> "torch.Tensor":
    import torch

    return torch.from_numpy(row.copy()).unsqueeze(0)
