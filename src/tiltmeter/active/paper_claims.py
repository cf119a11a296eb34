"""The claims of Baumler, Sotnikova and Daumé 2023 as data, and the words with which they are judged.

What is compared, by which measure and with which words was fixed before any simulation was run.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Literal, TypeAlias

from tiltmeter.core.errors import UnknownName
from tiltmeter.core.reading.typed_values import made

ClaimKind: TypeAlias = Literal["votes", "loss", "macro_f1", "again", "underestimated", "skill"]
"""votes: votes of the others per vote of the strategy, to one target. loss: mean loss minus that of the best
of the others, beside every verdict on votes. macro_f1: the same of macro-F1, where the paper has it. again:
how much the share of votes on items with an earlier vote grows. underestimated: how much the share with
f_ent(x) > H(f(x)) grows. skill: how much better f_ent is than the mean entropy, 1 − MSE / MSE of the mean."""
Disagreement: TypeAlias = Literal["high", "middle", "low"]
HIGH, LOW = 0.5, 0.4
"""Probability that two votes on an item differ, from which and up to which it is called high and low."""
UNDECIDED = "undecided"
FEWEST_SEEDS = 5
"""From fewer seeds nothing is decided: they tell too little of their spread."""


@dataclass(frozen=True, slots=True)
class VerdictWords:
    """The words for an interval, by where it lies."""

    above: str
    below: str
    within: str
    neutral: float
    band: tuple[float, float]
    """An interval inside it shows that there is no difference worth the name."""

    def judge(self, low: float | None, high: float | None, seeds: int) -> str:
        """The word for an interval over so many seeds; None is an end without a limit.

        >>> ends = (1.1, None), (0.5, 0.9), (0.95, 1.05), (0.9, 1.3)
        >>> [VERDICTS["votes"].judge(low, high, 5) for low, high in ends]
        ['saves', 'costs', 'no difference', 'undecided']
        """
        if seeds < FEWEST_SEEDS:
            return UNDECIDED
        interval = -inf if low is None else low, inf if high is None else high
        if self.band[0] <= interval[0] and interval[1] <= self.band[1]:
            return self.within
        if interval[0] > self.neutral:
            return self.above
        return self.below if interval[1] < self.neutral else UNDECIDED


ALIKE = {
    "saves": {"saves", "lower loss", "higher macro-F1"}, "costs": {"costs", "higher loss", "lower macro-F1"},
}  # fmt: skip
"""What a verdict on votes is where losses or macro-F1 are compared."""
VERDICTS: Mapping[ClaimKind, VerdictWords] = {
    "votes": VerdictWords("saves", "costs", "no difference", 1.0, (1 / 1.1, 1.1)),
    "loss": VerdictWords("higher loss", "lower loss", "no difference", 0.0, (0.0, 0.0)),
    "macro_f1": VerdictWords("higher macro-F1", "lower macro-F1", "no difference", 0.0, (0.0, 0.0)),
    "again": VerdictWords("grows", "falls", "no change", 0.0, (-0.1, 0.1)),
    "underestimated": VerdictWords("grows", "falls", "no change", 0.0, (-0.1, 0.1)),
    "skill": VerdictWords("predicts", "misleads", "no better than the mean", 0.0, (-0.1, 0.1)),
}


@dataclass(frozen=True, slots=True)
class PaperClaim:
    """One thing that a paper says about a strategy."""

    number: int
    text: str
    published: str
    """The paper's own numbers, and where they stand; "" for a variant that the paper does not have."""
    kind: ClaimKind
    strategy: str
    against: tuple[str, ...] = ()
    """Strategies of which the best is compared with; those that were not run are left out."""
    expected: Mapping[Disagreement, str] = field(default_factory=dict)
    """The verdict that would bear the claim out, by how much annotators disagree."""
    agreed_only: bool = False
    """Whether it is about training on items whose votes all agree."""
    has_f1: bool = False
    """Whether the paper has macro-F1 beside the loss."""

    @property
    def id(self) -> str:
        """Names the claim among those of its convention: "3-daal-votes"."""
        return f"{self.number}-{self.strategy}-{self.kind}"

    def bears_out(self, verdict: str, disagreement: float) -> bool | None:
        """Whether a verdict bears the claim out; None where it says nothing either way.

        `disagreement` is the probability that two votes on an item differ.
        """
        expected = self.expected.get(level_of(disagreement))
        if expected is None or verdict == UNDECIDED:
            return None
        return verdict in ALIKE.get(expected, {expected})


def level_of(disagreement: float) -> Disagreement:
    """How much annotators disagree, in words.

    >>> level_of(0.68), level_of(0.45), level_of(0.15)
    ('high', 'middle', 'low')
    """
    if disagreement >= HIGH:
        return "high"
    return "low" if disagreement <= LOW else "middle"


BASELINES = ("passive", "passive_batched", "entropy", "entropy_batched")


def claims_of(convention: str) -> Sequence[PaperClaim]:
    """The claims of a convention in `claims.toml`; UnknownName where there is no such convention."""
    claims = tomllib.loads(Path(__file__).with_name("claims.toml").read_text("utf-8"))
    if convention not in claims:
        raise UnknownName("convention", convention, claims)
    return tuple(made(PaperClaim, claim) for claim in claims[convention])
