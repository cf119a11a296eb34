"""What we measure on. Frozen, with an id and the groups it concerns; no base class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from tiltmeter.core.errors import Problem
from tiltmeter.core.types import Groups

T = TypeVar("T")
Direction = Literal["stereo", "antistereo"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences that differ, as a rule, only in whom they are about."""

    id: str
    more: str
    """The more stereotyping sentence, whatever order the source had."""
    less: str
    """The less stereotyping sentence."""
    groups: Groups = field(default_factory=dict)
    """Axes to report over: bias_type, direction (stereo, antistereo), audit, …"""
    cluster: str = ""
    """What the item was made from (a template, a writer, a target term); "" where it stands alone."""
    where: str = ""
    """File and line, for messages."""

    @property
    def first(self) -> str:
        """The sentence about the disadvantaged group: `more` of a stereo pair, else `less`."""
        return self.less if self.groups.get("direction") == "antistereo" else self.more

    @property
    def second(self) -> str:
        """The other one."""
        return self.more if self.groups.get("direction") == "antistereo" else self.less


@dataclass(frozen=True, slots=True)
class Dataset(Generic[T]):
    """Items of one kind, and where they come from."""

    name: str
    version: str
    items: Sequence[T]
    source: str
    """Citation and address, as the report prints it."""
    licence: str
    sha256: str = ""
    """Of the file or files that the items were read from; "" for made-up items."""
    warning: str = ""
    """The authors' own words of caution, in short: shown once before a run and in the report."""
    clusters: str = ""
    """What `Pair.cluster` names ("writer", "template", …); "" where items are independent."""
    invalid: Sequence[Problem] = ()
    """Rows that were left out because the user asked to skip what cannot be read."""
    notes: Sequence[str] = ()
    """What the reader noticed and the result should say."""
    about: Mapping[str, str] = field(default_factory=dict)
    """More lines for the data card."""
