"""Two matrices of templates beside people, and their page."""

from dataclasses import replace

import numpy as np
import pytest

from analyses.compare_people.examples import result_of
from derived.people.examples import layered, matrix, random_people
from support import published
from tiltmeter.analyses.compare_people.matrices import Source
from tiltmeter.api.results import RunResult
from tiltmeter.data.people.people import from_ratings, us_stereotypes


@pytest.fixture(scope="session")
def made():
    """Two matrices, one with templates, and people of two regions and two ages."""
    truth, people = random_people()
    about = {
        "region": tuple("north" if i % 2 else "south" for i in range(12)),
        "age": tuple("old" if i % 4 < 2 else "young" for i in range(12)),
    }
    asked = from_ratings(replace(people.ratings, about=about), name="people")
    layers = layered(truth, np.random.default_rng(1))
    run = Source("run", "run", layers.averaged(), layers, facts={"rule": "set"})
    table = Source("table", "table.csv", matrix(truth, name="table"))
    return result_of([run, table], asked, by=(("region",), ("region", "age")), group=("Poets",))


@pytest.fixture(scope="session")
def document(made):
    return RunResult(made, None).document()


@pytest.fixture(scope="session")
def us_people():
    """The published ratings, read before a test has a cache of its own; skipped where they are not."""
    published.need("us_stereotypes")
    return us_stereotypes()
