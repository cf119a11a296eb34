"""Items of studies that ask a classifier: a text with its right label, and a text before and after a swap."""

from dataclasses import dataclass, field

from tiltmeter.core.types import Groups

GROUP = "group"
"""The axis of the groups that are held against each other."""
ATTRIBUTE = "attribute"
"""The axis of what these are groups of: gender, religion."""
NO_GROUP = "(no group)"
"""The group of texts that name none."""
NAMED = "groups named"
"""The axis of all groups that a text names, where it names several; `core.study.SEVERAL` is between them."""


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text and its right label.

    >>> LabelledText("1", "I hate waiting.", "other", ("other", "hateful"), "hateful").texts
    ('I hate waiting.',)
    """

    id: str
    text: str
    truth: str
    """One of `options`."""
    options: tuple[str, ...]
    positive: str = ""
    """The label that rates, ROC and F1 of the positive class refer to; "" where all labels are on a par."""
    groups: Groups = field(default_factory=dict)
    cluster: str = ""
    """The template or text that several items are made of; "" for an item that shares nothing."""
    where: str = ""
    """File and line, for messages."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts that a rule may ask about: the one text."""
        return (self.text,)


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
