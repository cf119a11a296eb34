"""Columns of a quantity that is declared in Python are those of one that is declared in TOML."""

from tiltmeter.core.analysis_file import _columns
from tiltmeter.core.quantity import quantity


def test_the_heading_is_that_of_the_first_column():
    declared = quantity("items", "Items")
    for shows in (["n"], ["value"], ["n", "value"], ["interval", "p"]):
        entry = {"measure": "items", "heading": "texts", **dict.fromkeys(shows, 0)}
        in_toml = [column["heading"] for column in _columns(entry)]
        in_python = [c.heading for c in declared.columns("texts", **dict.fromkeys(shows, 0))]
        assert in_python == in_toml == ["texts", *[""] * (len(shows) - 1)]
