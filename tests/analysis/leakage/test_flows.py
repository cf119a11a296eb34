"""Flows: what is recovered, what raters alone would show, and the published conventions."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.leakage.examples import common, four_countries, made_model, small_humans
from tiltmeter.analysis.leakage.flow_results import FlowOptions
from tiltmeter.analysis.leakage.flows import leakage, placebos
from tiltmeter.analysis.leakage.grids import ModelCells, grid_of
from tiltmeter.core.errors import Undefined
from tiltmeter.stats.errors_in_variables import GridWeights, Rated, slopes_on
from tiltmeter.stats.significance import holm

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
def found(models, humans):
    return leakage(models, humans, options=replace(QUICK, placebos=10))


def test_complete_cases_of_the_published_ratings(found):
    into_russian, into_english = found
    assert [flow.source for flow in into_russian.flows] == ["en", "ru", "zh", "hi"]
    assert (len(into_russian.groups), len(into_english.columns)) == (18, 32)
    assert 0 < into_russian.explained < 1


def test_own_ratings_are_found_and_compared_with_the_placebo(found):
    own = found[0].flows[1]
    assert own.low < 0.1 < own.high
    assert own.placebo is not None and own.placebo.significant == 1
    assert not own.is_leak  # it is the target's own
    assert own.corrected is not None and own.corrected > own.coefficient


def test_p_is_adjusted_over_other_languages_only(found):
    others = [f for one in found for f in one.flows if f.source != f.target]
    assert [f.adjusted_p for f in others] == holm([f.p for f in others])
    assert all(f.adjusted_p is None for one in found for f in one.flows if f.source == f.target)


def test_the_published_convention(humans):
    code = FlowOptions(
        missing="zero", group_intercepts=False, adjust=False, normal=True, placebos=0
    )
    every = tuple(dict.fromkeys(g for human in humans.values() for g in human.groups))
    values = np.random.default_rng(1).normal(size=(len(every), 32))
    model = ModelCells("en", every, humans["en"].columns, values)
    (one,) = leakage([model], humans, options=replace(code, factor=100.0))
    assert len(one.groups) == 30
    assert (one.group_sd, one.flows[0].adjusted_p) == (0.0, None)
    assert one.flows[0].why == "cells that nobody rated are 0"
    assert any("rated count as 0" in note for note in one.notes)
    (plain,) = leakage([model], humans, options=code)
    assert one.flows[0].coefficient == pytest.approx(100 * plain.flows[0].coefficient, rel=1e-3)


def test_each_source_alone_where_its_raters_know_more_groups(humans):
    every = humans["ru"].groups
    values = np.random.default_rng(1).normal(size=(len(every), 32))
    model = ModelCells("en", every, humans["en"].columns, values)
    (one,) = leakage([model], humans, options=replace(QUICK, missing="available"))
    assert [f.source for f in one.flows] == ["en", "ru", "zh", "hi"]
    assert "ru: 22 groups." in one.notes
    assert all(f.inflation == 1 and f.alone and not f.is_leak for f in one.flows)


def test_a_monolingual_model_as_covariate():
    rng = np.random.default_rng(4)
    humans = small_humans(rng, groups=12)
    shape = (12, 8)
    alone = rng.normal(size=shape) + 0.1 * humans["en"].means
    base = ModelCells("en", humans["en"].groups, humans["en"].columns, alone)
    model = replace(base, values=alone * 2 + rng.normal(0, 0.1, shape))
    (one,) = leakage([model], humans, monolingual={"en": base}, options=QUICK)
    assert one.covariate is not None and one.covariate.coefficient == pytest.approx(2, abs=0.1)
    change = one.flows[0].change
    assert change is not None and change.without > 0.1 > one.flows[0].coefficient
    assert change.difference == pytest.approx(change.without - one.flows[0].coefficient, abs=1e-4)
    assert 0 < change.low < change.difference < change.high
    (bare,) = leakage([model], humans, options=QUICK)
    assert one.explained == pytest.approx(bare.explained)  # ratings alone, as in the placebo


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
        for _ in range(100):
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


@pytest.mark.slow
def test_recovery_with_exact_ratings(humans):
    """Known coefficients of the real means: no bias, intervals that cover, few false leaks."""
    effects = {"en": 0.05, "ru": 0.1, "zh": 0.0, "hi": 0.0}
    options = replace(QUICK, missing="complete")
    rng, found, covered, false = np.random.default_rng(5), [], [], 0
    for _ in range(200):
        (one,) = leakage([made_model(humans, effects, rng)], humans, options=options)
        found.append([flow.coefficient for flow in one.flows])
        covered.append([f.low <= effects[f.source] <= f.high for f in one.flows])
        false += any(f.is_leak for f in one.flows if not effects[f.source])
    assert np.mean(found, axis=0) == pytest.approx(list(effects.values()), abs=0.01)
    assert 0.93 <= np.mean(covered) <= 0.97
    assert false <= 10


@pytest.mark.slow
def test_recovery_with_resampled_raters(humans):
    """Raters drawn anew: plain coefficients miss the truth, corrected ones do not."""
    effects = {"en": 0.0, "ru": 0.1, "zh": 0.0, "hi": 0.0}
    groups, columns = common(humans), humans["en"].columns
    own = {name: human.part(groups, columns) for name, human in humans.items()}
    rng, plain, corrected, covered = np.random.default_rng(6), [], [], []
    for _ in range(200):
        drawn = {}
        for name, human in own.items():
            scores = np.full_like(human.scores, np.nan)
            for row in range(len(groups)):
                ratings = human.raters_of(row)
                places = rng.integers(0, len(ratings), len(ratings))
                scores[: len(ratings), row] = ratings[places]
            drawn[name] = replace(human, scores=scores)
        (one,) = leakage([made_model(humans, effects, rng, noise=1.0)], drawn, options=QUICK)
        plain.append([f.coefficient for f in one.flows])
        corrected.append([np.nan if f.corrected is None else f.corrected for f in one.flows])
        covered.append([
            f.corrected_low is None or f.corrected_low <= effects[f.source] <= f.corrected_high
            for f in one.flows
        ])  # fmt: skip
    bias = np.abs(np.mean(plain, axis=0) - list(effects.values()))
    assert bias[1] > 0.02 and bias[2] > 0.01
    assert np.nanmean(corrected, axis=0) == pytest.approx(list(effects.values()), abs=0.01)
    assert 0.93 <= np.mean(covered) <= 1
