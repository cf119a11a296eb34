"""Fixtures of intersectional groups."""

import pytest

from analyses.intersections.examples import layers, random_scores
from tiltmeter.analyses.intersections.components import component_scores


@pytest.fixture
def scores():
    return random_scores()


@pytest.fixture
def crossings(scores):
    return component_scores([layers(scores)])
