"""The addresses of a survey.

`/` warns and leads to `/consent`; `/work` leads to whatever is next, a screen at `/page/NAME` or `/done`.
Every form is answered with a redirect, after the answers are committed. `/api/answers` takes single
answers from `answers.js` and names those that are committed.
"""

from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus as Status
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from tiltmeter.core.errors import BadInput, StorageError, UnknownName
from tiltmeter.survey import flow
from tiltmeter.survey.answers import finish
from tiltmeter.survey.assign import ItemOrder
from tiltmeter.survey.consent.consents import last_consent
from tiltmeter.survey.persons import is_enrolled, platform_ids, withdraw
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
from tiltmeter.survey.web.board_pages import add_boards
from tiltmeter.survey.web.consent_text import consent_copy, study_facts
from tiltmeter.survey.web.guard import guarded
from tiltmeter.survey.web.limits import Limits, TooMany, address_of
from tiltmeter.survey.web.logins import add_logins
from tiltmeter.survey.web.pages import FormWords
from tiltmeter.survey.web.posted import submit_page
from tiltmeter.survey.web.progress import advance, begin
from tiltmeter.survey.web.single_answers import SentBatch, read_batch, save_batches
from tiltmeter.survey.web.visitors import LiveStudy, NotAllowed, SurveyPages


class SurveySite(SurveyPages):
    """The pages and requests of one study, one method an address."""

    # ---- Before consent

    async def welcome(self, request: Request) -> Response:
        """What the survey is about, and a warning about its content."""
        await self._is_bot(request)
        invitation = self._invitation(request)
        visitor = await read(request, self._found, request)
        if visitor and self._is_same(
            visitor, invitation.platform, next(iter(invitation.ids.values()), "")
        ):
            return to_path("/work")
        language = self._language(request, invitation.language)
        passed = self.invitations.passed(invitation)
        if not self.form.warning:
            return to_path(f"/consent?lang={language}&passed={quote(passed)}")
        return self._page("welcome", language, passed=passed, path="/")

    async def ask_consent(self, request: Request) -> Response:
        """The text of the consent, with buttons to agree and to decline."""
        passed = request.query_params.get("passed", "")
        invitation = self.invitations.from_form(passed)
        language = self._language(request, invitation.language)
        token = sessions.TAKING_PART.token_of(request) or sessions.new_token()
        csrf = sessions.csrf_token(token)
        facts = study_facts(FormWords(self.form, language))
        response = self._page(
            "consent", language, passed=passed, csrf=csrf, path="/consent", facts=facts
        )
        sessions.TAKING_PART.keep(request, response, token)
        return response

    async def copy_of_consent(self, request: Request) -> Response:
        """A file with what a person agrees to, or has agreed to in the language of then."""
        visitor = await read(request, self._found, request)
        agreed = await read(request, last_consent, visitor.id) if visitor else None
        language = self._language(request, agreed.language if agreed else "")
        text = consent_copy(FormWords(self.form, language), agreed)
        return HTMLResponse(
            text, headers={"content-disposition": 'attachment; filename="consent.html"'}
        )

    async def consent(self, request: Request) -> Response:
        """Begin, with a new session; or say goodbye."""
        fields = await self._fields(request)
        language = self._language(request, str(fields.get("lang", "")))
        invitation = self.invitations.from_form(str(fields.get("passed", "")))
        invitation = replace(invitation, bot=await self._is_bot(request))
        if fields.get("agree") != "yes":
            return self._page("message", language, text=self._words(language)["declined"])
        address = address_of(request)
        if not await read(
            request, is_enrolled, study=self.study, platform=invitation.platform, ids=invitation.ids
        ):
            self.new_people.take(address)
        token = await self.store.saved(
            begin, study=self.study, form=self.form, invitation=invitation, language=language,
            linked=fields.get("linked") == "yes", old_token=sessions.TAKING_PART.token_of(request),
            order=self.order,
        )  # fmt: skip
        response = to_path("/instructions" if self.form.instructions else "/work")
        sessions.TAKING_PART.keep(request, response, token)
        return response

    async def instructions(self, request: Request) -> Response:
        """The page that says what to do."""
        visitor, here = await self._here(request)
        return self._page("instructions", visitor.language, path=_path(here.next))

    # ---- Work

    async def work(self, request: Request) -> Response:
        """Lead to what is next."""
        visitor, here = await self._here(request)
        if visitor.outcome == "finished":
            return to_path("/done")
        if here.at_end:
            here = await self.store.saved(
                advance, person=visitor.id, form=self.form, order=self.order
            )
        return to_path(_path(here.next) if here.next else "/done")

    async def show_page(self, request: Request, key: str) -> Response:
        """One screen, with the answers that are stored."""
        visitor, here = await self._here(request)
        screen = here.screen(key)
        if screen is None:
            return to_path("/work")
        final = flow.is_final(self.form, screen.page.name) or visitor.outcome == "finished"
        if key in here.submitted and final:
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

    # ---- The end

    async def done(self, request: Request) -> Response:
        """The completion code, if the database holds every answer."""
        visitor, here = await self._here(request)
        if here.next is not None and visitor.outcome != "finished":
            return to_path("/work")
        if not any(s.assigned and s.assigned.round == flow.FIRST for s in here.screens):
            text = self._words(visitor.language)["none_left"]
            return self._page("message", visitor.language, text=text)
        code = await self.store.saved(finish, person=visitor.id, form=self.form)
        ids = await read(request, platform_ids, visitor.id)
        url = self.form.outcomes.finished.address(code, next(iter(ids.values()), ""))
        return self._page("done", visitor.language, code=code, url=url)

    async def ask_stop(self, request: Request) -> Response:
        """Whether the person really wants to stop."""
        visitor = await self._known(request)
        csrf = sessions.csrf_token(sessions.TAKING_PART.token_of(request))
        return self._page("stop", visitor.language, csrf=csrf)

    async def stop(self, request: Request) -> Response:
        """Erase everything of this person."""
        visitor = await self._known(request)
        await self._fields(request)
        await self.store.saved(withdraw, person=visitor.id)
        with suppress(StorageError):
            await run_in_threadpool(self.store.scrub)
        response = self._page(
            "message", visitor.language, text=self._words(visitor.language)["erased"]
        )
        response.delete_cookie(sessions.COOKIE)
        return response

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
