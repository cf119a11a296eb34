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
