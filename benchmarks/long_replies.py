"""Replies of very different lengths, as models that think write them.

200 prompts whose replies may have 2,000 tokens and mostly have far fewer: the lengths follow a log-normal
distribution with a long tail. Where a reply ends is not left to the model, so that every version writes
equally many tokens: at a length that is drawn for its prompt.
"""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np

from benchmarks import _ours
from benchmarks._frame import Row, Settings, timed
from tiltmeter.core.model.conversations import Message, Prompt, Writing
from tiltmeter.models.writing import replies
from tiltmeter.run.stored_answers.cached_model import CachedModel
from tiltmeter.run.stored_answers.store import Store

FULL, QUICK, TINY = (200, 2_000, 150), (60, 500, 40), (6, 24, 6)
"""How many prompts, the most tokens of a reply, and the median of their lengths."""
SIGMA = 1.0
"""Of the lengths' logarithms."""


def rows(settings: Settings) -> Iterator[Row]:
    """One row for the trained causal model."""
    if settings.causal is None:
        yield Row("long replies", "tiltmeter", skipped="no trained causal model was named")
        return
    count, most, median = FULL
    if settings.tiny or settings.quick:
        count, most, median = TINY if settings.tiny else QUICK
    lengths = _lengths(count, most, median)
    model = _ours.opened(settings.causal)
    texts = [f"Write a story about the number {k}, as long as you like." for k in range(count)]
    asked = [
        Writing(Prompt((Message("user", text),), chat=model.chats), most, temperature=1.0)
        for text in texts
    ]
    with _ending_at(dict(zip(asked, lengths, strict=True)), model):
        model.write([Writing(asked[0].prompt, 2)])  # warm up
        cached = CachedModel(model, Store(None))
        written, took = timed(lambda: cached.write(asked))
    tokens = sum(reply.tokens_out for reply in written)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Row(
        f"{count} replies of {min(lengths)} to {max(lengths)} tokens, {np.mean(lengths):.0f} on average",
        f"tiltmeter, {model.name}", took,
        {"tokens/s": tokens / took, "peak of the process, MiB": peak},
    )  # fmt: skip


def _lengths(count: int, most: int, median: int) -> list[int]:
    """Log-normal lengths from 1 to `most`, always the same."""
    drawn = np.random.default_rng(0).lognormal(np.log(median), SIGMA, count)
    return [int(n) for n in drawn.round().clip(1, most)]


@contextmanager
def _ending_at(lengths: dict[Writing, int], model: object) -> Iterator[None]:
    """Replies end at these lengths, and nowhere else."""

    def limit(drawn: replies._Drawn, _: object) -> int:
        return lengths.get(drawn.request, drawn.request.max_tokens)

    writer = model._writer  # type: ignore[attr-defined]  # noqa: SLF001
    with patch.object(replies._Drawn, "limit", limit), patch.object(writer, "_ends", frozenset()):  # noqa: SLF001
        yield
