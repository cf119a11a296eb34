"""`--fail-if 'stereotype_rate > 60'`: a gate for continuous integration."""

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import typer

from tiltmeter.cli.console import err
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study

CROSSED = 3
SIGNS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip
FORM = re.compile(r"\s*(\w+)(?:\.(value|low|high|p))?\s*(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)\s*")


@dataclass(frozen=True, slots=True)
class Threshold:
    """NAME[.value|.low|.high|.p] SIGN NUMBER, about the estimate over all items."""

    text: str
    name: str
    field: str
    sign: str
    bound: float


def parse(texts: Sequence[str], study: Study[Any]) -> list[Threshold]:
    """Read thresholds before anything is loaded.

    Raises:
        BadInput: One is not NAME SIGN NUMBER.
        UnknownName: The study has no such measure.
    """
    read = [_parse(text) for text in texts]
    names = {m.name for m in study.measures}
    for limit in read:
        if limit.name not in names:
            raise UnknownName("estimate", limit.name, names)
    return read


def _parse(text: str) -> Threshold:
    match = FORM.fullmatch(text)
    if match is None:
        raise BadInput(
            f"--fail-if {text!r} is not NAME SIGN NUMBER",
            "write for example --fail-if 'stereotype_rate > 60' or 'stereotype_rate.low > 50'",
        )
    name, field, sign, bound = match.groups()
    return Threshold(text, name, field or "value", sign, float(bound))


def enforce(thresholds: Sequence[Threshold], results: Sequence[Result]) -> None:
    """Leave with exit code 3 if one is crossed; an undefined estimate crosses every threshold."""
    crossed = [message for limit in thresholds for r in results if (message := _crossed(limit, r))]
    for message in crossed:
        err.print(message, markup=False)
    if crossed:
        raise typer.Exit(CROSSED)


def _crossed(limit: Threshold, result: Result) -> str:
    overall = {e.name: e for e in result.estimates if not e.groups}
    if limit.name not in overall:
        raise UnknownName("estimate over all items", limit.name, overall)
    value = getattr(overall[limit.name], limit.field)
    about = f"--fail-if {limit.text!r}: {result.card.model['name']}"
    if value is None:
        return f"{about} has no {limit.field}: {overall[limit.name].why}"
    if SIGNS[limit.sign](value, limit.bound):
        return f"{about} has {value:.4g}"
    return ""
