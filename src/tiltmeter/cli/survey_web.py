"""survey serve, link and bots: a survey in the browser."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tiltmeter.cli.arguments import Encoding
from tiltmeter.cli.console import err, out

if TYPE_CHECKING:
    from tiltmeter.survey.form import Form
    from tiltmeter.survey.store import SurveyStore

Items = Annotated[
    Path | None, typer.Option(help="Table of items, a row each, in place of the form's.")
]
Database = Annotated[
    str, typer.Option(help="SQLite file, or postgresql://… .", metavar="FILE_OR_URL")
]


def serve(
    form: Annotated[str, typer.Argument(help="A form file or a built-in form.")],
    *,
    items: Items = None,
    study: Annotated[str, typer.Option(help="Name of the study (default: the form's).")] = "",
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any free port.")] = 8000,
    database: Database = "survey.db",
    signed: Annotated[
        bool, typer.Option("--signed", help="Let in only people with a link of `survey link`.")
    ] = False,
    encoding: Encoding = "",
) -> None:
    """Show a form to people in their browsers, and store their answers."""
    with needs_web():
        from tiltmeter.survey.store import SurveyStore
        from tiltmeter.survey.web.app import survey_app
        from tiltmeter.survey.web.serving import address_of, listening, server_for
    read = read_items(form, items, encoding)
    with listening(host, port) as at, SurveyStore(database) as store:
        number = open_form(store, read, study)
        app = survey_app(store, number, signed=signed)
        out.print(f"{study or read.name}: {address_of(at)}/")
        err.print(f"Answers are stored in {_shown(database)}. Stop with Ctrl+C.", style="dim")
        with suppress(KeyboardInterrupt, SystemExit):  # the usual way to stop
            server_for(app).run([at])
    err.print(f"Stopped. All acknowledged answers are in {_shown(database)}.", style="dim")


def link(
    study: Annotated[
        str,
        typer.Argument(
            help="Study in the database (not needed if it has one).", show_default=False
        ),
    ] = "",
    *,
    database: Database = "survey.db",
    to: Annotated[
        str, typer.Option("--address", help="Where the survey is served.")
    ] = "http://127.0.0.1:8000",
    person: Annotated[
        list[str] | None,
        typer.Option(help="Id of the person invited; repeat it for more links.", metavar="ID"),
    ] = None,
    stratum: Annotated[str, typer.Option(help="Their stratum, for quotas.")] = "",
    language: Annotated[str, typer.Option(help="Language to begin with.")] = "",
) -> None:
    """Print signed links, one for each person; nobody can alter one or make one up."""
    from urllib.parse import quote

    from tiltmeter.core.errors import BadInput
    from tiltmeter.core.text import visible

    with needs_web():
        from tiltmeter.survey.links import Invitation, signed_token
        from tiltmeter.survey.store import SurveyStore
        from tiltmeter.survey.studies import study_named
        from tiltmeter.survey.tables import StudyRow
        from tiltmeter.survey.web.invitations import link_key
    if "://" not in database and not Path(database).expanduser().is_file():
        raise BadInput("no survey database of this name", "name one with --database", file=database)
    with SurveyStore(database) as store:
        number = store.read(lambda session: study_named(session, study))
        row = store.read(lambda session: session.get_one(StudyRow, number))
    if not row.salt:
        raise BadInput(f"the study {row.name!r} is closed", "nobody can begin it any more")
    for one in person or [""]:
        ids = {"pid": one} if one else {}
        invitation = Invitation(row.name, "link" if one else "", ids, stratum, language)
        token = signed_token(link_key(row.salt), invitation)
        typer.echo(visible(f"{to.rstrip('/')}/?invitation={quote(token)}"))


def bots(
    form: Annotated[
        str, typer.Argument(help="A form file, a built-in form, or the address of a survey.")
    ],
    *,
    count: Annotated[int, typer.Option(min=1, help="How many bots.")] = 10,
    items: Items = None,
    database: Annotated[
        str,
        typer.Option(help="Where to keep their answers (default: nowhere).", metavar="FILE_OR_URL"),
    ] = "",
    encoding: Encoding = "",
) -> None:
    """Try a survey out: bots answer at random through HTTP, as browsers without JavaScript do."""
    from tempfile import TemporaryDirectory

    with needs_web():
        from tiltmeter.survey.store import SurveyStore
        from tiltmeter.survey.web.app import survey_app
        from tiltmeter.survey.web.serving import served
    if form.startswith(("http://", "https://")):
        _let_in(form, count)
        return
    read = read_items(form, items, encoding)
    with TemporaryDirectory() as folder:
        kept = database or str(Path(folder) / "bots.db")
        with SurveyStore(kept) as store:
            app = survey_app(store, open_form(store, read, ""))
            with served(app) as address:
                _let_in(address, count)


def _let_in(address: str, count: int) -> None:
    """Let bots fill in a survey, and say how it went."""
    from collections import Counter

    from tiltmeter.survey.web.bots import visits

    done: Counter[str] = Counter()
    pages = 0
    for visit in visits(address, count):
        done["finished" if visit.code else "nothing"] += 1
        pages += visit.pages
    out.print(f"{done['finished']} of {count} bots reached the completion code ({pages} pages)")
    if done["nothing"]:
        out.print(f"{done['nothing']} found nothing left to answer")


def read_items(form: str, items: Path | None, encoding: str) -> "Form":
    """A form, with the items of a table in place of its own if one is given."""
    from tiltmeter.survey.form_file import read_form
    from tiltmeter.survey.items import with_items

    read = read_form(form, encoding="" if items else encoding)
    return with_items(read, items, encoding=encoding) if items else read


def open_form(store: "SurveyStore", form: "Form", name: str) -> int:
    """Open a study with this form in a database; gives its number."""
    from tiltmeter.survey.studies import open_study

    return store.save(lambda session: open_study(session, form, name=name))


def _shown(database: str) -> str:
    """A database without the password in its address."""
    scheme, sign, rest = database.partition("://")
    return f"{scheme}{sign}{rest.rpartition('@')[2]}" if sign else database


@contextmanager
def needs_web() -> Iterator[None]:
    """Name the extra whose libraries are missing."""
    from tiltmeter.core.errors import MissingExtra

    try:
        yield
    except ModuleNotFoundError:
        raise MissingExtra("tiltmeter survey", "people") from None
