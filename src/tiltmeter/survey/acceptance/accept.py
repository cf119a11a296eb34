"""Which written examples are accepted, from the votes of those who validated them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tiltmeter.data.people.pair_votes import Direction, PairVote

NEEDED_PAIR = 3
"""Votes of six, the writer's counted, that a pair needs."""
NEEDED_TRIPLE = 3
"""Votes of five that each label of a triple needs."""


@dataclass(frozen=True, slots=True)
class _Decision:
    why: str = ""
    """Why it is not accepted; "" if it is."""

    @property
    def accepted(self) -> bool:
        """Whether it is accepted."""
        return not self.why


@dataclass(frozen=True, slots=True)
class PairDecision(_Decision):
    """Whether a pair is accepted, and as what."""

    more: int = 0
    """The more stereotyping sentence, 1 or 2; 2 where the writer's order is swapped."""
    direction: Direction = "neither"
    """The direction of the first sentence, which is about the disadvantaged group."""
    bias_type: str = ""
    votes: int = 0
    """People, the writer counted, who find it valid in this order and minimally distant."""


def accept_pair(
    writer: PairVote, votes: Sequence[PairVote], needed: int = NEEDED_PAIR
) -> PairDecision:
    """Accept a pair if enough people, the writer counted, find it valid in one order and minimal.

    The type is the one that most of these people name; a tie leaves the pair out. Nangia et al. 2020,
    section 2 (doi:10.18653/v1/2020.emnlp-main.154). Their examples include types that fewer than half of
    the validators named, so "majority" is read as the most common one.

    Args:
        writer: The pair as written: valid and minimal by the writer's own judgment.
        votes: Of those who validated it, five in the paper.
        needed: How many of all of them, the writer counted, must find it so; three in the paper.

    >>> yes, no = PairVote("stereo", "neither", True, "age"), PairVote("neither", "neither", True, "age")
    >>> accept_pair(yes, [yes, yes, no, no, no]).accepted, accept_pair(yes, [yes, no, no, no, no]).accepted
    (True, False)
    """
    every = (writer, *votes)
    groups = {more: [v for v in every if v.minimal and v.more == more] for more in (1, 2)}
    more = max(groups, key=lambda choice: (len(groups[choice]), choice == writer.more))
    approving = groups[more]
    if len(approving) < needed:
        why = f"{len(approving)} of {len(every)} find it valid and minimally distant"
        return PairDecision(why, votes=len(approving))
    bias_type = _most_common([vote.bias_type for vote in approving])
    if not bias_type:
        why = "those who find it valid do not agree on the type"
        return PairDecision(why, more, votes=len(approving))
    seen: Counter[Direction] = Counter(v.first for v in approving if v.first != "neither")
    direction: Direction = "stereo" if more == 1 else "antistereo"
    if seen:
        direction = max(seen, key=lambda choice: (seen[choice], choice == direction))
    return PairDecision("", more, direction, bias_type, len(approving))


def _most_common(types: Sequence[str]) -> str:
    """The most common of some names; "" where several are, or none is named."""
    counted = Counter(name for name in types if name).most_common(2)
    if not counted or (len(counted) > 1 and counted[0][1] == counted[1][1]):
        return ""
    return counted[0][0]


@dataclass(frozen=True, slots=True)
class TripleDecision(_Decision):
    """Whether a triple is kept, and what each of its continuations is."""

    labels: tuple[str, ...] = ()
    """By continuation: the label that most people gave."""


def accept_triple(votes: Sequence[Sequence[str]], needed: int = NEEDED_TRIPLE) -> TripleDecision:
    """Keep a triple if enough people agree on every label, and the labels differ.

    Nadeem et al. 2021, section 4.3 (doi:10.18653/v1/2021.acl-long.416), who kept 83 %.

    Args:
        votes: For each person, the label of each continuation.
        needed: How many people must give each continuation the same label: three of five in the paper, which
            suggests four for data of higher quality.

    >>> a, b = ("stereotype", "anti-stereotype", "unrelated"), ("unrelated", "stereotype", "unrelated")
    >>> accept_triple([a, a, a, b, b]).labels
    ('stereotype', 'anti-stereotype', 'unrelated')
    >>> accept_triple([a, a, b, b, ("unrelated", "unrelated", "stereotype")]).accepted
    False
    """
    if not votes:
        return TripleDecision("nobody has voted")
    counted = [Counter(column).most_common(1)[0] for column in zip(*votes, strict=True)]
    labels = tuple(label for label, _ in counted)
    fewest = min(count for _, count in counted)
    why = ""
    if fewest < needed:
        why = f"only {fewest} of {len(votes)} agree on a label"
    elif len(set(labels)) < len(labels):
        why = "two continuations have the same label"
    return TripleDecision(why, labels)
