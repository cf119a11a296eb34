"""What became of the replies that a model wrote, counted over a run."""

from collections.abc import Mapping
from dataclasses import dataclass

from tiltmeter.core.text import verb_for

OUTCOMES_IN_WORDS: Mapping[str, tuple[str, str]] = {
    "refused": ("refusal", "refusals"),
    "unread": ("not understood", "not understood"),
    "cut": ("cut off before an answer", "cut off before an answer"),
    "thinking": ("cut off while thinking", "cut off while thinking"),
    "empty": ("empty", "empty"),
}
"""Outcomes without an answer, of one reply and of several."""
STORED = "stored"
"""The rule of answers that were read by another program: it reads no reply itself."""


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
        """The counts that a card holds; None if the model wrote nothing."""
        if not counts.get("replies"):
            return None
        return cls(**{name: counts.get(name, 0) for name in cls.__dataclass_fields__})

    def share(self, outcome: str) -> float:
        """The share of replies with an outcome, from 0 to 1."""
        return float(getattr(self, outcome)) / self.replies

    @property
    def lacking(self) -> str:
        """How many replies had each outcome without an answer; "" where all have one.

        >>> ReplyCounts(60, 45, 1, 14, 0, 0, 0).lacking, ReplyCounts(60, 0, 0, 60, 0, 0, 0).lacking
        ('1 refusal, 14 not understood', '60 not understood, no refusals')
        """
        counts = {name: getattr(self, name) for name in OUTCOMES_IN_WORDS}
        words = [f"{n:,} {OUTCOMES_IN_WORDS[name][n > 1]}" for name, n in counts.items() if n]
        return ", ".join([*words, *([] if self.refused or not words else ["no refusals"])])

    def sentence(self, rule: str) -> str:
        """How many replies the rule read, and what became of the others.

        "" for stored answers of which none is missing: they need not be a model's replies.

        >>> ReplyCounts(300, 287, 10, 3, 0, 0, 0).sentence("word")
        'Rule word read 287 of 300 replies; 13 gave no answer: 10 refusals, 3 not understood.'
        >>> ReplyCounts(60, 0, 0, 60, 0, 0, 0).sentence("word")
        'Rule word read 0 of 60 replies: 60 not understood, no refusals.'
        >>> ReplyCounts(60, 59, 1, 0, 0, 0, 0).sentence("stored")
        '59 of 60 stored replies have an answer; 1 gave no answer: 1 refusal.'
        """
        of = f"{self.answered:,} of {self.replies:,}"
        replies = "reply" if self.replies == 1 else "replies"
        read = f"Rule {rule} read {of} {replies}"
        if rule == STORED:
            read = f"{of} stored {replies} {verb_for(self.replies, 'have')} an answer"
        if not self.lacking:
            return "" if rule == STORED else f"{read}."
        without = self.replies - self.answered
        return f"{read}{f'; {without:,} gave no answer' if self.answered else ''}: {self.lacking}."

    @property
    def thinking_sentence(self) -> str:
        """How many replies were thought about first, and how long; "" where none was.

        >>> ReplyCounts(50, 40, 10, 0, 0, 0, 0, thoughts=31, thought_tokens=9_641).thinking_sentence
        'The model thought before 62 % of its replies (mean 311 tokens).'
        """
        if not self.thoughts:
            return ""
        share = f"{100 * self.share('thoughts'):.0f} %"
        mean = f" (mean {self.thought_tokens / self.thoughts:,.0f} tokens)"
        known = mean if self.thought_tokens else ""  # stored replies come without their tokens
        return f"The model thought before {share} of its replies{known}."
