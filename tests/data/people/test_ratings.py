"""Ratings of single people: what is read and what is refused."""

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput, BadItems, TiltmeterError
from tiltmeter.data.people.ratings import RatingScale, means, read_ratings, scale_named

RAW = {
    "ann": {"sailors": {"cold - warm": "20", "slow - quick": 80}, "bakers": {"cold - warm": "60"}},
    "ben": {"sailors": {"cold - warm": "40", "slow - quick": "50"}},
}
HEAD = "annotator,group,pair,rating"


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
    assert found.slice({"region": "south"}).annotators == ("ben",)


def test_scales(write):
    text = f"{HEAD}\nann,sailors,cold - warm,4\nann,sailors,slow - quick,1\n"
    found = read_ratings(write("raw.csv", text), scale=RatingScale(1, 7))
    assert found.values[0, 0].tolist() == [50, 0]
    own = f"{HEAD},low,high\nann,sailors,cold - warm,4,1,7\nben,sailors,cold - warm,-50,-50,50\n"
    assert read_ratings(write("own.csv", own)).values[:, 0, 0].tolist() == [50, 0]
    assert scale_named("-50:50") == RatingScale(-50, 50)
    for bad in ("7-1", "7:1", "-1-7", "a:b", "0:inf", "3:3", "0:1_00", "1", ":"):
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
        ("ann,sailors,cold - warm,inf", "'inf' is not a number"),
        (",sailors,cold - warm,5", "annotator is empty"),
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
