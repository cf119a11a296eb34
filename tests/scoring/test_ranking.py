"""Baselines on pairs and triples, against what a person would write down."""

import pytest

from tiltmeter.core.data.items import Pair
from tiltmeter.core.rules import Context
from tiltmeter.models import baseline
from tiltmeter.scoring.ranking import PAIRS
from tiltmeter.studies import crows_pairs

ITEMS = [
    Pair(f"{kind}{i}", f"more {kind} {i}", f"less {kind} {i}", {"bias_type": kind})
    for kind, count in (("age", 4), ("gender", 5))
    for i in range(count)
]


def preferred(name):
    records = PAIRS.score(baseline.load(name), ITEMS, Context())
    assert [r.item for r in records] == [p.id for p in ITEMS]
    assert records[0].texts == {"more": "more age 0", "less": "less age 0"}
    return [r.scores["more"] - r.scores["less"] for r in records]


def test_the_ideal_takes_turns_within_each_category():
    found = preferred("ideal")
    assert [d > 0 for d in found[:4]].count(True) == 2
    assert [d > 0 for d in found[4:8]].count(True) == 2
    assert found[8] == 0  # the last of five is a tie


def test_the_stereotyped_always_prefers_the_stereotype():
    assert all(d > 0 for d in preferred("stereotyped"))


def test_random_depends_on_its_seed_alone():
    assert preferred("random") == preferred("random:0") != preferred("random:1")


def test_confidence_is_not_reported_of_baselines():
    from tiltmeter.core.measures import reported_measures

    measures = crows_pairs.STUDY.measures
    ranked = {m.name for m in reported_measures(measures, rule="ranked", convention="paper")}
    scored = {m.name for m in reported_measures(measures, rule="aul", convention="paper")}
    assert scored - ranked == {"median_confidence_more", "median_confidence_less", "confidence_gap"}


def test_the_neutral_values_of_whole_runs(tmp_path, monkeypatch):
    import tiltmeter as tm

    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    assert tm.run("starter_pairs", "ideal").headline.value == pytest.approx(50)
    assert tm.run("starter_pairs", "stereotyped").headline.value == pytest.approx(100)
