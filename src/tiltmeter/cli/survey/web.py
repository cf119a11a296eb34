"""survey serve, link and bots: a survey in the browser."""

import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tiltmeter.cli.console import err, out
from tiltmeter.cli.heartbeats import heartbeat
from tiltmeter.cli.survey.database import (
    USUAL_DATABASE,
    Database,
    NewStudy,
    ServerOptions,
    StudyName,
    opened_database,
)
from tiltmeter.cli.terminal_monitor import EVERY
from tiltmeter.core.reading.named_values import values_given
from tiltmeter.core.reading.options import Encoding, Option
from tiltmeter.core.text import counted, verb_for

if TYPE_CHECKING:
    from tiltmeter.survey.form import Form
    from tiltmeter.survey.store import SurveyStore

Items = Annotated[Path | None, Option("Table of items, a row each, in place of the form's.")]


def serve(  # noqa: PLR0913 the command line’s own options
    form: Annotated[str, Option(
        "A form file or a built-in form (not needed for leaderboards alone).", argument=True)] = "",
    *,
    items: Items = None,
    study: NewStudy = "",
    server: ServerOptions,
    overlap: Annotated[int, Option(
        "People who get an item before the next one is begun (default: the form's).", min=0)] = 0,
    database: Database = USUAL_DATABASE,
    rate_limit: Annotated[list[str] | None, Option(
        "Tries allowed: account-logins=10, address-logins=30 (wrong passwords in 15 minutes), "
        "new-people=100, wrong-links=30 (from one address in an hour), account-refusals=20, "
        "address-refusals=60 (refused submissions to leaderboards in an hour); 0 for no limit.",
        metavar="NAME=NUMBER")] = None,
    proxy: Annotated[list[str] | None, Option(
        "Reverse proxy whose X-Forwarded-For is trusted (default: on this machine).",
        metavar="ADDRESS")] = None,
    encoding: Encoding = "",
) -> None:  # fmt: skip
    """Show a form to people in their browsers, and store their answers.

    The database's leaderboards are served too, under /board; without a form, they alone.
    """
    from tiltmeter.survey.accounts import accounts
    from tiltmeter.survey.engines import without_password
    from tiltmeter.survey.store import SurveyStore
    from tiltmeter.survey.studies import check_no_other_answers
    from tiltmeter.survey.web.app import survey_app
    from tiltmeter.survey.web.board_pages import board_app
    from tiltmeter.survey.web.limits import limits_given
    from tiltmeter.survey.web.serving import address_of, listening, proxies_given, server_for

    proxies = proxies_given(proxy or ())
    limits = limits_given(values_given("--rate-limit", rate_limit, "NAME=NUMBER", "new-people=500"))
    read = read_items(form, items, encoding) if form else None
    what, shown = "Answers" if read else "Submissions", without_password(database)
    with listening(server.host, server.port) as at, SurveyStore(database) as store:
        if read:
            if not study:
                store.read(check_no_other_answers, read)
            number = open_form(store, read, study)
            app = survey_app(store, number, signed=server.signed, overlap=overlap, limits=limits,
                             kept=database != USUAL_DATABASE)  # fmt: skip
            out.print(f"{study or read.name}: {address_of(at)}/")
            _say_who_shares(read, overlap)
            _say_what_is_unread(read)
            _say_what_is_unwritten(read)
        else:
            _see_boards(store)
            app = board_app(store, limits=limits)
            out.print(f"leaderboards: {address_of(at)}/board")
        err.print(f"{what} are stored in {shown}. Stop with Ctrl+C.", style="dim")
        add = "" if store.read(accounts) else f" (create an account: {_add_account(shown)})"
        pages = "Researchers' pages" if read else "Accounts"
        err.print(f"{pages}: {address_of(at)}/{'admin' if read else 'login'}{add}", style="dim")
        heartbeat.rest()
        with suppress(KeyboardInterrupt, SystemExit):  # the usual way to stop
            server_for(app, proxies).run([at])
    err.print(f"Stopped. All acknowledged {what.lower()} are in {shown}.", style="dim")


def _add_account(database: str) -> str:
    """The command that creates an account in the database that is served.

    >>> _add_account("paid.db")
    'tiltmeter survey account add NAME --role admin --database paid.db'
    >>> _add_account("survey.db")
    'tiltmeter survey account add NAME --role admin'
    """
    where = "" if database == USUAL_DATABASE else f" --database {shlex.quote(database)}"
    return f"tiltmeter survey account add NAME --role admin{where}"


def _say_who_shares(form: "Form", overlap: int) -> None:
    """Warn where the first people will have no item in common, as those of a small pilot."""
    if (apart := form.people_apart) > 1 and overlap < 2:  # noqa: PLR2004
        err.print(
            f"The first {counted(apart, 'people', 'share')} no item, so nothing can be said about "
            "their agreement. "
            "--overlap 2 gives each item to two people before the next one is begun."
        )


def _say_what_is_unread(form: "Form") -> None:
    """Remind of translations that no native speaker has read; people see nothing of it."""
    from tiltmeter.survey.languages.form_languages import unread_note

    if note := unread_note(form):
        err.print(note)


def _say_what_is_unwritten(form: "Form") -> None:
    """Warn of texts with a TODO: people read them as they are."""
    from tiltmeter.survey.consent.board_questions import unwritten

    if todo := unwritten(form):
        err.print(f"People will read texts that are still to be written (TODO): {', '.join(todo)}")


def _see_boards(store: "SurveyStore") -> None:
    from tiltmeter.core.errors import BadInput
    from tiltmeter.survey.boards.store import boards

    if not store.read(boards):
        way_out = "give a form, or make a leaderboard with `tiltmeter survey board create`"
        raise BadInput("there is nothing to serve", way_out)


def link(
    study: StudyName = "",
    *,
    database: Database = "survey.db",
    to: Annotated[str, Option("Where the survey is served.", name="address")] = "http://127.0.0.1:8000",
    person: Annotated[list[str] | None, Option(
        "Id of the person invited; repeat it for more links.", metavar="ID")] = None,
    stratum: Annotated[str, Option("Stratum of these people, for quotas.")] = "",
    language: Annotated[str, Option("Language to start in.")] = "",
) -> None:  # fmt: skip
    """Print signed links, one per person, which nobody can alter or forge."""
    from tiltmeter.core.text import visible
    from tiltmeter.survey.accounts import COMMAND_LINE
    from tiltmeter.survey.studies import study_named, study_row
    from tiltmeter.survey.web.invitations import note_links, signed_links

    with opened_database(database) as store:
        number = store.read(study_named, study)
        row = store.read(study_row, number)
        links = signed_links(row, to, person or [""], stratum=stratum, language=language)
        store.save(note_links, row.name, len(links), actor=COMMAND_LINE)
    for address in links.values():
        typer.echo(visible(address))


def bots(
    form: Annotated[
        str, Option("A form file, a built-in form, or the address of a survey.", argument=True)
    ],
    *,
    count: Annotated[int, Option("How many bots.", min=1)] = 10,
    items: Items = None,
    database: Annotated[
        str, Option("Where to keep their answers (default: nowhere).", metavar="FILE_OR_URL")
    ] = "",
    encoding: Encoding = "",
    really: Annotated[bool, Option(
        "Let bots into a live study too: one that people have begun, whose database was named, or on another "
        "machine.")] = False,
) -> None:  # fmt: skip
    """Try a survey out: bots answer at random through HTTP, as browsers without JavaScript do."""
    from tempfile import TemporaryDirectory

    from tiltmeter.survey.store import SurveyStore
    from tiltmeter.survey.web.app import survey_app
    from tiltmeter.survey.web.serving import served

    if form.startswith(("http://", "https://")):
        _let_in(form, count, really=really)
        return
    read = read_items(form, items, encoding)
    with TemporaryDirectory() as folder:
        kept = database or str(Path(folder) / "bots.db")
        with SurveyStore(kept) as store:
            app = survey_app(store, open_form(store, read, ""))
            with served(app) as address:
                _let_in(address, count, really=really)


def _let_in(address: str, count: int, *, really: bool) -> None:
    """Let bots fill in a survey, and say how it went."""
    from collections import Counter
    from time import monotonic

    from tiltmeter.survey.web.bots import visits

    done: Counter[str] = Counter()
    pages, reported = 0, monotonic()
    for visit in visits(address, count, really=really):
        done[visit.outcome or "full"] += 1
        pages += visit.pages
        if monotonic() - reported > EVERY:
            reported = monotonic()
            err.print(
                f"{done.total():,} of {counted(count, 'bots')} {verb_for(done.total(), 'are')} done"
            )
    finished = f"{done['finished'] or 'none'} finished"
    others = [
        f"{done[name]} {name.replace('_', ' ')}"
        for name in sorted(done.keys() - {"finished", "full"})
    ]
    full = [f"{done['full']} found nothing left to answer"] if done["full"] else []
    shown = ", ".join([finished, *others, *full])
    out.print(f"{counted(count, 'bots')}, {counted(pages, 'pages')}: {shown}")


def read_items(form: str, items: Path | None, encoding: str) -> "Form":
    """A form, with the items of a table in place of its own if one is given."""
    from tiltmeter.survey.form_file import read_form, with_items

    read = read_form(form, encoding="" if items else encoding)
    return with_items(read, items, encoding=encoding) if items else read


def open_form(store: "SurveyStore", form: "Form", name: str) -> int:
    """Open a study with this form in a database; gives its number."""
    from tiltmeter.survey.studies import open_study

    return store.save(open_study, form, name=name)
