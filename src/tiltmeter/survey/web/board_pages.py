"""Leaderboards in the browser: standings for everybody, submissions for people with an account.

An uploaded file is copied under a name of ours into a folder of its own, and is gone after the reply. Its
faults are shown as text. Exact scores and labels never reach a page.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http import HTTPStatus as Status
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, ParamSpec, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from tiltmeter.core.errors import BadInput, StorageError, TiltmeterError, Unavailable, UnknownName
from tiltmeter.survey.boards import store as board_store
from tiltmeter.survey.boards.board import LARGEST, LONGEST_NAME
from tiltmeter.survey.boards.receipts import read_receipt, receipt_text
from tiltmeter.survey.boards.standings import RANKED, standings_csv
from tiltmeter.survey.boards.submissions import SubmissionView, submissions_of
from tiltmeter.survey.rounds import Operation
from tiltmeter.survey.schema import User
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.web.account_pages import (
    account_page,
    account_problem,
    add_absent_pages,
    add_routes,
    download,
    posted_fields,
    read,
    signed_in,
    store_of,
    to_path,
)
from tiltmeter.survey.web.admin_accounts import add_account_administration
from tiltmeter.survey.web.guard import guarded
from tiltmeter.survey.web.limits import HOUR, AccountLimit, Limits, RateLimit, TooMany, address_of
from tiltmeter.survey.web.logins import add_logins

T = TypeVar("T")
P = ParamSpec("P")
AT_ONCE = 2
"""Submissions that are checked at a time: each takes a processor."""
FAULTY = 422
OUR_NAME = "predictions.json"
STANDINGS, JSON = "standings.csv", "application/json"
SLACK = 64 * 1024
"""Bytes that an upload may have besides those of its file."""


class BoardPages:
    """What the addresses of leaderboards answer."""

    def __init__(self, limits: Limits) -> None:
        self._scoring = CapacityLimiter(AT_ONCE)
        self._refusals = AccountLimit(
            RateLimit(limits.account_refusals, HOUR), RateLimit(limits.address_refusals, HOUR)
        )

    async def boards(self, request: Request) -> Response:
        """The page that lists all boards."""
        summaries = await _read(request, board_store.boards)
        return await account_page(request, "boards", "Leaderboards", boards=summaries)

    async def standings(self, request: Request, name: str) -> Response:
        """The standings of a board, what the scores mean, and the files that submitters need."""
        summary = await _read(request, board_store.board_summary, name=name)
        rows = await run_in_threadpool(board_store.board_rows, store_of(request), name)
        return await account_page(
            request, "board", name, board=summary, rows=rows, files=summary.files, ranked=RANKED,
        )  # fmt: skip

    async def file(self, request: Request, name: str, file: str) -> Response:
        """The contexts without labels, the development part, or the standings."""
        files = await _read(request, board_store.board_files, name=name)
        if file == STANDINGS:
            rows = await run_in_threadpool(board_store.board_rows, store_of(request), name)
            return download(standings_csv(rows), f"{name}-{file}", "text/csv")
        if file not in files:
            raise HTTPException(Status.NOT_FOUND)
        return download(files[file], f"{name}-{file}", JSON)

    async def ask(self, request: Request, name: str) -> Response:
        """The form to submit a file."""
        return await self._form(request, name)

    async def submit(self, request: Request, name: str) -> Response:
        """Check and score a file: lead to its receipt, or list its faults."""
        account = await signed_in(request)
        try:
            fields = await posted_fields(request, max_files=1)
            sent, model = fields.get("file"), str(fields.get("model", "")).strip()
            if not isinstance(sent, UploadFile) or not sent.filename:
                raise BadInput("no file was sent", "choose a prediction file")
            with self._counted(account, request):
                number = await run_sync(
                    _scored, store_of(request), name, account, model, sent.file,
                    limiter=self._scoring,
                )  # fmt: skip
        except StorageError:
            raise  # no fault of the file
        except TiltmeterError as error:
            faults = str(error).split("\n")
            return await self._form(request, name, faults=faults, code=FAULTY)
        except TooMany as error:
            faults = [f"Too many submissions were refused. {error.way_out}"]
            page = await self._form(request, name, faults=faults, code=Status.TOO_MANY_REQUESTS)
            page.headers.update(error.headers)
            return page
        finally:
            await request.close()
        return to_path(f"/board/{name}/mine/{number}")

    @contextmanager
    def _counted(self, account: User, request: Request) -> Iterator[None]:
        """Count a submission if it is refused, unless that is our own fault.

        Raises:
            TooMany: Too many of the account's, or from the address, were refused before.
        """
        refused, tried = False, (account.name, address_of(request))
        self._refusals.take(*tried)
        try:
            yield
        except TiltmeterError as error:
            refused = not isinstance(error, StorageError | Unavailable)
            raise
        finally:
            if not refused:
                self._refusals.give_back(*tried)

    async def mine(self, request: Request, name: str) -> Response:
        """The submissions of the account that is signed in."""
        submissions = await self._own(request, name)
        return await account_page(
            request, "board_mine", f"{name}: your submissions", name=name, submissions=submissions
        )

    async def one(self, request: Request, name: str, number: int) -> Response:
        """The page of one scored submission, with its receipt."""
        submission = await self._receipt(request, name, number)
        receipt = read_receipt(submission.receipt)
        return await account_page(
            request, "board_receipt", f"{name}: your submission was scored", name=name,
            number=number, receipt=receipt,
        )  # fmt: skip

    async def receipt(self, request: Request, name: str, number: int) -> Response:
        """A submission's receipt, to download."""
        submission = await self._receipt(request, name, number)
        return download(submission.receipt, f"{name}-receipt-{number}.json", JSON)

    async def _form(
        self, request: Request, name: str, *, faults: list[str] | None = None, code: int = 200
    ) -> Response:
        account = await signed_in(request)
        summary = await _read(request, board_store.board_summary, name=name)
        state = board_store.stored_state(store_of(request), summary.number, summary.settings)
        used = await run_in_threadpool(state.entries_on, account.name, datetime.now(UTC).date())
        models = await run_in_threadpool(state.shown_of, account.name)
        return await account_page(
            request, "board_submit", f"{name}: submit predictions", code=code, board=summary,
            faults=faults or [], left=max(0, summary.settings.per_day - used), models=[*models],
            longest=LONGEST_NAME, megabytes=LARGEST // 10**6,
        )  # fmt: skip

    async def _own(
        self, request: Request, name: str, *, number: int | None = None
    ) -> list[SubmissionView]:
        account = await signed_in(request)
        summary = await _read(request, board_store.board_summary, name=name)
        return await _read(
            request, submissions_of, board=summary.number, account=account.id, number=number
        )

    async def _receipt(self, request: Request, name: str, number: int) -> SubmissionView:
        submissions = await self._own(request, name, number=number)
        if not submissions or not submissions[0].receipt:
            raise HTTPException(Status.NOT_FOUND)
        return submissions[0]


def _scored(store: SurveyStore, name: str, account: User, model: str, upload: BinaryIO) -> int:
    """Score an uploaded file; gives the submission's number."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / OUR_NAME
        with file.open("wb") as copy:
            shutil.copyfileobj(upload, copy)
        text = receipt_text(board_store.opened_board(store, name).submit(account.name, model, file))
    board = store.read(board_store.board_summary, name=name).number
    submissions = store.read(submissions_of, board=board, account=account.id)
    return next(submission.number for submission in submissions if submission.receipt == text)


async def _read(request: Request, work: Operation[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What an operation on one board reads.

    Raises:
        HTTPException: There is no such board.
    """
    try:
        return await read(request, work, *args, **kwargs)
    except UnknownName:
        raise HTTPException(Status.NOT_FOUND) from None


class UploadLimit:
    """ASGI middleware: a larger limit for the bodies of submissions."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._uploads = RequestBodyLimitMiddleware(app, max_body_size=LARGEST + SLACK)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on: uploads of predictions to an application with a higher limit."""
        segments = scope["path"].split("/") if scope["type"] == "http" else []
        upload = len(segments) == 4 and segments[1] == "board" and segments[3] == "submit"  # noqa: PLR2004
        await (self._uploads if upload else self._app)(scope, receive, send)


def add_boards(app: FastAPI, limits: Limits) -> None:
    """Add the pages of leaderboards; before the limits that hold for the size of all requests."""
    pages = BoardPages(limits)
    add_routes(app, (
        ("GET", "/board", pages.boards, "public"),
        ("GET", "/board/{name}", pages.standings, "public"),
        ("GET", "/board/{name}/files/{file}", pages.file, "public"),
        ("GET", "/board/{name}/submit", pages.ask, "annotator"),
        ("POST", "/board/{name}/submit", pages.submit, "annotator"),
        ("GET", "/board/{name}/mine", pages.mine, "annotator"),
        ("GET", "/board/{name}/mine/{number:int}", pages.one, "annotator"),
        ("GET", "/board/{name}/mine/{number:int}/receipt", pages.receipt, "annotator"),
    ))  # fmt: skip
    app.add_middleware(UploadLimit)


def board_app(store: SurveyStore, *, limits: Limits | None = None) -> FastAPI:
    """The web application of a database's leaderboards, without a survey."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    limits = limits or Limits()
    add_logins(app, store, limits)
    add_account_administration(app)
    add_boards(app, limits)
    add_routes(app, [("GET", "/", _start, "public")])
    for kind in (BadInput, StorageError, TooMany):
        app.add_exception_handler(kind, account_problem)
    add_absent_pages(app)
    return guarded(app)


async def _start(request: Request) -> Response:  # noqa: ARG001 as all endpoints
    return to_path("/board")
