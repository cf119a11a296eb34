"""Flows: what is recovered, what raters alone would show, and the published conventions."""

from dataclasses import replace

import numpy as np
import pytest

from analyses.leak.examples import common, four_countries, made_model, small_humans
from tiltmeter.analyses.leak.flows import (
    ALONE,
    COEFFICIENT,
    CORRECTED,
    NOT_SOLID,
    SOLID,
    FlowOptions,
    is_from_other,
    judged,
    leakage,
    placebos,
)
from tiltmeter.analyses.leak.grids import ModelCells, grid_of
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.stats.hypothesis_tests.exact_tests import holm
from tiltmeter.stats.regression.errors_in_variables import GridWeights, Rated, slopes_on

QUICK = FlowOptions(placebos=0)


@pytest.fixture(scope="module")
def humans():
    return four_countries()


@pytest.fixture(scope="module")
def models(humans):
    rng = np.random.default_rng(0)
    effects = {"ru": {"ru": 0.1, "zh": 0.05}, "en": {"en": 0.1}}
    return [made_model(humans, e, rng, target=target) for target, e in effects.items()]


@pytest.fixture(scope="module")
def flows(models, humans):
    """Numbers of two languages, the placebo among them."""
    return leakage(models, humans, options=replace(QUICK, placebos=10))[0]


def named(estimates, name, **groups):
    """The estimates of a name at these coordinates, in order."""
    return [e for e in estimates if e.name == name and groups.items() <= e.groups.items()]


def only(estimates, name, **groups):
    (estimate,) = named(estimates, name, **groups)
    return estimate


def sources(estimates, **groups):
    return [e.groups["source"] for e in named(estimates, "coefficient", **groups)]


def test_complete_cases_of_the_published_ratings(flows):
    assert sources(flows, target="ru") == ["en", "ru", "zh", "hi"]
    assert only(flows, "groups", target="ru").value == 18
    assert only(flows, "traits", target="en").value == 32
    assert 0 < only(flows, "explained", target="ru").value < 100
    assert only(flows, "coefficient", target="en", source="ru").n == 18 * 32


def test_own_ratings_are_found_and_compared_with_the_placebo(flows):
    own = {"source": "ru", "target": "ru"}
    raw = only(flows, "coefficient_raw", **own)
    assert raw.low < 0.1 < raw.high
    assert only(flows, "placebo_significant", **own).value == 100
    assert not is_from_other(raw)  # it is the target's own
    assert only(flows, "corrected", **own).value > only(flows, "coefficient", **own).value


def test_one_factor_makes_all_numbers_of_a_flow_standardised(flows):
    """The ratio of the standard deviations, whatever the number."""
    here = {"source": "zh", "target": "ru"}
    ratios = [
        getattr(only(flows, name, **here), end) / getattr(only(flows, f"{name}_raw", **here), end)
        for name in ("coefficient", "corrected", "placebo")
        for end in ("value", "low", "high")
    ]
    assert ratios == pytest.approx([ratios[0]] * len(ratios))


def test_p_is_adjusted_over_other_languages_only(flows):
    others = [e for e in named(flows, "coefficient") if is_from_other(e)]
    assert [e.p_adjusted for e in others] == holm([e.p for e in others])
    own = [e for e in named(flows, "coefficient") if not is_from_other(e)]
    assert len(own) == 2 and {e.p_adjusted for e in own} == {None}


def made(value, p, low=None, *, source="en", target="ru"):
    """A coefficient, and the lower end of the corrected one."""
    groups = {"source": source, "target": target}
    corrected = None if low is None else low + 0.1
    return [
        COEFFICIENT.at(value, Inference(None, None, p), groups=groups),
        CORRECTED.at(corrected, Inference(low, low and low + 0.2), groups=groups),
    ]


def verdicts(estimates, **options):
    return [e.verdict for e in judged(estimates, FlowOptions(**options)) if e.name == "coefficient"]


def test_what_is_solid():
    assert verdicts(made(0.2, 0.01, 0.05)) == [SOLID]
    assert verdicts(made(0.2, 0.01, -0.05)) == [NOT_SOLID]
    assert verdicts(made(0.2, 0.01)) == [NOT_SOLID]  # nothing says that it is more than noise
    assert verdicts(made(-0.2, 0.01, 0.05)) == verdicts(made(0.2, 0.06, 0.05)) == [""]
    assert verdicts(made(0.2, 0.01, 0.05), missing="available") == [ALONE]


def test_adjustment_decides_of_flows_from_others_and_not_of_the_languages_own():
    flows = [
        *made(0.2, 0.03, 0.05), *made(0.2, 0.03, 0.05, source="zh"), *made(0.2, 0.03, 0.05, source="ru"),
    ]  # fmt: skip
    assert verdicts(flows) == ["", "", SOLID]  # .03 over two is .06
    assert verdicts(flows, adjust=False) == [SOLID] * 3


def test_the_number_of_solid_flows_is_over_everything(humans, models, flows):
    solid = flows[0]
    assert (solid.name, solid.groups, solid.n) == ("solid_flows", {}, 6)
    significant = [
        e
        for e in flows
        if e.name == "coefficient" and is_from_other(e) and e.verdict in {"solid", "not solid"}
    ]
    counted, *by_language = [e for e in flows if e.name == "significant_flows"]
    assert (counted.groups, counted.n, counted.value) == ({}, 6, len(significant))
    assert sum(e.value for e in by_language) == counted.value
    assert {e.groups["target"]: e.n for e in by_language} == {"en": 3, "ru": 3}
    assert counted.value >= solid.value
    assert solid.value == sum(
        e.verdict == SOLID and is_from_other(e) for e in named(flows, "coefficient")
    )
    alone = leakage(models, humans, options=replace(QUICK, missing="available"))[0][0]
    assert (alone.value, alone.why) == (None, "each country is taken by itself")
    own = leakage(models[:1], {"ru": humans["ru"]}, options=QUICK)[0][0]
    assert (own.value, own.why) == (None, "there are no ratings of another country")


def test_the_published_convention(humans):
    code = FlowOptions(
        missing="zero", group_intercepts=False, adjust=False, normal=True, placebos=0
    )
    every = tuple(dict.fromkeys(g for human in humans.values() for g in human.groups))
    values = np.random.default_rng(1).normal(size=(len(every), 32))
    model = ModelCells("en", every, humans["en"].columns, values)
    flows, notes = leakage([model], humans, options=replace(code, factor=100.0))
    assert only(flows, "groups").value == 30
    assert only(flows, "group_sd").value == 0
    assert {e.p_adjusted for e in named(flows, "coefficient")} == {None}
    assert {e.why for e in named(flows, "corrected")} == {"cells that nobody rated are 0"}
    assert any("rated count as 0" in note for note in notes["en"])
    plain, _ = leakage([model], humans, options=code)
    for name, ratio in (("coefficient_raw", 100), ("coefficient", 1)):
        scaled, unscaled = (named(some, name)[0].value for some in (flows, plain))
        assert scaled == pytest.approx(ratio * unscaled, rel=1e-3)


def test_each_source_alone_where_its_raters_know_more_groups(humans):
    every = humans["ru"].groups
    values = np.random.default_rng(1).normal(size=(len(every), 32))
    model = ModelCells("en", every, humans["en"].columns, values)
    flows, notes = leakage([model], humans, options=replace(QUICK, missing="available"))
    assert sources(flows) == ["en", "ru", "zh", "hi"]
    assert "ru: 22 groups." in notes["en"]
    assert {e.value for e in named(flows, "variance_inflation")} == {1}
    assert {e.verdict for e in named(flows, "coefficient")} <= {ALONE, ""}


def test_a_monolingual_model_as_covariate():
    rng = np.random.default_rng(4)
    humans = small_humans(rng, groups=12)
    shape = (12, 8)
    alone = rng.normal(size=shape) + 0.1 * humans["en"].means
    base = ModelCells("en", humans["en"].groups, humans["en"].columns, alone, "english-model")
    model = replace(base, values=alone * 2 + rng.normal(0, 0.1, shape))
    flows, _ = leakage([model], humans, monolingual={"en": base}, options=QUICK)
    covariate = only(flows, "coefficient_raw", monolingual="english-model")
    assert covariate.value == pytest.approx(2, abs=0.1) and not covariate.verdict
    here = {"source": "en", "target": "en"}
    among, without, change = (
        only(flows, f"{name}_raw", **here)
        for name in ("coefficient", "without_covariate", "covariate_change")
    )
    assert without.value > 0.1 > among.value
    assert change.value == pytest.approx(without.value - among.value, abs=1e-4)
    assert 0 < change.low < change.value < change.high
    bare, _ = leakage([model], humans, options=QUICK)
    ratings_alone = [only(some, "explained").value for some in (flows, bare)]
    assert ratings_alone[0] == pytest.approx(ratings_alone[1])  # as in the placebo


def test_placebo_where_no_model_leaked(humans):
    """ZH to RU is the largest of the twelve; with a weaker model about 5 % are significant."""
    rng, groups = np.random.default_rng(0), common(humans)
    own = humans["ru"].part(groups, humans["ru"].columns)
    model = ModelCells("ru", own.groups, own.columns, own.means)
    grid = grid_of(model, humans)
    strong, found = placebos(grid, own, 0.5, rng, replace(QUICK, placebos=30))
    assert 0.5 < strong[:, 1].mean() < 0.65
    others = strong[:, [0, 2, 3]].mean(axis=0)
    assert others.argmax() == 1 and (others < 0.12).all() and (others > 0).all()
    assert 0.2 < found[:, 2].mean() < 0.6
    weak = placebos(grid, own, 0.1, rng, replace(QUICK, placebos=30))[1]
    assert weak[:, [0, 3]].mean() < 0.15


@pytest.mark.slow
def test_half_of_the_raters_as_the_model(humans):
    """Plain coefficients of other languages look like leakage; corrected ones are about 0."""
    groups, columns = common(humans), humans["en"].columns
    whole = {
        name: Rated(tuple(human.part(groups, columns).raters_of(g) for g in range(len(groups))))
        for name, human in humans.items()
    }
    weights = GridWeights(len(groups), len(columns))
    rng = np.random.default_rng(2)
    for target, its in whole.items():
        plain, corrected = [], []
        for _ in range(60):
            halves: tuple[list, list] = ([], [])
            for ratings in its.by_row:
                mixed = rng.permutation(len(ratings))
                for half, places in zip(halves, np.array_split(mixed, 2), strict=True):
                    half.append(ratings[places])
            y = Rated(tuple(halves[1])).means
            rated = [Rated(tuple(halves[0])) if n == target else r for n, r in whole.items()]
            exact = slopes_on([], [one.means for one in rated], y, weights)
            plain.append(exact.slopes)
            try:
                corrected.append(slopes_on(rated, [], y, weights).slopes)
            except Undefined:
                continue
        own = list(whole).index(target)
        rest = np.arange(len(whole)) != own
        assert 0.25 < np.median(plain, axis=0)[own] < 0.5
        assert (np.median(plain, axis=0)[rest] > 0).all()
        assert 0.95 < np.median(corrected, axis=0)[own] < 1.4
        assert (np.abs(np.median(corrected, axis=0)[rest]) < 0.3).all()


draws = pytest.mark.parametrize(
    ("draws", "least"), [(60, 0.905), pytest.param(200, 0.93, marks=pytest.mark.long)]
)
"""How often data are made, and the share of intervals that must cover: 95 % less three standard errors."""


@pytest.mark.slow
@draws
def test_recovery_with_exact_ratings(humans, draws, least):
    """Known coefficients of the real means: no bias, intervals that cover, few false leaks."""
    effects = {"en": 0.05, "ru": 0.1, "zh": 0.0, "hi": 0.0}
    options = replace(QUICK, missing="complete")
    rng, found, covered, false = np.random.default_rng(5), [], [], 0
    for _ in range(draws):
        flows, _ = leakage([made_model(humans, effects, rng)], humans, options=options)
        raw = named(flows, "coefficient_raw")
        found.append([e.value for e in raw])
        covered.append([e.low <= effects[e.groups["source"]] <= e.high for e in raw])
        false += any(e.verdict and is_from_other(e) for e in raw if not effects[e.groups["source"]])
    assert np.mean(found, axis=0) == pytest.approx(list(effects.values()), abs=0.01)
    assert least <= np.mean(covered) <= 0.95 + (0.95 - least)
    assert false <= draws / 20 + 2


@pytest.mark.slow
@draws
def test_recovery_with_resampled_raters(humans, draws, least):
    """Raters drawn anew: plain coefficients miss the truth, corrected ones do not."""
    effects = {"en": 0.0, "ru": 0.1, "zh": 0.0, "hi": 0.0}
    groups, columns = common(humans), humans["en"].columns
    own = {name: human.part(groups, columns) for name, human in humans.items()}
    rng, plain, corrected, covered = np.random.default_rng(6), [], [], []
    for _ in range(draws):
        drawn = {}
        for name, human in own.items():
            scores = np.full_like(human.scores, np.nan)
            for row in range(len(groups)):
                ratings = human.raters_of(row)
                places = rng.integers(0, len(ratings), len(ratings))
                scores[: len(ratings), row] = ratings[places]
            drawn[name] = replace(human, scores=scores)
        flows, _ = leakage([made_model(humans, effects, rng, noise=1.0)], drawn, options=QUICK)
        plain.append([e.value for e in named(flows, "coefficient_raw")])
        adjusted = named(flows, "corrected_raw")
        corrected.append([np.nan if e.value is None else e.value for e in adjusted])
        covered.append([
            e.low is None or e.low <= effects[e.groups["source"]] <= e.high for e in adjusted
        ])  # fmt: skip
    bias = np.abs(np.mean(plain, axis=0) - list(effects.values()))
    assert bias[1] > 0.02 and bias[2] > 0.01
    assert np.nanmean(corrected, axis=0) == pytest.approx(list(effects.values()), abs=0.01)
    assert least <= np.mean(covered) <= 1
