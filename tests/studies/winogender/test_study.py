"""What the study says of sentences that are built in several ways."""

import pytest

from tiltmeter.core.data.items import Pair
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import resolve
from tiltmeter.run.measuring.measure import summarise
from tiltmeter.run.planning.choosing import choose
from tiltmeter.scoring.pairs import record
from tiltmeter.studies.winogender.sentences import in_constructions
from tiltmeter.studies.winogender.study import STUDY
from tiltmeter.study_families.sentence_pairs import made_up_pairs


def result(wins_by_construction):
    """Of pairs of which the first so many are won in each construction; two pairs are one template."""
    size = 20
    pairs = [
        Pair(f"{i}", f"He left {i}.", f"She left {i}.", {"bias_type": "gender"}, f"{i // 2}")
        for i in range(size)
    ]
    items = in_constructions(dict.fromkeys(wins_by_construction, pairs))
    data = made_up_pairs("winogender", items, "template")
    records = [
        record(pair, {"more": float(i % size < wins_by_construction[name]), "less": 0.5})
        for i, (pair, name) in enumerate(
            zip(items, [name for name in wins_by_construction for _ in range(size)], strict=True)
        )
    ]
    answers = resolve("fake:masked", Options()).answers
    chosen = choose(STUDY, answers, model="made up")
    return summarise(STUDY, records, data, chosen=chosen, seed=0, model={"name": "made up"})


def value(result, name, **groups):
    (found,) = [e for e in result.estimates if e.name == name and dict(e.groups) == groups]
    return found


def test_the_score_by_construction_and_its_range():
    found = result({"original": 12, "clause": 8, "synonyms": 10})
    rates = {
        name: value(found, "stereotype_rate", construction=name).value
        for name in ("original", "clause", "synonyms")
    }
    assert rates == {"original": 60, "clause": 40, "synonyms": 50}
    widest = value(found, "construction_range")
    assert (widest.value, widest.n) == (20, 3)
    assert widest.low == 0
    assert widest.high > 20
    change = value(found, "construction_change", construction="clause − original")
    assert change.value == -20
    assert change.low < -20 < change.high


def test_constructions_of_the_same_pairs_make_no_interval_narrower():
    alone, several = result({"original": 12}), result({"original": 12, "a": 12, "b": 12, "c": 12})
    clustered = value(alone, "stereotype_rate_clustered")
    whole = value(several, "stereotype_rate")
    assert whole.value == clustered.value == 60
    assert whole.high - whole.low == pytest.approx(clustered.high - clustered.low, rel=0.1)


def test_nothing_is_said_of_constructions_where_there_is_one():
    names = {e.name for e in result({"original": 12}).estimates}
    assert not {name for name in names if name.startswith("construction")}


def test_equal_constructions_have_no_spread():
    found = result({"original": 12, "clause": 12})
    assert value(found, "construction_range").value == 0
    assert value(found, "construction_spread").value == 0


def test_the_sample_has_every_construction_with_the_same_pairs():
    items = STUDY.sample().items
    by_name = {}
    for pair in items:
        by_name.setdefault(pair.groups["construction"], []).append(pair.id.partition("@")[0])
    assert len({tuple(ids) for ids in by_name.values()}) == 1
    assert len(by_name) == 3
    assert "as everyone could see." in items[12].more
