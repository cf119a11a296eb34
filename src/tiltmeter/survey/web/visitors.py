"""Who makes a request, and the pages that they are shown: what all addresses of a survey need."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus as Status
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.survey import flow
from tiltmeter.survey.assign import ItemOrder
from tiltmeter.survey.bot_persons import has_people
from tiltmeter.survey.form import DEMOGRAPHICS_PAGE, Form
from tiltmeter.survey.languages.language_codes import (
    accepted_languages,
    chosen_language,
    normal_code,
)
from tiltmeter.survey.persons import Respondent, pseudonym
from tiltmeter.survey.schema import StudyRow
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.studies import form_of_study
from tiltmeter.survey.web import bots, sessions
from tiltmeter.survey.web.account_pages import read
from tiltmeter.survey.web.invitations import Invitation, Invitations
from tiltmeter.survey.web.limits import HOUR, Limits, RateLimit, address_of
from tiltmeter.survey.web.pages import FormWords, screen_view
from tiltmeter.survey.web.posted import is_linked
from tiltmeter.survey.web.progress import PersonProgress, progress


class NotAllowed(Exception):
    """A request without a session, or that none of our pages made."""


class LiveStudy(Exception):
    """A bot that only tries a survey out came to a study of people; the message says how that is known."""


class SurveyPages:
    """The pages of one study."""

    def __init__(
        self,
        store: SurveyStore,
        study: int,
        *,
        limits: Limits,
        signed: bool = False,
        overlap: int = 0,
        order: ItemOrder | None = None,
        kept: bool = False,
    ) -> None:
        """Read the study of this number; the options are those of `survey_app`."""
        self.store = store
        self.order = order
        self.study = study
        self.kept = kept
        self._room: dict[tuple[str, bool], tuple[int, int]] = {}
        """When there was an item last, by stratum and for bots: the store's commits, and the second."""
        self.form: Form = store.read(form_of_study, study)
        sampling = self.form.sampling
        sampling = replace(sampling, overlap=overlap or sampling.overlap)
        sampling = replace(sampling, each=order.each if order else sampling.each)
        self.form = replace(self.form, sampling=sampling)
        row = store.read(lambda session: session.get_one(StudyRow, study))
        self.invitations = Invitations(row.name, row.salt, signed=signed)
        self.new_people = RateLimit(limits.new_people, HOUR)
        self._wrong_links = RateLimit(limits.wrong_links, HOUR)

    def _invitation(self, request: Request) -> Invitation:
        """Who the address invites; links that are not valid are counted."""
        address = address_of(request)
        self._wrong_links.check(address)
        try:
            return self.invitations.from_address(request.query_params)
        except BadInput:
            self._wrong_links.take(address)
            raise

    def _found(self, session: Session, request: Request) -> Respondent | None:
        """Who makes a request, if the browser is known; in a transaction of the caller."""
        token = sessions.TAKING_PART.token_of(request)
        return sessions.people_of(session, {token}, study=self.study).get(token) if token else None

    def _visiting(self, session: Session, request: Request) -> Respondent:
        """Who makes a request that only people who have agreed may make."""
        visitor = self._found(session, request)
        if visitor is None:
            raise NotAllowed
        return visitor

    async def _known(self, request: Request) -> Respondent:
        return await read(request, self._visiting, request)

    async def _here(self, request: Request) -> tuple[Respondent, PersonProgress]:
        """Who makes a request, and where they are."""

        def placed(session: Session) -> tuple[Respondent, PersonProgress]:
            visitor = self._visiting(session, request)
            return visitor, progress(session, person=visitor.id, form=self.form)

        return await read(request, placed)

    async def _fields(self, request: Request) -> Any:
        fields = await request.form(max_files=0, max_fields=1000)
        if not sessions.TAKING_PART.is_ours(request, str(fields.get("csrf", ""))):
            raise NotAllowed
        return fields

    async def _is_bot(self, request: Request) -> bool:
        """Whether a bot makes a request.

        Raises:
            LiveStudy: People take part, or their answers are kept, and the bot was not sent in spite of that.
        """
        sent = request.headers.get(bots.HEADER, "")
        if not sent or sent == bots.REALLY:
            return bool(sent)
        if await read(request, has_people, self.study):
            raise LiveStudy("people have begun it")
        if self.kept:
            raise LiveStudy("its answers are kept in a database that was named")
        return True

    def _is_same(self, visitor: Respondent, invitation: Invitation) -> bool:
        """Whether a link is for who uses the browser, or for anybody while they are under way."""
        raw = next(iter(invitation.ids.values()), "")
        if not raw:
            return visitor.outcome in {None, "timed_out"}
        salt, platform = self.invitations.salt, invitation.platform
        return visitor.pseudonym == pseudonym(salt, platform, raw, bot=invitation.bot)

    def _language(self, request: Request, wanted: str) -> str:
        """The language for somebody who has not begun: as the address says, else as the browser asks."""
        named = (request.query_params.get("lang", ""), wanted)
        accepted = accepted_languages(request.headers.get("accept-language", ""))
        every = [normal_code(code) for code in (*named, *accepted) if code]
        return chosen_language(every, self.form.languages)

    async def _visitors_language(self, request: Request) -> str:
        """The language in which somebody takes part; for others, what the browser asks for."""
        with suppress(StorageError):
            if visitor := await read(request, self._found, request):
                return visitor.language
        return self._language(request, "")

    def _words(self, language: str) -> Mapping[str, str]:
        """What buttons and notes say in a language."""
        return FormWords(self.form, language).words

    def _page(self, template: str, language: str, *, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(FormWords(self.form, language).page(template, **values), status)

    async def _screen(
        self,
        request: Request,
        visitor: Respondent,
        screen: flow.Screen,
        here: PersonProgress,
        *,
        status: int = 200,
        too_few: int = 0,
        **shown: Any,
    ) -> Response:
        token = sessions.TAKING_PART.token_of(request)
        apart = screen.page.name == DEMOGRAPHICS_PAGE and not await read(
            request, is_linked, visitor.id, self.form
        )
        view = screen_view(screen, here, FormWords(self.form, visitor.language), **shown)
        return self._page(
            "page", visitor.language, status=status, screen=view, apart=apart,
            incomplete=status == Status.UNPROCESSABLE_ENTITY, too_few=too_few,
            csrf=sessions.csrf_token(token), queue=sessions.queue_name(token),
        )  # fmt: skip
