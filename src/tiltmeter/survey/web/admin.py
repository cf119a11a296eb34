"""The researchers' pages: studies, their exports and links, closing them and erasing platform ids."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from fastapi import FastAPI, Request
from fastapi.responses import Response
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.survey.answer_quotas import answer_cells
from tiltmeter.survey.collected import Collected, collect
from tiltmeter.survey.formats.answer_files import FORMATS, export_files, note_export, zipped
from tiltmeter.survey.formats.cells import as_csv
from tiltmeter.survey.languages.form_languages import unread_note
from tiltmeter.survey.leaving import time_out_people
from tiltmeter.survey.marking import marked
from tiltmeter.survey.outcomes import words_of
from tiltmeter.survey.participants.pay import pay_report
from tiltmeter.survey.places import filled_places
from tiltmeter.survey.schema import StudyRow
from tiltmeter.survey.statements.statement import data_statement, datasheet
from tiltmeter.survey.studies import (
    close_study,
    erase_identities,
    reopen_study,
    study_names,
    study_row,
    study_status,
)
from tiltmeter.survey.web.account_pages import (
    Access,
    account_page,
    add_routes,
    download,
    posted_fields,
    read,
    save_as_actor,
    store_of,
    to_path,
)
from tiltmeter.survey.web.invitations import note_links, signed_links
from tiltmeter.survey.web.pages import offered_languages

HOME = "/admin"
DOCUMENTS = {"data-statement": data_statement, "datasheet": datasheet}
_NO_FILE_NAME = re.compile(r"[^A-Za-z0-9_-]+")


class StudyPages:
    """What the addresses of studies answer."""

    def __init__(self, served: int) -> None:
        """`served` is the number of the study that people are shown by the same server."""
        self.served = served

    async def studies(self, request: Request) -> Response:
        """All studies in the database."""

        def found(session: Session) -> list[tuple[int, object]]:
            return [(number, study_status(session, number)) for number in study_names(session)]

        studies = await read(request, found)
        return await account_page(request, "admin_studies", "Studies", studies=studies)

    async def study(self, request: Request, number: int) -> Response:
        """One study: people, places, checks, pay, and what can be done with it."""
        row = await study_shown(request, number)
        collected = await marked_study(request, number)
        places = await read(request, filled_places, study=number)
        strata = {name for place in places for name in (*place.done, *place.working)}
        sampling = collected.form.sampling
        address = str(request.base_url).rstrip("/") if number == self.served else ""
        return await account_page(
            request, "admin_study", row.name, number=number, form=collected.form, places=places,
            status=await read(request, study_status, study=number),
            short=sum(place.is_short(sampling) for place in places),
            strata=[*sampling.quotas, *sorted(strata - {*sampling.quotas})],
            cells=await read(request, answer_cells, study=number, form=collected.form),
            counts=collected.check_counts(), formats=FORMATS,
            pay=pay_report(collected) if collected.form.pay else None, words_of=words_of,
            has_key=bool(row.salt), address=address, offered=offered_languages(collected.form),
            unread=unread_note(collected.form),
            say=partial(collected.form.say, language="en"),
        )  # fmt: skip

    async def export(self, request: Request, number: int) -> Response:
        """The files of `survey export` in a zip archive."""
        fields = await posted_fields(request)
        row = await study_shown(request, number)
        collected = await marked_study(request, number)
        kind, folder = str(fields.get("format", "csv")), file_name(row)
        exact = fields.get("exact_times") == "yes"
        files = await run_in_threadpool(export_files, collected, kind, exact_times=exact)
        await save_as_actor(request, note_export, study=row.name, kind=kind)
        packed = await run_in_threadpool(zipped, files, folder)
        return download(packed, f"{folder}.zip", "application/zip")

    async def document(self, request: Request, number: int, name: str) -> Response:
        """Data statement or datasheet as Markdown."""
        row = await study_shown(request, number)
        if name not in DOCUMENTS:
            raise BadInput(f"there is no document {name!r}", "go back to the study")
        text = DOCUMENTS[name](await marked_study(request, number))
        return download(text, f"{file_name(row)}-{name}.md", "text/markdown")

    async def links(self, request: Request, number: int) -> Response:
        """Signed links for a list of ids, as a page or as a table to download."""
        fields = await posted_fields(request)
        row = await study_shown(request, number)
        people = [line.strip() for line in str(fields.get("people", "")).splitlines()]
        if not any(people):
            raise BadInput("no ids are given", "write one in each line")
        made = signed_links(
            row, str(fields.get("address", "")), filter(None, people),
            stratum=str(fields.get("stratum", "")), language=str(fields.get("language", "")),
        )  # fmt: skip
        await save_as_actor(request, note_links, study=row.name, count=len(made))
        if fields.get("as") == "csv":
            rows = [{"id": person, "link": link} for person, link in made.items()]
            table = as_csv(("id", "link"), rows)
            return download(table, f"{file_name(row)}-links.csv", "text/csv")
        return await account_page(
            request, "admin_links", f"Links to {row.name}", links=made, number=number
        )

    async def close(self, request: Request, number: int) -> Response:
        """Close a study to new people."""
        return await self._change(request, number, close_study)

    async def reopen(self, request: Request, number: int) -> Response:
        """Open a closed study again."""
        return await self._change(request, number, reopen_study)

    async def ask_erase(self, request: Request, number: int) -> Response:
        """Whether the platform ids are really to be erased."""
        row = await study_shown(request, number)
        status = await read(request, study_status, study=number)
        return await account_page(
            request, "admin_erase", "Erase platform ids", name=row.name, number=number,
            status=status,
        )  # fmt: skip

    async def erase(self, request: Request, number: int) -> Response:
        """Erase the platform ids, if the study's name was typed."""
        fields = await posted_fields(request)
        row = await study_shown(request, number)
        if str(fields.get("name", "")).strip() != row.name:
            raise BadInput("the name of the study is another one", "type it as it is shown")
        await save_as_actor(request, erase_identities, study=number)
        with suppress(StorageError):
            await run_in_threadpool(store_of(request).scrub)
        return to_path(f"{HOME}/studies/{number}")

    async def _change(self, request: Request, number: int, change: Callable[..., None]) -> Response:
        await posted_fields(request)
        await study_shown(request, number)
        await save_as_actor(request, change, study=number)
        return to_path(f"{HOME}/studies/{number}")


async def study_shown(request: Request, number: int) -> StudyRow:
    """The study that a page is about.

    Raises:
        BadInput: There is none with this number.
    """
    return await read(request, study_row, study=number)


async def marked_study(request: Request, number: int) -> Collected:
    """The study with the marks that the checks find now."""
    await store_of(request).saved(time_out_people, number)
    return await read(request, lambda session: marked(collect(session, number)))


def file_name(row: StudyRow) -> str:
    """A name for files of a study, whatever characters the study's has."""
    return _NO_FILE_NAME.sub("-", row.name).strip("-") or f"study-{row.id}"


def add_study_pages(app: FastAPI, served: int) -> None:
    """Add the researchers' pages about studies; `add_logins` comes first."""
    pages = StudyPages(served)
    study = f"{HOME}/studies/{{number:int}}"
    needs: Access = "researcher"
    add_routes(app, (
        ("GET", HOME, pages.studies, needs), ("GET", study, pages.study, needs),
        ("POST", f"{study}/export", pages.export, needs),
        ("GET", f"{study}/documents/{{name}}", pages.document, needs),
        ("POST", f"{study}/links", pages.links, needs),
        ("POST", f"{study}/close", pages.close, needs),
        ("POST", f"{study}/reopen", pages.reopen, needs),
        ("GET", f"{study}/erase", pages.ask_erase, "admin"),
        ("POST", f"{study}/erase", pages.erase, "admin"),
    ))  # fmt: skip
