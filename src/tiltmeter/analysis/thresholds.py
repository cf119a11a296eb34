"""Thresholds that results must keep: `rate > 60` holds where a model is worse than allowed.

A threshold is about an estimate over all items, or about a subset's: `rate:bias_type=age > 70`.
A study before a slash limits it to that study: `mine/rate > 60`. In a TOML file or a profile, each is a table
[[threshold]] with the study, the condition and the reason.
"""

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.results import Estimate
from tiltmeter.core.typed_values import checked
from tiltmeter.core.value_types import Line, some, via
from tiltmeter.data.files.toml_file import read_toml

Level: TypeAlias = Literal["error", "warning", "note"]
"""How bad it is to cross a threshold; only an error fails a command."""
Status: TypeAlias = Literal["passed", "failed", "undefined"]
SIGNS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip
NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
FORM = re.compile(
    r"\s*(?:([\w.-]+)\s*/\s*)?(\w+)\s*(?::\s*(.+?))?(?:\.(value|low|high|p))?\s*"
    rf"(>=|<=|>|<)\s*({NUMBER})\s*"
)


LIMITS = {"%": 100.0, "percentage points": 100.0}
"""How far from 0 values of a unit can be."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """A limit on one number: [STUDY/]NAME[:AXIS=VALUE,…][.value|.low|.high|.p] SIGN NUMBER."""

    text: str
    """As it was given."""
    study: str
    """The study that it is about; "" is every study with such a measure."""
    name: str
    field: str
    sign: str
    bound: float
    groups: Mapping[str, str]
    """The subset; {} is all items."""
    level: Level = "error"
    title: str = ""
    reason: str = ""
    """Why it is there."""

    @property
    def condition(self) -> str:
        """The threshold with its study."""
        bare = self.text.strip()
        return bare if not self.study or "/" in bare else f"{self.study}/{bare}"

    @property
    def source(self) -> str:
        """How a message quotes it: as it was typed, or as the file says it."""
        if self.title:
            return f"{self.title} ({self.condition})"
        typed = not self.study or "/" in self.text
        return f"--fail-if {self.text!r}" if typed else self.condition

    def matches(self, estimate: Estimate) -> bool:
        """Whether it is about this estimate."""
        same_study = self.study in {"", estimate.study}
        return (
            same_study and estimate.name == self.name and dict(estimate.groups) == dict(self.groups)
        )

    def check_range(self, unit: str, neutral: float | None) -> None:
        """See that the bound is a number that a measure of this unit and neutral value can have.

        Raises:
            BadInput: It is beyond, so that the threshold would never, or always, be crossed.
        """
        high = 1.0 if self.field == "p" else LIMITS.get(unit, math.inf)
        # A share has a neutral value such as 50; a difference of shares has 0, and may be below it.
        low = 0.0 if self.field == "p" or (unit == "%" and neutral) else -high
        if not low <= self.bound <= high:
            what = "p" if self.field == "p" else self.name
            raise BadInput(
                f"{self.source}: {what} lies between {low:g} and {high:g}",
                "name a number in between",
            )

    def is_crossed(self, value: float) -> bool:
        """Whether a value is on the wrong side."""
        return SIGNS[self.sign](value, self.bound)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a threshold in one result."""

    threshold: Threshold
    status: Status
    model: str = ""
    study: str = ""
    value: float | None = None
    estimate: Estimate | None = None
    """The estimate that it is about; None where no result has one."""
    why: str = ""
    """Why there is no value."""

    @property
    def fails(self) -> bool:
        """Whether a command has to fail. An undefined estimate does not keep a threshold."""
        return self.status != "passed" and self.threshold.level == "error"

    @property
    def message(self) -> str:
        """In one line: the threshold and the value."""
        if self.estimate is None:
            return f"{self.threshold.source}: {self.why}"
        about = f"{self.threshold.source}: {self.model or self.study}"
        if self.value is None:
            return f"{about} has no {self.threshold.field}: {self.why}"
        unit = "" if self.threshold.field == "p" else self.estimate.unit
        return f"{about} has {f'{self.value:.4g} {unit}'.strip()}"


def parse(texts: Iterable[str] | None) -> list[Threshold]:
    """Read thresholds before anything is loaded.

    >>> first, second = parse(["rate:bias_type=age.low > 60", "mine/rate >= 3"])
    >>> first.groups, second.study
    ({'bias_type': 'age'}, 'mine')

    Raises:
        BadInput: One is not NAME SIGN NUMBER.
    """
    return [parsed(text) for text in texts or ()]


def parsed(
    text: str, *, study: str = "", level: Level = "error", title: str = "", reason: str = ""
) -> Threshold:
    """One threshold, with what a file says of it.

    Raises:
        BadInput: It is not NAME SIGN NUMBER, or names another study than `study`.
    """
    match = FORM.fullmatch(text)
    pairs = [part.partition("=") for part in (match[3] or "").split(",") if part] if match else []
    if match is None or not all(axis.strip() and value.strip() for axis, _, value in pairs):
        raise BadInput(
            f"--fail-if {text!r} is not NAME SIGN NUMBER",
            "write --fail-if 'MEASURE > 60', 'MEASURE.low > 50', 'MEASURE:AXIS=VALUE > 70' or "
            "'STUDY/MEASURE > 60'",
        )
    written_study, name, _, field, sign, bound = match.groups()
    if written_study and study and written_study != study:
        raise BadInput(f"{text!r} names another study than {study!r}", "name one")
    if not math.isfinite(float(bound)):
        raise BadInput(f"--fail-if {text!r}: {bound} is too large", "name a smaller number")
    groups = {axis.strip(): value.strip() for axis, _, value in pairs}
    return Threshold(
        text, written_study or study, name, field or "value", sign, float(bound), groups, level, title, reason
    )  # fmt: skip


def judge(
    thresholds: Sequence[Threshold],
    estimates: Iterable[Estimate],
    *,
    why_missing: Callable[[Threshold], str] | None = None,
) -> list[Outcome]:
    """What became of each threshold, for each estimate that it is about.

    Raises:
        UnknownName: There is no such estimate, and `why_missing` is not given.
        BadInput: No such estimate can have the value of the threshold.
    """
    known, outcomes = [*estimates], list[Outcome]()
    for limit in thresholds:
        matches = [e for e in known if limit.matches(e)]
        for e in matches:
            limit.check_range(e.unit, e.neutral)
        outcomes += [_outcome(limit, e) for e in matches]
        if not matches and why_missing is not None:
            outcomes.append(Outcome(limit, "undefined", study=limit.study, why=why_missing(limit)))
        elif not matches:
            same = {_called(e) for e in known if e.name == limit.name}
            raise UnknownName("estimate", limit.text.strip(), same or {e.name for e in known})
    return outcomes


def _called(estimate: Estimate) -> str:
    """The estimate as --fail-if names it: "rate:bias_type=age"."""
    subset = ",".join(f"{axis}={value}" for axis, value in estimate.groups.items())
    return f"{estimate.name}:{subset}" if subset else estimate.name


def _outcome(limit: Threshold, e: Estimate) -> Outcome:
    value: float | None = getattr(e, limit.field)
    if value is None:
        why = e.why or "it is not computed"
        return Outcome(limit, "undefined", e.model, e.study, None, e, why)
    status: Status = "failed" if limit.is_crossed(value) else "passed"
    return Outcome(limit, status, e.model, e.study, value, e)


MANUAL = "docs/audit.md"


@dataclass(frozen=True, slots=True)
class _Table:
    fail_if: Line
    """The condition: MEASURE > 60."""
    study: Line = ""
    title: Line = ""
    reason: Line = ""
    level: Level = "error"


def _threshold(table: _Table) -> Threshold:
    return parsed(
        table.fail_if, study=table.study, level=table.level, title=table.title, reason=table.reason
    )


@dataclass(frozen=True, slots=True)
class _File:
    threshold: Annotated[tuple[Annotated[Threshold, via(_Table, _threshold)], ...], some]


def read_thresholds(path: Path) -> tuple[Threshold, ...]:
    """The thresholds of a file.

    Raises:
        BadInput: It cannot be read.
        BadItems: It lists no threshold, or one says what it may not.
    """
    return read_toml(_File, path, MANUAL).threshold


def thresholds_of(tables: Sequence[Mapping[str, Any]], path: Path) -> tuple[Threshold, ...]:
    """The thresholds of these tables of a file.

    Raises:
        BadItems: One has no condition, or says what it may not.
    """
    if not tables:
        return ()
    return checked(_File, {"threshold": [*tables]}, file=path.name, manual=MANUAL).threshold
