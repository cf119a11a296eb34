"""Submissions of a leaderboard in the database, and what submitters see of their own.

A submission is a row from the moment at which it is counted. While its state is `waiting`, its submitter can
have no other one, in any process: an index of the database sees to that. The row is a lease: if the process
dies, the submission counts as failed once `until` has passed, and a failed one uses up no submission.
Exact scores stay in these rows; what pages and commands show comes from `standings` and receipts.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput, StorageError, TiltmeterError, Unavailable
from tiltmeter.survey.boards.receipts import Receipt, receipt_text
from tiltmeter.survey.keys import LARGEST, date_of, now
from tiltmeter.survey.schema import BoardTable, Submission, User
from tiltmeter.survey.store import SurveyStore

WAITING, SCORED, FAILED = "waiting", "scored", "failed"
INTERRUPTED = "Scoring was interrupted. This does not count; submit the file again."
OUR_FAULT = "Something went wrong on the server. This does not count; submit the file again."
LONGEST_WHY = 10_000
"""Characters of the reasons for a failure, at most."""
LISTED = 100
"""Submissions that are listed, at most."""
TermScores = tuple[tuple[float, float], ...]
"""lms and ss of each target term, in percent, in the order of the terms."""


@dataclass(frozen=True, slots=True)
class ScoredSubmission:
    """One scored submission. Its scores are exact and never leave the board."""

    submitter: str
    model: str
    digest: str
    at: datetime
    terms: TermScores
    moved: bool
    """Whether it became what the board shows of this model."""


@dataclass(frozen=True, slots=True)
class BoardState:
    """What one board remembers, in the database."""

    store: SurveyStore
    board: int
    lease: float
    """Seconds after which a submission that is still waiting counts as failed."""

    @contextmanager
    def turn(
        self, submitter: str, model: str, digest: str
    ) -> Iterator[Callable[[ScoredSubmission, Receipt], None]]:
        """Hold the turn of a submitter with a lease, while a submission is counted and scored.

        Gives the function that stores its scores and receipt; once the lease has ended, that is refused.
        Leaving the turn with an error, or not at all because the process died, stores nothing.

        Raises:
            BadInput: The board is closed, or another submission of this submitter is being scored.
        """

        def add(entry: ScoredSubmission, receipt: Receipt) -> None:
            self.store.save(_score, number=number, entry=entry, receipt=receipt)

        waiting = Submission(
            board_id=self.board, name=submitter, model=model, sha256=digest, state=WAITING,
            moved=False, terms=[], why="", receipt="",
        )  # fmt: skip
        number = self.store.save(_begin, waiting=waiting, lease=self.lease)
        try:
            yield add
        except BaseException as error:
            why = str(error) if isinstance(error, TiltmeterError) else OUR_FAULT
            with suppress(StorageError):  # then the lease ends it
                self.store.save(_fail, which=Submission.id == number, why=why)
            raise

    def entries_on(self, submitter: str, day: date) -> int:
        """How many scored submissions of this submitter are of that day (UTC)."""
        start = datetime.combine(day, time(), UTC)
        counted = (
            select(func.count())
            .select_from(Submission)
            .where(
                Submission.board_id == self.board,
                Submission.name == submitter,
                Submission.state == SCORED,
                Submission.time >= _milliseconds(start),
                Submission.time < _milliseconds(start + timedelta(days=1)),
            )
        )
        return self.store.read(lambda session: session.scalar(counted)) or 0

    def shown_of(self, submitter: str) -> dict[str, ScoredSubmission]:
        """The scores that the board shows of a submitter, by model."""
        return {e.model: e for e in self.all_shown() if e.submitter == submitter}

    def all_shown(self) -> tuple[ScoredSubmission, ...]:
        """The scores that the board shows, one entry for each model of each submitter."""
        moved = (
            (Submission.board_id == self.board) & (Submission.state == SCORED) & Submission.moved
        )
        query = select(Submission).where(moved).order_by(Submission.id)
        rows = self.store.read(lambda session: session.scalars(query).all())
        return tuple({(row.name, row.model): _entry(row) for row in rows}.values())


@dataclass(frozen=True, slots=True)
class SubmissionView:
    """What submitters see of a submission of theirs."""

    number: int
    model: str
    at: datetime
    digest: str
    state: str
    why: str
    receipt: str
    """The receipt's file; "" unless it was scored."""


def submissions_of(
    session: Session, *, board: int, account: int, number: int | None = None
) -> list[SubmissionView]:
    """The newest submissions of an account, or one of them; those that were interrupted count as failed."""
    if number is not None and number > LARGEST:
        return []
    query = (
        select(Submission)
        .where(Submission.board_id == board, Submission.user_id == account)
        .order_by(Submission.id.desc())
        .limit(LISTED)
    )
    query = query if number is None else query.where(Submission.id == number)
    at = now()
    return [_view(row, at) for row in session.scalars(query)]


def _view(row: Submission, at: int) -> SubmissionView:
    lost = row.state == WAITING and row.until < at
    state, why = (FAILED, INTERRUPTED) if lost else (row.state, row.why)
    return SubmissionView(row.id, row.model, date_of(row.time), row.sha256, state, why, row.receipt)


# ---- Operations on the database


def _begin(session: Session, *, waiting: Submission, lease: float) -> int:
    """A new lease; gives the submission's number."""
    row = session.get_one(BoardTable, waiting.board_id)
    if row.closed is not None:
        raise BadInput(f"the board {row.name!r} is closed", "its standings stay as they are")
    mine = (Submission.board_id == row.id) & (Submission.name == waiting.name)
    _fail(session, mine & (Submission.until < now()), INTERRUPTED)
    waiting.user_id = session.scalar(select(User.id).where(User.name == waiting.name))
    waiting.time = now()
    waiting.until = waiting.time + int(1000 * lease)
    session.add(waiting)
    try:
        session.flush()
    except IntegrityError:  # the index that allows one waiting row
        why = f"another submission of {waiting.name} is being scored"
        raise BadInput(why, f"wait until it is done, at most {lease:g} seconds") from None
    return waiting.id


def _score(session: Session, *, number: int, entry: ScoredSubmission, receipt: Receipt) -> None:
    leased = (
        update(Submission)
        .where(Submission.id == number, Submission.state == WAITING, Submission.until >= now())
        .values(
            state=SCORED, terms=entry.terms, moved=entry.moved, time=_milliseconds(entry.at),
            receipt=receipt_text(receipt),
        )
        .returning(Submission.id)
    )  # fmt: skip
    if session.scalar(leased) is None:
        raise Unavailable("scoring took too long; this does not count, submit the file again")


def _fail(session: Session, which: ColumnElement[bool], why: str) -> None:
    waiting = update(Submission).where(which, Submission.state == WAITING)
    session.execute(waiting.values(state=FAILED, why=why[:LONGEST_WHY]))


def _entry(row: Submission) -> ScoredSubmission:
    terms = tuple((lms, ss) for lms, ss in row.terms)
    return ScoredSubmission(row.name, row.model, row.sha256, date_of(row.time), terms, row.moved)


def _milliseconds(at: datetime) -> int:
    return round(at.timestamp() * 1000)
