"""Two matrices of groups by traits: the order of their cells, and cell by cell where scales allow it.

Templates are paired: both models were asked in the same sentences, and what a template does to both falls
out of the difference.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tiltmeter.analysis import paired
from tiltmeter.analysis.matrix import Layers, layers_of, matrix_of
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.results import Estimate, Inference, Meaning, Result
from tiltmeter.core.types import Array
from tiltmeter.metrics.traits import association, infer_over_templates
from tiltmeter.stats.intervals import student

DIFFERENCE = "association_difference"
CHOOSING = ("groups", "templates", "cross")
"""Settings that say which cells there are, and not how they are scored."""
WHOLE = ("",)
"""The layers of a matrix that is not made of templates, as CEAT's."""
MOST_BLOCKS = 60
"""A jackknife leaves out one group at a time, of more groups than these one of so many sets of them."""
FEWEST = 3


@dataclass(frozen=True, slots=True)
class _Both:
    """The cells and templates that both results have, in the order of the first; NaN without a score."""

    a: Array
    """Right − left, shape (templates, groups, pairs)."""
    b: Array
    templates: tuple[str, ...]
    groups: tuple[str, ...]
    pairs: tuple[str, ...]
    left_out: str
    """What only one of them has, in words."""

    @property
    def means(self) -> tuple[Array, Array]:
        """Over templates, shape (groups, pairs) each; NaN in both where either has none."""
        a, b = self.a.mean(axis=0), self.b.mean(axis=0)
        gone = ~np.isfinite(a - b)
        return np.where(gone, np.nan, a), np.where(gone, np.nan, b)


def compare_cells(a: Result, b: Result, *, seed: int = 0) -> list[Estimate]:
    """How alike two matrices are, and where they differ.

    Ranks always: Kendall's tau-b of the cells of both matrices, that of what is left when each pair's mean
    over groups is taken off, and in how many cells both lean the same way, with jackknife intervals over
    groups; tau within each group. Only of results by one rule with the same settings, since other scores
    are on another scale: A − B of the mean strengths (jackknife over templates), and of each cell (t over
    the templates' differences, adjusted over all cells).

    Of CEAT only ranks: its numbers are in each model's own standard deviations.

    Templates, groups and pairs that only one result has are left out, and `why` says so.

    Raises:
        BadInput: They have no template, no group or no pair in common, or are of other data.
    """
    del seed  # nothing is drawn
    if a.card.data["sha256"] != b.card.data["sha256"]:
        paired.matched(a, b)  # common items must have the same texts
    both = _common(a, b)
    notes = (paired.note(a, b, 0), _vocabularies(a, b), both.left_out)
    note = "; ".join(part for part in notes if part)
    found = [*_orders(a, b, both, note)]
    if same_scale(a, b) and both.templates != WHOLE:
        found += [_strengths(a, b, both), *_cells(a, b, both)]
    return found


def same_scale(a: Result, b: Result) -> bool:
    """Whether scores of both were made in one way, so that they can be subtracted."""

    def way(result: Result) -> tuple[object, ...]:
        card = result.card
        settings = {k: v for k, v in card.settings.items() if k not in CHOOSING}
        return card.rule, card.convention, settings

    return way(a) == way(b)


def _layers(result: Result) -> Layers:
    """By template; of numbers that are not averages over templates all in one layer."""
    if all("template" in record.groups for record in result.records[:1]):
        return layers_of(result)
    whole = matrix_of(result)
    values = whole.values[None]  # (1, groups, pairs)
    return Layers(
        whole.name, WHOLE, WHOLE, whole.groups, whole.pairs, np.zeros_like(values), values
    )


def _vocabularies(a: Result, b: Result) -> str:
    """That two models choose among different numbers of words, where they do."""
    sizes = [result.card.model.get("vocabulary") for result in (a, b)]
    if not all(isinstance(size, int) for size in sizes) or sizes[0] == sizes[1]:
        return ""
    return f"with vocabularies of {sizes[0]:,} and {sizes[1]:,} tokens"


def _common(a: Result, b: Result) -> _Both:
    one, other = _layers(a), _layers(b)
    told, places = [], []
    for what in ("templates", "groups", "pairs"):
        of_a, of_b = getattr(one, what), getattr(other, what)
        kept = [name for name in of_a if name in set(of_b)]
        if not kept:
            raise BadInput(
                f"{one.name} and {other.name} have no {what} in common",
                "compare runs of the same study on the same data",
            )
        lost = len(of_a) + len(of_b) - 2 * len(kept)
        if lost:
            told.append(f"{lost} {what if lost > 1 else what[:-1]}")
        places.append((kept, [of_a.index(n) for n in kept], [of_b.index(n) for n in kept]))
    (templates, *t), (groups, *g), (pairs, *p) = places
    scores = [
        layers.values[np.ix_(t[i], g[i], p[i])] for i, layers in enumerate((one, other))
    ]  # each (templates, groups, pairs)
    said = f"{', '.join(told)} that only one of them has are left out" if told else ""
    return _Both(scores[0], scores[1], tuple(templates), tuple(groups), tuple(pairs), said)


# ── Orders ───────────────────────────────────────────────────────────────────────────────────────


def _orders(a: Result, b: Result, both: _Both, note: str) -> Iterator[Estimate]:
    x, y = both.means
    cells = int(np.isfinite(x).sum())
    measures: tuple[tuple[str, Callable[[Array, Array], float], str, float], ...] = (
        ("matrix_tau", _tau, "", 0.0),
        ("matrix_tau_within", _tau_within, "", 0.0),
        ("same_lean", _same_side, "%", 50.0),
    )
    for i, (name, of, unit, neutral) in enumerate(measures):
        value, sure, why = _over_groups(of, x, y, neutral)
        said = "; ".join(part for part in (why, "" if i else note) if part)
        shown = paired.Number(name, value, unit, neutral, {}, said)
        yield paired.estimate(a, b, shown, sure, n=cells, tied=0)
    for group, of_a, of_b in zip(both.groups, x, y, strict=True):
        value, why = None, ""
        try:
            value = _tau(of_a, of_b)
        except Undefined as undefined:
            why = str(undefined)
        shown = paired.Number("matrix_tau", value, "", 0.0, {"group": group}, why)
        n = int(np.isfinite(of_a).sum())
        yield paired.estimate(a, b, shown, Inference(None, None), n=n, tied=0)


def _tau(x: Array, y: Array) -> float:
    """Kendall's tau-b of the cells that have a value."""
    from scipy.stats import kendalltau  # noqa: PLC0415  # slow to import

    there = np.isfinite(x)
    one, other = x[there], y[there]
    if len(one) < FEWEST:
        raise Undefined(f"there are only {len(one)} cells to put in order")
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        raise Undefined("all cells of one of them are equal, so there is no order to compare")
    return float(kendalltau(one, other, method="asymptotic").statistic)


def _tau_within(x: Array, y: Array) -> float:
    """The same with each pair's mean over groups taken off: what is particular to groups."""
    if len(x) < 2:  # noqa: PLR2004
        raise Undefined("one group has nothing particular beside others")
    there = np.isfinite(x)
    counts = np.maximum(there.sum(axis=0), 1)
    return _tau(*(side - np.where(there, side, 0.0).sum(axis=0) / counts for side in (x, y)))


def _same_side(x: Array, y: Array) -> float:
    """In how many cells both lean the same way, in %; a cell at 0 counts half."""
    sides = np.sign(x) * np.sign(y)
    sides = sides[np.isfinite(sides)]
    if not len(sides):
        raise Undefined("no cell has a value in both")
    return float(50 * (1 + sides).mean())


def _over_groups(
    of: Callable[[Array, Array], float], x: Array, y: Array, neutral: float
) -> tuple[float | None, Inference, str]:
    """The value, and how sure it is by a jackknife over groups."""
    try:
        value = of(x, y)
    except Undefined as undefined:
        return None, Inference(None, None), str(undefined)
    blocks = np.arange(len(x)) % MOST_BLOCKS
    k = int(blocks.max()) + 1
    try:
        without = np.array([of(x[blocks != i], y[blocks != i]) for i in range(k)])
        error = np.sqrt((k - 1) / k * np.square(without - without.mean()).sum())
        low, high, p = student(value - neutral, float(error), k - 1)
    except Undefined as undefined:
        return value, Inference(None, None), f"no interval: {undefined}"
    ends = (100.0, 0.0) if neutral else (1.0, -1.0)
    low, high = max(low + neutral, ends[1]), min(high + neutral, ends[0])
    what = "groups" if len(x) <= MOST_BLOCKS else f"{k} sets of groups"
    named = f"jackknife over {what} with Student’s t"
    return value, Inference(low, high, p, named, f"jackknife t test over {what}"), ""


# ── Numbers ──────────────────────────────────────────────────────────────────────────────────────


def _strengths(a: Result, b: Result, both: _Both) -> Estimate:
    """Mean |association| of A less that of B, over the cells that both have whole."""
    whole = np.isfinite(both.a.sum(axis=0) + both.b.sum(axis=0))
    one, other = both.a[:, whole], both.b[:, whole]  # (templates, cells)
    cells = one.shape[1]
    value, sure, why = None, Inference(None, None), "no cell has a score in every template in both"
    if cells:
        value = float(np.abs(one.mean(axis=0)).mean() - np.abs(other.mean(axis=0)).mean())
        sure, why = _paired_strength(one, other, value)
    unit = next(e.unit for e in a.estimates if e.name == "association")
    meaning = Meaning("Difference of mean strengths", difference_of="mean_strength", counts="cells")
    shown = paired.Number("strength_difference", value, unit, 0.0, {}, why, meaning)
    return paired.estimate(a, b, shown, sure, n=cells, tied=0)


def _paired_strength(one: Array, other: Array, value: float) -> tuple[Inference, str]:
    """How sure a difference of mean strengths is: both without the same template, one after the other.

    `one` and `other` have shape (templates, cells).
    """
    k = len(one)
    if k == 1:
        return Inference(None, None), "no interval: there is one template only"
    parts = [np.abs((side.sum(axis=0) - side) / (k - 1)).mean(axis=1) for side in (one, other)]
    without = parts[0] - parts[1]  # (templates,)
    error = np.sqrt((k - 1) / k * np.square(without - without.mean()).sum())
    try:
        low, high, p = student(value, float(error), k - 1)
    except Undefined as undefined:
        return Inference(None, None), f"no interval: {undefined}"
    test = f"jackknife t test over {k} templates against 0"
    return Inference(low, high, p, f"jackknife over {k} templates", test), ""


def _cells(a: Result, b: Result, both: _Both) -> Iterator[Estimate]:
    """A − B of each cell, from the differences of its templates."""
    unit = next(e.unit for e in a.estimates if e.name == "association")
    clusters = np.arange(len(both.templates))
    rng = np.random.default_rng(0)  # which the t interval does not use
    for i, group in enumerate(both.groups):
        for j, pair in enumerate(both.pairs):
            columns = both.b[:, i, j], both.a[:, i, j]
            value, sure = None, Inference(None, None)
            gone = int((~np.isfinite(columns[0] + columns[1])).sum())
            why = f"no score of both in {gone} of {len(clusters)} templates" if gone else ""
            if not gone:
                value = association(*columns)
                sure = infer_over_templates(association, columns, clusters, rng)
                why = sure.why
            meaning = Meaning("Difference of associations", difference_of="association")
            shown = paired.Number(
                DIFFERENCE, value, unit, 0.0, {"group": group, "pair": pair}, why, meaning,
                "Benjamini–Hochberg",
            )  # fmt: skip
            yield paired.estimate(a, b, shown, sure, n=len(clusters), tied=0)
