"""Two measures that a study shows in one plane: are they related over models?"""

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from tiltmeter.analysis.installed_study import decimals_of, measures_of
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Card, Estimate, Inference, Meaning, Record, Result, estimated
from tiltmeter.core.samples import rng_of
from tiltmeter.core.types import Array
from tiltmeter.core.views import Plane
from tiltmeter.data.memory.text_numbers import TextNumbers
from tiltmeter.run.columns import columns_of
from tiltmeter.stats.correlation import spearman, spearman_interval, spearman_p

FEWEST = 3
"""Of fewer models no rank correlation is made."""


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
        y, x = _values(results, view.y), _values(results, view.x)
        value = spearman(y, x)
        p = spearman_p(y, x, rng_of(seed, name))
        sure = Inference(None, None, p, test="permutation test against 0")
        low, high = spearman_interval(value, len(results))
        sure = sure._replace(low=low, high=high, interval="Fisher's z (Bonett and Wright)")
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


def _values(results: Sequence[Result], measure: str) -> Array:
    """The measure of each model over the items that all of them scored, shape (models,)."""
    common = _in_all(results)
    if not len(common):
        raise Undefined("no item was scored by all of these models")
    return np.array([
        _value(result.card, (r for r in result.records if r.item in common), measure)
        for result in results
    ])  # fmt: skip


def _in_all(results: Sequence[Result]) -> TextNumbers:
    """The items that all have."""
    common = TextNumbers()
    for number, result in enumerate(results):
        before, common = common, TextNumbers()
        for record in result.records:
            if not number or record.item in before:
                common[record.item] = number
    return common


def _value(card: Card, records: Iterable[Record], measure: str) -> float:
    reported = next((m for m in measures_of(card) if m.name == measure), None)
    if reported is None:
        raise Undefined(f"{card.study} does not report {measure} under {card.rule}")
    columns = columns_of(records, reported.reads, decimals=decimals_of(card)).where(reported.where)
    metric = partial(reported.metric, ties=card.ties) if reported.uses_ties else reported.metric
    return metric(*(columns.column(name, slice(None)) for name in reported.columns))
