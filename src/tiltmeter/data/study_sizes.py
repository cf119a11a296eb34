"""How large studies are on their usual data: `study_sizes.toml`, which `goldens.of_sizes` counts anew."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tiltmeter.data.downloads.places import package_table

TOKENS_PER_SECOND = 700
"""What a model of 124 million parameters reads and scores on two CPU cores: all pairs of CrowS-Pairs, 44,534
tokens, took GPT-2's size 126 seconds of processor time (docs/explanation/speed.md)."""
SECONDS_PER_REPLY, AT_ONCE = 2.0, 4
"""How long a server may take for a reply, and how many it is asked for at the same time by default."""
SCORES = "with 124 million parameters on two CPU cores, masked models several times as long"
REPLIES = "from a server that sends four replies in two seconds"
"""What times are based on, of scores and of replies."""
TIMED = f"rough: scores {SCORES}; replies {REPLIES}"


@dataclass(frozen=True, slots=True)
class UsualSize:
    """What a study asks by its usual rule, on its usual data."""

    items: int
    requests: int
    """The number of distinct requests."""
    read: int
    """Tokens that a causal model reads, or a classifier or encoder where the study needs one; roughly, as
    vocabularies differ."""
    written: int
    """The most tokens that the model writes; 0 where it only scores texts."""
    data: tuple[str, ...] = ()
    """The registered data sets that are read; () where the items are part of the package."""

    @property
    def seconds(self) -> float:
        """About how long a run takes, on the basis of `basis`.

        >>> UsualSize(items=100, requests=100, read=3_500, written=0).seconds
        5.0
        >>> UsualSize(items=100, requests=100, read=3_500, written=1_600).seconds
        50.0
        """
        if self.written:
            return self.requests * SECONDS_PER_REPLY / AT_ONCE
        return self.read / TOKENS_PER_SECOND

    @property
    def basis(self) -> str:
        """What the time is based on, in words."""
        return REPLIES if self.written else SCORES


@cache
def study_sizes() -> Mapping[str, UsualSize]:
    """The sizes of Tiltmeter's own studies, by name; none of one that has no data of its own.

    >>> study_sizes()["crows_pairs"].items
    1508
    """
    table = package_table("study_sizes.toml")
    return {name: UsualSize(**{**row, "data": tuple(row["data"])}) for name, row in table.items()}


def brief_time(seconds: float) -> str:
    """A rough duration in at most six characters.

    >>> [brief_time(seconds) for seconds in (3, 75, 1_700, 6_000, 200_000)]
    ['<1 min', '1 min', '28 min', '1.7 h', '56 h']
    """
    if seconds < 60:  # noqa: PLR2004
        return "<1 min"
    hours = seconds / 3600
    if hours < 1:
        return f"{seconds / 60:.0f} min"
    return f"{hours:.1f} h" if hours < 10 else f"{hours:.0f} h"  # noqa: PLR2004


def brief_count(count: int) -> str:
    """A count in at most five characters: thousands from ten thousand on.

    >>> brief_count(1508), brief_count(29680)
    ('1,508', '30 k')
    """
    return f"{count:,}" if count < 10_000 else f"{count / 1000:.0f} k"  # noqa: PLR2004
