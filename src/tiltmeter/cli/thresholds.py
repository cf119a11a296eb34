"""`--fail-if 'stereotype_rate > 60'`: a gate for continuous integration.

A threshold is about an estimate over all items, or about a subset's: `stereotype_rate:bias_type=age > 70`.
It is checked against what the study declares before anything is loaded, and against its items before a
model is.
"""

import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from tiltmeter.cli.console import err

if TYPE_CHECKING:
    from tiltmeter.core.items import Dataset
    from tiltmeter.core.results import Estimate, Result
    from tiltmeter.core.study import Measure
    from tiltmeter.run.jobs import Job

CROSSED = 3
SIGNS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip
NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
FORM = re.compile(
    rf"\s*(\w+)\s*(?::\s*(.+?))?(?:\.(value|low|high|p))?\s*(>=|<=|>|<)\s*({NUMBER})\s*"
)


@dataclass(frozen=True, slots=True)
class Threshold:
    """NAME[:AXIS=VALUE,…][.value|.low|.high|.p] SIGN NUMBER."""

    text: str
    name: str
    field: str
    sign: str
    bound: float
    groups: Mapping[str, str]
    """The subset; {} is all items."""

    def matches(self, estimate: "Estimate") -> bool:
        """Whether it is about this estimate."""
        return estimate.name == self.name and dict(estimate.groups) == dict(self.groups)

    def is_crossed(self, value: float) -> bool:
        """Whether a value is on the wrong side."""
        return SIGNS[self.sign](value, self.bound)


def parse(texts: Sequence[str] | None) -> list[Threshold]:
    """Read thresholds before anything is loaded.

    >>> parse(["stereotype_rate:bias_type=age.low > 60"])[0].groups
    {'bias_type': 'age'}

    Raises:
        BadInput: One is not NAME SIGN NUMBER.
    """
    return [_parse(text) for text in texts or ()]


def _parse(text: str) -> Threshold:
    from tiltmeter.core.errors import BadInput

    match = FORM.fullmatch(text)
    pairs = [part.partition("=") for part in (match[2] or "").split(",") if part] if match else []
    if match is None or not all(axis.strip() and value.strip() for axis, _, value in pairs):
        raise BadInput(
            f"--fail-if {text!r} is not NAME SIGN NUMBER",
            "write --fail-if 'MEASURE > 60', 'MEASURE.low > 50' or 'MEASURE:AXIS=VALUE > 70'",
        )
    groups = {axis.strip(): value.strip() for axis, _, value in pairs}
    name, _, field, sign, bound = match.groups()
    return Threshold(text, name, field or "value", sign, float(bound), groups)


def check_declared(thresholds: Sequence[Threshold], measures: Iterable["Measure"]) -> None:
    """See that measures of these names are reported, and over such subsets.

    Raises:
        UnknownName: There is no such measure, or it is reported over no such axis.
        BadInput: It is not reported over all items.
    """
    from tiltmeter.core.errors import BadInput, UnknownName
    from tiltmeter.core.study import EVERY

    over: dict[str, set[tuple[str, ...]]] = {}
    for m in measures:
        over.setdefault(m.name, set()).update(m.over)
    for limit in thresholds:
        if limit.name not in over:
            raise UnknownName("measure", limit.name, over)
        reported = over[limit.name]
        axes = {axis for crossing in reported for axis in crossing if crossing != EVERY}
        if not limit.groups and () not in reported:
            example = ",".join(f"{axis}=…" for axis in min(reported))
            raise BadInput(
                f"--fail-if {limit.text!r}: {limit.name} is not reported over all items",
                f"name a subset: {limit.name}:{example}",
            )
        unknown = [axis for axis in limit.groups if axis not in axes and EVERY not in reported]
        if unknown:
            raise UnknownName(f"axis of {limit.name}", unknown[0], axes)


def check_jobs(thresholds: Sequence[Threshold], jobs: Sequence["Job"]) -> None:
    """The same for jobs that are planned: under their rule and convention, with their items.

    Raises:
        UnknownName, BadInput: As `check_declared` and `check_items`.
    """
    if not thresholds:
        return
    from tiltmeter.run.measure import reported

    for job in jobs:
        measures = [m for member in job.plan.members for m in reported(job.study, member.chosen)]
        if not job.plan.ensemble:  # whose own rule no measure is limited to
            check_declared(thresholds, measures)
        declared = {axis for m in measures for crossing in m.over for axis in crossing}
        check_items(thresholds, job.items, declared)


def check_items(
    thresholds: Sequence[Threshold], items: "Dataset[Any]", declared: Collection[str] = ()
) -> None:
    """See that the items have the axes and the values that subsets are named by.

    Args:
        thresholds: As the user gave them.
        items: What is measured on.
        declared: Axes that the study names itself: a rule may know them where the items do not.

    Raises:
        UnknownName: No item has the axis, or the value.
    """
    from tiltmeter.core.errors import UnknownName

    axes = {axis for item in items.items for axis in getattr(item, "groups", ())}
    for axis, value in {pair for limit in thresholds for pair in limit.groups.items()}:
        if axis not in axes and axis not in declared:
            raise UnknownName("axis of the items", axis, axes)
        values = {
            str(item.groups[axis]) for item in items.items if axis in getattr(item, "groups", {})
        }
        if values and value not in values:
            raise UnknownName(f"value of {axis}", value, values)


def enforce(
    thresholds: Sequence[Threshold],
    results: Sequence["Result"],
    differences: Sequence["Estimate"] = (),
) -> None:
    """Report for each threshold whether it held, and exit with code 3 if one is crossed.

    An undefined estimate crosses every threshold.

    Raises:
        UnknownName: No result has such an estimate.
    """
    outcomes = [
        outcome for limit in thresholds for outcome in _outcomes(limit, results, differences)
    ]
    for passed, message in outcomes:
        err.print("passed: " if passed else "failed: ", style="green" if passed else "red", end="")
        err.print(message)
    if not all(passed for passed, _ in outcomes):
        raise typer.Exit(CROSSED)


def _outcomes(
    limit: Threshold, results: Sequence["Result"], differences: Sequence["Estimate"]
) -> list[tuple[bool, str]]:
    """For each estimate that it is about: whether it passed, and how to say so."""
    from tiltmeter.core.errors import UnknownName

    named = [(str(r.card.model["name"]), e) for r in results for e in r.estimates]
    named += [(e.model, e) for e in differences]
    about = [(model, e) for model, e in named if limit.matches(e)]
    if not about:
        known = {_called(e) for _, e in named if e.name == limit.name} or {e.name for _, e in named}
        raise UnknownName("estimate", limit.text.strip(), known)
    return [_outcome(limit, model, e) for model, e in about]


def _called(estimate: "Estimate") -> str:
    """As --fail-if names it."""
    subset = ",".join(f"{axis}={value}" for axis, value in estimate.groups.items())
    return f"{estimate.name}:{subset}" if subset else estimate.name


def _outcome(limit: Threshold, model: str, estimate: "Estimate") -> tuple[bool, str]:
    value: float | None = getattr(estimate, limit.field)
    about = f"--fail-if {limit.text!r}: {model}"
    if value is None:
        return False, f"{about} has no {limit.field}: {estimate.why or 'it is not computed'}"
    return not limit.is_crossed(value), f"{about} has {value:.4g}"
