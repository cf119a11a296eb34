"""What all ways of writing replies share: room for a reply, its text, and where it ends."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from tiltmeter.core.model.conversations import BeamWriting, Writing
from tiltmeter.core.model.thoughts import is_tag_piece
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.speed import machine_limits
from tiltmeter.models.writing.next_tokens import ReadsOn
from tiltmeter.models.writing.prompt_reader import PromptReader


class ReplyWriter:
    """Continues prompts token by token."""

    def __init__(
        self,
        name: str,
        loaded: Loaded,
        limit: int | None,
        texts: Callable[[int], ReadsOn],
        start: Sequence[int] = (),
    ) -> None:
        """Prepare to write.

        Args:
            name: The model's name, for messages.
            loaded: The model, or only its tokenizer for a model behind a server.
            limit: The most tokens of a text.
            texts: Returns the reader for texts of a given number of tokens.
            start: The tokens with which a decoder's text begins; () for models without a decoder.
        """
        self._name = name
        self._loaded = loaded
        self._limit = limit
        self._texts = texts
        self._start = start
        self.reader = PromptReader(name, loaded, closed=bool(start))
        self.tokens = loaded.batch_tokens
        if loaded.model is not None:  # a server's model writes there
            self.tokens = machine_limits.tokens_held(loaded.model, self.tokens)
        self._ends = _end_tokens(loaded)

    def _lengths(
        self, prompts: Sequence[Sequence[int]], requests: Sequence[Writing | BeamWriting]
    ) -> list[int]:
        """How many tokens the model has to read with the longest answer to each prompt, without thoughts.

        Raises:
            CannotAnswer: That is more than the model's limit.
        """
        both = zip(prompts, requests, strict=True)
        if self._start:  # the encoder reads the prompt, the decoder the reply
            lengths = [max(len(p), len(self._start) + r.max_tokens) for p, r in both]
        else:
            lengths = [len(p) + r.max_tokens for p, r in both]
        hf.within(self._limit, lengths, self._name)
        return lengths

    def _decoded(self, tokens: Sequence[int], tags: tuple[str, ...] = ()) -> str:
        """The text of tokens without special ones, except those that begin or end a thought."""
        marks, special = self._special(tags)
        if marks.isdisjoint(tokens):
            return str(self._loaded.tokenizer.decode(list(tokens), skip_special_tokens=True))
        kept = [token for token in tokens if token in marks or token not in special]
        return str(self._loaded.tokenizer.decode(kept, skip_special_tokens=False))

    @cached_property
    def _special(self) -> Callable[[tuple[str, ...]], tuple[frozenset[int], frozenset[int]]]:
        """From further tags to the special tokens that are pieces of tags, and all special tokens."""
        vocabulary = self._loaded.tokenizer.get_vocab()
        special = {t: vocabulary[t] for t in self._loaded.control_tokens if t in vocabulary}

        @lru_cache(maxsize=16)
        def both(tags: tuple[str, ...]) -> tuple[frozenset[int], frozenset[int]]:
            marks = {i for text, i in special.items() if is_tag_piece(text, [*special], tags)}
            return frozenset(marks), frozenset(special.values())

        return both


def _end_tokens(loaded: Loaded) -> frozenset[int]:
    """The tokens that end a reply."""
    configured = getattr(getattr(loaded.model, "generation_config", None), "eos_token_id", None)
    several = configured if isinstance(configured, list | tuple) else [configured]
    tokens = (*several, loaded.tokenizer.eos_token_id, *loaded.ends)
    return frozenset(int(token) for token in tokens if token is not None)
