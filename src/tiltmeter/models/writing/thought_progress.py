"""Follows a reply token by token through a thought into the answer, so that both have their own limits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tiltmeter.core.model.thoughts import end_to_come, has_end, tag_bytes

Decode: TypeAlias = Callable[[Sequence[int]], str]
MORE = 8
"""Tokens beyond the longest tag, should an end be split in an unusual way."""


@dataclass(frozen=True, slots=True)
class ThoughtProgress:
    """How far a reply has come."""

    tags: tuple[str, ...] = ()
    """A further beginning and end of a thought, as in `Writing.thinking_tags`."""
    at: Literal["begin", "thought", "answer"] = "begin"
    """In the beginning it is not clear yet whether there is a thought."""
    end: str = ""
    """The end of the thought; "" is any, where the chat template wrote the beginning."""
    tokens: int = 0
    """Tokens of the thought with its tags, of which the last ends it; 0 before that."""

    def after(self, written: Sequence[int], decode: Decode) -> "ThoughtProgress":
        """The progress after one more token.

        Args:
            written: All tokens of the reply.
            decode: The text of tokens, those of tags included.
        """
        if self.at == "answer":
            return self
        if self.at == "begin":
            end = end_to_come(decode(written), self.tags)
            if end is None:
                return self
            return replace(self, at="thought" if end else "answer", end=end)
        # A tag has at most as many tokens as bytes, so its end is found without reading all of the thought.
        last = written[-(tag_bytes(self.tags) + MORE) :]
        if has_end(decode(last), self.end, self.tags):
            return replace(self, at="answer", tokens=len(written))
        return self
