"""Errors travel between processes unchanged."""

import pickle

import pytest

from tiltmeter.core.errors import (
    BadInput,
    BadItems,
    MissingExtra,
    Problem,
    Unavailable,
    UnknownName,
)


@pytest.mark.parametrize(
    "error",
    [
        BadInput("it is empty", "fill it in", file="a.csv", line=3),
        BadItems([Problem("no text", item="p1")], way_out="see the file"),
        UnknownName("study", "crow_pairs", ["crows_pairs"]),
        MissingExtra("--ray", "ray"),
        Unavailable("no reply"),
    ],
)
def test_a_pickled_error_is_the_same(error):
    other = pickle.loads(pickle.dumps(error))
    assert (type(other), str(other)) == (type(error), str(error))
    assert other.__dict__ == error.__dict__


def test_many_problems_with_one_reason_are_one_line():
    bad = [Problem("is 'x'", "write 1", file="a.csv", line=n) for n in range(2, 42)]
    odd = Problem("is 'y'", "write 1", file="a.csv", line=50)
    assert str(BadItems([*bad, odd])).split("\n") == [
        "a.csv:2: is 'x'; write 1 (and 39 more like it)", "a.csv:50: is 'y'; write 1",
    ]  # fmt: skip
    assert len(str(BadItems(bad[:20])).split("\n")) == 20
    assert str(BadItems([Problem(str(n)) for n in range(25)])).endswith("… and 5 more")
