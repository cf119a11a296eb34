"""How far ratings of each culture explain a model's scores in one language.

A model's scores in the target language are regressed on the ratings of all cultures, with random
intercepts for traits and groups (Sotnikova 2023, equation 5.1). A coefficient above 0 of another
culture may be leakage. It may also be noise: where the target culture's own ratings are means of few
raters, other cultures fill in for them. So beside each coefficient stand its placebo, which is the
coefficient it has where the target's own raters play the model, and the coefficient corrected for noise.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from tiltmeter.analyses.leak.grids import CaseGrid, Missing, ModelCells, grid_of
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import ALPHA, Estimate, Inference
from tiltmeter.core.quantity import Quantity, quantity
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Groups
from tiltmeter.derived.people.rated_cells import HumanCells
from tiltmeter.stats.hypothesis_tests.exact_tests import holm
from tiltmeter.stats.regression.errors_in_variables import GridWeights, slopes_on
from tiltmeter.stats.regression.mixed_model import MixedFit, fit_mixed, variance_inflation
from tiltmeter.stats.regression.slope_changes import slope_changes

PLACEBOS = 100
SOURCE, TARGET, MONOLINGUAL = "source", "target", "monolingual"
"""Axes: whose people rated, the language of the scores, and the model of one language."""
SOLID, NOT_SOLID, ALONE = "solid", "not solid", "alone"
"""Verdicts of significant coefficients. Solid: above 0 with the raters' noise taken out, by its interval.
Alone: no other culture was a predictor, and what cultures share counts for each of them."""
_of_cells = partial(quantity, counts="cells (a group and a trait)", decimals=2, neutral=0)
SOLID_FLOWS = quantity(
    "solid_flows", "Solid flows from other countries", "solid flows", counts="flows", decimals=0
)
SIGNIFICANT_FLOWS = quantity(
    "significant_flows", "Significant flows from other countries", "significant flows", counts="flows",
    decimals=0,
)  # fmt: skip
COEFFICIENT = _of_cells(
    "coefficient", "Standardised coefficient", "coefficient", interval="Student’s t"
)
CORRECTED = _of_cells(
    "corrected", "Standardised coefficient without the raters’ noise", "corrected",
    interval="jackknife over groups with their raters, Student’s t",
)  # fmt: skip
PLACEBO = quantity(
    "placebo", "Standardised coefficient where nothing leaked", "placebo", counts="draws", decimals=2,
    interval="middle of the draws",
)  # fmt: skip
WITHOUT = _of_cells(
    "without_covariate", "Standardised coefficient without the monolingual model", "without"
)
CHANGE = _of_cells(
    "covariate_change", "Standardised coefficient without the monolingual model minus with it",
    "difference", interval="jackknife over groups, Student’s t",
)  # fmt: skip
SCALED = (COEFFICIENT, CORRECTED, PLACEBO, WITHOUT, CHANGE)
RAW: Mapping[str, Quantity] = {
    q.name: replace(
        q, name=f"{q.name}_raw",
        meaning=replace(
            q.meaning, decimals=None,
            title=q.meaning.title.replace("Standardised coefficient", "Coefficient in the paper’s scale"),
        ),
    )
    for q in SCALED
}  # fmt: skip
"""By the name of a standardised quantity: the same for each point of rating, of scores as the paper
multiplies them."""
PLACEBO_SIGNIFICANT = quantity(
    "placebo_significant", "Draws of the placebo in which the coefficient is above 0 with p < .05",
    "placebo, p < .05", counts="draws", decimals=0, unit="%",
)  # fmt: skip
DEGREES = quantity("degrees_of_freedom", "Satterthwaite’s degrees of freedom", "degrees of freedom")
INFLATION = quantity("variance_inflation", "Variance inflation factor", "variance inflation")
GROUPS = quantity("groups", "Groups in the regression", "groups", decimals=0)
TRAITS = quantity("traits", "Traits in the regression", "traits", decimals=0)
EXPLAINED = quantity(
    "explained", "Variance within traits and groups that ratings explain", "explained", unit="%"
)
TRAIT_SD = quantity("trait_sd", "Standard deviation of traits’ intercepts", "SD, traits")
GROUP_SD = quantity("group_sd", "Standard deviation of groups’ intercepts", "SD, groups")
RESIDUAL_SD = quantity("residual_sd", "Standard deviation of residuals", "SD, residuals")
OF_TARGET = (GROUPS, TRAITS, EXPLAINED, TRAIT_SD, GROUP_SD, RESIDUAL_SD)
OF_FLOWS = (
    SOLID_FLOWS, SIGNIFICANT_FLOWS, *SCALED, *RAW.values(), PLACEBO_SIGNIFICANT, DEGREES, INFLATION,
    *OF_TARGET,
)  # fmt: skip
Flows = tuple[list[Estimate], tuple[str, ...]]
"""The estimates of flows into one language, and remarks on its regression."""


@dataclass(frozen=True, slots=True)
class FlowOptions:
    """What the regression of leakage includes, and how its coefficients are tested."""

    missing: Missing = "complete"
    group_intercepts: bool = True
    """Random intercepts for groups too, not only for traits."""
    adjust: bool = True
    """Holm's correction over the coefficients of other cultures."""
    normal: bool = False
    """p by the normal distribution, without degrees of freedom."""
    factor: float = 1.0
    """The scores are multiplied by it: coefficients and standard deviations are then on the paper's scale."""
    placebos: int = PLACEBOS
    seed: int = 0


def is_from_other(e: Estimate) -> bool:
    """Whether an estimate is about the ratings of another country than the language's."""
    return SOURCE in e.groups and e.groups[SOURCE] != e.groups[TARGET]


def leakage(
    models: Sequence[ModelCells],
    humans: Mapping[str, HumanCells],
    *,
    monolingual: Mapping[str, ModelCells] | None = None,
    options: FlowOptions | None = None,
) -> tuple[list[Estimate], dict[str, tuple[str, ...]]]:
    """Flows from every culture into each language of a model.

    Models’ `name` is the language; `monolingual` has scores of a model of that language only.

    Returns:
        The numbers of solid and of significant flows, then all numbers of each language; and by language,
        remarks on its regression.

    Raises:
        Undefined: Too few groups or traits are left in a language, or ratings are collinear.
    """
    options = options or FlowOptions()
    estimates: list[Estimate] = []
    notes: dict[str, tuple[str, ...]] = {}
    for model in models:
        into, notes[model.name] = flows_into(
            model, humans, monolingual=(monolingual or {}).get(model.name), options=options
        )
        estimates += into
    flows = judged(estimates, options)
    return [*_counts_of_flows(flows, options), *flows], notes


def judged(estimates: Sequence[Estimate], options: FlowOptions) -> list[Estimate]:
    """The estimates with p adjusted over all languages, where the options ask for it, and with verdicts."""
    ps = {
        _way(e): e.p
        for e in estimates
        if e.name == COEFFICIENT.name and is_from_other(e) and e.p is not None
    }
    adjusted = dict(zip(ps, holm([*ps.values()]), strict=True)) if options.adjust else {}
    lows = {_way(e): e.low for e in estimates if e.name == CORRECTED.name and SOURCE in e.groups}

    def with_verdict(e: Estimate) -> Estimate:
        if e.name not in {COEFFICIENT.name, RAW[COEFFICIENT.name].name} or SOURCE not in e.groups:
            return e
        p_adjusted = adjusted.get(_way(e))
        p = e.p if p_adjusted is None else p_adjusted
        verdict = ""
        if (e.value or 0) > 0 and p is not None and p < ALPHA:
            verdict = SOLID if (lows.get(_way(e)) or 0) > 0 else NOT_SOLID
            verdict = ALONE if options.missing == "available" else verdict
        adjustment = "" if p_adjusted is None else "Holm"
        return replace(e, p_adjusted=p_adjusted, adjustment=adjustment, verdict=verdict)

    return [with_verdict(e) for e in estimates]


def _way(e: Estimate) -> tuple[str, str]:
    return e.groups[SOURCE], e.groups[TARGET]


def _counts_of_flows(flows: Sequence[Estimate], options: FlowOptions) -> list[Estimate]:
    """How many flows from other cultures are solid, and how many significant, also into each language."""
    others = [e for e in flows if e.name == COEFFICIENT.name and is_from_other(e)]
    why = "" if others else "there are no ratings of another country"
    if others and options.missing == "available":
        why = "each country is taken by itself"
    counts = [_count_of_flows(SOLID_FLOWS, others, {SOLID}, why)]
    significant = {SOLID, NOT_SOLID}
    counts.append(_count_of_flows(SIGNIFICANT_FLOWS, others, significant, why))
    if why:
        return counts
    for target in dict.fromkeys(e.groups[TARGET] for e in others):
        into = [e for e in others if e.groups[TARGET] == target]
        counts.append(_count_of_flows(SIGNIFICANT_FLOWS, into, significant, at={TARGET: target}))
    return counts


def _count_of_flows(
    of: Quantity,
    flows: Sequence[Estimate],
    verdicts: Collection[str],
    why: str = "",
    at: Groups | None = None,
) -> Estimate:
    count = sum(e.verdict in verdicts for e in flows)
    return of.at(None if why else count, n=len(flows), why=why, groups=at)


def flows_into(
    model: ModelCells,
    humans: Mapping[str, HumanCells],
    *,
    monolingual: ModelCells | None = None,
    options: FlowOptions,
) -> Flows:
    """Flows into one language, without verdicts; see `leakage`.

    With `missing="available"` each source is a regression of its own, on the groups that its raters and
    the model have.
    """
    model = replace(model, values=model.values * options.factor)
    if monolingual is not None:
        monolingual = replace(monolingual, values=monolingual.values * options.factor)
    people = humans.get(model.name)
    if options.missing != "available":
        grid = grid_of(model, humans, monolingual=monolingual, zero=options.missing == "zero")
        return _Regression(grid, model.name, monolingual, options).flows(people)
    estimates: list[Estimate] = []
    notes = ["Each source alone, on the groups that its raters know."]
    for source, human in humans.items():
        grid = grid_of(model, {source: human}, monolingual=monolingual)
        flows, _ = _Regression(grid, model.name, monolingual, options).flows(people)
        estimates += flows if not estimates else [e for e in flows if SOURCE in e.groups]
        notes.append(f"{source}: {counted(len(grid.groups), 'groups')}.")
    return estimates, tuple(notes)


class _Regression:
    """A mixed model of one language's scores, and what follows from it."""

    def __init__(
        self, grid: CaseGrid, target: str, monolingual: ModelCells | None, options: FlowOptions
    ) -> None:
        self.grid, self.options = grid, options
        self.x, self.y = grid.predictors, grid.y.ravel()
        self.fit = _fit(grid, self.x, self.y, options)
        self.spreads = self.x.std(axis=0) / self.y.std()
        """Standard deviations of the predictors over that of the scores: make coefficients standardised."""
        ratings = self.x[:, : len(grid.means)]
        self.bare = self.fit if grid.covariate is None else _fit(grid, ratings, self.y, options)
        self.share = explained_share(self.bare, ratings)
        self.target = {TARGET: target}
        self.sources: list[Groups] = [{SOURCE: name, **self.target} for name in grid.means]
        self.places = [
            *self.sources,
            *([{MONOLINGUAL: monolingual.model, **self.target}] if monolingual else []),
        ]

    def flows(self, local: HumanCells | None) -> Flows:
        """All numbers; `local` are the people of the language itself."""
        made = [*self._coefficients(), *self._corrected(), *self._placebos(local), *self._changes()]
        return [*made, *self._target()], _notes(self.grid, self.fit)

    def _in_both(
        self,
        of: Quantity,
        at: int,
        scaled: Sequence[float | None],
        p: float | None = None,
        **more: Any,
    ) -> Iterator[Estimate]:
        """A number of the predictor with this place, standardised and in the scale of the scores.

        `scaled` is the value of scores as they are, with both ends of its interval, where it has one.
        """
        for quantity_, factor in ((of, float(self.spreads[at])), (RAW[of.name], 1.0)):
            scaled_by = [None if v is None else float(v) * factor for v in scaled]
            value, low, high = (*scaled_by, None, None)[:3]
            inference = Inference(low, high, p, test=self._test if p is not None else "")
            yield quantity_.at(value, inference, groups=self.places[at], **more)

    @property
    def _test(self) -> str:
        how = "normal distribution" if self.options.normal else "Satterthwaite’s degrees of freedom"
        return f"mixed model, {how}, two-sided"

    @property
    def _n(self) -> dict[str, int]:
        return {"n": self.grid.y.size, "clusters": len(self.grid.groups)}

    def _coefficients(self) -> Iterator[Estimate]:
        fit = self.fit
        low, high = fit.interval()
        ps = fit.normal_p if self.options.normal else fit.p
        several = self.x.shape[1] > 1
        inflation = variance_inflation(self.x) if several else np.ones(1)
        for at, place in enumerate(self.places):
            i = at + 1  # after the intercept
            scaled = (fit.coefficients[i], low[i], high[i])
            yield from self._in_both(COEFFICIENT, at, scaled, float(ps[i]), **self._n)
            yield DEGREES.at(float(fit.degrees[i]), groups=place)
            yield INFLATION.at(float(inflation[at]), groups=place)

    def _corrected(self) -> Iterator[Estimate]:
        """The coefficients corrected for the raters' noise, under the weights of the mixed model."""
        grid, why = self.grid, "" if self.grid.humans else "cells that nobody rated are 0"
        scaled: Sequence[Sequence[float | None]] = [(None,)] * len(self.places)
        if not why:
            exact = [] if grid.covariate is None else [grid.covariate]
            try:
                slopes = slopes_on(grid.rated(), exact, grid.y, _weights(grid, self.fit))
                scaled = [*zip(slopes.slopes, slopes.low, slopes.high, strict=True)]
            except Undefined as undefined:
                why = str(undefined)
        for at in range(len(self.places)):
            yield from self._in_both(CORRECTED, at, scaled[at], why=why, **self._n)

    def _placebos(self, local: HumanCells | None) -> Iterator[Estimate]:
        """The coefficients where nothing leaked; none where too few people of the target's country rated."""
        grid, options = self.grid, self.options
        if local is None or not options.placebos or not grid.humans or self.share <= 0:
            return
        if any(group not in local.groups for group in grid.groups):
            return
        target = local.part(grid.groups, grid.columns)
        if not target.enough.all():
            return
        rng = np.random.default_rng([options.seed, 17])  # shared with nothing else that is drawn
        drawn, significant = placebos(grid, target, self.share, rng, options)
        low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
        for at, place in enumerate(self.sources):
            values = [v / self.spreads[at] for v in (drawn[:, at].mean(), low[at], high[at])]
            yield from self._in_both(PLACEBO, at, values, n=len(drawn))
            share = 100 * float(significant[:, at].mean())
            yield PLACEBO_SIGNIFICANT.at(share, n=len(drawn), groups=place)

    def _changes(self) -> Iterator[Estimate]:
        """The coefficients without the monolingual model, and how much smaller they are with it."""
        grid = self.grid
        if grid.covariate is None:
            return
        changes = slope_changes(
            np.stack(list(grid.means.values())), grid.covariate, grid.y,
            without=_weights(grid, self.bare), among=_weights(grid, self.fit),
        )  # fmt: skip
        rows = zip(changes.without, changes.differences, changes.low, changes.high, strict=True)
        for at, (without, *change) in enumerate(rows):
            yield from self._in_both(WITHOUT, at, [without], **self._n)
            yield from self._in_both(CHANGE, at, change, **self._n)

    def _target(self) -> Iterator[Estimate]:
        grid, fit = self.grid, self.fit
        group_sd = fit.factor_sds[1] if self.options.group_intercepts else 0.0
        values = (
            len(grid.groups), len(grid.columns), 100 * self.share, fit.factor_sds[0], group_sd,
            fit.residual_sd,
        )  # fmt: skip
        for of, value in zip(OF_TARGET, values, strict=True):
            yield of.at(float(value), groups=self.target)


def _fit(grid: CaseGrid, x: Array, y: Array, options: FlowOptions) -> MixedFit:
    columns, groups = grid.labels
    return fit_mixed(y, x, [columns, groups] if options.group_intercepts else [columns])


def explained_share(fit: MixedFit, x: Array) -> float:
    """Share of the variance within traits and groups that the predictors explain.

    var(Xb) / (var(Xb) + residual variance): the random intercepts are left out.
    """
    variance = float((x @ fit.coefficients[1:]).var())
    return variance / (variance + fit.residual_sd**2)


def _weights(grid: CaseGrid, fit: MixedFit) -> GridWeights:
    """The weights with which generalised least squares give the mixed model's coefficients."""
    rows, columns = grid.y.shape
    column_sd, row_sd = (*fit.factor_sds, 0.0)[:2]
    return GridWeights(rows, columns, row_sd / fit.residual_sd, column_sd / fit.residual_sd)


def placebos(
    grid: CaseGrid, local: HumanCells, share: float, rng: np.random.Generator, options: FlowOptions
) -> tuple[Array, Array]:
    """Regressions in which the target's own people play the model.

    The "model" is the mean of the target's raters, plus independent noise of such a size that the mean
    explains `share` of its variance. Nothing leaked into it. The ratings that should explain it are those
    of raters drawn anew with replacement, since other people would have been asked another time.

    `local` are the target’s ratings on this grid, `share` is that of the real model (`explained_share`).

    Returns:
        Standardised coefficients, and whether each is above 0 with p < .05; shapes (draws, sources).
    """
    truth, rated = local.means, grid.rated()
    noise = truth.std() * np.sqrt((1 - share) / share)
    draws = np.empty((2, options.placebos, len(rated)))
    for draw in range(options.placebos):
        x = np.stack([source.redrawn(rng).ravel() for source in rated], axis=1)
        y = (truth + rng.normal(0, noise, truth.shape)).ravel()
        fit = _fit(grid, x, y, options)
        draws[0, draw] = fit.coefficients[1:] * x.std(axis=0) / y.std()
        draws[1, draw] = (fit.coefficients[1:] > 0) & (fit.p[1:] < ALPHA)
    return draws[0], draws[1]


def _notes(grid: CaseGrid, fit: MixedFit) -> tuple[str, ...]:
    notes = [f"{text}." for text in grid.excluded]
    for sd, factor in zip(fit.factor_sds, ("traits", "groups"), strict=False):
        if sd == 0:
            notes.append(f"The variance of the random intercepts of {factor} is estimated as 0.")
    if grid.zeroed:
        notes.append(f"{grid.zeroed} cells that nobody, or too few, rated count as 0.")
    return tuple(notes)
