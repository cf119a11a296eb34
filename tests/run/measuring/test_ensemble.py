"""Ensembles: what a reference means, weighted sums, and weights fitted on other terms."""

import numpy as np
import pytest

from tiltmeter.core.conventions import PAPER
from tiltmeter.core.data.items import SIDES, Dataset, Triple
from tiltmeter.core.errors import BadInput, CannotAnswer, Problem
from tiltmeter.core.model.protocols import Ranks
from tiltmeter.data.memory.samples import split
from tiltmeter.run.measuring.ensemble import Ensemble, combine, parse, score_member
from tiltmeter.run.planning.choosing import Chosen, choose
from tiltmeter.studies import pairs
from tiltmeter.studies.stereoset import STUDY

ITEMS = [
    Triple(f"{term}-{task[:5]}-{i}", task, "A BLANK." if task == "intrasentence" else "A.",
           ("A x.", "A y.", "A z."), f"term{term}", "job", ("x", "y", "z"),
           tuple(f"{term}{task}{i}{side}" for side in SIDES))
    for term in range(12) for task in ("intrasentence", "intersentence") for i in range(4)
]  # fmt: skip
DATA = Dataset("made up", "1", ITEMS, "made up", "none")


class Model:
    """Ranks by the numbers it is given."""

    def __init__(self, name, scores):
        self.name, self.fingerprint, self.about = name, f"f-{name}", {}
        self._scores = scores

    def candidate_scores(self, triples):
        return np.array([self._scores(t) for t in triples])


def knows(sure):
    return lambda t: (sure + int(t.id[-1]), sure, 0.0)


def noise(seed):
    rng = np.random.default_rng(seed)
    drawn = {t.id: tuple(rng.normal(size=3)) for t in ITEMS}
    return lambda t: drawn[t.id]


def members(*models, data=DATA):
    chosen = choose(STUDY, (Ranks,), model="m", rule="ranked")
    return [score_member(m, data, chosen, seed=0, skip_invalid=False)[0] for m in models]


def test_references():
    assert parse("ensemble:a=0.25+b=0.75") == Ensemble(
        "ensemble:a=0.25+b=0.75", ("a", "b"), (0.25, 0.75)
    )
    assert parse("ensemble:masked:a+./b").references == ("masked:a", "./b")
    assert parse("ensemble:a+b").weights is None
    assert parse("masked:a") is None


@pytest.mark.parametrize(
    "reference",
    ["ensemble:", "ensemble:a", "ensemble:a+", "ensemble:a=1+b", "ensemble:a=x+b=1",
     "ensemble:a=-1+b=1", "ensemble:a=0+b=0", "ensemble:a=nan+b=1", "ensemble:a=inf+b=1"],
)  # fmt: skip
def test_bad_references(reference):
    with pytest.raises(BadInput, match=r"write ensemble:A=0\.4"):
        parse(reference)


def test_a_weighted_sum():
    ensemble = parse("ensemble:a=0.25+b=4")
    result = combine(
        STUDY, ensemble, members(Model("a", knows(1)), Model("b", noise(1))), DATA, seed=0
    )
    one, other = knows(1), noise(1)
    for record, item in zip(result.records, ITEMS, strict=True):
        expected = [0.25 * x + 4 * y for x, y in zip(one(item), other(item), strict=True)]
        assert [record.scores[side] for side in SIDES] == pytest.approx(expected)
    assert result.card.rule == "weighted_sum"
    assert [m["name"] for m in result.card.model["members"]] == ["a", "b"]
    assert "4" in result.card.method and "a (ranked)" in result.card.method


def test_fitted_weights_are_reported_on_other_terms_only():
    develop = {t.target for t in split(DATA, "development").items}
    made = members(Model("good", knows(2)), Model("bad", noise(2)))
    result = combine(STUDY, parse("ensemble:good+bad"), made, DATA, seed=0)
    assert {r.groups["target"] for r in result.records} == {t.target for t in ITEMS} - develop
    weights = result.card.model["members"][0]["weight"]
    assert set(weights) == {"intrasentence", "intersentence"}
    assert min(weights.values()) > 0.5
    assert next(e.value for e in result.estimates if e.name == "lms" and not e.groups) > 95
    # what is tested does not move the weights
    changed = Model("good", lambda t: knows(2)(t) if t.target in develop else (-5.0, -5.0, 5.0))
    again = combine(
        STUDY, parse("ensemble:good+bad"), members(changed, Model("bad", noise(2))), DATA, seed=0
    )
    assert again.card.model["members"][0]["weight"] == weights


def test_no_weights_help_where_nobody_knows():
    wrong = Model("wrong", lambda _: (0.0, 0.0, 1.0))
    with pytest.raises(CannotAnswer, match="cannot be fitted"):
        combine(STUDY, parse("ensemble:a+b"), members(wrong, wrong), DATA, seed=0)


def test_items_that_one_member_lacks_are_left_out_and_counted():
    half = Dataset("half", "1", ITEMS[:40], "", "")
    made = [*members(Model("a", knows(1))), *members(Model("b", noise(3)), data=half)]
    result = combine(STUDY, parse("ensemble:a=1+b=1"), made, DATA, seed=0)
    assert len(result.records) == 40
    assert any("56 items are left out" in note.text for note in result.card.notes)


def test_only_the_test_part_is_counted():
    """Problems of development terms are none of the report's; test items that one lacks are."""
    develop = {t.id for t in split(DATA, "development").items}
    part = [t for t in ITEMS if t.id not in develop][:-5] + [t for t in ITEMS if t.id in develop]
    half = Dataset("half", "1", part, "", "")
    made = [*members(Model("a", knows(1))), *members(Model("b", noise(3)), data=half)]
    problems = [Problem("too long", item=name) for name in sorted(develop)[:3]]
    result = combine(STUDY, parse("ensemble:a+b"), made, DATA, seed=0, invalid=problems)
    assert result.card.counts["invalid"] == 0
    assert result.card.counts["scored"] == len(ITEMS) - len(develop) - 5
    assert any(note.text.startswith("5 items are left out") for note in result.card.notes)
    assert result.card.model["name"] == "ensemble:a+b"


def test_pairs_are_no_contexts():
    from tiltmeter.models import fake

    sample, model = pairs.sample(), fake.load("masked")
    rule = pairs.STUDY.rules[0]
    made = [
        score_member(model, sample, Chosen(rule, PAPER, "half"), seed=0, skip_invalid=False)[0]
    ] * 2
    with pytest.raises(BadInput, match="three candidates"):
        combine(pairs.STUDY, parse("ensemble:a=1+b=1"), made, sample, seed=0)
