"""What ways of writing share: prompts as tokens, the room for a reply, and where a reply ends."""

from collections.abc import Callable, Sequence

from tiltmeter.core.conversations import BeamWriting, Prompt, Writing
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.writing.next_tokens import NextTokens
from tiltmeter.models.writing.prompt_text import PromptReader

KEPT = 4
"""Tokens whose keys and values may be kept while replies are written, in batches of the model's size."""


class ReplyWriter:
    """Writes token by token behind prompts."""

    def __init__(
        self,
        name: str,
        loaded: Loaded,
        limit: int | None,
        texts: Callable[[int], NextTokens],
        start: Sequence[int] = (),
    ) -> None:
        """`texts` gives what reads texts of so many tokens; `start` is what a decoder's text begins with."""
        self._name = name
        self._loaded = loaded
        self._limit = limit
        self._texts = texts
        self._start = start
        self._reader = PromptReader(name, loaded, closed=bool(start))
        self._ends = _end_tokens(loaded)

    @property
    def chats(self) -> bool:
        """Whether the tokenizer has a chat template."""
        return self._reader.chats

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        """Tokens of each prompt, template included."""
        return [len(ids) for ids in self._reader.tokens(prompts)]

    def _prompts(
        self, requests: Sequence[Writing | BeamWriting]
    ) -> tuple[list[tuple[int, ...]], list[int]]:
        """The tokens of each prompt, and of the longest row with its reply.

        Raises:
            CannotAnswer: A row is longer than the model reads.
        """
        prompts = self._reader.tokens([request.prompt for request in requests])
        both = zip(prompts, requests, strict=True)
        if self._start:  # the encoder reads the prompt, the decoder the reply
            lengths = [max(len(p), len(self._start) + r.max_tokens) for p, r in both]
        else:
            lengths = [len(p) + r.max_tokens for p, r in both]
        hf.within(self._limit, lengths, self._name)
        return prompts, lengths

    def _decoded(self, tokens: Sequence[int]) -> str:
        return str(self._loaded.tokenizer.decode(list(tokens), skip_special_tokens=True))


def before_stop(text: str, stop: Sequence[str]) -> str | None:
    """What comes before the first stop text; None where there is none."""
    places = [at for stop_text in stop if stop_text and (at := text.find(stop_text)) >= 0]
    return text[: min(places)] if places else None


def _end_tokens(loaded: Loaded) -> frozenset[int]:
    """The tokens after which a reply is over."""
    configured = getattr(getattr(loaded.model, "generation_config", None), "eos_token_id", None)
    several = configured if isinstance(configured, list | tuple) else [configured]
    return frozenset(
        int(token) for token in (*several, loaded.tokenizer.eos_token_id) if token is not None
    )
