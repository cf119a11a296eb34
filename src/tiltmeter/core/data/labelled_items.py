"""Items of studies that ask a classifier: a text with its right label, and a text before and after a swap."""

from dataclasses import dataclass, field
from typing import NamedTuple

from tiltmeter.core.types import Groups

GROUP = "group"
"""The axis of the groups that are held against each other."""
ATTRIBUTE = "attribute"
"""The axis of what these are groups of: gender, religion."""
SMALL = " (left out)"
"""Ends the name of a group that is too small to be compared."""
NO_GROUP = "(no group)"
"""The group of texts that name none."""
NAMED = "groups named"
"""The axis of all groups that a text names, where it names several; `core.measures.SEVERAL` parts them."""


class Prediction(NamedTuple):
    """What a classifier that ran elsewhere says of a text."""

    score: float | None = None
    """The probability of positive; None where it gives labels only."""
    label: str = ""
    """The predicted label, spelled as in the data; "" if the classifier gives only scores."""


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text and its right label.

    >>> LabelledText("1", "I hate waiting.", "other", ("other", "hateful"), "hateful").texts
    ('I hate waiting.',)
    """

    id: str
    text: str
    truth: str
    """The right label, one of `options`."""
    options: tuple[str, ...]
    positive: str = ""
    """The label that rates, ROC and F1 of the positive class refer to; "" where all labels are on a par."""
    groups: Groups = field(default_factory=dict)
    cluster: str = ""
    """The template or text that several items are made of; "" for an item that shares nothing."""
    where: str = ""
    """File and line, for messages."""
    label: str = ""
    """The right label as the data call it, before labels were joined."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts that a rule may ask about: the one text."""
        return (self.text,)

    @property
    def text_id(self) -> str:
        """The id of the text in the data, also where it is one item for each group that it names."""
        return self.id.removesuffix(f":{self.groups[GROUP]}") if NAMED in self.groups else self.id


@dataclass(frozen=True, slots=True)
class SwappedText:
    """A text, and the same text with its identity terms exchanged for those of another group."""

    id: str
    before: LabelledText
    after: str
    groups: Groups = field(default_factory=dict)
    """Axes to report over: swap ("women → men"), group (of the text as it was), attribute, label."""
    cluster: str = ""
    """The id of the text: all its swaps belong together."""
    where: str = ""
    """File and line, for messages."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The text as it was, and with its identity terms exchanged."""
        return self.before.text, self.after
