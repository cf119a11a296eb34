"""A record: what a rule made of one item, before anything is averaged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

from tiltmeter.core.types import Groups


@dataclass(frozen=True, slots=True)
class TokenScore:
    """A token of a sentence, and what the model says about it."""

    text: str
    """The characters that it covers, or "#ID" where the tokenizer does not say which they are."""
    id: int
    """The token's number in the model's vocabulary."""
    logprob: float | None
    """The log-probability that counts (in `aula` times the attention); the mean where it was read several
    times. None: the rule does not score this token."""


@dataclass(frozen=True, slots=True)
class Record:
    """The scores that a rule gave to one item, with their sign and not averaged."""

    item: str
    scores: Mapping[str, float]
    """The scores by name: of a pair `more` and `less`, and the number of tokens behind each."""
    groups: Groups
    cluster: str = ""
    said: str = ""
    """The text that the model wrote, if it wrote one: for the reader, never scored."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The texts of the item, for the reader: `more` and `less` of a pair."""
    names: Mapping[str, str] = field(default_factory=dict)
    """By score: the id of that sentence in the source, if it has one."""
    tokens: Mapping[str, Sequence[TokenScore]] | None = None
    """Token by token what makes up each score, by the name of the score. None where nobody asked for it
    (`Context.per_token`), or where the rule has no scores of tokens."""
    kind: str = ""
    """What it is a record of, in results whose records are of several kinds: "leaked_trait"."""
    thoughts: Mapping[str, str] = field(default_factory=dict)
    """What the model thought before it answered, by the name of the reply: "reply" of a single one."""
    finish: str = ""
    """Why `said` ended, as `core.model.conversations.Finish`; "" where nobody wrote one."""
    replies: Mapping[str, str] = field(default_factory=dict)
    """What the model wrote, by the name of the reply, where an item has several (`ReplyScores.sides`)."""

    @property
    def repeat(self) -> int:
        """Which of several replies to an item it is, from 0."""
        repeat = self.scores.get("repeat", 0.0)
        return int(repeat) if isfinite(repeat) else 0

    @property
    def first(self) -> str:
        """The id of the record of the first reply to the same item.

        >>> Record("q7|3", {"repeat": 2.0}, {}).first
        'q7'
        """
        return self.item.removesuffix(f"|{self.repeat + 1}") if self.repeat else self.item

    def as_repeat(self, repeat: int) -> "Record":
        """The record as that of a further reply to its item, or of the first.

        >>> Record("q7", {}, {}).as_repeat(2).item
        'q7|3'
        """
        item = f"{self.item}|{repeat + 1}" if repeat else self.item
        return replace(self, item=item, scores={**self.scores, "repeat": float(repeat)})
