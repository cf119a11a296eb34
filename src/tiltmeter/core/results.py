"""What a run leaves behind: one record an item, estimates over records, and a card."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from tiltmeter.core.types import Groups
from tiltmeter.core.views import View

Role: TypeAlias = Literal["lean", "cost", "description"]
"""What a number is for: how far a model leans, what something cost, or neither."""
ALPHA = 0.05
"""Below this p a value differs significantly from neutral."""
NoteKind: TypeAlias = Literal["coverage", "data", "oddity", "precision", "caution"]
"""coverage: only a part of the data was counted. data: what the reader of the data noticed. oddity:
items of an unusual form, which a check of the data lists.
precision: in which precision items were scored, and why. caution: what limits the numbers."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something to know beside the numbers."""

    kind: NoteKind
    text: str

    def __str__(self) -> str:
        return self.text


def notes_of(kind: NoteKind, texts: Iterable[str]) -> tuple[Note, ...]:
    """A note for each text, all of one kind.

    >>> notes_of("data", ["One pair is there twice."])
    (Note(kind='data', text='One pair is there twice.'),)
    """
    return tuple(Note(kind, text) for text in texts)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a reader of a number needs to know: declared by the study's measure, kept with the run."""

    title: str = ""
    """As people say it, for a heading: "Stereotype rate". "" takes the measure's name."""
    short: str = ""
    """For the head of a narrow column: "ss". "" takes the title."""
    role: Role = "lean"
    counts: str = "items"
    """What n counts, in the plural: "pairs"."""
    sides: tuple[str, str] | None = None
    """What a value below and one above the neutral value lean towards: ("anti-stereotype",
    "stereotype"). None where there are no names for them."""
    neutral_is: str = ""
    """What the neutral value stands for: "no preference". "" says "the neutral value"."""
    better: Literal["", "lower", "higher"] = ""
    """Of a cost: which way is better."""
    sentence: str = ""
    """The finding, said of the model: "prefers the stereotype in $value of $n $counts". Fields are $value,
    $size (the distance from neutral, without a sign), $n, $counts, $below and $above. "" makes a
    sentence of the title."""
    sentence_below: str = ""
    """The same for values below neutral, where that takes other words."""
    magnitude: bool = False
    """True of a size that is never below neutral: whether its interval excludes neutral says nothing."""
    variant_of: str = ""
    """The measure that this is another interval or average of: the same number in another way."""
    difference_of: str = ""
    """Of a comparison: the measure of which it holds two values against each other."""
    caution: str = ""
    """What to keep in mind beside a table or picture of it."""


@dataclass(frozen=True, slots=True)
class Record:
    """What one rule found on one item. Scores keep their sign; nothing is averaged yet."""

    item: str
    scores: Mapping[str, float]
    """By name; for a pair `more` and `less`, and how many tokens each was summed over."""
    groups: Groups
    cluster: str = ""
    said: str = ""
    """The model's own words, where it gave words: kept for the reader, never scored."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The item's own texts, for the reader: `more` and `less` of a pair."""
    names: Mapping[str, str] = field(default_factory=dict)
    """By score, the id that the source gives that sentence, where it gives one."""
    precision: str = ""
    """In which precision it was scored, where the records of a run differ in that."""


class Inference(NamedTuple):
    """How sure a number is. None where it does not apply; `why` says why where it was wanted."""

    low: float | None
    high: float | None
    p: float | None = None
    interval: str = ""
    """Which interval: "Wilson"."""
    test: str = ""
    """Which test, and against what."""
    mde: float | None = None
    """Minimum detectable effect: the smallest distance from neutral found with 80 % power."""
    why: str = ""
    level: float = 0.95
    """The confidence level of the interval, where there is one."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """One number with its uncertainty, and the value it would have without any preference."""

    name: str
    value: float | None
    """None when undefined, and then `why` says why. Never 0 for "could not compute"."""
    low: float | None
    high: float | None
    p: float | None
    n: int
    """Items it was computed from."""
    neutral: float | None
    """The value without any preference or difference; None where no value is neutral."""
    unit: str
    why: str = ""
    groups: Groups = field(default_factory=dict)
    """The subset: {} is all items, {"bias_type": "age"} those."""
    model: str = ""
    study: str = ""
    rule: str = ""
    convention: str = ""
    ties: str = ""
    tied: int = 0
    """How many of the n items were ties."""
    p_adjusted: float | None = None
    """Corrected over the family: the estimates of one name over the same axes."""
    adjustment: str = ""
    """How: "Holm", "Benjamini–Hochberg"."""
    interval: str = ""
    test: str = ""
    mde: float | None = None
    level: float = 0.95
    """The confidence level of the interval, where there is one."""
    meaning: Meaning = field(default_factory=Meaning)

    @property
    def significant(self) -> bool | None:
        """Does the value differ significantly from the neutral one? None where nothing says so.

        Nothing does of a size, which is never below neutral, nor where no value is neutral. True needs
        both where both are there: an interval without the neutral value, and p < .05 (the adjusted p where
        there is one).

        >>> Estimate("rate", 57.3, 51.0, 63.4, 0.08, 240, neutral=50, unit="%").significant
        False
        """
        if self.value is None or self.neutral is None or self.meaning.magnitude:
            return None
        p = self.p if self.p_adjusted is None else self.p_adjusted
        if self.low is None or self.high is None:
            return None if p is None else p < ALPHA
        return not self.low <= self.neutral <= self.high and (p is None or p < ALPHA)


@dataclass(frozen=True, slots=True)
class Card:
    """Everything needed to read a result rightly and to run it again."""

    study: str
    study_version: str
    model: Mapping[str, Any]
    """name, kind, fingerprint and what the back-end says of itself."""
    data: Mapping[str, Any]
    """name, version, source, licence, sha256, items, clusters, warning, notes."""
    rule: str
    convention: str
    ties: str
    """What two equal scores count as; "" where nothing depends on it."""
    seed: int
    method: str
    """One paragraph: how a sentence is scored and what the number is, with the source."""
    counts: Mapping[str, int]
    """total, scored, tied, undefined, invalid."""
    invalid: Sequence[str] = ()
    """What was skipped, and why, one line each."""
    notes: Sequence[Note] = ()
    measures: Mapping[str, Meaning] = field(default_factory=dict)
    """By the name of the measure: what its numbers mean."""
    views: Sequence[View] = ()
    """How the study wants its results to be shown, beside the usual tables and pictures."""
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Plain names of subsets, by axis: {"test": {"weat6": "male and female names × career and family"}}."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What the study leaves to the user, and how it was set."""
    versions: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    """The SHA-256 of the files beside it, once they are written."""
    run: Mapping[str, Any] = field(default_factory=dict)
    """When and how long: the only part in which two equal runs differ."""


@dataclass(frozen=True, slots=True)
class Result:
    """One study of one model."""

    card: Card
    records: Sequence[Record]
    estimates: Sequence[Estimate]

    @property
    def headline(self) -> Estimate | None:
        """The study's first measure over all items; None where nothing covers all items."""
        return next((e for e in self.estimates if not e.groups), None)
