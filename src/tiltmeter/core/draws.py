"""Draws of contexts: for every word of an association test, one sentence that contains it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tiltmeter.core.requests import Passage
from tiltmeter.core.types import Groups

Contexts: TypeAlias = tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """One context for each word of a test, drawn at random: one sample of contextual vectors."""

    id: str
    x: Contexts
    y: Contexts
    """() for a test of a single group: then `x` is one context of any of the group's words."""
    a: Contexts
    b: Contexts
    groups: Groups = field(default_factory=dict)
    """Axes to report over: test and family, or group and pair."""
    where: str = ""
    """File and place, for messages."""

    @property
    def passages(self) -> Contexts:
        """All contexts that need a vector."""
        return (*self.x, *self.y, *self.a, *self.b)

    @property
    def texts(self) -> tuple[str, ...]:
        """The sentences of all contexts."""
        return tuple(passage.text for passage in self.passages)

    @property
    def sets(self) -> Mapping[str, Contexts]:
        """The contexts by the name of their set."""
        return {"x": self.x, "y": self.y, "a": self.a, "b": self.b}
