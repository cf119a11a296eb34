"""Runs in four languages, and ratings of people of their countries."""

import pytest

from analyses.leak.examples import LANGUAGES
from support.leakage_runs import write_ratings, write_run


@pytest.fixture
def people(tmp_path):
    return write_ratings(tmp_path / "ratings.csv", unknown=[("hi", "veteran")])


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """Folders of runs of one model, by language."""
    folder = tmp_path_factory.mktemp("runs")
    return {language: write_run(folder / language, language) for language in LANGUAGES}
