"""What a run leaves behind: one record an item, estimates over records, and a card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tiltmeter.core.types import Groups


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
    """Which interval: "Wilson, 95 %"."""
    test: str = ""
    """Which test, and against what."""
    mde: float | None = None
    """Minimum detectable effect: the smallest distance from neutral found with 80 % power."""
    why: str = ""


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
    neutral: float
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
    notes: Sequence[str] = ()
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
