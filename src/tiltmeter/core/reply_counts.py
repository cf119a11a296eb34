"""What became of the replies that a model wrote, counted over a run."""

from collections.abc import Mapping
from dataclasses import dataclass

OUTCOMES_IN_WORDS = {
    "refused": ("was a refusal", "were refusals"),
    "unread": ("was not understood", "were not understood"),
    "cut": ("was cut off before an answer", "were cut off before an answer"),
    "thinking": ("was cut off while thinking", "were cut off while thinking"),
    "empty": ("was empty", "were empty"),
}
"""Outcomes without an answer, of one reply and of several."""


@dataclass(frozen=True, slots=True)
class ReplyCounts:
    """How many replies there are, and how many of them have each outcome (`core.rules.ReplyScores`)."""

    replies: int
    answered: int
    refused: int
    unread: int
    cut: int
    thinking: int
    empty: int
    thoughts: int = 0
    """Replies with a thought, whatever became of them."""
    thought_tokens: int = 0
    """Tokens of all thoughts."""

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> "ReplyCounts | None":
        """Those of a card's counts; None where the model wrote nothing."""
        if not counts.get("replies"):
            return None
        return cls(**{name: counts.get(name, 0) for name in cls.__dataclass_fields__})

    def share(self, outcome: str) -> float:
        """The share of replies with an outcome, from 0 to 1."""
        return float(getattr(self, outcome)) / self.replies

    @property
    def sentence(self) -> str:
        """What became of replies without an answer; "" where there are none.

        >>> ReplyCounts(60, 0, 0, 60, 0, 0, 0).sentence
        '60 of 60 replies were not understood; none was a refusal.'
        >>> ReplyCounts(60, 45, 10, 5, 0, 0, 0).sentence
        '15 of 60 replies gave no answer: 10 were refusals, 5 were not understood.'
        """
        counts = {name: getattr(self, name) for name in OUTCOMES_IN_WORDS if getattr(self, name)}
        said = [f"{n:,} {OUTCOMES_IN_WORDS[name][n > 1]}" for name, n in counts.items()]
        if not said:
            return ""
        if len(said) > 1:
            lacking = self.replies - self.answered
            return f"{lacking:,} of {self.replies:,} replies gave no answer: {', '.join(said)}."
        ((name, n),) = counts.items()
        rest = "" if name == "refused" else "; none was a refusal"
        of = "reply" if self.replies == 1 else "replies"
        return f"{n:,} of {self.replies:,} {of} {OUTCOMES_IN_WORDS[name][n > 1]}{rest}."
