"""Matrices from runs and tables: their names are unique."""

from dataclasses import replace

import numpy as np

from derived.people.examples import matrix
from tiltmeter.analyses.compare_people.matrices import Source, named_apart


def test_names_are_told_apart():
    plain = Source("m", "one.csv", matrix(np.zeros((6, 8))))
    runs = [replace(plain, facts={"rule": rule}, path=rule) for rule in ("set", "ilps", "set")]
    assert [s.name for s in named_apart(runs[:2])] == ["m (set)", "m (ilps)"]
    assert [s.name for s in named_apart([plain, replace(plain, path="two.csv")])] == [
        "m (one.csv)", "m (two.csv)",
    ]  # fmt: skip
