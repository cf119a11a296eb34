"""The pages with which people leave: the end with the code, and the two ways to stop before."""

from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import Response
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from tiltmeter.core.errors import StorageError
from tiltmeter.survey.leaving import Farewell, farewell, finish, leave
from tiltmeter.survey.persons import platform_of, withdraw
from tiltmeter.survey.schema import Person
from tiltmeter.survey.web import sessions
from tiltmeter.survey.web.account_pages import read, to_path
from tiltmeter.survey.web.invitations import Invitation
from tiltmeter.survey.web.progress import advance
from tiltmeter.survey.web.visitors import SurveyPages


@dataclass(frozen=True, slots=True)
class Leaver:
    """Somebody who has left, as the last page shows it."""

    farewell: Farewell
    language: str
    invitation: Invitation
    """With which they may come again."""
    has_id: bool = False
    """Whether the platform's id is stored."""
    has_answers: bool = False
    """Whether answers may be stored."""
    apart: bool = False
    """Whether what they said about themselves is stored apart, and stays."""


class LastPages(SurveyPages):
    """The last page of each outcome, and the page from which people stop."""

    async def done(self, request: Request) -> Response:
        """The last page with its code, once the database holds every answer."""
        visitor, here = await self._here(request)
        if visitor.outcome is None:
            if here.at_end and not here.has_items:
                here = await self.store.saved(
                    advance, person=visitor.id, form=self.form, order=self.order
                )
                if here.has_items:
                    return to_path("/work")
                await self.store.saved(leave, person=visitor.id, outcome="full")
            elif here.next is None:
                await self.store.saved(finish, person=visitor.id, form=self.form)
            else:
                return to_path("/work")
        leaver = await read(request, self._leaver, visitor.id)
        return self._last_page(request, leaver)

    async def ask_stop(self, request: Request) -> Response:
        """The two ways to stop: the answers are kept, or erased."""
        visitor = await self._known(request)
        if visitor.outcome not in {None, "timed_out"}:
            return to_path("/done")
        csrf = sessions.csrf_token(sessions.TAKING_PART.token_of(request))
        about = await read(request, lambda s: s.get_one(Person, visitor.id))
        has_id = bool((await read(request, platform_of, visitor.id))[1])
        return self._page(
            "stop", visitor.language, csrf=csrf, apart=_is_apart(about, self.form.demographics.linked),
            has_id=has_id, pays=self.form.outcomes.pays,
        )  # fmt: skip

    async def stop(self, request: Request) -> Response:
        """Note that a person stops, and erase their answers if they wish."""
        visitor = await self._known(request)
        fields = await self._fields(request)
        if visitor.outcome not in {None, "timed_out"}:
            return to_path("/done")
        if fields.get("how") == "keep":
            await self.store.saved(leave, person=visitor.id, outcome="stopped")
            return to_path("/done")
        leaver = await self.store.saved(self._withdrawn, visitor.id, visitor.language)
        with suppress(StorageError):
            await run_in_threadpool(self.store.scrub)
        return self._last_page(request, leaver)

    def _withdrawn(self, session: Session, person: str, language: str) -> Leaver:
        apart = _is_apart(session.get_one(Person, person), self.form.demographics.linked)
        left = withdraw(session, person=person)
        session.flush()
        return self._leaver(session, left.person, language=language, apart=apart)

    def _leaver(
        self, session: Session, person: str, *, language: str = "", apart: bool = False
    ) -> Leaver:
        row = session.get_one(Person, person)
        shown = farewell(session, person=person, form=self.form)
        assert shown is not None  # noqa: S101 it was just decided
        platform, ids = platform_of(session, person)
        again = Invitation(
            self.invitations.study, platform, ids, row.stratum, row.language, row.bot, screened=True
        )
        return Leaver(
            shown, language or row.language, again, has_id=bool(ids),
            has_answers=row.consented is not None, apart=apart,
        )  # fmt: skip

    def _last_page(self, request: Request, leaver: Leaver) -> Response:
        language = self._language(request, leaver.language)
        back = ""
        if leaver.farewell.outcome == "declined":
            passed = self.invitations.passed(leaver.invitation)
            back = f"/consent?{urlencode({'lang': language, 'passed': passed})}"
        elif leaver.farewell.outcome == "timed_out":
            back = "/work"
        page = self.form.outcomes.page(leaver.farewell.outcome)
        return self._page(
            "done", language, text=page.text if page else {}, leaver=leaver, back=back,
        )  # fmt: skip


def _is_apart(person: Person, linked: bool) -> bool:  # noqa: FBT001
    """Whether what a person said about themselves is stored where nobody finds it."""
    return person.demographics and not (linked and person.linked)
