"""Checks of a study in a user's file, so that a misspelt name is found before anything is scored."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from inspect import signature
from string import Template
from typing import Any

from tiltmeter.core.conventions import with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import Problem, TiltmeterError
from tiltmeter.core.estimates import SENTENCE_FIELDS, Meaning
from tiltmeter.core.finder import find
from tiltmeter.core.measures import EVERY, Measure
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.study import Study
from tiltmeter.core.text import counted

MEASURE_NAME = re.compile(r"[a-z][a-z0-9_]*")
"""What names of measures look like, so that gates, options and files can name them."""
ALIKE = 0.82
"""Names that are as similar as this are taken for misspellings. Others may be columns of other data."""


def study_problems(study: Study[Any]) -> Iterator[Problem]:
    """What is wrong with a study by itself and with its own sample.

    A sample that cannot be had (`TiltmeterError`), because the study needs a file, is not checked.
    """
    yield from _measure_problems(study.measures)
    yield from _call_problems(study)
    try:
        sample = study.sample()
    except TiltmeterError:
        return
    if problem := not_a_dataset(sample, "sample"):
        yield problem
        return
    yield from repeated_ids(sample)
    yield from _unknown_columns(study, sample)


def not_a_dataset(value: object, function: str) -> Problem | None:
    """The problem with a function of a study that returns no `Dataset`."""
    if isinstance(value, Dataset):
        return None
    kind = "nothing" if value is None else f"a {type(value).__name__}"
    return Problem(f"{function} returns {kind}, not a Dataset", "return Dataset(name, …, items, …)")


def repeated_ids(data: Dataset[Any]) -> list[Problem]:
    """A problem for each id that several items have."""
    counts = Counter(item.id for item in data.items)
    return [
        Problem(f"{count} items have the same id {name!r}", "give each its own")
        for name, count in counts.items()
        if count > 1
    ]


def _measure_problems(measures: Iterable[Measure]) -> Iterator[Problem]:
    for m in measures:
        if not MEASURE_NAME.fullmatch(m.name):
            plain = re.sub(r"\W+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", m.name)).lower()
            way_out = f"write lower-case letters, digits and _: {plain.strip('_')}"
            yield Problem(f"a measure cannot be called {m.name!r}", way_out)
        compared = (m.comparison.meaning,) if m.comparison else ()
        for meaning in (m.meaning, *compared):
            yield from _field_problems(m.name, meaning)


def _field_problems(measure: str, meaning: Meaning) -> Iterator[Problem]:
    for text in (meaning.sentence, meaning.sentence_below):
        fields = re.findall(r"\$(?:\{(\w+)\}|(\w+))", text.replace("$$", ""))
        for name in dict.fromkeys(braced or bare for braced, bare in fields):
            if name not in SENTENCE_FIELDS:
                way_out = _meant(name, SENTENCE_FIELDS, 0.6, "$")
                yield Problem(f"the sentence of {measure} has an unknown field ${name}", way_out)
        if not Template(text).is_valid():
            yield Problem(f"the sentence of {measure} has a $ without a field", "write $$ for a $")


def _call_problems(study: Study[Any]) -> Iterator[Problem]:
    """Functions that do not take what they are called with."""
    settings = ("settings",) if study.settings else ()
    yield from _uncallable("load", study.load, 1, ("skip_invalid", "encoding", *settings))
    yield from _uncallable("sample", study.sample, 0, ())
    for m in study.measures:
        if m.contrast is None and EVERY[0] not in m.columns:
            ties = ("ties",) if m.uses_ties else ()
            yield from _uncallable(f"the metric of {m.name}", m.metric, len(m.columns), ties)


def _uncallable(
    what: str, function: Callable[..., Any], values: int, keywords: tuple[str, ...]
) -> Iterator[Problem]:
    try:
        takes = signature(function)
    except (TypeError, ValueError):  # functions of compiled libraries have none
        return
    try:
        takes.bind(*[None] * values, **dict.fromkeys(keywords))
    except TypeError as error:
        given = [counted(values, "columns")] if what.startswith("the metric") else []
        given = given or ["the source"] * values
        listed = ", ".join([*given, *(f"{name}=…" for name in keywords)]) or "nothing"
        yield Problem(f"{what} cannot be called with {listed}: {error}", "let it take these")


def _unknown_columns(study: Study[Any], sample: Dataset[Any]) -> Iterator[Problem]:
    """Columns and axes that the sample does not have, but others whose names are very similar."""
    scores, axes = _names_in(study, sample)
    named = [
        (f"the measure {m.name} reads", name)
        for m in study.measures
        for name in m.reads
        if name not in {*m.optional, *m.needs}
    ]
    named = [at for at in named if at[1] not in scores] if scores else []
    named += [
        (f"the measure {m.name} is reported over", axis)
        for m in study.measures
        for crossed in m.over
        for axis in crossed
    ]
    named += [("categories names", study.categories)] if study.categories else []
    for what, name in dict.fromkeys(named):
        known = {*scores, *axes} if what.endswith("reads") else axes
        if name not in known and (near := _meant(name, known, ALIKE)):
            yield Problem(f"{what} {name!r}, which no item of the sample has", near)


def _names_in(study: Study[Any], sample: Dataset[Any]) -> tuple[set[str], set[str]]:
    """The scores and the axes of the sample, the former as far as rules can score it with a fake model."""
    axes = {axis for item in sample.items for axis in getattr(item, "groups", ())}
    scores: set[str] = set()
    first_of_each_task = {getattr(item, "task", ""): item for item in reversed(sample.items)}
    for rule in study.rules:
        items = [item for task, item in first_of_each_task.items() if rule.task in {"", task}]
        for record in _scored(rule, items, study):
            scores |= {*record.scores}
            axes |= {*record.groups}
    return scores, axes


def _scored(rule: Rule[Any], items: list[Any], study: Study[Any]) -> list[Any]:
    settings = with_defaults((*study.settings, *rule.settings), None)
    context = Context(study.conventions[0], skip_invalid=True, settings=settings)
    try:
        return rule.score(find("models", "fake", "load")(""), items, context)
    except Exception:  # noqa: BLE001 a rule that needs more than a fake model gives no names
        return []


def _meant(name: str, known: Iterable[str], cutoff: float, sign: str = "") -> str:
    near = get_close_matches(name, sorted(known), n=1, cutoff=cutoff)
    if near:
        return f"did you mean {sign}{near[0]}?" if sign else f"did you mean {near[0]!r}?"
    return f"there are {', '.join(sign + field for field in known)}" if sign else ""
