"""Conventions: how published code departs from a paper, by name; and the settings of a study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tiltmeter.core.types import Ties


@dataclass(frozen=True, slots=True)
class Quirk:
    """One point on which published code departs from its paper.

    Each is defined beside the rule that acts on it; conventions list those they have.
    """

    name: str
    summary: str


@dataclass(frozen=True, slots=True)
class Convention:
    """How a published script departs from its paper, point by point."""

    name: str
    summary: str
    source: str
    ties: Ties = "half"
    rules: tuple[str, ...] = ()
    """The rules that it applies to, the default one first; () means every rule."""
    decimals: Mapping[str, int] = field(default_factory=dict)
    """By rule: the number of decimals to which scores are rounded before they are compared."""
    needs: Mapping[str, type] = field(default_factory=dict)
    """By rule: a protocol that the model must satisfy under this convention, besides the rule's own."""
    quirks: tuple[Quirk, ...] = ()
    """Further departures, which the rules concerned look for."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Defaults of the study's settings under this convention; what the user sets overrides them."""


FIXED_LABELS = "fixed_labels"
"""In the data of a card, of sets whose design fixed how many items have each label."""
PAPER = Convention("paper", "Each rule as its paper defines it.", "")


@dataclass(frozen=True, slots=True)
class Setting:
    """A choice that a study leaves to the user; the default is the paper's."""

    name: str
    default: str
    summary: str
    """One sentence on what it decides and what the choices mean."""
    choices: tuple[str, ...] = ()
    """The allowed values; () for a text, a number or a file, which is checked where it is read."""
    between: tuple[int, int] | None = None
    """The lowest and the highest of whole numbers, where only these are allowed."""
    is_most: bool = False
    """Whether it is the largest number of items, of which the data may have fewer."""


def with_defaults(settings: Sequence[Setting], given: Mapping[str, str] | None) -> dict[str, str]:
    """The value of each setting: the user's, or its default.

    >>> with_defaults([Setting("spaces", "removed", "Spaces at the ends of sentences.")], {"spaces": "kept"})
    {'spaces': 'kept'}
    """
    return {setting.name: setting.default for setting in settings} | dict(given or {})
