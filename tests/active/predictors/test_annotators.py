"""Heads of annotators learn what each of them says."""

from pathlib import Path

import numpy as np
import pytest

from support.active_runs import opinions, run_items, votes_of
from tiltmeter.active.loop import simulate_run
from tiltmeter.active.predictors.annotators import AnnotatorTraining, check
from tiltmeter.active.run_files import load_points
from tiltmeter.active.settings import LoopSettings
from tiltmeter.active.simulation import Simulation
from tiltmeter.core.errors import BadInput


def test_heads_of_annotators_learn_what_each_says_and_are_averaged():
    pool, x = opinions()
    model = AnnotatorTraining(run_items(pool, x)).fit(votes_of(pool, pool.item >= 0), None)
    about_cars = np.array([[1.0]])
    ann, ben, cas = (head.probabilities(about_cars)[0, 1] for head in model.heads)
    assert ann > 0.9 and ben < 0.1 and cas > 0.9
    np.testing.assert_allclose(
        model.of_held_out()[1], [1 - (ann + ben + cas) / 3, (ann + ben + cas) / 3]
    )


def test_an_annotator_without_votes_has_the_shared_head():
    pool, x = opinions()
    model = AnnotatorTraining(run_items(pool, x)).fit(votes_of(pool, pool.annotator != 1), None)
    np.testing.assert_allclose(model.heads[1].weights, model.head.weights, atol=1e-6)


def test_annotators_with_few_votes_are_named(tmp_path: Path):
    pool, x = opinions(90)
    check(opinions(120)[0])
    with pytest.raises(BadInput, match=r"3 of 3 .* fewer than 100 votes: ann \(90\), ben \(90\)"):
        check(pool)
    pool, x = opinions()
    settings = LoopSettings(budget=100, entropy_items=10, votes_each=3, predictor="annotators")
    settings = settings.for_pool(pool)
    simulate_run(pool, x, "daal", 0, settings, tmp_path)
    assert load_points(tmp_path, "daal", 0)[-1].votes == 100
    for strategy in ("bald", "passive_majority"):
        one = Simulation(pool, (strategy,), (0,), settings, tmp_path, x)
        with pytest.raises(BadInput, match=f"{strategy} needs"):
            one.check()
