"""How far ratings of each culture explain a model's scores in one language.

A model's scores in the target language are regressed on the ratings of all cultures, with random
intercepts for traits and groups (Sotnikova 2023, equation 5.1). A coefficient above 0 of another
culture may be leakage. It may also be noise: where the target culture's own ratings are means of few
raters, other cultures fill in for them. So beside each coefficient stand its placebo, which is the
coefficient it has where the target's own raters play the model, and the coefficient corrected for noise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.analysis.leakage.flow_results import (
    ALPHA,
    CovariateChange,
    Flow,
    FlowOptions,
    Placebo,
    TargetFlows,
)
from tiltmeter.analysis.leakage.grids import CaseGrid, ModelCells, grid_of
from tiltmeter.analysis.leakage.human_cells import HumanCells
from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.errors_in_variables import GridWeights, slopes_on
from tiltmeter.stats.mixed_model import MixedFit, fit_mixed, variance_inflation
from tiltmeter.stats.significance import holm
from tiltmeter.stats.slope_changes import slope_changes


def leakage(
    models: Sequence[ModelCells],
    humans: Mapping[str, HumanCells],
    *,
    monolingual: Mapping[str, ModelCells] | None = None,
    options: FlowOptions | None = None,
) -> list[TargetFlows]:
    """Flows from every culture into each language of a model.

    Args:
        models: A model's scores, one for each language; `name` is the language.
        humans: By language.
        monolingual: By language, scores of a model of that language only.
        options: How.

    Raises:
        Undefined: Too few groups or traits are left in a language, or ratings are collinear.
    """
    options = options or FlowOptions()
    found = [
        flows_into(model, humans, monolingual=(monolingual or {}).get(model.name), options=options)
        for model in models
    ]
    if not options.adjust:
        return found
    others = [flow for one in found for flow in one.flows if flow.source != flow.target]
    adjusted = dict(zip(map(_key, others), holm([flow.p for flow in others]), strict=True))
    return [
        replace(
            one,
            flows=tuple(replace(flow, adjusted_p=adjusted.get(_key(flow))) for flow in one.flows),
        )
        for one in found
    ]


def _key(flow: Flow) -> tuple[str, str]:
    return flow.source, flow.target


def flows_into(
    model: ModelCells,
    humans: Mapping[str, HumanCells],
    *,
    monolingual: ModelCells | None = None,
    options: FlowOptions,
) -> TargetFlows:
    """Flows into one language; see `leakage`.

    With `missing="available"` each source is a regression of its own, on the groups that its raters and
    the model have.
    """
    model = replace(model, values=model.values * options.factor)
    if monolingual is not None:
        monolingual = replace(monolingual, values=monolingual.values * options.factor)
    if options.missing != "available":
        grid = grid_of(model, humans, monolingual=monolingual, zero=options.missing == "zero")
        return _flows_on(grid, model.name, humans.get(model.name), options)
    parts = []
    for source, human in humans.items():
        grid = grid_of(model, {source: human}, monolingual=monolingual)
        parts.append(_flows_on(grid, model.name, humans.get(model.name), options))
    first = parts[0]
    alone = "Each source alone, on the groups that its raters know."
    counts = [f"{p.flows[0].source}: {len(p.groups)} groups." for p in parts]
    flows = tuple(replace(flow, alone=True) for part in parts for flow in part.flows)
    return replace(first, flows=flows, notes=(alone, *counts))


def _flows_on(
    grid: CaseGrid, target: str, own: HumanCells | None, options: FlowOptions
) -> TargetFlows:
    x, y = grid.predictors, grid.y.ravel()
    fit = _fit(grid, x, y, options)
    spread = x.std(axis=0) / y.std()
    low, high = fit.interval()
    ps = fit.normal_p if options.normal else fit.p
    inflation = variance_inflation(x) if x.shape[1] > 1 else np.ones(1)
    names = [*grid.means, *([] if grid.covariate is None else ["monolingual"])]
    flows = [
        Flow(
            name, target, float(fit.coefficients[i]), float(spread[i - 1]), float(low[i]),
            float(high[i]), float(ps[i]), float(fit.degrees[i]), float(inflation[i - 1]),
        )
        for i, name in enumerate(names, start=1)
    ]  # fmt: skip
    rng = np.random.default_rng([options.seed, 17])
    ratings = x[:, : len(grid.means)]
    bare = fit if grid.covariate is None else _fit(grid, ratings, y, options)
    share = explained_share(bare, ratings)
    flows = _corrected(flows, grid, fit)
    flows = _with_placebos(flows, grid, own, share, options, rng)
    covariate = flows.pop() if grid.covariate is not None else None
    if grid.covariate is not None:
        flows = _with_changes(flows, grid, grid.covariate, fit, bare)
    return TargetFlows(
        target, tuple(flows), grid.groups, grid.columns, fit.factor_sds[0],
        fit.factor_sds[1] if options.group_intercepts else 0.0, fit.residual_sd, covariate,
        _notes(grid, fit), share,
    )  # fmt: skip


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
    """Those under which generalised least squares give the mixed model's coefficients."""
    rows, columns = grid.y.shape
    column_sd, row_sd = (*fit.factor_sds, 0.0)[:2]
    return GridWeights(rows, columns, row_sd / fit.residual_sd, column_sd / fit.residual_sd)


def _with_changes(
    flows: list[Flow], grid: CaseGrid, covariate: Array, fit: MixedFit, bare: MixedFit
) -> list[Flow]:
    """With what each coefficient is in the bare model, without the covariate."""
    sources = np.stack(list(grid.means.values()))
    found = slope_changes(
        sources, covariate, grid.y, without=_weights(grid, bare), among=_weights(grid, fit)
    )
    rows = zip(found.without, found.differences, found.low, found.high, strict=True)
    return [
        replace(flow, change=CovariateChange(*map(float, row)))
        for flow, row in zip(flows, rows, strict=True)
    ]


def _corrected(flows: list[Flow], grid: CaseGrid, fit: MixedFit) -> list[Flow]:
    """With coefficients corrected for the raters' noise, under the weights of the mixed model."""
    if not grid.humans:
        return [replace(flow, why="cells that nobody rated are 0") for flow in flows]
    weights = _weights(grid, fit)
    exact = [] if grid.covariate is None else [grid.covariate]
    try:
        found = slopes_on(grid.rated(), exact, grid.y, weights)
    except Undefined as why:
        return [replace(flow, why=str(why)) for flow in flows]
    return [
        replace(
            flow,
            corrected=float(found.slopes[i]),
            corrected_low=float(found.low[i]),
            corrected_high=float(found.high[i]),
        )
        for i, flow in enumerate(flows)
    ]


def _with_placebos(
    flows: list[Flow],
    grid: CaseGrid,
    own: HumanCells | None,
    share: float,
    options: FlowOptions,
    rng: np.random.Generator,
) -> list[Flow]:
    if own is None or not options.placebos or not grid.humans or share <= 0:
        return flows
    if any(group not in own.groups for group in grid.groups):
        return flows
    own = own.part(grid.groups, grid.columns)
    if not own.enough.all():
        return flows
    drawn, found = placebos(grid, own, share, rng, options)
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    made = [
        Placebo(float(drawn[:, i].mean()), float(low[i]), float(high[i]), float(found[:, i].mean()))
        for i in range(len(grid.means))
    ]
    rest = flows[len(made) :]  # the covariate
    return [*(replace(f, placebo=p) for f, p in zip(flows, made, strict=False)), *rest]


def placebos(
    grid: CaseGrid, own: HumanCells, share: float, rng: np.random.Generator, options: FlowOptions
) -> tuple[Array, Array]:
    """Regressions in which the target's own people play the model.

    The "model" is the mean of the target's raters, plus independent noise of such a size that the mean
    explains `share` of its variance. Nothing leaked into it. The ratings that should explain it are those
    of raters drawn anew with replacement, since other people would have been asked another time.

    Args:
        grid: The complete cases.
        own: The target's ratings on this grid.
        share: That of the real model, `explained_share`.
        rng: Where the randomness comes from.
        options: How many draws, and which intercepts.

    Returns:
        Standardised coefficients, and whether each is above 0 with p < .05; shapes (draws, sources).
    """
    truth, rated = own.means, grid.rated()
    noise = truth.std() * np.sqrt((1 - share) / share)
    found = np.empty((2, options.placebos, len(rated)))
    for draw in range(options.placebos):
        x = np.stack([one.redrawn(rng).ravel() for one in rated], axis=1)
        y = (truth + rng.normal(0, noise, truth.shape)).ravel()
        fit = _fit(grid, x, y, options)
        found[0, draw] = fit.coefficients[1:] * x.std(axis=0) / y.std()
        found[1, draw] = (fit.coefficients[1:] > 0) & (fit.p[1:] < ALPHA)
    return found[0], found[1]


def _notes(grid: CaseGrid, fit: MixedFit) -> tuple[str, ...]:
    notes = [f"{text}." for text in grid.excluded]
    for sd, factor in zip(fit.factor_sds, ("traits", "groups"), strict=False):
        if sd == 0:
            notes.append(f"The variance of the random intercepts of {factor} is estimated as 0.")
    if grid.zeroed:
        notes.append(f"{grid.zeroed} cells that nobody, or too few, rated count as 0.")
    return tuple(notes)
