"""Several replies to one prompt, each with its rank: the likeliest of a beam search, or drawn."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from tiltmeter.core.model.conversations import BeamWriting, Prompt, Reply, Writing
from tiltmeter.core.model.protocols import Writes, WritesBeams
from tiltmeter.core.rules import Context

Ask: TypeAlias = Callable[[Any, Sequence[Prompt], Sequence[int], Context], list[Reply]]
"""(model, prompts, ranks, context) to a reply for each."""


def ask_beams(
    model: WritesBeams, prompts: Sequence[Prompt], ranks: Sequence[int], context: Context
) -> list[Reply]:
    """The replies of a beam search: of each prompt that of the wanted rank."""
    settings = context.settings
    width = max(int(settings["beams"] or 0), max(ranks, default=0) + 1)
    distinct = list(dict.fromkeys(prompts))
    requests = [
        BeamWriting(prompt, int(settings["max_tokens"]), width, _stop(prompt))
        for prompt in distinct
    ]
    replies = dict(zip(distinct, model.write_beams(requests), strict=True))
    empty = Reply("")
    return [
        replies[prompt][rank] if rank < len(replies[prompt]) else empty
        for prompt, rank in zip(prompts, ranks, strict=True)
    ]


def ask_samples(
    model: Writes, prompts: Sequence[Prompt], ranks: Sequence[int], context: Context
) -> list[Reply]:
    """Replies that are drawn, each by a number of its own."""
    settings = context.settings
    temperature, top_p = float(settings["temperature"]), float(settings["top_p"])
    return model.write([
        Writing(prompt, int(settings["max_tokens"]), temperature, top_p, _stop(prompt), rank, context.seed)
        for prompt, rank in zip(prompts, ranks, strict=True)
    ])  # fmt: skip


def _stop(prompt: Prompt) -> tuple[str, ...]:
    """A text that is continued ends with its line; a reply in a conversation ends by itself."""
    return () if prompt.chat else ("\n",)
