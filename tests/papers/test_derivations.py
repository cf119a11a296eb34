"""Declarations of derived numbers: what is wrong with one is said."""

import pytest

from papers.starter_paper import DERIVING, VOTES, write
from support.command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]


@pytest.mark.parametrize(("old", "new", "says"), [
    ('statistic = "mean"', 'statistic = "median"', "statistic is 'median'"),
    ('of = { item = "T1" }', 'of = { item = "T9" }', "derived: item names 'T9', which is none"),
    ('of = { item = "T1" }', 'of = { of = "pears" }', "derived: of names 'pears', which is none"),
    ('of = { item = "T1" }', 'of = { item = "T1", of = "pairs" }', "takes numbers from item and of"),
    ('of = { item = "T1" }', 'of = [{ item = "T1" }, { item = "T1" }]', "makes a mean of 2 series"),
    ("votes.csv", "../votes.csv", "'../votes.csv' is not in the folder of this file"),
    ("votes.csv", "lost.csv", "the table lost.csv is not here"),
    ("race", "rice", "no column named rice"),
])  # fmt: skip
def test_mistakes_are_named(tilt, tmp_path, old, new, says):
    folder = tmp_path / "paper"
    folder.mkdir()
    for file in (folder / "votes.csv", tmp_path / "votes.csv"):
        file.write_text(VOTES, "utf-8")
    words = ("replicate", write(folder, DERIVING.replace(old, new)), "--select", "section 2")
    code, out, err = tilt(*words, "--out", tmp_path / "out")
    assert says in " ".join((err + out).split()), (code, err, out)
