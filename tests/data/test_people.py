"""Ratings of single people and tables of means: what is read, what is refused, what is odd."""

import json

import numpy as np
import pytest

import published
from tiltmeter.core.errors import BadInput, BadItems, TiltmeterError
from tiltmeter.data import people, registry
from tiltmeter.data.ratings import (
    Ratings,
    RatingScale,
    copies,
    depth,
    means,
    read_ratings,
    scale_named,
)

RAW = {
    "ann": {"sailors": {"cold - warm": "20", "slow - quick": 80}, "bakers": {"cold - warm": "60"}},
    "ben": {"sailors": {"cold - warm": "40", "slow - quick": "50"}},
}
HEAD = "annotator,group,pair,rating"


@pytest.fixture
def write(tmp_path):
    """A file of this name and text (or object)."""

    def make(name, content):
        path = tmp_path / name
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        return path

    return make


def test_nested_ratings_and_their_means(write):
    found = read_ratings(write("raw.json", RAW))
    assert found.annotators == ("ann", "ben")
    assert found.groups == ("sailors", "bakers")
    values, counts = means(found)
    assert values[0].tolist() == [30, 65]
    assert values[1, 0] == 60
    assert np.isnan(values[1, 1])
    assert counts.tolist() == [[2, 2], [1, 0]]


def test_a_table_says_the_same_and_more(write):
    rows = [HEAD + ",region"]
    rows += [
        f"{a},{g},{p},{r},{'north' if a == 'ann' else 'south'}"
        for a, groups in RAW.items()
        for g, pairs in groups.items()
        for p, r in pairs.items()
    ]
    found = read_ratings(write("raw.csv", "\n".join(rows)))
    same = read_ratings(write("raw.json", RAW))
    assert np.array_equal(found.values, same.values, equal_nan=True)
    assert found.about == {"region": ("north", "south")}
    assert found.of("region", "south").annotators == ("ben",)


def test_scales(write):
    text = f"{HEAD}\nann,sailors,cold - warm,4\nann,sailors,slow - quick,1\n"
    found = read_ratings(write("raw.csv", text), scale=RatingScale(1, 7))
    assert found.values[0, 0].tolist() == [50, 0]
    own = f"{HEAD},low,high\nann,sailors,cold - warm,4,1,7\nben,sailors,cold - warm,-50,-50,50\n"
    assert read_ratings(write("own.csv", own)).values[:, 0, 0].tolist() == [50, 0]
    assert scale_named("-50:50") == RatingScale(-50, 50)
    for bad in ("1-7", "7:1", "a:b", "0:inf", "3:3", "0:1_00", "1", ":"):
        with pytest.raises(BadInput, match="is not a scale"):
            scale_named(bad)


def test_the_middle_of_a_scale_is_exactly_fifty(write):
    """Ratings 2, 3 and 7 of 1 to 7 have the mean 4, whatever thirds of sixths come to."""
    text = HEAD + "".join(f"\n{n},sailors,cold - warm,{r}" for n, r in enumerate((2, 3, 7)))
    found = read_ratings(write("raw.csv", text), scale=RatingScale(1, 7))
    assert means(found)[0][0, 0] == 50.0


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("ann,sailors,cold - warm,101", "101 is not on the scale 0 to 100"),
        ("ann,sailors,cold - warm,-1", "is not on the scale"),
        ("ann,sailors,cold - warm,many", "'many' is not a number"),
        ("ann,sailors,cold - warm,nan", "'nan' is not a number"),
        ("ann,sailors,cold - warm,", "'' is not a number"),
        (",sailors,cold - warm,5", "the annotator is empty"),
        ("ann,bakers,cold - warm,5", "ann, bakers, cold - warm is rated twice"),
    ],
)
def test_ratings_that_are_refused(write, row, said):
    path = write("raw.csv", f"{HEAD}\nann,bakers,cold - warm,5\n{row}\n")
    with pytest.raises(BadItems, match=r"raw\.csv:3") as refused:
        read_ratings(path)
    assert said in str(refused.value)


def test_all_that_is_wrong_is_told_at_once(write):
    raw = {"ann": {"sailors": {"cold - warm": "120", "slow - quick": None}, "bakers": 3}}
    with pytest.raises(BadItems) as refused:
        read_ratings(write("raw.json", raw))
    assert len(refused.value.problems) == 3


def test_files_that_are_no_ratings(write):
    for name, text, said in (
        ("twice.json", '{"ann": {"a": {"x - y": 1}}, "ann": {}}', "'ann' occurs twice"),
        ("broken.json", '{"ann": ', "broken JSON"),
        ("empty.json", "{}", "contains no ratings"),
        ("columns.csv", "annotator,group,rating\na,b,1\n", "no column named pair"),
        ("none.csv", f"{HEAD}\n", "only a header"),
    ):
        with pytest.raises(TiltmeterError, match=said):
            read_ratings(write(name, text))


def test_only_known_pairs_where_they_are_known(write):
    with pytest.raises(BadItems, match="No pair of traits named 'slow - quick'"):
        read_ratings(write("raw.json", RAW), pairs=["cold - warm"])


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
