"""One look at an association test in context: of every word, one of the sentences that hold it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tiltmeter.core.requests import Passage
from tiltmeter.core.types import Groups

Contexts: TypeAlias = tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """For each word of a test one context, drawn at random: a test of contextual vectors."""

    id: str
    x: Contexts
    y: Contexts
    """() where the test is of one group: then `x` is one context, of any of its words."""
    a: Contexts
    b: Contexts
    groups: Groups = field(default_factory=dict)
    """test and family, or group and pair."""
    where: str = ""
    """File and place, for messages."""

    @property
    def passages(self) -> Contexts:
        """All that are asked about."""
        return (*self.x, *self.y, *self.a, *self.b)

    @property
    def texts(self) -> tuple[str, ...]:
        """All sentences."""
        return tuple(passage.text for passage in self.passages)

    @property
    def sets(self) -> Mapping[str, Contexts]:
        """By the name of the set."""
        return {"x": self.x, "y": self.y, "a": self.a, "b": self.b}
