"""Pictures and tables over all sets: budgets, ratios to baselines, published curves."""

import numpy as np
import pytest

import tiltmeter as tm
from support.active_runs import written
from tiltmeter.active.run_files import EntropyBudget, write_entropy_budgets


def test_the_squared_error_of_f_ent_is_a_picture_by_budget(tmp_path):
    folder = written(tmp_path / "calm", {"passive": 200}, seeds=2)
    budgets = [(seed, items) for seed in (0, 1) for items in (25, 100)]
    write_entropy_budgets(
        folder, [EntropyBudget(s, items, 3, 4 / items + 0.02 * s, 0.1, 0.5) for s, items in budgets]
    )
    made = tm.analyse.active_report(folder)
    errors = {e.groups["items"]: e.value for e in made.estimates if e.name == "f_ent_mse"}
    assert errors == {"25": pytest.approx(0.17), "100": pytest.approx(0.05)}
    picture = next(p for p in made.document().pictures() if p.name == "f_ent_mse")
    assert "3 votes: from 0.17" in picture.wide


def test_ratios_by_the_papers_rule_and_their_average(tmp_path):
    """Falls twice as fast: at DAAL's first near point, at 200 votes, passive learning would need 400."""
    for name, scale in (("one", 200), ("two", 400)):
        written(tmp_path / name, {"passive": scale, "daal": 100}, noise=0, seeds=2)
    made = tm.analyse.active_report(tmp_path)
    ratios = {
        e.groups["set"]: e for e in made.estimates
        if e.name == "baseline_ratio" and e.groups["loss"] == "excess_log_loss"
    }  # fmt: skip
    best = 0.5 + 0.3 * np.exp(-10)
    ours = next(v for v in range(100, 1001, 100) if 0.5 + 0.3 * np.exp(-v / 100) <= 1.05 * best)
    assert ratios["one"].value == pytest.approx(2 * ours / ours)
    assert (ratios["two"].value, ratios["two"].bound) == (1000 / ours, ">")
    mean = ratios["average"]
    assert (mean.value, mean.bound) == (pytest.approx((2 + 1000 / ours) / 2), ">")


def test_published_curves_give_the_papers_table_and_stand_in_panels():
    made = tm.analyse.active_report("baumler2023_curves")
    ratios = {e.groups["set"]: e for e in made.estimates if e.name == "baseline_ratio"}
    shown = {name: (f"{e.value:.2f}", e.bound, e.low, e.n) for name, e in ratios.items()}
    assert shown == {
        "dehumanize": ("1.81", "", None, 0), "respect": ("1.26", "", None, 0),
        "genocide": ("1.28", ">", None, 0), "toxicity": ("0.97", "", None, 0),
        "toxicity5": ("0.90", "", None, 0),
    }  # fmt: skip
    assert "genocide, curves that a paper prints: Entropy needs >" in made.card.finding[2].text
    assert made.headline.why == "of 0 comparisons"
    (picture,) = made.document().pictures()
    for name in ratios:
        assert f"{name}: Jensen" in picture.wide or f">{name}<" in picture.wide
    with pytest.raises(tm.TiltmeterError, match="no learning curves"):
        tm.analyse.active_report("nangia2020_bias")
