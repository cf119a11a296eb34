"""500 people in an hour, 100 of them at once: how long a survey's pages take.

People come evenly within 50 minutes, and each needs about 10 minutes for five pages of 16 sliders, so that
500 / 50 × 10 = 100 of them are at work at once. The server is a process of its own; this one is all the
browsers, with JavaScript: every answer is posted as soon as it is given. "page" is every request for a page
(the link, the consent, the next page), from its beginning to the last byte; "save" is every request that
stores answers. Afterwards the database is checked.
"""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from benchmarks._frame import Row, Settings
from benchmarks._postgres import postgres_server, why_none
from benchmarks._survey_people import Pace
from benchmarks._survey_server import LoadForm
from benchmarks.people import crowd_row

HOUR = Pace(5.0, 10.0, arrival=3000.0)
QUICK = Pace(5.0, 10.0, arrival=300.0)
"""As many people a minute, for a tenth of the time; with one page each, 20 of them are at work at once."""
TINY = Pace()


def rows(settings: Settings) -> Iterator[Row]:
    """SQLite, then PostgreSQL."""
    for name in ("SQLite",) if settings.tiny else ("SQLite", "PostgreSQL"):
        yield one_hour(name, settings)


def one_hour(name: str, settings: Settings) -> Row:
    """What 500 people of an hour wait for, with one of the two databases."""
    form, pace = LoadForm(500), HOUR
    if settings.quick:
        form, pace = LoadForm(50, pages=1), QUICK
    if settings.tiny:
        form, pace = LoadForm(4, 2, 3), TINY
    case = f"{form.people} people, {form.pages} pages of {form.sliders} sliders, {name}"
    if name == "PostgreSQL" and (why := why_none()):
        return Row(case, "tiltmeter survey serve", skipped=why)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = str(folder / "survey.db")
        if name == "PostgreSQL":
            database = stack.enter_context(postgres_server()).new_database("hour")
        return crowd_row(case, form, folder, database, pace, script=True)
