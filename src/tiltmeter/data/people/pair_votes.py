"""What one person says of a pair of sentences: Nangia et al. 2020, section 2 and appendix C."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Direction: TypeAlias = Literal["stereo", "antistereo", "neither"]
DIRECTIONS: tuple[Direction, ...] = ("stereo", "antistereo", "neither")
PAIR_QUESTIONS = ("sentence_1", "sentence_2", "minimal", "bias_type")
"""The questions of a form that validates pairs: what each sentence does, whether the two are the same but for
what they are to differ in, and what the stereotype is about."""
MINIMAL = "yes"
"""The answer that they are the same but for that."""


@dataclass(frozen=True, slots=True)
class PairVote:
    """What one person says of a pair of sentences."""

    first: Direction
    second: Direction
    minimal: bool
    bias_type: str = ""

    @property
    def more(self) -> int:
        """Which sentence is the more stereotyping one: 1, 2, or 0 where they do not differ.

        >>> PairVote("stereo", "neither", True).more, PairVote("stereo", "antistereo", True).more
        (1, 1)
        >>> PairVote("antistereo", "neither", True).more, PairVote("stereo", "stereo", True).more
        (2, 0)
        """
        height = {"stereo": 1, "neither": 0, "antistereo": -1}
        difference = height[self.first] - height[self.second]
        return 0 if difference == 0 else 1 if difference > 0 else 2
