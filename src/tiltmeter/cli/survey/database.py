"""The database of a survey, as commands name and open it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tiltmeter.core.reading.options import Option

if TYPE_CHECKING:
    from tiltmeter.survey.collected import Collected
    from tiltmeter.survey.store import SurveyStore

Database = Annotated[str, Option("SQLite file, or postgresql://… .", metavar="FILE_OR_URL")]
USUAL_DATABASE = "survey.db"
"""Where --database is not given."""
StudyName = Annotated[
    str, Option("Study in the database (not needed if it has one).", argument=True)
]
NewStudy = Annotated[str, Option("Name of the study (default: the form's).")]
Overwrite = Annotated[bool, Option("Replace files that exist.")]
FilesFolder = Annotated[Path, Option("Folder for the files.", name="out")]


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where a survey is served, and to whom."""

    host: Annotated[str, Option("Address to listen on.")] = "127.0.0.1"
    port: Annotated[int, Option("0 for any free port.", min=0, max=65535)] = 8000
    signed: Annotated[bool, Option("Admit only people with a link from `survey link`.")] = False


@contextmanager
def opened_database(database: str, *, make: bool = False) -> "Iterator[SurveyStore]":
    """The database; a file that does not exist is named."""
    from tiltmeter.core.errors import BadInput
    from tiltmeter.survey.store import SurveyStore

    if not make and "://" not in database and not Path(database).expanduser().is_file():
        raise BadInput("no survey database of this name", "name one with --database", file=database)
    with SurveyStore(database) as store:
        yield store


def collected_study(store: "SurveyStore", study: str, *, bots: bool = False) -> "Collected":
    """A study with all its answers, and with new marks, which are stored; without bots unless asked."""
    from tiltmeter.survey.collected import collect
    from tiltmeter.survey.leaving import time_out_people
    from tiltmeter.survey.marking import mark_study
    from tiltmeter.survey.studies import study_named

    number = store.read(study_named, study)
    store.save(time_out_people, number)
    store.save(mark_study, number, bots=bots)
    return store.read(collect, number, bots=bots)
