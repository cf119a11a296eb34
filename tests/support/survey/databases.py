"""Databases of surveys that have their tables already: making the tables takes longer than most tests."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tiltmeter.survey.store import SurveyStore


@cache
def _without_rows() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "survey.db"
        SurveyStore(file).close()
        return file.read_bytes()


def new_store(file: Path) -> SurveyStore:
    """An empty store in a file that does not exist yet."""
    file.write_bytes(_without_rows())
    return SurveyStore(file)
