"""The noise ceiling: halves of the people, one person, and what is reachable."""

import numpy as np
import pytest

from derived.people.examples import GROUPS, PAIRS, matrix, random_people, table
from tiltmeter.analyses.compare_people.alignment import Wanted, align
from tiltmeter.analyses.compare_people.matrices import Source
from tiltmeter.analyses.compare_people.noise_ceiling import halves, one_by_one, reachable_tau
from tiltmeter.data.people.ratings import Ratings
from tiltmeter.stats.correlations.correlation import kendall_rows


def test_halves_are_halves():
    _, people = random_people(annotators=8)
    made = halves(people.ratings, np.random.default_rng(0), splits=30)
    # Of an even number of people who all rated, the halves' means average to the mean of all.
    both = (made.first + made.second) / 2
    assert np.allclose(both, people.values, atol=1e-6)
    assert made.people.tolist() == [8] * len(GROUPS)
    assert np.array_equal(made.taus()[0], kendall_rows(made.first[0], made.second[0]))
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
    assert reachable_tau(split) == pytest.approx(kendall_rows(truth, asked(20)).mean(), abs=0.01)
    assert reachable_tau(0.0) is None
    assert reachable_tau(-0.2) is None


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


def test_stepping_up_foretells_what_larger_halves_reach(us_people):
    """From halves of five to halves of ten people: what the formula says, and what is seen."""
    values = us_people.ratings.values
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
