"""What the intervals of a run are about: to what they generalise, and what they hold fixed."""

from collections.abc import Sequence
from typing import Any

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.measures import Measure
from tiltmeter.core.model.protocols import TakesPrompts
from tiltmeter.core.rules import Rule
from tiltmeter.core.scope import Scope
from tiltmeter.core.study import Study
from tiltmeter.core.text import listed, plural
from tiltmeter.core.wordings import AXIS as WORDING
from tiltmeter.core.wordings import LIKE_THESE
from tiltmeter.run.measuring.columns import Columns


def generalises_to(
    study: Study[Any],
    rule: Rule[Any],
    measures: Sequence[Measure],
    estimates: Sequence[Estimate],
    columns: Columns,
    data: Dataset[Any],
) -> str:
    """A sentence on what the interval of the first measure generalises to and what it holds fixed.

    Args:
        study: The study, which says what the data do not.
        rule: The rule by which items were scored; of stored answers, those of the study say what was asked.
        measures: The measures that are reported.
        estimates: Their estimates.
        columns: The records.
        data: The items.
    """
    head = next((e for e in estimates if not e.groups), next(iter(estimates), None))
    m = next((m for m in measures if head is not None and m.name == head.name), None)
    if head is None or m is None:
        return ""
    sample = sample_of(study.scope, m, columns, data)
    rules = [rule] if rule in study.rules else study.rules
    fixed = _held_fixed(study.scope, sample, rules, columns, data)
    of_head = [e for e in estimates if e.name == head.name]
    if all(e.low is None and e.high is None for e in of_head):
        return f"Nothing beyond these items: there is no interval.{_sentence(fixed)}"
    many = _wordings(columns)
    within = f", asked in these {many} wordings" if many > 1 else ""
    also = [e for e in estimates if e.name == f"{head.name}{LIKE_THESE}" and e.low is not None]
    if also:
        within += " (in the line “wordings like these”: in other wordings)"
    return f"Other {sample}{within}.{_sentence(fixed)}"


def sample_of(scope: Scope, m: Measure, columns: Columns, data: Dataset[Any]) -> str:
    """What the interval of a measure takes as the sample, in the plural."""
    if m.samples_replies:
        return "replies to the same prompts"
    versions = columns.axes.get(scope.units_of_one)
    if scope.units and (versions is None or len(versions.labels) == 1):
        return scope.units
    replies = " and replies to them" if columns.items is not None else ""
    for axis in m.units:
        if axis in columns.axes and len(columns.axes[axis].labels) > 1:
            return f"{plural(axis.replace('_', ' '))}{replies}"
    if columns.has_clusters and data.clusters:
        return f"{plural(data.clusters)} of the kind{replies}"
    single = m.meaning.counts
    return f"{single if ' ' not in single else data.noun} of the kind{replies}"


def _held_fixed(
    scope: Scope, sample: str, rules: Sequence[Rule[Any]], columns: Columns, data: Dataset[Any]
) -> list[str]:
    """What the interval holds fixed, in words."""
    fixed = [words for words in scope.fixed if words.removeprefix("the ") not in sample]
    clusters = plural(data.clusters) if columns.has_clusters and data.clusters else ""
    if clusters and clusters not in sample:
        fixed.append(f"the {clusters}")
    if any(map(asks_in_words, rules)):
        fixed.append("the wordings" if _wordings(columns) > 1 else "the wording")
    return fixed


def asks_in_words(rule: Rule[Any]) -> bool:
    """Whether a rule puts questions to a model, which could be worded otherwise."""
    return TakesPrompts in rule.needs.__mro__


def _wordings(columns: Columns) -> int:
    several = columns.wordings(slice(None)) is not None
    return len(columns.axes[WORDING].labels) if several else 1


def _sentence(fixed: Sequence[str]) -> str:
    return f" Held fixed: {listed(fixed)}." if fixed else ""
