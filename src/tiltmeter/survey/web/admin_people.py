"""The page of a study's people, for researchers; ids of platforms, lists and erasing, for administrators.

Ids of platforms are in answers to POST requests only, and each is noted in the audit log.
"""

from contextlib import suppress

from fastapi import FastAPI, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.survey.formats.answer_files import zipped
from tiltmeter.survey.outcomes import words_of
from tiltmeter.survey.participants.erasing import erase_people, people_with_id
from tiltmeter.survey.participants.listing import (
    ListedPeople,
    list_people,
    note_listing,
    people_csv,
)
from tiltmeter.survey.participants.pay import check_marks, pay_report
from tiltmeter.survey.participants.payment_lists import payment_lists, plan_payments
from tiltmeter.survey.schema import StudyRow
from tiltmeter.survey.web.account_pages import (
    account_page,
    add_routes,
    download,
    error_sentence,
    posted_fields,
    read,
    save_as_actor,
    store_of,
    to_path,
)
from tiltmeter.survey.web.admin import HOME, file_name, marked_study, study_shown


class PeoplePages:
    """What the addresses of a study's people answer."""

    async def people(self, request: Request, number: int) -> Response:
        """Everybody by random id."""
        return await self._page(request, number)

    async def with_ids(self, request: Request, number: int) -> Response:
        """Everybody with their ids on the platform."""
        await posted_fields(request)
        return await self._page(request, number, ids=True)

    async def _page(
        self, request: Request, number: int, *, ids: bool = False, problem: str = ""
    ) -> Response:
        row = await study_shown(request, number)
        collected = await marked_study(request, number)
        listed = await read(request, list_people, collected, ids=ids)
        if ids:
            await save_as_actor(request, note_listing, listed=listed, what="page")
        return await account_page(
            request, "admin_people", f"People of {row.name}", number=number, listed=listed, ids=ids,
            marks=sorted({mark for person in listed.people for mark in person.marks}),
            pay=pay_report(collected) if collected.form.pay else None, words_of=words_of,
            problem=problem,
        )  # fmt: skip

    async def table(self, request: Request, number: int) -> Response:
        """The table without platform ids, to download."""
        row, listed = await self._listed(request, number, ids=False)
        return download(people_csv(listed), f"{file_name(row)}-people.csv", "text/csv")

    async def table_with_ids(self, request: Request, number: int) -> Response:
        """The table of people with their platform ids."""
        await posted_fields(request)
        row, listed = await self._listed(request, number, ids=True)
        await save_as_actor(request, note_listing, listed=listed, what="download")
        return download(people_csv(listed), f"{file_name(row)}-people-ids.csv", "text/csv")

    async def _listed(
        self, request: Request, number: int, *, ids: bool
    ) -> tuple[StudyRow, ListedPeople]:
        row = await study_shown(request, number)
        collected = await marked_study(request, number)
        return row, await read(request, list_people, collected, ids=ids)

    async def lists(self, request: Request, number: int) -> Response:
        """Lists for the panel, in a zip archive."""
        fields = await posted_fields(request)
        row = await study_shown(request, number)
        collected = await marked_study(request, number)
        marks = [str(mark) for mark in fields.getlist("propose")]
        check_marks(collected, marks)
        report = pay_report(collected)
        listed = await read(request, list_people, collected, ids=True, report=report)
        plan = plan_payments(listed, reward=report.reward, reject_marks=marks)
        files = {each.name: each.text for each in payment_lists(listed, plan)}
        if not files:
            raise BadInput("nobody with an id of a platform is owed anything", "see the table")
        await save_as_actor(request, note_listing, listed=listed, what="lists")
        folder = f"{file_name(row)}-lists"
        return download(zipped(files, folder), f"{folder}.zip", "application/zip")

    async def erase(self, request: Request, number: int) -> Response:
        """Erase one person, by the id on the platform or the random one, if the box is ticked."""
        fields = await posted_fields(request)
        await study_shown(request, number)
        given = str(fields.get("id", "")).strip()
        is_random = fields.get("kind") == "random"
        if fields.get("sure") != "yes":
            return await self._page(
                request, number, problem="Nothing was erased: tick the box first."
            )
        try:
            found = await read(
                request, people_with_id, study=number, person=given if is_random else "",
                platform_id="" if is_random else given,
            )  # fmt: skip
        except BadInput as error:
            return await self._page(request, number, problem=error_sentence(error))
        await save_as_actor(request, erase_people, people=found)
        with suppress(StorageError):
            await run_in_threadpool(store_of(request).scrub)
        return to_path(f"{HOME}/studies/{number}/people")


def add_people_pages(app: FastAPI) -> None:
    """Add the pages about people; `add_logins` comes first."""
    pages = PeoplePages()
    people = f"{HOME}/studies/{{number:int}}/people"
    add_routes(app, (
        ("GET", people, pages.people, "researcher"), ("POST", people, pages.with_ids, "admin"),
        ("GET", f"{people}/table", pages.table, "researcher"),
        ("POST", f"{people}/table", pages.table_with_ids, "admin"),
        ("POST", f"{people}/lists", pages.lists, "admin"),
        ("POST", f"{people}/erase", pages.erase, "admin"),
    ))  # fmt: skip
