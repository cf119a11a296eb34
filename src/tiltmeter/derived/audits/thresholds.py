"""Thresholds that results must keep: `rate > 60` holds where a model is worse than allowed.

A threshold is about an estimate over all items, or about a subset's: `rate:bias_type=age > 70`.
A study before a slash limits it to that study: `mine/rate > 60`. Measures, axes and values are named as the
files have them, or as pages and tables print them; `threshold_text` has the grammar. In a TOML file or a
profile, each is a table [[threshold]] with the study, the condition and the reason.
"""

import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.reading.typed_values import checked
from tiltmeter.core.reading.value_types import Line, some, via
from tiltmeter.core.results import Result
from tiltmeter.data.files.toml_file import read_toml
from tiltmeter.derived.audits.threshold_text import (
    Labels,
    WrittenThreshold,
    address,
    axis_keys,
    printed_key,
    read_claim,
    read_condition,
    value_keys,
)

Level: TypeAlias = Literal["error", "warning", "note"]
"""How bad it is to cross a threshold; only an error fails a command."""
Status: TypeAlias = Literal["passed", "failed", "undefined", "undecided"]
"""undecided: the data neither show the claim of equivalence nor its contrary."""
SIGNS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip
SHARED = ("study", "model", "rule", "convention")
"""Coordinates of an estimate besides its subset, which a threshold may name like axes."""


class PrintedEstimate(NamedTuple):
    """An estimate, and the plain names under which its result prints subsets."""

    estimate: Estimate
    labels: Labels


def printed_estimates(results: Iterable[Result]) -> list[PrintedEstimate]:
    """All estimates of these results."""
    return [PrintedEstimate(e, r.card.labels) for r in results for e in r.estimates]


@dataclass(frozen=True, slots=True)
class Threshold:
    """A limit on one number: a condition, and what a file says of it."""

    text: str
    """The condition as the user wrote it."""
    says: WrittenThreshold
    """The text, parsed: measure, subset, field, sign and number."""
    study: str
    """The study that it is about, from the text or the file; "" is every study with such a measure."""
    level: Level = "error"
    title: str = ""
    reason: str = ""
    """The reason that the file gives for the threshold."""

    @property
    def name(self) -> str:
        """The measure, by its name or its title."""
        return self.says.measure

    @property
    def groups(self) -> Mapping[str, str]:
        """The subset that the threshold is about, as values by axis; {} for all items."""
        return self.says.subset

    @property
    def field(self) -> str:
        """Which number of the estimate is compared."""
        return self.says.field

    @property
    def bound(self) -> float:
        """The number that it is compared with."""
        return self.says.bound

    @property
    def condition(self) -> str:
        """The threshold with its study."""
        bare = self.text.strip()
        alone = not self.study or self.says.study
        named = bare if alone else f"{address(self.study, {})}/{bare}"
        return f"not shown: {named}" if self.says.claim else named

    @property
    def source(self) -> str:
        """How a message quotes it: as it was typed, or as the file says it."""
        if self.title:
            return f"{self.title} ({self.condition})"
        typed = not self.study or self.says.study
        option = "--fail-unless" if self.says.claim else "--fail-if"
        return f"{option} {self.text!r}" if typed else self.condition

    def is_about_study(self, study: str) -> bool:
        """Whether a study of this name is meant, or one run of it: "bbq" means "bbq (limit 5)" too."""
        return self.study in {"", study, study.partition(" (")[0]}

    def is_about_measure(self, name: str, meaning: Meaning) -> bool:
        """Whether a measure is meant, by its name or as it is printed."""
        wanted = printed_key(self.name)
        if self.says.claim:
            of = meaning.difference_of
            names = (name, of, of.replace("_", " ")) if of else ()
            return wanted in {printed_key(each) for each in names}
        titles = (name, name.replace("_", " "), meaning.title, meaning.short)
        return self.name == name or wanted in {printed_key(title) for title in titles if title}

    def matches(self, estimate: Estimate) -> bool:
        """Whether it names this estimate as the files do."""
        name = estimate.meaning.difference_of if self.says.claim else estimate.name
        if not self.is_about_study(estimate.study) or name != self.name:
            return False
        known = {name: getattr(estimate, name) for name in SHARED} | dict(estimate.groups)
        return (
            not self.says.printed
            and estimate.groups.keys() <= self.groups.keys()
            and all(known.get(axis) == value for axis, value in self.groups.items())
        )

    def matches_as_printed(self, printed: PrintedEstimate) -> bool:
        """Whether it names this estimate by titles and plain names, in any letter case."""
        e, labels = printed
        if not (self.is_about_study(e.study) and self.is_about_measure(e.name, e.meaning)):
            return False
        coordinates = {name: getattr(e, name) for name in SHARED} | dict(e.groups)
        if self.says.printed:
            return printed_key(self.says.printed) in _subset_texts(e, labels)
        left = dict(coordinates)
        for axis, value in self.groups.items():
            mine = next((a for a in left if printed_key(axis) in axis_keys(a, labels)), None)
            if mine is None or printed_key(value) not in value_keys(mine, left.pop(mine), labels):
                return False
        return not left.keys() & e.groups.keys()

    def check_range(self, unit: str, meaning: Meaning) -> None:
        """Raise BadInput if a measure of this unit and meaning can never have the bound as its value.

        Raises:
            BadInput: It is beyond, so that the threshold would never, or always, be crossed.
        """
        if self.says.claim:
            return
        limits = {"p": (0.0, 1.0), "p_adjusted": (0.0, 1.0), "n": (0.0, math.inf)}
        low, high = limits.get(self.field, meaning.range(unit))
        bound = self.bound
        if not low <= bound <= high:
            what = self.name if self.field in {"value", "low", "high"} else self.field
            raise BadInput(
                f"{self.source}: {what} lies between {low:g} and {high:g}",
                "name a number in between",
            )

    def is_crossed(self, value: float) -> bool:
        """Whether a value is on the wrong side."""
        return SIGNS[self.says.sign](value, self.bound)


def _subset_texts(e: Estimate, labels: Labels) -> set[str]:
    """The texts by which tables print a subset: "Black × male", "bias type: age"; "all" over all items."""
    if not e.groups:
        return {"all"}
    plain = {axis: labels.get(axis, {}).get(value, value) for axis, value in e.groups.items()}
    named = labels.get("axis", {})
    axes = [named.get(axis, axis.replace("_", " ")) for axis in plain]
    return {
        printed_key(" × ".join(plain.values())),
        printed_key(" × ".join(e.groups.values())),
        printed_key(", ".join(f"{a}: {value}" for a, value in zip(axes, plain.values(), strict=True))),
    }  # fmt: skip


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
    """Why there is no value; "" where there is one."""

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
        if self.threshold.says.claim and (made := self.estimate.equivalence) is not None:
            word = {"passed": "shown", "failed": "the contrary is shown"}.get(
                self.status, self.status
            )
            ends = f"interval {made.low:.4g} to {made.high:.4g} at {100 * (made.level or 0):g} %"
            more = f"; {self.why}" if self.why else ""
            return f"{about}: {word} (margin {made.margin}, {ends}{more})"
        e, field = self.estimate, self.threshold.field
        is_of_value = field in {"value", "low", "high"}
        value, unit = (e.value, e.unit) if is_of_value else (self.value, "")
        has_ends = is_of_value and e.low is not None and e.high is not None
        ends = f" ({e.low:.4g} to {e.high:.4g})" if has_ends else ""
        n = f", n {e.n:,}" if e.n and field != "n" else ""
        left_out = f"; {e.why}" if e.why else ""
        return f"{about} has {f'{value:.4g} {unit}'.strip()}{ends}{n}{left_out}"


def parse(texts: Iterable[str] | None, claims: Iterable[str] = ()) -> list[Threshold]:
    """Read thresholds, and claims that have to be shown, before anything is loaded.

    >>> first, second = parse(["rate:bias_type=age.low > 60", "mine/rate >= 3"])
    >>> first.groups, second.study
    ({'bias_type': 'age'}, 'mine')

    Raises:
        BadInput: One is not NAME SIGN NUMBER, or not NAME CLAIM.
    """
    return [
        *(parsed(text) for text in texts or ()),
        *(parsed(text, is_claim=True) for text in claims),
    ]


def parsed(
    text: str,
    *,
    study: str = "",
    level: Level = "error",
    title: str = "",
    reason: str = "",
    is_claim: bool = False,
) -> Threshold:
    """One threshold, with what a file says of it.

    Raises:
        BadInput: It is not NAME SIGN NUMBER, or names another study than `study`.
    """
    made = read_claim(text) if is_claim else read_condition(text)
    if made is None and is_claim:
        raise BadInput(
            f"--fail-unless {text!r} is not NAME equivalent or NAME not_worse",
            "write --fail-unless 'MEASURE equivalent 2', 'MEASURE not_worse 2%' or "
            "'STUDY/MEASURE:AXIS=VALUE equivalent'",
        )
    if made is None:
        raise BadInput(
            f"--fail-if {text!r} is not NAME SIGN NUMBER",
            "write --fail-if 'MEASURE > 60', 'MEASURE.low > 50', 'MEASURE:AXIS=VALUE > 70' or "
            "'STUDY/MEASURE > 60', with double quotes round a name or value that has one of \",=:/<> in it",
        )
    if made.study and study and made.study != study:
        raise BadInput(f"{text!r} names another study than {study!r}", "name one")
    if not math.isfinite(made.bound):
        number = re.split("[<>=]", text)[-1].strip()
        raise BadInput(f"--fail-if {text!r}: {number} is too large", "name a smaller number")
    return Threshold(text, made, made.study or study, level, title, reason)


def judge(
    thresholds: Sequence[Threshold],
    estimates: Iterable[PrintedEstimate],
    *,
    why_missing: Callable[[Threshold], str] | None = None,
) -> list[Outcome]:
    """What became of each threshold, for each estimate that it is about.

    Raises:
        UnknownName: There is no such estimate, and `why_missing` is not given.
        BadInput: No such estimate can have the value of the threshold, or the text fits several.
    """
    known, outcomes = [*estimates], list[Outcome]()
    for limit in thresholds:
        matches = _matches(limit, known)
        for e in matches:
            limit.check_range(e.unit, e.meaning)
        outcomes += [_outcome(limit, e) for e in matches]
        if matches:
            continue
        alike = [e for e, _ in known if limit.is_about_measure(e.name, e.meaning)]
        same = {address_of(e) for e in alike}
        if why_missing is not None:
            here = {address_of(e) for e in alike if limit.is_about_study(e.study)}
            near = get_close_matches(limit.says.address, here, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            why = f"{why_missing(limit)}{hint}"
            outcomes.append(Outcome(limit, "undefined", study=limit.study, why=why))
        else:
            raise UnknownName("estimate", limit.says.address, same or {e.name for e, _ in known})
    return outcomes


def _matches(limit: Threshold, known: Sequence[PrintedEstimate]) -> list[Estimate]:
    """The estimates that a threshold is about: by their names; where none is, as they are printed.

    Raises:
        BadInput: What is printed alike are several estimates of one result.
    """
    if exact := [e for e, _ in known if limit.matches(e)]:
        return exact
    alike = [one.estimate for one in known if limit.matches_as_printed(one)]
    alike = [e for e in alike if e.name == limit.name] or alike
    if not alike and not limit.groups and not limit.says.printed:
        return _only_numbers(limit, known)
    places: dict[tuple[str, ...], str] = {}
    for e in alike:
        place = tuple(getattr(e, name) for name in SHARED)
        called = address_of(e)
        if places.setdefault(place, called) != called:
            raise BadInput(
                f"{limit.source} fits {places[place]} and {called}", "write the one you mean"
            )
    return alike


def _only_numbers(limit: Threshold, known: Sequence[PrintedEstimate]) -> list[Estimate]:
    """The only number that each result has of a measure which it does not report over everything.

    α by question, of a single question, is meant by its bare name. [] where a result has several.
    """
    here = [
        e for e, _ in known
        if limit.is_about_study(e.study) and limit.is_about_measure(e.name, e.meaning)
    ]  # fmt: skip
    fewest = min((len(e.groups) for e in here), default=0)
    here = [e for e in here if len(e.groups) == fewest]
    places = {tuple(getattr(e, name) for name in SHARED) for e in here}
    return here if len(places) == len(here) else []


def address_of(estimate: Estimate) -> str:
    """The estimate as a threshold names it: "rate:bias_type=age"."""
    return address(estimate.name, estimate.groups)


def _outcome(limit: Threshold, e: Estimate) -> Outcome:
    if limit.says.claim:
        return _outcome_of_claim(limit, e)
    value: float | None = getattr(e, limit.field)
    if value is None:
        why = e.why or "it is not computed"
        return Outcome(limit, "undefined", e.model, e.study, None, e, why)
    status: Status = "failed" if limit.is_crossed(value) else "passed"
    return Outcome(limit, status, e.model, e.study, value, e)


def _outcome_of_claim(limit: Threshold, e: Estimate) -> Outcome:
    """Whether the difference shows what it has to show."""
    made = e.equivalence
    verdict: str = made.verdict if made else "no verdict"
    if made is None or verdict == "no verdict":
        why = made.why if made else "no margin is given for it"
        return Outcome(limit, "undefined", e.model, e.study, None, e, why)
    if limit.says.claim == "not_worse":
        if not made.not_worse:
            why = "neither a higher nor a lower value is better, so that none is worse"
            return Outcome(limit, "undefined", e.model, e.study, None, e, why)
        verdict = made.not_worse
    status: Status = STATUS_OF[verdict]
    why = made.why if status == "undecided" else ""
    return Outcome(limit, status, e.model, e.study, e.value, e, why)


STATUS_OF: Mapping[str, Status] = {
    "equivalent": "passed", "not worse": "passed", "different": "failed", "worse": "failed",
    "undecided": "undecided",
}  # fmt: skip
"""What becomes of a claim, by the verdict on the difference."""
MANUAL = "docs/how-to/audit.md"


@dataclass(frozen=True, slots=True)
class _Table:
    fail_if: Line = ""
    """The condition: MEASURE > 60."""
    fail_unless: Line = ""
    """The claim: MEASURE equivalent 2."""
    study: Line = ""
    title: Line = ""
    reason: Line = ""
    level: Level = "error"


def _threshold(table: _Table) -> Threshold:
    if bool(table.fail_if) == bool(table.fail_unless):
        have = "both" if table.fail_if else "neither"
        joined = "and" if table.fail_if else "nor"
        raise BadInput(f"has {have} fail_if {joined} fail_unless", "write one of them")
    return parsed(
        table.fail_if or table.fail_unless, study=table.study, level=table.level, title=table.title,
        reason=table.reason, is_claim=bool(table.fail_unless),
    )  # fmt: skip


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
