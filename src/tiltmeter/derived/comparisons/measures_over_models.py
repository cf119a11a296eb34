"""A measure of several models over the items that all of them scored: two such measures, are they related?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference, Meaning, estimated
from tiltmeter.core.measures import Measure
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.samples import rng_of
from tiltmeter.core.study_views import Plane
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.core.wordings import AXIS as WORDING
from tiltmeter.data.memory.text_numbers import TextNumbers
from tiltmeter.derived.comparisons.model_families import families_of
from tiltmeter.derived.installed_study import decimals_of, measures_of
from tiltmeter.run.measuring.answered_rows import answered_rows
from tiltmeter.run.measuring.columns import Columns, TextRanks, columns_of
from tiltmeter.stats.correlations.correlation import spearman, spearman_p
from tiltmeter.stats.correlations.correlation_intervals import correlation_interval

FEWEST = 3
"""With fewer models there is no rank correlation."""


def rank_correlations(results: Sequence[Result], *, seed: int = 0) -> list[Estimate]:
    """Spearman's correlation of the two measures of each Plane view that all of three or more results have.

    Both measures are computed anew over the items that all models scored.
    """
    if len(results) < FEWEST:
        return []
    first, *rest = ([v for v in r.card.views if isinstance(v, Plane)] for r in results)
    shared = [view for view in first if all(view in views for views in rest)]
    return [_correlated(results, view, seed) for view in shared]


def _correlated(results: Sequence[Result], view: Plane, seed: int) -> Estimate:
    name = f"{view.y}_{view.x}_spearman"
    value, sure, why = None, Inference(None, None), ""
    try:
        y, x = (answers.values for answers in shared_answers(results, view.y, view.x))
        value = spearman(y, x)
        families = np.array(families_of([r.card.model_name for r in results]))
        alone = len(np.unique(families)) == len(results)
        if alone:
            p = spearman_p(y, x, rng_of(seed, name))
            sure = Inference(None, None, p, test="permutation test against 0")
        made = correlation_interval(y, x, families, ranked=True)
        sure = sure._replace(low=made.low, high=made.high, interval=made.how)
        if not alone:
            sure = sure._replace(p=made.p, test="t test over families of models against 0")
    except Undefined as undefined:
        why = f"no interval: {undefined}" if value is not None else str(undefined)
    first = results[0].card
    return estimated(
        name, value, sure, n=len(results), neutral=0.0, unit="", why=why,
        model=", ".join(r.card.model_name for r in results), study=first.study,
        rule=" / ".join(dict.fromkeys(r.card.rule for r in results)), ties=first.ties,
        convention=" / ".join(dict.fromkeys(r.card.convention for r in results)),
        meaning=_meaning(first, view),
    )  # fmt: skip


def _meaning(card: Card, view: Plane) -> Meaning:
    y, x = (_short(card, name) for name in (view.y, view.x))
    return Meaning(
        f"Rank correlation of {y} and {x} (Spearman’s ρ)", f"{y}, {x}", "description", "models",
        neutral_is="no relation",
    )  # fmt: skip


def _short(card: Card, measure: str) -> str:
    meaning = card.measures.get(measure, Meaning())
    return meaning.short or meaning.title or measure.replace("_", " ")


@dataclass(frozen=True, slots=True)
class SharedAnswers:
    """What a metric reads of each model's answers to the items that all of them scored, in one order."""

    measure: Measure
    metric: Callable[..., float]
    """The metric of the measure, with the results' policy for ties."""
    columns: Sequence[Sequence[Column]]
    """For each model the columns that the metric reads, all of one length."""
    clusters: Integers
    """The number of what each item belongs to, shape (items,), which is resampled whole."""
    wordings: Labels | None = None
    """The wording of each item, where items have several."""

    @property
    def values(self) -> Array:
        """The metric of each model, shape (models,)."""
        return np.array([self.metric(*columns) for columns in self.columns])


def shared_answers(results: Sequence[Result], *measures: str) -> list[SharedAnswers]:
    """For each measure, the answers to those of the common items in which every model has what it needs.

    Raises:
        Undefined: A model does not report a measure over all items, or no item was scored by all of them.
        BadInput: Their study is not installed here.
    """
    common = _in_all(results)
    if not len(common):
        raise Undefined("no item was scored by all of these models")
    of_models = []
    for result in results:
        card, ids = result.card, TextRanks()
        counted = [_measure_of(card, name) for name in measures]
        reads = [name for m in counted for name in m.reads]
        columns = columns_of(_noted(result, common, ids), reads, decimals=decimals_of(card))
        if len(columns) != len(common):
            raise Undefined("a run has several records of an item")
        of_models.append(columns.taken(np.argsort(ids.ranks(), kind="stable")))
    return [_answers(m, of_models, results[0].card.ties) for m in counted]


def _measure_of(card: Card, name: str) -> Measure:
    for measure in measures_of(card):
        if measure.name == name and measure.contrast is None:
            return measure
    raise Undefined(f"{card.study} does not report {name} under {card.rule}")


def _answers(m: Measure, of_models: Sequence[Columns], ties: str) -> SharedAnswers:
    rows = np.flatnonzero(np.all([answered_rows(m, columns) for columns in of_models], axis=0))
    if not len(rows):
        raise Undefined("no item was answered by all of these models")
    read = [
        [c.column(name, rows, numbered=m.numbered, optional=m.optional) for name in m.columns]
        for c in of_models
    ]
    metric = partial(m.metric, ties=ties) if m.uses_ties else m.metric
    first = of_models[0]
    worded = first.wordings(rows) is not None
    wordings = (
        np.array(first.axes[WORDING].labels)[first.axes[WORDING].codes[rows]] if worded else None
    )
    return SharedAnswers(m, metric, read, first.units(m.units, rows), wordings)


def _noted(result: Result, common: TextNumbers, ids: TextRanks) -> Iterator[Record]:
    """The records of the common items; their ids are appended to a list."""
    for record in result.records:
        if record.item in common:
            ids.append(record.item)
            yield record


def _in_all(results: Sequence[Result]) -> TextNumbers:
    """The ids of the items that all results have in common."""
    common = TextNumbers()
    for number, result in enumerate(results):
        before, common = common, TextNumbers()
        for record in result.records:
            if not number or record.item in before:
                common[record.item] = number
    return common
