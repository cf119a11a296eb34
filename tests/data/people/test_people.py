"""What people say of groups: tables of means, and what is odd in single ratings."""

import numpy as np
import pytest

from support import published
from tiltmeter.core.errors import BadInput
from tiltmeter.data.downloads import registry
from tiltmeter.data.people import people
from tiltmeter.data.people.ratings import Ratings, copies, depth, read_ratings

RAW = {
    "ann": {"sailors": {"cold - warm": "20", "slow - quick": 80}, "bakers": {"cold - warm": "60"}},
    "ben": {"sailors": {"cold - warm": "40", "slow - quick": "50"}},
}


def test_copied_columns_are_found():
    values = np.array([[[10.0, 20, 10, 50, 50]], [[30, 20, 30, 50, 50]], [[50, 90, 50, 50, 50]]])
    ratings = Ratings(("a", "b", "c"), ("sailors",), ("p", "q", "r", "s", "t"), values)
    # q differs, and s and t are the same number throughout, which people may well give.
    assert copies(ratings) == [("sailors", ("p", "r"))]
    made = people.from_ratings(ratings, name="mine")
    assert "ratings of p and of r are identical" in made.notes[0]
    assert made.spoilt == ()  # nobody knows which of the two is the copy
    assert made.ratings is not None
    assert np.isfinite(made.ratings.values).all()


def test_known_copies_take_the_published_mean_and_leave_single_people():
    values = np.array([[[10.0, 20, 10]], [[30, 20, 30]], [[50, 90, 50]]])
    ratings = Ratings(("a", "b", "c"), ("sailors",), ("p", "q", "r"), values)
    table = people.People("t", ("sailors",), ("p", "q", "r"), np.array([[77.0, 130 / 3, 30]]),
                          np.full((1, 3), np.nan))  # fmt: skip
    made = people.from_ratings(ratings, name="mine", published=table, known={"sailors": ("p", "q")})
    assert made.spoilt == (("sailors", "p"),)  # q is no copy, whatever is thought to be known
    assert made.values[0].tolist() == pytest.approx([77, 130 / 3, 30], abs=1e-8)
    assert np.isnan(made.ratings.values[:, 0, 0]).all()
    assert np.isfinite(made.ratings.values[:, 0, 1:]).all()
    assert made.notes[0].startswith("2 of 3 means")


def test_tables_of_means(write):
    made = people.read_means(write("means.json", {"sailors": {"cold - warm": "30.5"}}))
    assert made.values.tolist() == [[30.5]]
    assert made.ratings is None
    assert depth(RAW) == 3
    with pytest.raises(BadInput, match=r"is not .group: .pair: mean"):
        people.read_means(write("raw.json", RAW))


@published.needs("us_stereotypes")
class TestPublished:
    """The real ratings."""

    def test_what_is_in_it(self):
        made = people.us_stereotypes()
        assert made.values.shape == (26, 16)
        assert len(made.ratings.annotators) == 133
        # 20 people a group; one more on all traits of immigrants and on one of Jewish people.
        counts = dict(zip(made.groups, made.counts, strict=True))
        assert set(counts["immigrants"]) == {21}
        assert sorted(counts["Jewish people"])[-2:] == [20, 21]
        assert all(
            set(c) == {20} for g, c in counts.items() if g not in {"immigrants", "Jewish people"}
        )

    def test_the_two_cells_that_cannot_be_recomputed(self):
        made = people.us_stereotypes()
        assert made.spoilt == (
            ("women", "poor - wealthy"),
            ("women", "untrustworthy - trustworthy"),
        )
        assert made.notes[0].startswith("414 of 416 means of the single ratings")
        row = made.groups.index("women")
        at = [made.pairs.index(pair) for _, pair in made.spoilt]
        assert made.values[row, at].tolist() == [56.4, 57.95]
        assert np.isnan(made.ratings.values[:, row, at]).all()
        assert "133 people rated" in made.who

    def test_no_other_column_is_a_copy(self):
        path = registry.locate("us_stereotypes").files["us_stereotypes/data_full.json"]
        same = ("egoistic - altruistic", "poor - wealthy", "untrustworthy - trustworthy")
        assert copies(read_ratings(path)) == [("women", same)]
