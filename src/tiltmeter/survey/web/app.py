"""The addresses of a survey.

`/` warns and leads to `/consent`; `/work` leads to whatever is next, a screen at `/page/NAME` or `/done`.
Every form is answered with a redirect, after the answers are committed. `/api/answers` takes single
answers from `answers.js` and names those that are committed.
"""

from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.staticfiles import StaticFiles

from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.core.text import visible
from tiltmeter.survey import flow
from tiltmeter.survey.answers import finish
from tiltmeter.survey.assign import ItemOrder
from tiltmeter.survey.persons import withdraw
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.web import sessions
from tiltmeter.survey.web.guard import LARGEST_BODY, Guard
from tiltmeter.survey.web.interface_words import words_in
from tiltmeter.survey.web.posted import SentBatch, save_batch, submit_page
from tiltmeter.survey.web.progress import advance, begin, progress
from tiltmeter.survey.web.visitors import INCOMPLETE, NotAllowed, SurveyPages

SEE_OTHER, BAD, FORBIDDEN, LATER = 303, 400, 403, 503


class SurveySite(SurveyPages):
    """What each address answers."""

    # ---- Before consent

    async def welcome(self, request: Request) -> Response:
        """What the survey is about, and a warning about its content."""
        invitation = self.invitations.from_address(request.query_params)
        visitor = await self._visitor(request)
        if visitor and self._is_same(
            visitor, invitation.platform, next(iter(invitation.ids.values()), "")
        ):
            return _to("/work")
        language = self._language(request, invitation.language)
        passed = self.invitations.passed(invitation)
        if not self.form.warning:
            return _to(f"/consent?lang={language}&passed={quote(passed)}")
        return self._page("welcome", language, passed=passed, path="/")

    async def ask_consent(self, request: Request) -> Response:
        """The text of the consent, with buttons to agree and to decline."""
        passed = request.query_params.get("passed", "")
        invitation = self.invitations.from_form(passed)
        language = self._language(request, invitation.language)
        token = sessions.token_of(request) or sessions.new_token()
        csrf = sessions.csrf_token(token)
        response = self._page("consent", language, passed=passed, csrf=csrf, path="/consent")
        sessions.keep_token(request, response, token)
        return response

    async def consent(self, request: Request) -> Response:
        """Begin, with a new session; or say goodbye."""
        fields = await self._fields(request)
        language = self._language(request, str(fields.get("lang", "")))
        invitation = self.invitations.from_form(str(fields.get("passed", "")))
        if fields.get("agree") != "yes":
            return self._page("message", language, text=words_in(language)["declined"])
        token = await self.store.saved(
            partial(
                begin, study=self.study, form=self.form, invitation=invitation, language=language,
                linked=fields.get("linked") == "yes", old_token=sessions.token_of(request),
                order=self.order,
            )
        )  # fmt: skip
        response = _to("/instructions" if self.form.instructions else "/work")
        sessions.keep_token(request, response, token)
        return response

    async def instructions(self, request: Request) -> Response:
        """What to do."""
        visitor = await self._known(request)
        return self._page("instructions", visitor.language)

    # ---- Work

    async def work(self, request: Request) -> Response:
        """Lead to what is next."""
        visitor = await self._known(request)
        if visitor.state == "finished":
            return _to("/done")
        here = await self._read(partial(progress, person=visitor.person, form=self.form))
        if here.at_end:
            saved = partial(advance, person=visitor.person, form=self.form, order=self.order)
            here = await self.store.saved(saved)
        return _to(f"/page/{quote(here.next.key)}" if here.next else "/done")

    async def show_page(self, request: Request, key: str) -> Response:
        """One screen, with the answers that are stored."""
        visitor = await self._known(request)
        here = await self._read(partial(progress, person=visitor.person, form=self.form))
        screen = here.screen(key)
        over = key in here.submitted and (not self.form.back or visitor.state == "finished")
        if screen is None or over:
            return _to("/work")
        return await self._screen(request, visitor, screen, here)

    async def submit(self, request: Request, key: str) -> Response:
        """Store a page; show it again where something is missing."""
        visitor = await self._known(request)
        fields = await self._fields(request)
        saved = partial(
            submit_page, person=visitor.person, form=self.form, screen=key, fields=fields
        )
        outcome = await self.store.saved(saved)
        here = await self._read(partial(progress, person=visitor.person, form=self.form))
        screen = here.screen(key)
        if (outcome.missing or outcome.too_few) and screen is not None:
            return await self._screen(
                request, visitor, screen, here, written=outcome.written, missing=outcome.missing,
                too_few=outcome.too_few, status=INCOMPLETE,
            )  # fmt: skip
        explained = screen and screen.assigned and screen.assigned.round == flow.TRAINING
        return _to(f"/feedback/{quote(key)}" if explained else "/work")

    async def feedback(self, request: Request, key: str) -> Response:
        """After a training item: the expected answers, and why."""
        visitor = await self._known(request)
        here = await self._read(partial(progress, person=visitor.person, form=self.form))
        screen = here.screen(key)
        if screen is None or screen.assigned is None or key not in here.submitted:
            return _to("/work")
        item = screen.assigned.item
        if screen.assigned.round != flow.TRAINING or not (item.expected or item.why):
            return _to("/work")
        given = flow.context(screen, here.answered)
        right = all(given.get(name) == value for name, value in item.expected.items())
        return self._page("feedback", visitor.language, right=right, item=item)

    async def take_answers(self, request: Request) -> Response:
        """Single answers from `answers.js`; those named in the reply are committed."""
        visitor = await self._known(request)
        if not sessions.is_ours(request, request.headers.get("x-csrf-token", "")):
            raise NotAllowed
        try:
            batch = SentBatch.model_validate_json(await request.body())
        except ValidationError:
            raise BadInput("these are no answers", "reload the page") from None
        saved = partial(save_batch, person=visitor.person, form=self.form, batch=batch)
        return JSONResponse({"stored": await self.store.saved(saved)})

    # ---- The end

    async def done(self, request: Request) -> Response:
        """The completion code, if the database holds every answer."""
        visitor = await self._known(request)
        here = await self._read(partial(progress, person=visitor.person, form=self.form))
        if here.next is not None and visitor.state != "finished":
            return _to("/work")
        if not any(one.assignment for one in here.screens):
            text = words_in(visitor.language)["none_left"]
            return self._page("message", visitor.language, text=text)
        code = await self.store.saved(partial(finish, person=visitor.person, form=self.form))
        url = self.form.completion.url.replace("{code}", quote(code))
        url = url if url.startswith(("https://", "http://")) else ""
        return self._page("done", visitor.language, code=code, url=url)

    async def ask_stop(self, request: Request) -> Response:
        """Whether the person really wants to stop."""
        visitor = await self._known(request)
        csrf = sessions.csrf_token(sessions.token_of(request))
        return self._page("stop", visitor.language, csrf=csrf)

    async def stop(self, request: Request) -> Response:
        """Erase everything of this person."""
        visitor = await self._known(request)
        await self._fields(request)
        await self.store.saved(partial(withdraw, person=visitor.person))
        with suppress(StorageError):
            await run_in_threadpool(self.store.scrub)
        response = self._page(
            "message", visitor.language, text=words_in(visitor.language)["erased"]
        )
        response.delete_cookie(sessions.COOKIE)
        return response

    async def problem(self, request: Request, error: Exception) -> Response:
        """Why something did not work, as a page or for `answers.js`."""
        status = {NotAllowed: FORBIDDEN, StorageError: LATER}.get(type(error), BAD)
        language = self._language(request, "")
        words = words_in(language)
        text = words["start_again"] if status == FORBIDDEN else visible(str(error))
        if request.url.path.startswith("/api/"):
            return JSONResponse({"error": text}, status)
        return self._page("message", language, status=status, heading=words["problem"], text=text)


def _to(path: str) -> Response:
    return RedirectResponse(path, SEE_OTHER)


def survey_app(
    store: SurveyStore, study: int, *, signed: bool = False, order: ItemOrder | None = None
) -> FastAPI:
    """The web application of one study.

    Args:
        store: With the study.
        study: Its number.
        signed: Whether only signed links are let in.
        order: What decides which item is given next; by default items are mixed.
    """
    site = SurveySite(store, study, signed=signed, order=order)
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    for path, method, endpoint in (
        ("/", "GET", site.welcome), ("/consent", "GET", site.ask_consent),
        ("/consent", "POST", site.consent), ("/instructions", "GET", site.instructions),
        ("/work", "GET", site.work), ("/page/{key}", "GET", site.show_page),
        ("/page/{key}", "POST", site.submit), ("/feedback/{key}", "GET", site.feedback),
        ("/api/answers", "POST", site.take_answers), ("/done", "GET", site.done),
        ("/stop", "GET", site.ask_stop), ("/stop", "POST", site.stop),
    ):  # fmt: skip
        app.add_api_route(path, endpoint, methods=[method], response_model=None)
    for kind in (BadInput, StorageError, NotAllowed):
        app.add_exception_handler(kind, site.problem)
    static = Path(__file__).parents[1] / "static"
    app.mount("/static", StaticFiles(directory=static))
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=LARGEST_BODY)
    app.add_middleware(Guard)
    return app
