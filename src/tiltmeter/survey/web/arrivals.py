"""The pages before somebody takes part: the warning, questions that screen people, and the consent.

Whoever would get no item, or has left before, is led to the last page at once, before they read or answer
anything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus as Status
from typing import Any
from urllib.parse import urlencode

from fastapi import Request
from fastapi.responses import Response

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.flow import Screen
from tiltmeter.survey.keys import now
from tiltmeter.survey.leaving import Farewell
from tiltmeter.survey.order.person_order import AS_WRITTEN
from tiltmeter.survey.outcomes import RETURNING, Outcome
from tiltmeter.survey.persons import is_enrolled
from tiltmeter.survey.web import sessions
from tiltmeter.survey.web.account_pages import read, to_path
from tiltmeter.survey.web.arriving import arrive, begin, is_over, leave_at_the_door
from tiltmeter.survey.web.consent_text import study_facts
from tiltmeter.survey.web.invitations import Invitation
from tiltmeter.survey.web.last_pages import LastPages, Leaver
from tiltmeter.survey.web.limits import address_of
from tiltmeter.survey.web.pages import FormWords, screen_view
from tiltmeter.survey.web.posted import asked_questions, read_page
from tiltmeter.survey.web.progress import PersonProgress
from tiltmeter.survey.web.visitors import NotAllowed

ROOM = 1000
"""Milliseconds after which places are counted again: another process may have given them out."""


class ArrivalPages(LastPages):
    """The pages and requests of people who have not agreed to take part yet."""

    async def welcome(self, request: Request) -> Response:
        """What the survey is about, and a warning about its content."""
        bot = await self._is_bot(request)
        invitation = replace(self._invitation(request), bot=bot)
        visitor = await read(request, self._found, request)
        if visitor and self._is_same(visitor, invitation) and visitor.outcome != "full":
            return to_path("/work")  # for who found no place there may be one by now
        language = self._language(request, invitation.language)
        if over := await self._turned_away(request, invitation, language):
            return over
        if not self.form.warning:
            return self._first_step(invitation, language)
        passed, after = self.invitations.passed(invitation), self._first_path(invitation)
        return self._page("welcome", language, passed=passed, path="/", after=after)

    async def ask_screening(self, request: Request) -> Response:
        """The questions that show whether the study is for somebody; nothing of it is stored."""
        invitation = self.invitations.from_form(request.query_params.get("passed", ""))
        language = self._language(request, invitation.language)
        return self._screening(request, invitation, language)

    async def screen(self, request: Request) -> Response:
        """Lead to the consent, or to the last page of people whom the form screens out."""
        fields = await self._fields_or_none(request)
        if fields is None:
            return await self._once_more(request)
        invitation = self.invitations.from_form(str(fields.get("passed", "")))
        language = self._language(request, str(fields.get("lang", "")))
        (page,) = self.form.part("screening")
        posted = read_page(fields, page.questions, at=0)
        asked = asked_questions(*self._screening_screen(), posted)
        missing = [q.name for q in asked if q.required and q.name not in posted.values]
        if missing:
            return self._screening(
                request, invitation, language, written=posted.written, missing=missing
            )
        if any(q.screens_out(posted.values.get(q.name)) for q in asked):
            return await self._leave(request, invitation, language, "screened_out")
        return self._first_step(replace(invitation, screened=True), language)

    async def ask_consent(self, request: Request) -> Response:
        """The text of the consent, with buttons to agree and to decline."""
        passed = request.query_params.get("passed", "")
        invitation = self.invitations.from_form(passed)
        language = self._language(request, invitation.language)
        if self._first_path(invitation) != "/consent":
            return self._first_step(invitation, language)
        if over := await self._turned_away(request, invitation, language):
            return over
        token = await self._own_token(request, invitation)
        csrf = sessions.csrf_token(token)
        facts = study_facts(FormWords(self.form, language))
        response = self._page(
            "consent", language, passed=passed, csrf=csrf, path="/consent", facts=facts
        )
        sessions.TAKING_PART.keep(request, response, token)
        return response

    async def consent(self, request: Request) -> Response:
        """Begin, with a new session; or say goodbye."""
        fields = await self._fields_or_none(request)
        if fields is None:
            return await self._once_more(request)
        language = self._language(request, str(fields.get("lang", "")))
        invitation = self.invitations.from_form(str(fields.get("passed", "")))
        invitation = replace(invitation, bot=await self._is_bot(request))
        if self._first_path(invitation) != "/consent":
            return self._first_step(invitation, language)
        if fields.get("agree") != "yes":
            return await self._leave(request, invitation, language, "declined")
        await self._count_new(request, invitation)
        token = await self.store.saved(
            begin, study=self.study, form=self.form, invitation=invitation, language=language,
            linked=fields.get("linked") == "yes", old_token=sessions.TAKING_PART.token_of(request),
            order=self.order,
        )  # fmt: skip
        response = to_path("/instructions" if self.form.instructions else "/work")
        sessions.TAKING_PART.keep(request, response, token)
        return response

    # ---- Steps

    async def _fields_or_none(self, request: Request) -> Any:
        """What a form of ours sent; None where the session has changed since the page was shown."""
        try:
            return await self._fields(request)
        except NotAllowed:
            return None

    async def _once_more(self, request: Request) -> Response:
        """Where somebody is now who went back to an earlier page, or whose reply was lost, and sent it again.

        Raises:
            NotAllowed: The form is none of ours.
        """
        passed = str((await request.form(max_files=0, max_fields=1000)).get("passed", ""))
        try:
            self.invitations.from_form(passed)
        except BadInput:
            raise NotAllowed from None
        return to_path(f"/?{urlencode({'passed': passed})}")

    def _first_path(self, invitation: Invitation) -> str:
        """Where somebody is led after the warning."""
        screens = self.form.part("screening") and not invitation.screened
        return "/screening" if screens else "/consent"

    def _first_step(self, invitation: Invitation, language: str) -> Response:
        query = {"lang": language, "passed": self.invitations.passed(invitation)}
        return to_path(f"{self._first_path(invitation)}?{urlencode(query)}")

    def _screening_screen(self) -> tuple[Screen, PersonProgress]:
        """The page of questions that screen people, and where they are: nothing is answered."""
        screen = Screen(self.form.part("screening")[0])
        return screen, PersonProgress((screen,), {}, {}, frozenset(), screen, AS_WRITTEN)

    def _screening(
        self,
        request: Request,
        invitation: Invitation,
        language: str,
        *,
        written: Mapping[str, object] | None = None,
        missing: Sequence[str] = (),
    ) -> Response:
        screen, here = self._screening_screen()
        token = sessions.TAKING_PART.token_of(request) or sessions.new_token()
        view = screen_view(
            screen, here, FormWords(self.form, language), written=written, missing=missing
        )
        response = self._page(
            "screening", language, status=Status.UNPROCESSABLE_ENTITY if missing else Status.OK,
            screen=view, incomplete=bool(missing), too_few=0, csrf=sessions.csrf_token(token),
            passed=self.invitations.passed(invitation), path="/screening",
        )  # fmt: skip
        sessions.TAKING_PART.keep(request, response, token)
        return response

    async def _own_token(self, request: Request, invitation: Invitation) -> str:
        """The token of the browser, or a new one where it stands for somebody else."""
        token = sessions.TAKING_PART.token_of(request)
        visitor = await read(request, self._found, request)
        if token and (visitor is None or self._is_same(visitor, invitation)):
            return token
        nameless = not any(invitation.ids.values())
        if visitor and nameless and visitor.outcome in RETURNING:
            return token  # so that they can change their mind
        return sessions.new_token()

    # ---- People who leave before they have begun

    async def _turned_away(
        self, request: Request, invitation: Invitation, language: str
    ) -> Response | None:
        """The way to the last page for people who have left before, or for whom there is no item."""
        # Counting places costs more than all else here, and many come at once: it holds until a commit.
        counted, asked = (self.store.commits, now() // ROOM), (invitation.stratum, invitation.bot)
        if not await read(
            request, is_over, study=self.study, form=self.form, invitation=invitation,
            order=self.order, room=self._room.get(asked) == counted,
        ):  # fmt: skip
            self._room[asked] = counted
            return None
        if not any(invitation.ids.values()):  # nobody to remember, and nobody to pay
            outcomes = self.form.outcomes
            code = outcomes.full.code if outcomes.full else ""
            url = outcomes.address("full", code=code, platform_id="") if code else ""
            shown = Farewell("full", code, url)
            return self._last_page(request, Leaver(shown, language, invitation))
        await self._count_new(request, invitation)
        token = await self.store.saved(
            arrive, study=self.study, form=self.form, invitation=invitation, language=language,
            old_token=sessions.TAKING_PART.token_of(request), order=self.order,
        )  # fmt: skip
        return self._to_last_page(request, token) if token else None

    async def _leave(
        self, request: Request, invitation: Invitation, language: str, outcome: Outcome
    ) -> Response:
        await self._count_new(request, invitation)
        token = await self.store.saved(
            leave_at_the_door, study=self.study, invitation=invitation, language=language,
            outcome=outcome, old_token=sessions.TAKING_PART.token_of(request),
        )  # fmt: skip
        # who had agreed before, in another browser, decides there what becomes of the answers
        return self._to_last_page(request, token, "/stop" if outcome == "declined" else "/done")

    def _to_last_page(self, request: Request, token: str, path: str = "/done") -> Response:
        response = to_path(path)
        sessions.TAKING_PART.keep(request, response, token)
        return response

    async def _count_new(self, request: Request, invitation: Invitation) -> None:
        """Count somebody who comes for the first time from an address."""
        if not await read(
            request, is_enrolled, study=self.study, platform=invitation.platform,
            ids=invitation.ids, bot=invitation.bot,
        ):  # fmt: skip
            self.new_people.take(address_of(request))
