"""Matrices beside people: names, pilots that cannot cheat, ceilings, differences."""

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

import published
from tiltmeter.analysis.matrix import Layers, Matrix
from tiltmeter.analysis.people.alignment import Wanted, align
from tiltmeter.analysis.people.alignment_numbers import OWN, own_less_others, pooled
from tiltmeter.analysis.people.matching import match, poles
from tiltmeter.analysis.people.models_compared import differences
from tiltmeter.analysis.people.noise_ceiling import halves, one_by_one, reachable
from tiltmeter.analysis.people.sources import Source, named_apart
from tiltmeter.analysis.people.template_choice import choose_templates, pilot_people
from tiltmeter.core.errors import BadInput, Undefined, UnknownName
from tiltmeter.data.groups import packaged
from tiltmeter.data.people import People, from_ratings, us_stereotypes
from tiltmeter.data.ratings import Ratings
from tiltmeter.stats.correlation import kendall_rows, kendall_tau

PAIRS = tuple(f"low{i} - high{i}" for i in range(8))
GROUPS = ("sailors", "bakers", "pianists", "farmers", "poets", "clerks")


def matrix(values, groups=GROUPS, pairs=PAIRS, name="mine"):
    none = np.full(np.shape(values), np.nan)
    return Matrix(name, tuple(groups), tuple(pairs), np.asarray(values, float), none, none, none)


def table(values, groups=GROUPS, pairs=PAIRS, **facts):
    counts = np.full(np.shape(values), np.nan)
    return People("people", tuple(groups), tuple(pairs), np.asarray(values, float), counts, **facts)


def random_people(seed=0, annotators=12, noise=20.0):
    rng = np.random.default_rng(seed)
    truth = rng.uniform(20, 80, size=(len(GROUPS), len(PAIRS)))
    values = np.clip(truth + rng.normal(scale=noise, size=(annotators, *truth.shape)), 0, 100)
    names = tuple(f"a{i}" for i in range(annotators))
    return truth, from_ratings(Ratings(names, GROUPS, PAIRS, values.round()), name="people")


# ── Names ────────────────────────────────────────────────────────────────────────────────────────


def test_names_and_aliases_of_groups():
    mine = ("woman", "Black", "trans", "Jewish", "non-binary", "baker")
    theirs = ("women", "Blacks/African Americans", "transgender people", "Jewish people",
              "nonbinary people", "average people", "bakers")  # fmt: skip
    found = match(mine, PAIRS, theirs, PAIRS, lists=packaged(), name="M")
    assert found.groups == theirs[:5]
    assert found.rows == (0, 1, 2, 3, 4)
    assert ("trans", "transgender people") in found.renamed
    assert found.excluded == (
        "People were not asked about 1 group: baker.",
        "M does not have 2 groups: average people, bakers (is it baker?).",
    )
    more = match(mine, PAIRS, theirs, PAIRS, lists=packaged(), aliases={"Bakers": "baker"})
    assert more.groups[-1] == "bakers"


def test_two_names_of_one_group_are_not_both_taken():
    found = match(("woman", "women"), PAIRS, ("women",), PAIRS, lists=packaged())
    assert found.rows == (1,)  # the same name goes before an alias
    assert "woman is left out: women stands for women." in found.excluded


def test_pairs_by_other_words_and_the_other_way_round():
    mine = ("egotistic - altruistic", "benevolent ↔ threatening", "religious-science oriented")
    theirs = ("threatening - benevolent", "egoistic - altruistic", "religious - science-oriented")
    found = match(GROUPS, mine, GROUPS, theirs, lists=packaged())
    assert found.columns == (1, 0, 2)
    assert found.turned == (True, False, False)
    values = np.array([[1.0, 2.0, 3.0]] * len(GROUPS))
    assert found.of_matrix(values)[0].tolist() == [-2, 1, 3]
    assert found.of_matrix(values, middle=50)[0].tolist() == [98, 1, 3]
    assert found.of_matrix(np.stack([values, 2 * values]))[1, 0].tolist() == [-4, 2, 6]


def test_poles():
    assert poles("powerless-powerful") == ("powerless", "powerful")
    assert poles("threatening- benevolent") == ("threatening", "benevolent")
    assert poles("science-oriented") == ("science", "oriented")  # nothing tells it from a pair
    assert poles("a - b - c") is None


def test_nothing_in_common():
    with pytest.raises(BadInput, match="no group in common"):
        match(("a",), PAIRS, ("b",), PAIRS)
    with pytest.raises(BadInput, match="no pair of traits in common"):
        match(GROUPS, ("a - b",), GROUPS, PAIRS)


# ── Templates ────────────────────────────────────────────────────────────────────────────────────


def slow_choice(scores, said):
    """Every single template and every pair, one by one."""
    tried = {}
    for i in range(len(scores)):
        tried[i,] = kendall_tau(scores[i].ravel(), said.ravel())
        for j in range(i):
            tried[j, i] = kendall_tau((scores[i] + scores[j]).ravel() / 2, said.ravel())
    return tried


@pytest.mark.parametrize("seed", range(6))
def test_the_choice_is_the_best_of_singles_and_pairs(seed):
    rng = np.random.default_rng(seed)
    said = rng.uniform(0, 100, size=(3, 5))
    scores = said + rng.normal(scale=60, size=(6, 3, 5))
    tried = slow_choice(scores, said)
    found = choose_templates(scores, said)
    assert found.tau == pytest.approx(max(tried.values()))
    assert tried[tuple(sorted(found.templates))] == pytest.approx(found.tau)
    assert found.tried == len(tried) == 21


def test_a_second_template_must_give_more():
    said = np.array([[10.0, 20, 30, 40]])
    same = np.stack([said, said, said])
    assert choose_templates(same, said).templates == (0,)
    with pytest.raises(Undefined, match="no template"):
        choose_templates(np.zeros((2, 1, 4)), said)


def layered(truth, rng):
    """Five noisy templates; the last says what people say of all but the first two groups."""
    layers = np.stack([truth + rng.normal(scale=60, size=truth.shape) for _ in range(5)])
    layers[4] = truth
    layers[4, :2] = -truth[:2]
    names = tuple(f"template {i}" for i in range(5))
    return Layers("mine", names, ("",) * 5, GROUPS, PAIRS, np.zeros_like(layers), layers)


def test_a_template_that_is_perfect_on_test_groups_only_is_not_chosen():
    """The pilot groups are the first two, of which it says the contrary: if it were chosen, or if the
    choice changed with what people say of other groups, the choice would have looked at these."""
    truth, people = random_people()
    layers = layered(truth, np.random.default_rng(1))
    source = Source("mine", "mine", layers.averaged(), layers)
    wanted = Wanted(pilot=GROUPS[:2], splits=20)
    (one,) = align([source], people, wanted).parts
    assert "template 4" not in one.pilot.templates
    assert one.groups == GROUPS[2:]
    by_template = {e.groups["template"]: e.value for e in one.by_template}
    assert by_template["template 4"] > 0.7 > max(v for k, v in by_template.items() if k[-1] != "4")
    values = people.ratings.values.copy()
    values[:, 2:] = 100 - values[:, 2:]
    changed = from_ratings(replace(people.ratings, values=values), name="people")
    (other,) = align([source], changed, wanted).parts
    assert other.pilot == one.pilot
    assert other.find("kendall_tau").value != one.find("kendall_tau").value


def test_what_is_reported_is_of_the_chosen_templates():
    truth, people = random_people()
    layers = layered(truth, np.random.default_rng(1))
    source = Source("mine", "mine", layers.averaged(), layers)
    (one,) = align([source], people, Wanted(pilot=GROUPS[:2], splits=20)).parts
    chosen = [layers.templates.index(name) for name in one.pilot.templates]
    assert len(chosen) < len(layers.templates)
    mine, said = layers.values[chosen].mean(axis=0)[2:], people.values[2:]
    assert np.array_equal(one.scores, mine)
    assert one.find("kendall_tau").value == pytest.approx(kendall_tau(mine.ravel(), said.ravel()))
    every = layers.values.mean(axis=0)[2:]
    averaged = kendall_tau(every.ravel(), said.ravel())
    assert one.find("kendall_tau", templates="all").value == pytest.approx(averaged)


def test_pilot_people_are_few_and_drawn_with_the_seed():
    _, people = random_people()
    said, counts = pilot_people(people.ratings, people.values, [0, 3], np.random.default_rng(5))
    assert counts == (5, 5)
    again, _ = pilot_people(people.ratings, people.values, [0, 3], np.random.default_rng(5))
    assert np.array_equal(said, again)
    assert not np.array_equal(said, people.values[[0, 3]])
    five = people.ratings.values[:, 0]
    drawn = (five[list(some)].mean(axis=0) for some in combinations(range(12), 5))
    assert any(np.allclose(said[0], means) for means in drawn)
    only, counts = pilot_people(None, people.values, [1], np.random.default_rng(0))
    assert counts == (0,)
    assert np.array_equal(only, people.values[[1]])


def test_pilots_that_cannot_be():
    truth, people = random_people()
    layers = layered(truth, np.random.default_rng(1))
    source = Source("mine", "mine", layers.averaged(), layers)
    with pytest.raises(UnknownName, match="pianist"):
        align([source], people, Wanted(pilot=("pianist",), splits=10))
    with pytest.raises(BadInput, match="every group is a pilot group"):
        align([source], people, Wanted(pilot=GROUPS, splits=10))
    plain = Source("mine", "mine", matrix(truth))
    with pytest.raises(BadInput, match="no templates for a pilot"):
        align([plain], people, Wanted(pilot=GROUPS[:1], splits=10))
    made = align([plain], people, Wanted(splits=10))
    assert made.parts[0].pilot is None
    assert any("no templates to choose from" in note for note in made.notes)
    none = align([source], people, Wanted(splits=10))  # none of the usual pilot groups is there
    assert none.parts[0].groups == GROUPS
    assert any("none of Asian" in note for note in none.notes)


# ── Numbers ──────────────────────────────────────────────────────────────────────────────────────


def test_pooled_and_mean_are_different_measures():
    """Within groups the order is the same; but the group that people put higher is lower here."""
    said = np.array([[10.0, 20, 30], [60.0, 70, 80]])
    scores = np.array([[5.0, 6, 7], [1.0, 2, 3]])
    (one,) = align(
        [Source("m", "m", matrix(scores, GROUPS[:2], PAIRS[:3]))],
        table(said, GROUPS[:2], PAIRS[:3]),
        Wanted(),
    ).parts
    assert one.find("mean_kendall_tau").value == 1
    # Of 15 pairs of cells, 6 lie within a group and agree, 9 lie between and do not.
    assert one.find("kendall_tau").value == pytest.approx((6 - 9) / 15)
    assert "needs" in one.find("precision_at_3").why or "needed" in one.find("precision_at_3").why


def test_missing_cells_are_stated_and_left_out():
    truth, _ = random_people()
    scores = truth.copy()
    scores[0, 1] = np.nan
    scores[:, 3] = np.nan
    said = truth.copy()
    said[4] = np.nan
    (one,) = align([Source("M", "m", matrix(scores))], table(said), Wanted()).parts
    told = "\n".join(one.left_out)
    assert "1 pair has no number of M at all: low3 - high3." in told
    assert "1 further cell of 48 without a number of M: sailors, low1 - high1." in told
    assert "1 group has no number of people at all: poets." in told
    assert one.find("kendall_tau").value == 1
    assert one.find("kendall_tau").n == 5 * 7 - 1
    assert "at least three points" in one.find("kendall_tau", group="poets").why


def test_what_fits_every_group_is_told_apart():
    """The same row for all groups agrees with people as far as their rows are alike, and no further."""
    rng = np.random.default_rng(0)
    shared = rng.normal(size=16)
    said = shared + rng.normal(scale=0.7, size=(20, 16))
    alike = np.tile(shared, (20, 1)) + rng.normal(scale=1e-3, size=(20, 16))
    found = own_less_others(alike, said, seed=0)
    assert abs(found.value) < 0.05
    assert found.p > 0.05
    assert pooled(alike, said, seed=0).value > 0.4
    assert "rough" not in found.why
    assert "rough: there are 4 groups" in pooled(alike[:4], said[:4], seed=0).why
    own = own_less_others(said, said, seed=0)
    assert own.name == OWN
    taus = [[kendall_tau(a, b) for b in said] for a in said]
    others = np.mean([taus[i][j] for i in range(20) for j in range(20) if i != j])
    assert own.value == pytest.approx(1 - others)
    assert own.p == 1 / 10_000


def test_p_of_own_people_is_that_of_all_ways_to_deal_the_rows():
    """Far from what dealt rows give on average, which is above 0 where all groups are alike."""
    rng = np.random.default_rng(3)
    shared = 2 * rng.normal(size=12)
    said = shared + rng.normal(size=(5, 12))
    scores = shared + rng.normal(size=(5, 12)) + 0.5 * (said - shared)
    taus = np.array([[kendall_tau(a, b) for b in said] for a in scores])
    every = np.array(
        [np.mean([taus[i, j] for i, j in enumerate(o)]) for o in permutations(range(5))]
    )
    seen = abs(np.trace(taus) / 5 - every.mean())
    exact = np.mean(np.abs(every - every.mean()) >= seen - 1e-12)
    assert 0.02 < exact < 0.9
    assert own_less_others(scores, said, seed=0).p == pytest.approx(exact, abs=0.02)


def test_halves_are_halves():
    _, people = random_people(annotators=8)
    made = halves(people.ratings, np.random.default_rng(0), splits=30)
    # Of an even number of people who all rated, the halves' means average to the mean of all.
    both = (made.one + made.other) / 2
    assert np.allclose(both, people.values, atol=1e-6)
    assert made.people.tolist() == [8] * len(GROUPS)
    assert np.array_equal(made.taus()[0], kendall_rows(made.one[0], made.other[0]))
    too_few = Ratings(("a", "b", "c"), GROUPS, PAIRS, people.ratings.values[:3])
    assert np.isnan(halves(too_few, np.random.default_rng(0), splits=5).taus()).all()


def test_one_person_against_the_others():
    values = np.array([[[10.0, 20, 30, 40]], [[15, 25, 35, 45]], [[40, 30, 20, 10]]])
    ratings = Ratings(("a", "b", "c"), ("sailors",), PAIRS[:4], values)
    taus, precisions = one_by_one(ratings, 2)
    # a against the mean of b and c (27.5 for all): no order; c against that of a and b: the opposite.
    assert np.isnan(taus[0, 0])
    assert taus[2, 0] == -1
    # c's two highest are pairs 0 and 1; all means of the others lie below 50, so half of all is right.
    assert precisions[2, 0] == 0.5


@pytest.mark.parametrize("spread", [0.5, 0.8, 2.0])
def test_what_is_reachable_is_what_the_truth_reaches(spread):
    """Normal scores, where the formula is exact: the truth against means of 20 people."""
    rng = np.random.default_rng(0)
    truth = spread * rng.normal(size=(2000, 16))

    def asked(people):
        return truth + rng.normal(size=truth.shape) / np.sqrt(people)

    split = float(kendall_rows(asked(10), asked(10)).mean())
    assert reachable(split) == pytest.approx(kendall_rows(truth, asked(20)).mean(), abs=0.01)
    assert reachable(0.0) is None
    assert reachable(-0.2) is None


def test_the_ceiling_is_of_the_cells_that_are_compared():
    truth, people = random_people()
    scores = truth.copy()
    scores[:, 4:] = np.nan
    (few,) = align([Source("m", "m", matrix(scores))], people, Wanted(splits=50)).parts
    part = people.ratings.part(GROUPS, PAIRS[:4])
    expected = halves(part, np.random.default_rng([0, 6]), splits=50).taus().mean(axis=1).mean()
    assert few.find("mean_kendall_tau_split_half").value == pytest.approx(expected)


def test_means_only_have_no_ceiling():
    truth, _ = random_people()
    made = align([Source("m", "m", matrix(truth))], table(truth), Wanted())
    assert made.parts[0].find("kendall_tau_split_half") is None
    assert any("no noise ceiling" in note for note in made.notes)


def test_differences_are_on_the_same_cells():
    rng = np.random.default_rng(2)
    said = rng.uniform(0, 100, size=(12, 8))
    near, far = said + rng.normal(scale=10, size=said.shape), rng.normal(size=said.shape)
    near[0, 0] = np.nan
    found = {e.name: e for e in differences(near, far, said, k=3, seed=0)}
    both = np.isfinite(near)
    expected = kendall_tau(near[both], said[both]) - kendall_tau(far[both], said[both])
    tau = found["kendall_tau_difference"]
    assert tau.value == pytest.approx(expected)
    assert tau.n == 95
    assert 0 < tau.low < expected < tau.high
    assert found["mean_kendall_tau_difference"].p < 0.01
    same = {e.name: e for e in differences(near, near, said, k=3, seed=0)}
    assert same["kendall_tau_difference"].value == 0
    assert same["kendall_tau_difference"].low is None  # and says why
    assert "all resamples give the same" in same["kendall_tau_difference"].why


def test_names_are_told_apart():
    plain = Source("m", "one.csv", matrix(np.zeros((6, 8))))
    runs = [replace(plain, facts={"rule": rule}, path=rule) for rule in ("set", "ilps", "set")]
    assert [s.name for s in named_apart(runs[:2])] == ["m (set)", "m (ilps)"]
    assert [s.name for s in named_apart([plain, replace(plain, path="two.csv")])] == [
        "m (one.csv)", "m (two.csv)",
    ]  # fmt: skip


def test_by_who_was_asked():
    truth, people = random_people(annotators=10)
    sides = ("north",) * 5 + ("south",) * 5
    values = people.ratings.values.copy()
    values[5:] = 100 - values[:5]
    ratings = replace(people.ratings, values=values, about={"region": sides}, varying=("mood",))
    asked = from_ratings(ratings, name="people")
    source = Source("m", "m", matrix(truth))
    (one,) = align([source], asked, Wanted(by="region", splits=10)).parts
    north, south = one.subsets
    assert (north.value, north.people) == ("north", 5)
    assert north.estimates[0].value == pytest.approx(-south.estimates[0].value)
    assert north.estimates[0].groups == {"region": "north"}
    assert north.estimates[0].p_adjusted is not None
    with pytest.raises(UnknownName, match="No column about annotators named 'age'"):
        align([source], asked, Wanted(by="age"))
    with pytest.raises(BadInput, match="several values for one annotator"):
        align([source], asked, Wanted(by="mood"))
    with pytest.raises(BadInput, match="means only"):
        align([source], table(truth), Wanted(by="region"))


# ── The published ratings ────────────────────────────────────────────────────────────────────────

PUBLISHED = published.needs("us_stereotypes")


@PUBLISHED
def test_people_agree_with_themselves_as_documented():
    people = us_stereotypes()
    source = Source("people", "p", matrix(people.values, people.groups, people.pairs))
    made = align([source], people, Wanted())
    (one,) = made.parts
    assert one.find("kendall_tau").value == 1
    assert one.find("precision_at_3").value < 1  # some groups have fewer than three on one side
    assert one.find("mean_kendall_tau_split_half").value == pytest.approx(0.61, abs=0.01)
    assert one.find("mean_kendall_tau_reachable").value == pytest.approx(0.79, abs=0.02)
    assert one.find("mean_kendall_tau_one_person").value == pytest.approx(0.39, abs=0.01)
    assert one.find("precision_at_3_split_half").value == pytest.approx(0.90, abs=0.02)
    with pytest.raises(BadInput, match="has other ids than the ratings"):
        align([source], people, Wanted(by="Gender"))


@PUBLISHED
def test_stepping_up_foretells_what_larger_halves_reach():
    """From halves of five to halves of ten people: what the formula says, and what is seen."""
    values = us_stereotypes().ratings.values
    rng = np.random.default_rng(1)
    seen = {5: [], 10: []}
    for group in range(values.shape[1]):
        asked = np.flatnonzero(np.isfinite(values[:, group]).sum(axis=1) > 5)
        for size, found in seen.items():
            drawn = [rng.permutation(asked)[: 2 * size] for _ in range(100)]
            one = np.array([values[some[:size], group].mean(axis=0) for some in drawn])
            other = np.array([values[some[size:], group].mean(axis=0) for some in drawn])
            found.append(kendall_rows(one, other).mean())
    r = np.sin(np.pi * np.array(seen[5]) / 2)
    foretold = 2 / np.pi * np.arcsin(2 * r / (1 + r))
    assert foretold.mean() == pytest.approx(np.mean(seen[10]), abs=0.02)


@PUBLISHED
def test_published_taus_are_tau_b_with_these_people(request):
    """Without ties a tau of 16 pairs is a multiple of 1/60: just the groups whose means are tied in
    these data have published taus that are none."""
    people = us_stereotypes()
    tied = {g for g, row in zip(people.groups, people.values, strict=True) if len(set(row)) < 16}
    assert tied == {"Christian people", "Asian people", "Blacks/African Americans"}
    path = request.config.rootpath / "tests" / "metrics" / "cao2022_alignment.csv"
    rows = [line.split(",") for line in path.read_text("utf-8").splitlines()]
    odd = {
        row[1]
        for row in rows
        if row[0] == "4.11"
        and any(cell and abs(float(cell) * 60 - round(float(cell) * 60)) > 0.04 for cell in row[2:])
    }
    assert odd == {"Christians", "Asian people", "Black people"}
