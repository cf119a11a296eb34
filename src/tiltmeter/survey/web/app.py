"""The addresses of a survey.

`/` warns and leads to `/screening` and `/consent`; `/work` leads to whatever is next, a screen at
`/page/NAME` or the last page, `/done`. People stop at `/stop`.
Every form is answered with a redirect, after the answers are committed. `/api/answers` takes single
answers from `answers.js` and names those that are committed.
"""

from http import HTTPStatus as Status
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput, StorageError, UnknownName
from tiltmeter.survey import flow
from tiltmeter.survey.assign import ItemOrder
from tiltmeter.survey.consent.consents import last_consent
from tiltmeter.survey.refusals import Refusal
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.web import sessions
from tiltmeter.survey.web.account_pages import (
    STATUSES,
    Access,
    account_problem,
    add_absent_pages,
    add_routes,
    error_sentence,
    is_account_page,
    read,
    to_path,
)
from tiltmeter.survey.web.admin import add_study_pages
from tiltmeter.survey.web.admin_accounts import add_account_administration
from tiltmeter.survey.web.admin_people import add_people_pages
from tiltmeter.survey.web.arrivals import ArrivalPages
from tiltmeter.survey.web.arriving import go_on
from tiltmeter.survey.web.board_pages import add_boards
from tiltmeter.survey.web.consent_text import consent_copy
from tiltmeter.survey.web.guard import guarded
from tiltmeter.survey.web.last_pages import LastPages
from tiltmeter.survey.web.limits import Limits, TooMany
from tiltmeter.survey.web.logins import add_logins
from tiltmeter.survey.web.pages import FormWords
from tiltmeter.survey.web.posted import submit_page
from tiltmeter.survey.web.progress import advance
from tiltmeter.survey.web.single_answers import SentBatch, read_batch, save_batches
from tiltmeter.survey.web.visitors import LiveStudy, NotAllowed


class SurveySite(ArrivalPages, LastPages):
    """The pages and requests of one study, one method an address."""

    async def copy_of_consent(self, request: Request) -> Response:
        """A file with what a person agrees to, or has agreed to in the language of then."""
        visitor = await read(request, self._found, request)
        agreed = await read(request, last_consent, visitor.id) if visitor else None
        language = self._language(request, agreed.language if agreed else "")
        text = consent_copy(FormWords(self.form, language), agreed)
        return HTMLResponse(
            text, headers={"content-disposition": 'attachment; filename="consent.html"'}
        )

    async def instructions(self, request: Request) -> Response:
        """The page that says what to do."""
        visitor, here = await self._here(request)
        if visitor.outcome is not None:
            return to_path("/work")
        return self._page("instructions", visitor.language, path=_path(here.next))

    # ---- Work

    async def work(self, request: Request) -> Response:
        """Lead to what is next."""
        visitor, here = await self._here(request)
        waits = here.at_end or visitor.outcome is not None
        if waits and not await self.store.saved(
            go_on, person=visitor.id, form=self.form, order=self.order
        ):
            return to_path("/done")
        if waits:
            here = await self.store.saved(
                advance, person=visitor.id, form=self.form, order=self.order
            )
        goes_on = here.next is not None and not (here.at_end and not here.has_items)
        return to_path(_path(here.next) if goes_on else "/done")

    async def show_page(self, request: Request, key: str) -> Response:
        """One screen, with the answers that are stored."""
        visitor, here = await self._here(request)
        screen = here.screen(key)
        if screen is None or visitor.outcome is not None:
            return to_path("/work")
        if key in here.submitted and flow.is_final(self.form, screen.page.name):
            return to_path("/work")
        return await self._screen(request, visitor, screen, here)

    async def submit(self, request: Request, key: str) -> Response:
        """Store a page; show it again where something is missing."""
        visitor = await self._known(request)
        fields = await self._fields(request)
        outcome = await self.store.saved(
            submit_page, person=visitor.id, form=self.form, screen=key, fields=fields
        )
        here = outcome.here
        screen = here.screen(key)
        if outcome.has_left:
            return to_path("/done")
        if (outcome.missing or outcome.wrong or outcome.too_few) and screen is not None:
            return await self._screen(
                request, visitor, screen, here, written=outcome.written, missing=outcome.missing,
                wrong=outcome.wrong, too_few=outcome.too_few, status=Status.UNPROCESSABLE_ENTITY,
            )  # fmt: skip
        if screen and screen.assigned and screen.assigned.round == flow.TRAINING:
            return to_path(f"/feedback/{quote(key)}")
        return to_path(
            _path(None if here.at_end else here.next)
        )  # at the end there may be more to give out

    async def feedback(self, request: Request, key: str) -> Response:
        """After a training item: the expected answers, and why."""
        visitor, here = await self._here(request)
        screen = here.screen(key)
        if screen is None or screen.assigned is None or key not in here.submitted:
            return to_path("/work")
        item = screen.assigned.item
        if screen.assigned.round != flow.TRAINING or not (item.expected or item.why):
            return to_path("/work")
        given = flow.context(screen, here.answered)
        right = all(given.get(name) == value for name, value in item.expected.items())
        words = FormWords(self.form, visitor.language)
        return self._page(
            "feedback", visitor.language, right=right, item=item, shown=words.shown(screen, here.order),
            expected=words.expected(screen, here.answered, here.order), practice=words.practice(screen),
        )  # fmt: skip

    async def take_answers(self, request: Request) -> Response:
        """Single answers from `answers.js`; those named in the reply are committed."""
        if not sessions.TAKING_PART.is_ours(request, request.headers.get("x-csrf-token", "")):
            raise NotAllowed
        try:
            batch = read_batch(await request.body())
        except BadInput:
            await self._known(request)  # strangers learn only that they are not let in
            raise
        stored = await self.store.saved_jointly(
            self._save_batches, (sessions.TAKING_PART.token_of(request), batch)
        )
        return JSONResponse({"stored": stored})

    def _save_batches(self, session: Session, sent: list[tuple[str, SentBatch]]) -> list[list[str]]:
        people = sessions.people_of(session, {token for token, _ in sent}, study=self.study)
        if any(token not in people for token, _ in sent):
            raise NotAllowed
        of_people = [(people[token], batch) for token, batch in sent]
        return save_batches(session, of_people, form=self.form)

    # ---- Problems

    async def problem(self, request: Request, error: Exception) -> Response:
        """Why something did not work, as a page or for `answers.js`."""
        if is_account_page(request):
            return await account_problem(request, error)
        known_kinds = STATUSES | {NotAllowed: Status.FORBIDDEN}
        status = known_kinds.get(type(error), Status.BAD_REQUEST)
        language = await self._visitors_language(request)
        words = self._words(language)
        headers = error.headers if isinstance(error, TooMany) else {}
        known = {Status.FORBIDDEN: words["start_again"], Status.SERVICE_UNAVAILABLE: words["later"]}
        text = known.get(status) or words["not_done"]
        if isinstance(error, Refusal):
            text = words[error.word]
        if isinstance(error, TooMany):
            text = words["too_many"].format(n=error.minutes)
        elif request.url.path.startswith("/api/"):  # for programs; people see nothing of it
            text = known.get(status) or error_sentence(error)
        if request.url.path.startswith("/api/"):
            return JSONResponse({"error": text}, status, headers)
        page = self._page("message", language, status=status, heading=words["problem"], text=text)
        page.headers.update(headers)
        return page

    async def keep_out(self, _: Request, error: Exception) -> Response:
        """Why a bot is not let in."""
        return PlainTextResponse(str(error), Status.CONFLICT)

    async def absent(self, request: Request) -> Response:
        """There is no page at this address."""
        language = await self._visitors_language(request)
        words = self._words(language)
        texts = {"heading": words["absent"], "text": words["start_again"]}
        return self._page("message", language, status=Status.NOT_FOUND, **texts)


def _path(screen: flow.Screen | None) -> str:
    return f"/page/{quote(screen.key)}" if screen else "/work"


def survey_app(
    store: SurveyStore,
    study: int,
    *,
    signed: bool = False,
    overlap: int = 0,
    limits: Limits | None = None,
    order: ItemOrder | None = None,
    kept: bool = False,
) -> FastAPI:
    """The web application of one study, with the pages for people who have an account.

    Where it is `signed`, only signed links are let in. An `overlap` takes the place of the form's. An `order`
    decides which item is given next; without one, items are mixed. Where answers are `kept`, in a database
    that somebody named, no bot is let in that only tries a survey out.
    """
    limits = limits or Limits()
    site = SurveySite(
        store, study, limits=limits, signed=signed, overlap=overlap, order=order, kept=kept
    )
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    access: Access = "participant"
    add_routes(app, (
        ("GET", "/", site.welcome, "public"), ("GET", "/consent", site.ask_consent, "public"),
        ("GET", "/consent/copy", site.copy_of_consent, "public"),
        ("POST", "/consent", site.consent, "public"), ("GET", "/instructions", site.instructions, access),
        ("GET", "/work", site.work, access), ("GET", "/page/{key}", site.show_page, access),
        ("POST", "/page/{key}", site.submit, access), ("GET", "/feedback/{key}", site.feedback, access),
        ("POST", "/api/answers", site.take_answers, access), ("GET", "/done", site.done, access),
        ("GET", "/stop", site.ask_stop, access), ("POST", "/stop", site.stop, access),
    ))  # fmt: skip
    if site.form.part("screening"):
        add_routes(app, (
            ("GET", "/screening", site.ask_screening, "public"),
            ("POST", "/screening", site.screen, "public"),
        ))  # fmt: skip
    add_logins(app, store, limits)
    add_study_pages(app, study)
    add_people_pages(app)
    add_account_administration(app)
    add_boards(app, limits)
    for kind in (BadInput, UnknownName, StorageError, NotAllowed, TooMany):
        app.add_exception_handler(kind, site.problem)
    app.add_exception_handler(LiveStudy, site.keep_out)
    add_absent_pages(app, site.absent)
    return guarded(app)
