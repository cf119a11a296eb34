"""Emergent traits against findings of people: precision, recall and two kinds of chance."""

from itertools import permutations
from math import comb

import numpy as np
import pytest

from analyses.intersections.examples import layers
from tiltmeter.analyses.intersections.components import component_scores
from tiltmeter.analyses.intersections.human_findings import against
from tiltmeter.core.errors import Undefined, UnknownName
from tiltmeter.data.groups.findings import Finding


def marks(crossings, *cells):
    told = np.zeros((len(crossings.intersectional), len(crossings.traits)), dtype=bool)
    for group, trait in cells:
        told[crossings.intersectional.index(group), crossings.traits.index(trait)] = True
    return told


def agreed(*given):
    """The estimates by name, and the groups."""
    estimates, groups = against(*given, np.random.default_rng(0))
    return {e.name: e for e in estimates}, groups


def test_precision_and_recall_by_hand(crossings):
    findings = [
        Finding("Tall Man", dimension="agency", direction="high"),
        Finding("short woman", trait="Cold"),
    ]
    told = marks(
        crossings, ("tall man", "rich"), ("tall man", "warm"), ("male tall person", "strong"),
        ("short woman", "cold"), ("tall woman", "rich"),
    )  # fmt: skip
    found, groups = agreed(crossings, told, findings)
    # three rows (both orders of the first), agency and communion: six traits each
    assert groups == ("tall man", "male tall person", "short woman")
    hits = found["hits"]
    assert (hits.n, found["true_cells"].value, found["predicted_cells"].value) == (18, 5, 4)
    assert (hits.value, found["precision"].value, found["recall"].value) == (3, 3 / 4, 3 / 5)
    chance = (found["chance_precision"].value, found["chance_recall"].value)
    assert chance == (5 / 18, 4 / 18)
    ways = comb(5, 3) * comb(13, 1) + comb(5, 4)
    assert hits.p == pytest.approx(ways / comb(18, 4))
    assert {e.groups["emergent"] for e in found.values()} == {"above both components"}


def test_rows_dealt_anew(crossings):
    """All 5!/2! ways to put other groups' rows in the place of the three.

    One of the others is told everywhere: it hits wherever it comes, and not beyond chance.
    """
    told = marks(
        crossings, ("tall man", "rich"), ("male tall person", "rich"), ("short woman", "cold"),
        *(("tall woman", pole) for pole in crossings.traits),
    )  # fmt: skip
    findings = [Finding("tall man", trait="rich"), Finding("short woman", trait="cold")]
    found, _ = agreed(crossings, told, findings)
    columns = [0, 1, 2, 4, 5, 6]
    true = np.zeros((3, 6))
    true[0, 3] = true[1, 3] = true[2, 2] = 1
    rows = [0, 1, 4]

    def beyond(order):
        return sum(
            (told[g, columns] & true[i].astype(bool)).sum()
            - told[g, columns].sum() * true[i].mean()
            for i, g in enumerate(order)
        )

    each = [beyond(order) for order in permutations(range(5), 3)]
    exact = np.mean([one >= beyond(rows) - 1e-9 for one in each])
    assert found["hits_beyond_chance"].p == pytest.approx(exact, abs=0.01)
    assert found["hits_beyond_chance"].value == pytest.approx(beyond(rows))


def test_nothing_told_has_no_precision(crossings):
    findings = [Finding("tall man", pair="cold - warm", direction="low")]
    found, _ = agreed(crossings, marks(crossings), findings)
    assert (found["precision"].value, found["precision"].why) == (None, "no cell is predicted")
    assert (found["recall"].value, found["hits"].p) == (0, 1)


def test_few_crossed_groups_are_not_dealt(scores):
    values = {name: scores[name] for name in ("man", "tall", "tall man")}
    crossings = component_scores([layers(values)])
    findings = [Finding("tall man", trait="cold"), Finding("round woman", trait="cold")]
    found, _ = agreed(crossings, marks(crossings), findings)
    assert found["hits"].why == "not in the run: round woman"
    assert found["hits_beyond_chance"].p is None
    assert found["hits_beyond_chance"].why == (
        "no second test: there is only 1 way to permute the groups' rows"
    )


def test_findings_that_say_nothing_here(crossings):
    rng = np.random.default_rng(0)
    with pytest.raises(
        Undefined, match=r"contains no intersectional groups that the findings name \(big cat\)"
    ):
        against(crossings, marks(crossings), [Finding("big cat", trait="cold")], rng)
    with pytest.raises(UnknownName, match=r"No trait named 'wram'\. Did you mean 'warm'"):
        against(crossings, marks(crossings), [Finding("tall man", trait="wram")], rng)
    finding = Finding("tall man", dimension="agence", direction="low")
    with pytest.raises(UnknownName, match="No dimension named 'agence'"):
        against(crossings, marks(crossings), [finding], rng)
    every = [Finding("tall man", dimension="communion", direction=d) for d in ("low", "high")]
    with pytest.raises(Undefined, match="every cell is true"):
        against(crossings, marks(crossings), every, rng)
