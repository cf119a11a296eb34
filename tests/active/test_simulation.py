"""Strategies and seeds in several processes give what one process gives, and go on after a stop."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.active.pool_runs import load_measures
from tiltmeter.active.pools.registered_pools import sample_pool
from tiltmeter.active.run_files import RunManifest, load_entropy_budgets
from tiltmeter.active.settings import LoopSettings
from tiltmeter.active.simulation import Simulation
from tiltmeter.core.errors import BadInput, UnknownName


@pytest.fixture
def simulation(tmp_path):
    pool = sample_pool()
    x = np.random.default_rng(0).normal(size=(len(pool.items), 6))
    settings = LoopSettings(budget=140, entropy_items=20, votes_each=4, encoder="made up").for_pool(
        pool
    )
    return Simulation(pool, ("passive", "daal"), (0, 1), settings, tmp_path / "one", x)


@pytest.mark.slow
def test_processes_change_nothing(simulation, tmp_path):
    done = []
    simulation.run(done=lambda: done.append(1))
    other = replace(simulation, folder=tmp_path / "two")
    other.run(processes=2)
    files = sorted(p.relative_to(tmp_path / "one") for p in (tmp_path / "one").rglob("*.*"))
    assert len(done) == 6 and len(files) == 6 * 3 + 2
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_seeds_and_strategies_are_added(simulation):
    replace(simulation, seeds=(0,)).run()
    assert len(simulation.waiting) == 3
    replace(simulation, strategies=("badge",), seeds=(0,)).run()
    curves = load_measures(simulation.folder)
    assert curves.strategies == ("passive", "daal", "badge") and curves.seeds == (0,)
    manifest = RunManifest.read(simulation.folder)
    assert curves.votes.tolist() == list(manifest.grid)
    assert manifest.settings["encoder"] == "made up"
    assert {one.seed for one in load_entropy_budgets(simulation.folder)} == {0}


def test_what_killed_processes_left_half_written_is_removed(simulation):
    once = replace(simulation, strategies=("passive",), seeds=(0,))
    runs = once.folder / "runs" / "passive"
    runs.mkdir(parents=True)
    left = [once.folder / ".manifest.json.4194305-1", runs / ".0.items.jsonl.4194306-1"]
    kept = [once.folder / ".notes", runs / "mine.jsonl"]
    for file in (*left, *kept):
        file.write_text("x")
    once.run()
    assert not any(file.exists() for file in left) and all(file.exists() for file in kept)


def test_what_cannot_run_is_refused_before_anything_runs(simulation):
    with pytest.raises(UnknownName, match="No strategy named 'passiv'"):
        replace(simulation, strategies=("passiv",)).check()
    large = replace(simulation.settings, budget=100_000)
    with pytest.raises(BadInput, match="use a budget of at most"):
        replace(simulation, settings=large).check()
    many = replace(simulation.settings, entropy_items=300)
    with pytest.raises(
        BadInput, match=r"first votes alone are 1,200, and the training items .*fewer"
    ):
        replace(simulation, settings=many).check()
    few = LoopSettings(budget=80, entropy_items=20, votes_each=4)
    with pytest.raises(BadInput, match="the first votes alone are 80, and the budget is 80"):
        replace(simulation, settings=few).check()


def test_what_the_refusal_of_a_budget_advises_is_accepted(simulation):
    """The training items of several seeds have different numbers of votes: the least counts."""
    several = replace(simulation, seeds=tuple(range(6)))
    large = replace(simulation.settings, budget=100_000)
    with pytest.raises(BadInput) as refused:
        replace(several, settings=large).check()
    advised = re.search(r"at most ([\d,]+)", str(refused.value))
    at_most = int(advised[1].replace(",", ""))
    replace(several, settings=replace(large, budget=at_most)).check()
    with pytest.raises(BadInput):
        replace(several, settings=replace(large, budget=at_most + 1)).check()
