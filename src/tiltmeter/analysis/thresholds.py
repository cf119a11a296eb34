"""Thresholds that results must keep: `rate > 60` holds where a model is worse than allowed.

A threshold is about an estimate over all items, or about a subset's: `rate:bias_type=age > 70`.
A study before a slash limits it to that study: `mine/rate > 60`.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.results import Estimate, Result

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


@dataclass(frozen=True, slots=True)
class Threshold:
    """[STUDY/]NAME[:AXIS=VALUE,…][.value|.low|.high|.p] SIGN NUMBER."""

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
        own = not self.study or estimate.study == self.study
        return own and estimate.name == self.name and dict(estimate.groups) == dict(self.groups)

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

    >>> found = parse(["rate:bias_type=age.low > 60", "mine/rate >= 3"])
    >>> found[0].groups, found[1].study
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
    named, name, _, field, sign, bound = match.groups()
    if named and study and named != study:
        raise BadInput(f"{text!r} names another study than {study!r}", "name one")
    groups = {axis.strip(): value.strip() for axis, _, value in pairs}
    return Threshold(
        text, named or study, name, field or "value", sign, float(bound), groups, level, title, reason
    )  # fmt: skip


def judge(
    thresholds: Sequence[Threshold],
    results: Sequence[Result],
    differences: Sequence[Estimate] = (),
    *,
    why_missing: Callable[[Threshold], str] | None = None,
) -> list[Outcome]:
    """What became of each threshold, in each result that it is about.

    Args:
        thresholds: As the user gave them.
        results: What was measured.
        differences: Between results, where they were compared.
        why_missing: Why no result has the estimate of a threshold, which then is undefined.

    Raises:
        UnknownName: No result has such an estimate, and `why_missing` is not given.
    """
    named = [(r.card.model_name, e) for r in results for e in r.estimates]
    named += [(e.model, e) for e in differences]
    found: list[Outcome] = []
    for limit in thresholds:
        about = [(model, e) for model, e in named if limit.matches(e)]
        if about:
            found += [_outcome(limit, model, e) for model, e in about]
        elif why_missing is not None:
            found.append(Outcome(limit, "undefined", study=limit.study, why=why_missing(limit)))
        else:
            same = {_called(e) for _, e in named if e.name == limit.name}
            raise UnknownName("estimate", limit.text.strip(), same or {e.name for _, e in named})
    return found


def _called(estimate: Estimate) -> str:
    """As --fail-if names it."""
    subset = ",".join(f"{axis}={value}" for axis, value in estimate.groups.items())
    return f"{estimate.name}:{subset}" if subset else estimate.name


def _outcome(limit: Threshold, model: str, estimate: Estimate) -> Outcome:
    value: float | None = getattr(estimate, limit.field)
    if value is None:
        why = estimate.why or "it is not computed"
        return Outcome(limit, "undefined", model, estimate.study, None, estimate, why)
    status: Status = "failed" if limit.is_crossed(value) else "passed"
    return Outcome(limit, status, model, estimate.study, value, estimate)
