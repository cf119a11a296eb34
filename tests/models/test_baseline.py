"""Baselines mark the ends of the scales, exactly where they can."""

from dataclasses import replace

import pytest

from tiltmeter.core.data.items import Triple
from tiltmeter.core.errors import CannotAnswer, UnknownName
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.measuring.measure import measure
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies import stereoset
from tiltmeter.studies.stereoset import STUDY


def run(name, data=None, **named):
    where = resolve(name)
    chosen = choose(STUDY, where.answers, model=name, **named)
    result = measure(STUDY, open_model(where), data or STUDY.sample(), chosen=chosen)
    values = {}
    for e in result.estimates:
        values.setdefault(e.name, {})[tuple(e.groups.values())] = e
    return values


def test_ideal_is_exact_everywhere():
    values = run("ideal")
    assert {e.value for e in values["lms"].values()} == {100.0}
    assert {e.value for e in values["ss"].values()} == {50.0}
    assert {e.value for e in values["icat"].values()} == {100.0}


@pytest.mark.parametrize("count", [1, 2, 5, 8])
def test_ideal_alternates_within_a_term(count):
    items = [
        Triple(f"{i}", "intersentence", "A.", ("B.", "C.", "D."), "nurse", "job")
        for i in range(count)
    ]
    scores = open_model(resolve("ideal")).candidate_scores(items)
    assert (scores[:, 0] > scores[:, 1]).sum() == (scores[:, 1] > scores[:, 0]).sum() == count // 2
    assert (scores[:, :2].min(axis=1) > scores[:, 2]).all()


def test_stereotyped():
    values = run("baseline:stereotyped")
    assert values["ss"][()].value == 100
    assert values["icat"][()].value == 0


def test_random_is_near_the_middle_and_seeded():
    base = STUDY.sample().items
    many = [replace(t, id=f"{t.id}-{k}", target=f"{t.target}{k}") for k in range(60) for t in base]
    data = replace(STUDY.sample(), items=many)
    values = run("random", data)
    for name in ("ss", "lms"):
        e = values[name][()]
        assert e.low < 50 < e.high
        assert abs(e.value - 50) < 5
    again, other = run("baseline:random:0", data), run("baseline:random:7", data)
    assert again["ss"][()].value == values["ss"][()].value
    assert other["ss"][()].value != values["ss"][()].value


def test_sentiment_prefers_the_more_negative():
    pytest.importorskip("vaderSentiment", reason="the extra [analysis] is not installed")
    items = [
        Triple("1", "intersentence", "A chef.", ("He is awful.", "He is great.", "It is iron."),
               "chef", "job"),
        Triple("2", "intersentence", "A nurse.", ("She is great.", "She is awful.", "It is iron."),
               "nurse", "job"),
    ]  # fmt: skip
    scores = open_model(resolve("sentiment")).candidate_scores(items)
    assert scores[0, 0] > scores[0, 2] > scores[0, 1]
    assert scores[1, 1] > scores[1, 2] > scores[1, 0]


def test_refusals():
    with pytest.raises(UnknownName, match="No baseline named 'perfect'"):
        resolve("baseline:perfect")
    with pytest.raises(CannotAnswer, match=r"Rules it can answer: ranked"):
        run("ideal", rule="blank_logprob")
    with pytest.raises(CannotAnswer, match="rank candidates"):
        choose(STUDY, resolve("fake").answers, model="fake", rule="ranked")
    assert STUDY.data == stereoset.SETS
