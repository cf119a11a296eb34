"""Two matrices: the order of their cells, and cell by cell where scales allow it.

Layers (templates) are paired: both models were asked in the same sentences, and what a template does to
both falls out of the difference.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Estimate, Inference, Meaning, estimated
from tiltmeter.core.quantity import NOTHING, quantity
from tiltmeter.core.results import Result
from tiltmeter.core.samples import Sample
from tiltmeter.core.study_views import Matrix
from tiltmeter.core.types import Array
from tiltmeter.derived.comparisons import paired
from tiltmeter.derived.comparisons.unpaired_items import UnpairedItems, named
from tiltmeter.derived.matrices.matrix import (
    ScoreLayers,
    has_layers,
    layers_of,
    matrix_of,
    matrix_view,
    required_view,
)
from tiltmeter.derived.matrices.matrix_orders import over_rows, same_side, tau, tau_within
from tiltmeter.metrics.traits import infer_over_templates
from tiltmeter.stats.confidence_intervals.intervals import student_p
from tiltmeter.stats.confidence_intervals.mean_squares import root_mean_square
from tiltmeter.stats.confidence_intervals.score_intervals import interval_of_change

TAU, TAU_WITHIN, SAME_LEAN, STRENGTH = (
    "matrix_tau", "matrix_tau_within", "same_lean", "strength_difference",
)  # fmt: skip
_QUANTITIES = (
    quantity(
        TAU, "Rank correlation of the matrices (Kendall’s τ-b)", "τ-b", counts="cells",
        neutral_is="no relation", least=-1, most=1,
    ),
    quantity(
        TAU_WITHIN, "Rank correlation without what all rows share", "τ-b within", counts="cells",
        neutral_is="no relation", least=-1, most=1,
    ),
    quantity(
        SAME_LEAN, "Cells that lean the same way", "same lean", counts="cells", neutral_is="chance",
    ),
    quantity(
        STRENGTH, "Difference of root mean square strengths", "rms strength", counts="cells",
        neutral_is="no difference",
    ),
)  # fmt: skip
QUANTITIES = {q.name: q for q in _QUANTITIES}
WHOLE = ("",)
"""The layers of a matrix whose records have none."""


def difference_name(view: Matrix) -> str:
    """The name of the differences cell by cell."""
    return f"{view.measure}_difference"


@dataclass(frozen=True, slots=True)
class _Both:
    """The cells and layers that both results have, in the order of the first; NaN without a score."""

    a: Array
    """Right − left, shape (layers, rows, columns)."""
    b: Array
    layers: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    left_out: str
    """Layers, rows and columns that only one of them has, in words."""
    view: Matrix

    def only(self, first: Array, second: Array) -> list[str]:
        """The scores that the first has and the second lacks: "template, group, pair of traits"."""
        there = np.isfinite(first) & ~np.isfinite(second)
        axes = (self.layers, self.rows, self.columns)
        return [
            ", ".join(filter(None, (axis[i] for axis, i in zip(axes, place, strict=True))))
            for place in np.argwhere(there)
        ]

    @property
    def means(self) -> tuple[Array, Array]:
        """The means of both over layers, shape (rows, columns) each; NaN in both where either has none."""
        a, b = self.a.mean(axis=0), self.b.mean(axis=0)
        gone = ~np.isfinite(a - b)
        return np.where(gone, np.nan, a), np.where(gone, np.nan, b)


def compare_cells(a: Result, b: Result, unpaired: UnpairedItems | None = None) -> list[Estimate]:
    """How alike two matrices are, and where they differ.

    Ranks always: Kendall's tau-b of the cells of both matrices, that of what is left when each column's
    mean over rows is taken off, and in how many cells both lean the same way, with jackknife intervals over
    rows; tau within each row. Only of results by one rule with the same settings, since other scores are on
    another scale: A − B of the root mean square strengths (from products of different layers), and of each
    cell (t over the layers' differences, adjusted over all cells).

    Of matrices without layers only ranks: their numbers may be in each model's own standard deviations.

    Layers, rows, columns and scores that only one result has are left out, and `why` says so; `unpaired`
    takes the scores.

    Raises:
        BadInput: They have no layer, no row or no column in common, or are of other data.
    """
    if a.card.data["sha256"] != b.card.data["sha256"]:
        paired.matched(a, b)  # common items must have the same texts
    both = _common(a, b)
    unpaired = unpaired or UnpairedItems(*paired.names(a, b))
    only = both.only(both.a, both.b), both.only(both.b, both.a)
    lacking = unpaired.add(both.view.measure, *only, counts="scores")
    notes = (lacking, both.left_out, paired.note(a, b), _vocabularies(a, b))
    note = "; ".join(part for part in notes if part)
    estimates = [*_orders(both, note)]
    if same_scale(a, b) and both.layers != WHOLE:
        estimates += [_strengths(a, both), *_cells(a, both)]
    return [paired.between(a, b, e) for e in estimates]


def same_scale(a: Result, b: Result) -> bool:
    """Whether scores of both were made in one way, so that they can be subtracted."""

    def way(result: Result) -> tuple[object, ...]:
        card, view = result.card, matrix_view(result.card)
        selects = view.selects if view else ()
        settings = {k: v for k, v in card.settings.items() if k not in selects}
        return card.rule, card.convention, settings

    return way(a) == way(b)


def _layers(result: Result) -> ScoreLayers:
    """The scores by layer; numbers that are no averages over layers are one layer."""
    if has_layers(result):
        return layers_of(result)
    whole = matrix_of(result)
    values = whole.values[None]  # (1, rows, columns)
    return ScoreLayers(
        whole.name, WHOLE, WHOLE, whole.rows, whole.columns, np.zeros_like(values), values,
        view=whole.view,
    )  # fmt: skip


def _vocabularies(a: Result, b: Result) -> str:
    """A note that two models choose among different numbers of tokens; "" where they do not."""
    sizes = [result.card.model.get("vocabulary") for result in (a, b)]
    if not all(isinstance(size, int) for size in sizes) or sizes[0] == sizes[1]:
        return ""
    return f"whose vocabularies differ in size ({sizes[0]:,} and {sizes[1]:,})"


def _common(a: Result, b: Result) -> _Both:
    view = required_view(a.card)
    first, second = _layers(a), _layers(b)
    lost, places = [], []
    for names, axis, of_a, of_b in (
        (view.layer_names, view.layers, first.layers, second.layers),
        (view.row_names, view.rows, first.rows, second.rows),
        (view.column_names, view.columns, first.columns, second.columns),
    ):
        kept = [name for name in of_a if name in set(of_b)]
        if not kept:
            raise BadInput(
                f"{first.name} and {second.name} have no {names} in common",
                "compare runs of the same study on the same data",
            )
        alone = [name for name in (*of_a, *of_b) if name not in {*kept}]
        if alone:
            few = names if len(alone) > 1 else axis.replace("_", " ")
            lost.append(f"{len(alone)} {few} ({named(alone)})")
        places.append((kept, [of_a.index(n) for n in kept], [of_b.index(n) for n in kept]))
    (kept_layers, *t), (rows, *r), (columns, *c) = places
    scores = [
        layers.values[np.ix_(t[i], r[i], c[i])] for i, layers in enumerate((first, second))
    ]  # each (layers, rows, columns)
    left_out = f"{', '.join(lost)} that only one of them has were left out" if lost else ""
    return _Both(
        scores[0], scores[1], tuple(kept_layers), tuple(rows), tuple(columns), left_out, view
    )


def _made(
    name: str, value: float | None, sure: Inference = NOTHING, *, n: int, unit: str = "",
    neutral: float = 0.0, **further: Any,
) -> Estimate:  # fmt: skip
    """The estimate with what it means."""
    return estimated(
        name, value, sure, n=n, neutral=neutral, unit=unit, meaning=QUANTITIES[name].meaning, **further
    )  # fmt: skip


def _orders(both: _Both, note: str) -> Iterator[Estimate]:
    x, y = both.means
    cells = int(np.isfinite(x).sum())
    measures: tuple[tuple[str, Callable[[Array, Array], float], str, float], ...] = (
        (TAU, tau, "", 0.0),
        (TAU_WITHIN, tau_within, "", 0.0),
        (SAME_LEAN, same_side, "%", 50.0),
    )
    for i, (name, of, unit, neutral) in enumerate(measures):
        value, sure, why = over_rows(of, x, y, neutral, both.view.row_names)
        whole = "; ".join(part for part in (why, "" if i else note) if part)
        yield _made(name, value, sure, n=cells, unit=unit, neutral=neutral, why=whole)
    for row, of_a, of_b in zip(both.rows, x, y, strict=True):
        value, why = None, ""
        try:
            value = tau(of_a, of_b)
        except Undefined as undefined:
            why = str(undefined)
        of_row = {both.view.rows: row}
        yield _made(TAU, value, n=int(np.isfinite(of_a).sum()), groups=of_row, why=why)


def _strengths(a: Result, both: _Both) -> Estimate:
    """Root mean square of A's cells minus that of B's, over the cells that both have whole."""
    whole = np.isfinite(both.a.sum(axis=0) + both.b.sum(axis=0))
    value, sure, why = None, Inference(None, None), "no cell has a score in all layers of both"
    if whole.any():
        value, sure, why = paired_strength(both.a[:, whole], both.b[:, whole], both.view)
    made = _made(STRENGTH, value, sure, n=int(whole.sum()), unit=_unit(a, both.view), why=why)
    return replace(made, meaning=replace(made.meaning, difference_of=both.view.strength))


def _unit(result: Result, view: Matrix) -> str:
    return next(e.unit for e in result.estimates if e.name == view.measure)


def paired_strength(a: Array, b: Array, view: Matrix) -> tuple[float | None, Inference, str]:
    """A difference of root mean square strengths, how sure it is, and why it is not.

    The interval combines those of the two, which vary together as what each layer adds to them does. Both
    arrays have shape (layers, cells).
    """
    value, k, units = None, len(a), view.layer_names
    try:
        of_a, of_b = (root_mean_square(side, np.ones_like(side), units) for side in (a, b))
        value = of_a.value - of_b.value
        low, high = interval_of_change([of_a], [of_b], (1,))
    except Undefined as undefined:
        why = str(undefined) if value is None else f"no interval: {undefined}"
        return value, Inference(None, None), why
    p = student_p(value, value - low if value > 0 else high - value, k - 1)
    interval = f"score intervals from products of different {units}, combined"
    test = f"t test over {k} {units} against 0, from the interval"
    return value, Inference(low, high, p, interval, test), ""


def _cells(a: Result, both: _Both) -> Iterator[Estimate]:
    """A − B of each cell, from the differences of its layers."""
    view, unit = both.view, _unit(a, both.view)
    meaning = _difference_meaning(a, view)
    layers = np.arange(len(both.layers))
    rng = np.random.default_rng(0)  # which the t interval does not use
    for i, row in enumerate(both.rows):
        for j, column in enumerate(both.columns):
            columns = both.b[:, i, j], both.a[:, i, j]
            value, sure = None, Inference(None, None)
            gone = int((~np.isfinite(columns[0] + columns[1])).sum())
            why = (
                f"no score from both in {gone} of {len(layers)} {view.layer_names}" if gone else ""
            )
            if not gone:
                value = float((columns[1] - columns[0]).mean())
                sure = infer_over_templates(Sample(_mean_difference, columns, layers, rng))
                why = sure.why
            cell = {view.rows: row, view.columns: column}
            yield estimated(
                difference_name(view), value, sure, n=len(layers), neutral=0.0, unit=unit, groups=cell,
                why=why, meaning=meaning, adjustment="Benjamini–Hochberg",
            )  # fmt: skip


def _mean_difference(left: Array, right: Array) -> float:
    return float((right - left).mean())


def _difference_meaning(result: Result, view: Matrix) -> Meaning:
    """The meaning of the differences cell by cell, from what the study says of its cells."""
    of_cells = result.card.measures.get(view.measure, Meaning())
    title = of_cells.title or view.measure.replace("_", " ")
    return Meaning(
        f"Difference in {title[:1].lower()}{title[1:]}",
        role="description",
        counts=of_cells.counts,
        sides=("first lower", "first higher"),
        neutral_is="no difference",
        difference_of=view.measure,
    )
