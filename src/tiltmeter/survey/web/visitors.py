"""Who makes a request, and the pages that they are shown: what all addresses of a survey need."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from tiltmeter.survey import flow
from tiltmeter.survey.assign import ItemOrder
from tiltmeter.survey.form import DEMOGRAPHICS_PAGE, Form
from tiltmeter.survey.persons import pseudonym
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.studies import form_of_study
from tiltmeter.survey.tables import StudyRow
from tiltmeter.survey.web import sessions
from tiltmeter.survey.web.invitations import Invitations
from tiltmeter.survey.web.pages import rendered, screen_view
from tiltmeter.survey.web.posted import is_linked
from tiltmeter.survey.web.progress import PersonProgress

T = TypeVar("T")
INCOMPLETE = 422


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who makes a request."""

    person: str
    pseudonym: str
    language: str
    state: str


class NotAllowed(Exception):
    """A request without a session, or that none of our pages made."""


class SurveyPages:
    """The pages of one study."""

    def __init__(
        self,
        store: SurveyStore,
        study: int,
        *,
        signed: bool = False,
        order: ItemOrder | None = None,
    ) -> None:
        """Prepare the pages.

        Args:
            store: With the study.
            study: Its number.
            signed: Whether only signed links are let in.
            order: What decides which item is given next; by default items are mixed.
        """
        self.store = store
        self.order = order
        self.study = study
        self.form: Form = store.read(lambda session: form_of_study(session, study))
        row = store.read(lambda session: session.get_one(StudyRow, study))
        self.invitations = Invitations(row.name, row.salt, signed=signed)

    async def _read(self, operation: Callable[[Session], T]) -> T:
        return await run_in_threadpool(self.store.read, operation)

    async def _visitor(self, request: Request) -> Visitor | None:
        token = sessions.token_of(request)

        def found(session: Session) -> Visitor | None:
            row = sessions.person_of(session, token=token, study=self.study)
            return Visitor(row.id, row.pseudonym, row.language, row.state) if row else None

        return await self._read(found) if token else None

    async def _known(self, request: Request) -> Visitor:
        visitor = await self._visitor(request)
        if visitor is None:
            raise NotAllowed
        return visitor

    async def _fields(self, request: Request) -> Any:
        fields = await request.form(max_files=0, max_fields=1000)
        if not sessions.is_ours(request, str(fields.get("csrf", ""))):
            raise NotAllowed
        return fields

    def _is_same(self, visitor: Visitor, platform: str, raw: str) -> bool:
        return not raw or visitor.pseudonym == pseudonym(self.invitations.salt, platform, raw)

    def _language(self, request: Request, wanted: str) -> str:
        accepted = request.headers.get("accept-language", "").split(",")
        every = (
            request.query_params.get("lang", ""),
            wanted,
            *(one[:2].lower() for one in accepted),
        )
        return next((one for one in every if one in self.form.languages), self.form.languages[0])

    def _page(self, template: str, language: str, *, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(rendered(template, self.form, language, **values), status)

    async def _screen(
        self,
        request: Request,
        visitor: Visitor,
        screen: flow.Screen,
        here: PersonProgress,
        *,
        status: int = 200,
        too_few: int = 0,
        **shown: Any,
    ) -> Response:
        token = sessions.token_of(request)
        apart = screen.page.name == DEMOGRAPHICS_PAGE and not await self._read(
            lambda session: is_linked(session, visitor.person, self.form)
        )
        view = screen_view(screen, here, self.form, visitor.language, **shown)
        return self._page(
            "page", visitor.language, status=status, screen=view, apart=apart,
            incomplete=status == INCOMPLETE, too_few=too_few, csrf=sessions.csrf_token(token),
            queue=sessions.queue_name(token),
        )  # fmt: skip
