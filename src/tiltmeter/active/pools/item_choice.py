"""Which items of a pool take part: those with so many votes, or a random sample."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import TABLE_LABELS, CheckedOptions, Option
from tiltmeter.core.text import counted, raised

if TYPE_CHECKING:
    from tiltmeter.active.votes import VotePool

SAMPLE: Final = 707
"""Distinguishes the random numbers of the sample from those of other draws with the same seed."""


@dataclass(frozen=True, slots=True)
class ItemChoice(CheckedOptions):
    """Which items of a pool take part, all by default; an item that does keeps all its votes."""

    min_votes: Annotated[int, Option("Use only items with at least this many votes.", min=1)] = 1
    max_votes: Annotated[
        int, Option("Use only items with at most this many votes; 0 for no limit.", min=0)
    ] = 0
    limit: Annotated[
        int, Option("Use a random sample of this many of these items; 0 for all.", min=0)
    ] = 0
    limit_seed: Annotated[int, Option("Seed of this sample.", min=0)] = 0

    def of(self, pool: "VotePool") -> "VotePool":
        """The pool of the chosen items, with a note on how many there were.

        The sample is drawn from the items with such numbers of votes; where there are fewer, all are used.

        Raises:
            BadInput: Fewer than ten items are left, or the limits exclude each other.
        """
        import numpy as np  # noqa: PLC0415  (slow to import, and help pages need the options only)

        from tiltmeter.active.votes import FEWEST_ITEMS  # noqa: PLC0415

        if 0 < self.max_votes < self.min_votes:
            reason = f"--max-votes {self.max_votes} is lower than --min-votes {self.min_votes}"
            raise BadInput(reason, "raise one, or lower the other")
        votes = np.bincount(pool.item, minlength=len(pool.items))
        enough = votes >= self.min_votes
        fitting = np.flatnonzero(enough & (votes <= (self.max_votes or votes.max(initial=0))))
        kept = fitting
        if 0 < self.limit < len(fitting):
            rng = np.random.default_rng([self.limit_seed, SAMPLE])
            kept = np.sort(rng.choice(fitting, self.limit, replace=False))
        if len(kept) == len(pool.items):
            return pool
        if len(kept) < FEWEST_ITEMS:
            reason = f"{counted(len(fitting), 'items')} of {len(pool.items):,} with {self._range}"
            used = f", {self.limit} of them sampled" if len(kept) < len(fitting) else ""
            way_out = (
                f"at least {FEWEST_ITEMS} are needed: change --min-votes, --max-votes or --limit"
            )
            raise BadInput(f"{pool.name}: {reason}{used}", way_out)
        return pool.subset(kept, self._note(len(kept), len(fitting), len(pool.items)))

    @property
    def _range(self) -> str:
        """The numbers of votes that items may have, in words.

        >>> ItemChoice(min_votes=3, max_votes=6)._range, ItemChoice(max_votes=6)._range
        ('3 to 6 votes', 'at most 6 votes')
        """
        if not self.max_votes:
            return f"at least {self.min_votes} votes"
        return f"{self.min_votes} to {self.max_votes} votes" if self.min_votes > 1 else (
            f"at most {self.max_votes} votes"
        )  # fmt: skip

    def _note(self, kept: int, fitting: int, all_: int) -> str:
        parts = []
        if fitting < all_:
            parts.append(
                f"only the {fitting:,} of {counted(all_, 'items')} with {self._range} are used"
            )
        if kept < fitting:
            seed = f"seed {self.limit_seed}"
            parts.append(
                f"a random sample of {kept:,} of {counted(fitting, 'items')} is used ({seed})"
            )
        text = "; of these, ".join(parts)
        return f"{raised(text)}."


@dataclass(frozen=True, slots=True)
class VotePoolOptions(ItemChoice):
    """The options of `tiltmeter active pools`."""

    pool_votes: Annotated[
        int, Option("Maximum number of votes counted per item; 0 for all.", min=0)
    ] = 0
    label: Annotated[tuple[str, ...], TABLE_LABELS] = ()
