"""Columns of tables that show a quantity."""

import pytest

from tiltmeter.core.quantity import quantity


@pytest.mark.parametrize("shows", [["n"], ["value"], ["n", "value"], ["interval", "p"]])
def test_the_heading_is_that_of_the_first_column(shows):
    columns = quantity("items", "Items").columns("texts", **dict.fromkeys(shows, 0))
    assert [column.shows for column in columns] == shows
    assert [column.heading for column in columns] == ["texts", *[""] * (len(shows) - 1)]
