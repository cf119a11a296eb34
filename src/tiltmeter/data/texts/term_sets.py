"""Sets of terms that differ in the group alone, one term for each group, as files list them by attribute."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from tiltmeter.core.typed_values import Fault
from tiltmeter.core.value_types import Line, some

_FEWEST = 2


def _single(term: str) -> str:
    if len(term.split()) > 1:
        raise Fault(
            f"is {term!r}, not a single word", "leave it out: words are exchanged one for one"
        )
    return term


Term: TypeAlias = Annotated[Line, _single]


@dataclass(frozen=True)
class TermSets:
    """The sets of one attribute.

    >>> [str(fault) for fault in TermSets(("women", "men"), (("she", "he"), ("her",))).faults()]
    ['sets[2] is not one word for each of women, men']
    """

    groups: tuple[Line, ...]
    """What each place in a set is: women, men."""
    sets: Annotated[tuple[tuple[Term, ...], ...], some]

    def faults(self) -> Iterator[Fault]:
        """Sets that have not one term for each group, and groups that cannot be exchanged."""
        if len(self.groups) < _FEWEST or max(Counter(self.groups).values()) > 1:
            yield Fault("names fewer than two groups", 'write groups = ["women", "men"]')
        for number, terms in enumerate(self.sets, start=1):
            if len(terms) != len(self.groups):
                reason = f"is not one word for each of {', '.join(self.groups)}"
                yield Fault(reason, 'write sets = [["she", "he"], …]', f"sets[{number}]")
