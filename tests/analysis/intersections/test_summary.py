"""Crossed groups beside their parts: taus, domains, emergent traits, findings."""

from dataclasses import replace
from itertools import permutations
from math import comb

import numpy as np
import pytest
from scipy.stats import false_discovery_control, kendalltau, ttest_rel

from tiltmeter.analysis.intersections.components import crossings_of, crossings_of_runs
from tiltmeter.analysis.intersections.emergent_traits import emergent, ranked
from tiltmeter.analysis.intersections.human_findings import against
from tiltmeter.analysis.intersections.similarity import dominance, order_effect, relations, taus_of
from tiltmeter.analysis.matrix import Layers
from tiltmeter.core.errors import BadInput, Undefined, UnknownName
from tiltmeter.core.results import Card, Result
from tiltmeter.data.findings import Finding

PAIRS = ("poor - rich", "weak - strong", "cold - warm", "dull - keen")
DIMENSIONS = ("agency", "agency", "communion", "beliefs")
SINGLE = ("man", "woman", "tall", "short")
DOMAINS = ("gender", "gender", "height", "height")
CROSSED = {
    "tall man": ("tall", "man"),
    "male tall person": ("man", "tall"),
    "tall woman": ("tall", "woman"),
    "female tall person": ("woman", "tall"),
    "short woman": ("short", "woman"),
}


def layers(values, *, templates=("a", "b", "c"), names=None, more=None):
    """Scores of poles by group, (templates, poles) or (poles,), as layers."""
    names = tuple(names or values)
    shape = (len(templates), 2 * len(PAIRS))
    scores = np.stack([np.broadcast_to(values[name], shape) for name in names], axis=1)
    parts = tuple((CROSSED | (more or {})).get(name, ("", "")) for name in names)
    domains = tuple(
        dict(zip(SINGLE, DOMAINS, strict=True)).get(name, "height × gender") for name in names
    )
    n = len(PAIRS)
    return Layers(
        "m", tuple(templates), ("",) * len(templates), names, PAIRS,
        scores[:, :, :n], scores[:, :, n:], domains, DIMENSIONS, parts,
    )  # fmt: skip


def random_scores(seed=0, templates=3):
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=(templates, 8)) for name in (*SINGLE, *CROSSED)}


@pytest.fixture
def scores():
    return random_scores()


@pytest.fixture
def crossings(scores):
    return crossings_of([layers(scores)])


def pair_scores(values):
    return values.mean(axis=0)[4:] - values.mean(axis=0)[:4]


# ── What belongs together ────────────────────────────────────────────────────────────────────────


def test_crossings_name_parts_and_the_other_order(crossings):
    assert crossings.singles == SINGLE
    assert crossings.crossed == tuple(CROSSED)
    named = [
        (crossings.singles[a], crossings.singles[b])
        for a, b in zip(crossings.first, crossings.second, strict=True)
    ]
    assert named == list(CROSSED.values())
    assert crossings.reverse.tolist() == [1, 0, 3, 2, -1]
    assert crossings.poles == ("poor", "weak", "cold", "dull", "rich", "strong", "warm", "keen")


def test_a_pair_that_does_not_name_its_traits_has_two_all_the_same(crossings):
    named = replace(crossings, pairs=("mood", *PAIRS[1:]))
    assert named.poles[0] == "mood (left)"
    assert named.poles[len(PAIRS)] == "mood (right)"


def test_two_runs_are_as_one(scores, crossings):
    single = layers(scores, names=SINGLE)
    both = layers(scores, names=tuple(CROSSED))
    for parts in ([single, both], [both, single]):
        found = crossings_of(parts)
        assert np.array_equal(found.single, crossings.single)
        assert np.array_equal(found.both, crossings.both)
        assert found.notes == ()


def test_templates_of_both_runs_only_and_parts_that_were_not_run(scores):
    more = {name: np.concatenate([v, v[:1]]) for name, v in scores.items()}
    single = layers(more, names=SINGLE[:3], templates=("c", "b", "a", "d"))
    found = crossings_of([single, layers(scores, names=tuple(CROSSED))])
    assert found.templates == ("c", "b", "a")
    assert np.array_equal(found.both[0], np.stack([scores[n][2] for n in list(CROSSED)[:4]]))
    assert found.notes == (
        "1 crossed group is left out: their parts were not run by themselves",
        "1 template is left out: not in both runs",
    )


def test_what_is_missing_is_told(scores):
    with pytest.raises(
        BadInput, match="there are no crossed groups; run group_traits with --set cro"
    ):
        crossings_of([layers(scores, names=SINGLE)])
    with pytest.raises(BadInput, match="single groups that crossed ones are made of were not run"):
        crossings_of([layers(scores, names=tuple(CROSSED))])
    with pytest.raises(BadInput, match="no template in common"):
        crossings_of([layers(scores), layers(scores, templates=("x", "y", "z"))])


def card(**changes):
    known = {
        "study": "group_traits", "study_version": "1", "model": {"name": "m", "fingerprint": "f"},
        "data": {"sha256": "s"}, "rule": "set", "convention": "paper", "ties": "half", "seed": 0,
        "method": "", "counts": {}, "settings": {"cross": "no", "prior": "mask"},
    }  # fmt: skip
    return Card(**known | changes)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"model": {"name": "m", "fingerprint": "g"}}, "model"),
        ({"rule": "ilps"}, "rule"),
        ({"data": {"sha256": "t"}}, "data"),
        ({"settings": {"cross": "only", "prior": "noun"}}, "setting prior"),
    ],
)
def test_runs_of_different_things_are_refused(changes, named):
    runs = [Result(card(), [], []), Result(card(**changes), [], [])]
    with pytest.raises(BadInput, match=f"the two runs differ in their {named};"):
        crossings_of_runs(runs)
    with pytest.raises(BadInput, match="3 runs were given"):
        crossings_of_runs([*runs, runs[0]])


# ── Order and domains ────────────────────────────────────────────────────────────────────────────


def test_taus_are_kendalls(scores, crossings):
    found = taus_of(crossings)
    turned = {parts: name for name, parts in CROSSED.items()}
    for i, (name, (first, second)) in enumerate(CROSSED.items()):
        for taus, part in ((found.first, first), (found.second, second)):
            expected = kendalltau(pair_scores(scores[name]), pair_scores(scores[part])).statistic
            assert taus[i] == pytest.approx(expected)
        other = turned.get((second, first))
        if other is None:
            assert np.isnan(found.reversed[i])
        else:
            expected = kendalltau(pair_scores(scores[name]), pair_scores(scores[other])).statistic
            assert found.reversed[i] == pytest.approx(expected)
    assert np.array_equal(found.nearer, np.maximum(found.first, found.second))


def test_poles_are_compared_one_by_one(scores, crossings):
    found = taus_of(crossings, traits="poles")
    expected = kendalltau(scores["tall man"].mean(axis=0), scores["tall"].mean(axis=0)).statistic
    assert found.first[0] == pytest.approx(expected)


def rising(values):
    """Pair scores in this order: left poles 0."""
    return np.array([0, 0, 0, 0, *values], dtype=float)


def like():
    """Parts with opposite orders of traits; crossed groups like the part said second."""
    up, down = rising([1, 2, 3, 4]), rising([4, 3, 2, 1])
    values = {"man": up, "woman": up, "tall": down, "short": down}
    return values | {name: values[parts[1]] for name, parts in CROSSED.items()}


def test_means_over_crossed_groups():
    crossings = crossings_of([layers(like())])
    found = {
        e.name: e
        for e in order_effect(crossings, taus_of(crossings), np.random.default_rng(0), draws=50)
    }
    values = {name: (e.value, e.n) for name, e in found.items()}
    assert values == {
        "tau_first": (-1, 4), "tau_second": (1, 4), "order_difference": (2, 4),
        "tau_nearer": (1, 5), "tau_reversed": (-1, 4),
    }  # fmt: skip
    assert found["tau_first"].low is None
    assert "12 of 50 resamples have no value (no crossed group drawn)" in found["tau_first"].why


def test_intervals_draw_single_groups(crossings):
    """Against slow code: crossed groups counted as often as both parts are drawn together."""
    taus = taus_of(crossings)
    found = {e.name: e for e in order_effect(crossings, taus, np.random.default_rng(3), draws=400)}
    rng = np.random.default_rng(3)
    times = np.zeros((400, 4))
    for members in ([0, 1], [2, 3]):
        times[:, members] = rng.multinomial(2, [0.5, 0.5], size=400)
    means = []
    for drawn in times:
        copies = [
            taus.nearer[i]
            for i in range(5)
            for _ in range(int(drawn[crossings.first[i]] * drawn[crossings.second[i]]))
        ]
        means.append(np.mean(copies) if copies else np.nan)
    nearer = found["tau_nearer"]
    if np.isnan(means).any():
        assert nearer.low is None
        assert "resamples have no value" in nearer.why
    else:
        assert [nearer.low, nearer.high] == pytest.approx(np.quantile(means, [0.025, 0.975]))


def test_a_whole_crossing_has_an_interval_and_says_that_groups_are_few(scores):
    more = {
        "short man": ("short", "man"),
        "male short person": ("man", "short"),
        "female short person": ("woman", "short"),
    }
    scores |= dict.fromkeys(more, scores["man"])
    crossings = crossings_of([layers(scores, more=more)])
    (one,) = dominance(crossings, taus_of(crossings), np.random.default_rng(0))
    assert one.difference.low < one.difference.value < one.difference.high
    assert one.difference.n == 8
    assert one.difference.why == "few groups in gender (2), height (2): the interval is too narrow"


def test_no_group_in_both_orders(scores):
    del scores["tall man"], scores["tall woman"]
    crossings = crossings_of([layers(scores)])
    found = order_effect(crossings, taus_of(crossings), np.random.default_rng(0), draws=20)
    assert [e.value is None for e in found] == [True, True, True, False, True]
    assert found[0].why == "no group is there in both orders with enough traits"


def test_one_domain_over_the_other():
    values = like()
    values |= dict.fromkeys(CROSSED, values["tall"])  # all like the part of height
    crossings = crossings_of([layers(values)])
    (one,) = dominance(crossings, taus_of(crossings), np.random.default_rng(0), draws=50)
    assert (one.domain, one.other) == ("gender", "height")
    assert (one.tau, one.other_tau, one.difference.value, one.difference.n) == (-1, 1, -2, 5)
    found = relations([(one.domain, one.other, one.tau, one.other_tau)])
    assert found == {"gender": ([], ["height"]), "height": (["gender"], [])}


AGE, DISABLED, GENDER, NATION = "age", "disability", "gender/sexuality", "nationality"
POLITICS, RACE, RELIGION, SOCIO = "politics", "race/ethnicity", "religion", "socio-economic"
TABLE_4_9 = [
    (AGE, DISABLED, 0.532, 0.475), (GENDER, DISABLED, 0.418, 0.356), (AGE, GENDER, 0.552, 0.320),
    (AGE, NATION, 0.583, 0.337), (DISABLED, NATION, 0.543, 0.309), (GENDER, NATION, 0.481, 0.225),
    (POLITICS, NATION, 0.287, 0.179), (RACE, NATION, 0.594, 0.525), (RELIGION, NATION, 0.490, 0.525),
    (SOCIO, NATION, 0.540, 0.338), (AGE, POLITICS, 0.319, 0.177), (DISABLED, POLITICS, 0.019, 0.397),
    (GENDER, POLITICS, 0.315, 0.375), (RACE, POLITICS, 0.376, 0.348),
    (RELIGION, POLITICS, 0.380, 0.271), (AGE, RACE, 0.520, 0.395), (DISABLED, RACE, 0.538, 0.392),
    (GENDER, RACE, 0.478, 0.371), (AGE, RELIGION, 0.502, 0.449), (DISABLED, RELIGION, 0.465, 0.463),
    (GENDER, RELIGION, 0.439, 0.360), (RACE, RELIGION, 0.522, 0.460), (AGE, SOCIO, 0.562, 0.406),
    (DISABLED, SOCIO, 0.420, 0.419), (GENDER, SOCIO, 0.374, 0.397), (POLITICS, SOCIO, 0.433, 0.290),
    (RACE, SOCIO, 0.387, 0.488), (RELIGION, SOCIO, 0.404, 0.439),
]  # fmt: skip
TABLE_4_8 = {
    AGE: ({GENDER, RACE, NATION, POLITICS, RELIGION, SOCIO}, set()),
    POLITICS: ({NATION, SOCIO, DISABLED}, {AGE, RELIGION}),
    GENDER: ({RACE, NATION}, {AGE}),
    DISABLED: ({RACE, NATION}, {POLITICS}),
    SOCIO: ({RACE, NATION}, {AGE, POLITICS}),
    RELIGION: ({POLITICS}, set()),
    RACE: (set(), {AGE, GENDER, SOCIO, DISABLED}),
    NATION: (set(), {AGE, GENDER, POLITICS, SOCIO, DISABLED}),
}


def test_the_papers_relations_follow_from_its_correlations_but_for_one():
    """Age is said to dominate religion there, by .502 − .449 = .053; religion's row does not say so."""
    found = {name: (set(over), set(under)) for name, (over, under) in relations(TABLE_4_9).items()}
    published = {name: (set(over), set(under)) for name, (over, under) in TABLE_4_8.items()}
    published[AGE][0].remove(RELIGION)
    assert found == published
    assert len(TABLE_4_9) == comb(8, 2)


# ── Emergent traits ──────────────────────────────────────────────────────────────────────────────


def test_emergent_scores_by_hand():
    values = {"man": rising([1, 1, 1, 1]), "tall": rising([3, 0, 3, 2])}
    crossings = crossings_of([layers(values | {"tall man": rising([4, -2, 2, 2])})])
    found = emergent(crossings)
    assert found.above[0, 4:].tolist() == [1, -3, -1, 0]
    assert found.below[0, 4:].tolist() == [-3, 2, -1, -1]
    assert np.isnan(found.p_above).all()  # all templates agree wholly
    assert "no test in 8 cells" in found.why
    (row,) = ranked(crossings, found, "above")
    assert (row.crossed, row.trait, row.by, row.score) == ("tall man", "rich", 1, 4)
    assert (row.first, row.first_score, row.second, row.second_score) == ("tall", 3, "man", 1)
    assert [row.trait for row in ranked(crossings, found, "below")] == ["strong"]


def test_p_is_the_larger_of_two_paired_tests(scores, crossings):
    found = emergent(crossings)
    for i, (name, parts) in enumerate(CROSSED.items()):
        for way, ps in (("greater", found.p_above), ("less", found.p_below)):
            each = [ttest_rel(scores[name], scores[part], alternative=way).pvalue for part in parts]
            assert ps[i] == pytest.approx(np.maximum(*each))


def test_all_cells_and_both_ways_are_one_family(crossings):
    found = emergent(crossings)
    both = np.concatenate([found.p_above.ravel(), found.p_below.ravel()])
    adjusted = np.concatenate([found.q_above.ravel(), found.q_below.ravel()])
    assert adjusted == pytest.approx(false_discovery_control(both))


def test_noise_does_not_emerge():
    rng = np.random.default_rng(5)
    values = {name: rng.normal(size=(12, 8)) for name in (*SINGLE, *CROSSED)}
    found = emergent(crossings_of([layers(values, templates=tuple("abcdefghijkl"))]))
    assert (found.p_above < 0.05).mean() < 0.05
    assert not (found.q_above < 0.05).any()
    values["tall man"] = values["tall man"] + rising([9, 0, 0, 0])
    found = emergent(crossings_of([layers(values, templates=tuple("abcdefghijkl"))]))
    assert np.argwhere(found.q_above < 0.05).tolist() == [[0, 4]]


def test_one_template_gives_no_test():
    values = random_scores(templates=1)
    crossings = crossings_of([layers(values, templates=("a",))])
    found = emergent(crossings)
    assert np.isnan(found.p_above).all() and np.isnan(found.q_below).all()
    assert found.why.startswith("no test: one template")
    assert ranked(crossings, found, "above")[0].p is None


def test_missing_scores_stay_missing(scores):
    scores["tall"][1, 4] = np.nan
    crossings = crossings_of([layers(scores)])
    found = emergent(crossings)
    with_tall = [i for i, parts in enumerate(CROSSED.values()) if "tall" in parts]
    assert np.isnan(found.above[with_tall, 4]).all()
    assert np.isfinite(found.above[4]).all()
    assert found.why.startswith("no test in 4 cells")
    assert all(np.isfinite(row.by) for row in ranked(crossings, found, "above", None))
    assert np.isfinite(taus_of(crossings).first).all()  # over the three pairs that are left


# ── Findings ─────────────────────────────────────────────────────────────────────────────────────


def marks(crossings, *cells):
    told = np.zeros((len(crossings.crossed), len(crossings.poles)), dtype=bool)
    for group, trait in cells:
        told[crossings.crossed.index(group), crossings.poles.index(trait)] = True
    return told


def test_precision_and_recall_by_hand(crossings):
    findings = [
        Finding("Tall Man", dimension="agency", direction="high"),
        Finding("short woman", trait="Cold"),
    ]
    told = marks(
        crossings, ("tall man", "rich"), ("tall man", "warm"), ("male tall person", "strong"),
        ("short woman", "cold"), ("tall woman", "rich"),
    )  # fmt: skip
    found = against(crossings, told, findings, np.random.default_rng(0))
    # three rows (both orders of the first), agency and communion: six traits each
    assert found.groups == ("tall man", "male tall person", "short woman")
    assert (found.cells, found.true, found.told, found.hits) == (18, 5, 4, 3)
    assert (found.precision, found.recall) == (3 / 4, 3 / 5)
    assert (found.chance_precision, found.chance_recall) == (5 / 18, 4 / 18)
    ways = comb(5, 3) * comb(13, 1) + comb(5, 4)
    assert found.p == pytest.approx(ways / comb(18, 4))


def test_rows_dealt_anew(crossings):
    """All 5!/2! ways to put other groups' rows in the place of the three.

    One of the others is told everywhere: it hits wherever it comes, and not beyond chance.
    """
    told = marks(
        crossings, ("tall man", "rich"), ("male tall person", "rich"), ("short woman", "cold"),
        *(("tall woman", pole) for pole in crossings.poles),
    )  # fmt: skip
    findings = [Finding("tall man", trait="rich"), Finding("short woman", trait="cold")]
    found = against(crossings, told, findings, np.random.default_rng(0))
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
    assert found.p_dealt == pytest.approx(exact, abs=0.01)


def test_nothing_told_has_no_precision(crossings):
    findings = [Finding("tall man", pair="cold - warm", direction="low")]
    found = against(crossings, marks(crossings), findings, np.random.default_rng(0))
    assert (found.precision, found.recall, found.p) == (None, 0, 1)


def test_few_crossed_groups_are_not_dealt(scores):
    values = {name: scores[name] for name in ("man", "tall", "tall man")}
    crossings = crossings_of([layers(values)])
    findings = [Finding("tall man", trait="cold"), Finding("round woman", trait="cold")]
    found = against(crossings, marks(crossings), findings, np.random.default_rng(0))
    assert found.p_dealt is None
    assert (
        found.why
        == "not in the run: round woman; only 1 ways to deal the groups' rows: no second test"
    )


def test_findings_that_say_nothing_here(crossings):
    rng = np.random.default_rng(0)
    with pytest.raises(
        Undefined, match=r"holds no crossed group that the findings name \(big cat\)"
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
