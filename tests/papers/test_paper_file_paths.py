"""A paper names only the files that lie beside it."""

import pytest

from support.confined_documents import document
from tiltmeter.core.errors import BadItems
from tiltmeter.papers.paper_file import read_paper

__all__ = ["document"]
PAPER = """
title = "P"
source = "S"
[models.m]
called = "m"
reference = "{model}"
[runs.r]
study = "pairs"
data = "{data}"
[[runs.r.stored]]
file = "{file}"
[analyses.a]
analysis = "compare"
inputs = ["{input}"]
[[item]]
name = "T1"
title = "T"
of = ["r", "a"]
rows = ["model"]
"""
GOOD = {"model": "fake", "data": "own.csv", "file": "own.csv", "input": "own.csv"}


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret.csv", "secret.csv", "link.csv"])
@pytest.mark.parametrize("kind", GOOD)
def test_a_paper_names_only_its_own_files(document, kind, name):
    document.write_text(PAPER.format(**GOOD))
    read_paper(str(document))
    document.write_text(
        PAPER.format(**GOOD | {kind: f"replay:{name}" if kind == "model" else name})
    )
    with pytest.raises(
        BadItems, match=r"paper\.toml: (models\.m|runs\.r|analyses\.a).*is not in"
    ) as refused:
        read_paper(str(document))
    assert "root:x" not in str(refused.value)
