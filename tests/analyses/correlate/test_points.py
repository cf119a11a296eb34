"""Points of many sources: what must not be mixed or hidden, and what cannot be laid out."""

from dataclasses import replace

import pytest

from analyses.correlate.examples import run, values
from tiltmeter.analyses.correlate.points import points_of
from tiltmeter.analyses.correlate.relations import correlate
from tiltmeter.analyses.correlate.run_points import of_runs
from tiltmeter.core.errors import BadInput


def test_sources_that_share_no_point_are_refused():
    """Without `between`, x and y share a point; between the sources none is shared."""
    alike = [replace(o, source="one") for o in (*values("x", a=1), *values("y", a=2))]
    points = points_of([*alike, *values("z", b=1)], "models")
    assert len(correlate(points).of("pearson")) == 3
    with pytest.raises(BadInput, match="no two measures have a model in common"):
        correlate(points, between=True)


def test_what_cannot_be_laid_out():
    with pytest.raises(BadInput, match="there is one measure, x, of 2 models"):
        points_of(values("x", a=1, b=2), "models")
    with pytest.raises(
        BadInput, match=r"no two measures have a model in common \(x: 'a'; y: 'b'\)"
    ):
        correlate(points_of([*values("x", a=1), *values("y", b=1)], "models"))
    with pytest.raises(BadInput, match=r"x of a is given twice, in x\.csv and in x\.csv"):
        points_of([*values("x", a=1), *values("x", a=2)], "models")
    with pytest.raises(
        BadInput,
        match=r"'x' is not about a group, .* over groups; leave it out, or use --over models",
    ):
        points_of(values("x", a=1), "groups")
    with pytest.raises(BadInput, match=r"not a point over models; leave it out$"):
        points_of([replace(o, model="") for o in values("x", a=1)], "models")
    with pytest.raises(BadInput, match="listed twice"):
        of_runs([run("a", 1.0), run("a", 1.0)], "models")


def test_measures_of_two_tables_with_one_name_stay_two():
    one, two = values("f1", a=1, b=2), values("f1", a=3, b=4)
    two = [replace(o, facts=(("table", "other.csv"),)) for o in two]
    assert points_of([*one, *two], "models").names == ("f1 [table f1]", "f1 [table other.csv]")
