"""Leaderboards in the database: made from a file with labels, opened for submissions, listed, closed.

The database has the contexts and the checksum of the file with the labels; the labels themselves stay in the
file and are read again for each submission without faults.
"""

import hashlib
import logging
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tiltmeter.core.data.items import Dataset, Triple
from tiltmeter.core.errors import BadInput, TiltmeterError, Unavailable, UnknownName
from tiltmeter.core.model.protocols import Ranks
from tiltmeter.data.memory.samples import split
from tiltmeter.data.triples.triples import read_triples
from tiltmeter.survey.accounts import note_action
from tiltmeter.survey.boards import contexts as published
from tiltmeter.survey.boards.board import Board, checked_scores
from tiltmeter.survey.boards.standings import BoardRow, scores_by_term, standings
from tiltmeter.survey.boards.submissions import SCORED, BoardState
from tiltmeter.survey.boards.time_limit import within
from tiltmeter.survey.keys import now
from tiltmeter.survey.schema import BoardTable, Submission
from tiltmeter.survey.store import SurveyStore

KEY = 32
"""Bytes of a board's key."""
FEW_TERMS = 20
"""Below so many target terms the standard error is itself uncertain, and a single context may beat it."""
GRACE = 60.0
"""Seconds that a submission may take besides the check of its file."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_log = logging.getLogger("tiltmeter.survey")


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """How a board was made."""

    labels: str
    """The file with the labels."""
    seed: int | None = None
    """With which the development terms were drawn; None where all terms are hidden."""
    random_ids: bool = False
    """Whether the board gave the candidates new ids."""
    per_day: int = 3
    """Scored submissions of a submitter per day (UTC)."""
    models: int = 5
    """Models that a submitter may name."""
    seconds: float = 60.0
    """Time limit for the check of a file."""


@dataclass(frozen=True, slots=True)
class NewBoard:
    """What a leaderboard is made from."""

    contexts: int
    terms: int
    """Target terms of the hidden contexts."""
    random_ids: bool
    """Whether the file's ids would reveal labels, so that the board has its own."""


def create_board(
    store: SurveyStore,
    name: str,
    settings: BoardSettings,
    *,
    actor: str,
    baselines: Sequence[Ranks] = (),
) -> NewBoard:
    """Make a board, with the scores of baselines; the audit log names who made it.

    Raises:
        BadInput: The name is taken or cannot be part of an address, the file cannot be read, or it is
            about one target term only.
        BadItems: Items of the file that cannot be scored, all of them.
    """
    if not _NAME.fullmatch(name):
        raise BadInput(f"{name!r} is no name for a board", "use letters, digits, - and _")
    labels = str(Path(settings.labels).expanduser().resolve())
    whole = read_triples(labels)
    settings = replace(settings, labels=labels, random_ids=bool(published.fault_of_ids(whole)))
    key = secrets.token_bytes(KEY)
    hidden = _part(whole, settings, key, "test")
    terms = len({item.target for item in hidden.items})
    if terms < 2:  # noqa: PLR2004
        raise BadInput("the hidden items are about one target term", "give items about several")
    public = replace(published.without_labels(hidden), version=name)
    development = ""
    if settings.seed is not None:
        development = published.development_text(_part(whole, settings, key, "development"))
    items = hidden.items
    # A tie of a baseline is a choice that it leaves open, so it counts half.
    ranked = {
        b.name: scores_by_term(items, b.candidate_scores(items), ties="half") for b in baselines
    }
    board = BoardTable(
        name=name, settings=asdict(settings), labels_sha256=whole.sha256, key=key,
        contexts=published.contexts_text(public), development=development, baselines=ranked,
        opened=now(), closed=None,
    )  # fmt: skip

    def added(session: Session) -> None:
        if session.scalar(select(BoardTable.id).where(BoardTable.name == name)) is not None:
            raise BadInput(f"there is a board {name!r} already", "use another name")
        session.add(board)
        note_action(session, actor=actor, action="create board", detail=name)

    store.save(added)
    return NewBoard(len(hidden.items), terms, settings.random_ids)


def opened_board(store: SurveyStore, name: str) -> Board:
    """A board, ready for submissions.

    Raises:
        UnknownName: There is no such board.
    """
    row = store.read(_board, name)
    contexts = store.read(lambda session: board_files(session, name)[CONTEXTS])
    settings = BoardSettings(**row.settings)
    return Board(
        name, published.read_contexts(contexts, name=name),
        partial(_labelled, name, settings, row.labels_sha256, row.key),
        stored_state(store, row.id, settings), row.key,
        lambda file, data: within(settings.seconds, checked_scores, file, data), settings.per_day,
        settings.models,
    )  # fmt: skip


def stored_state(store: SurveyStore, board: int, settings: BoardSettings) -> BoardState:
    """The submissions of a board, by its number, without its contexts."""
    return BoardState(store, board, settings.seconds + GRACE)


CONTEXTS, DEVELOPMENT = "contexts.json", "development.json"


def board_files(session: Session, name: str) -> Mapping[str, str]:
    """What submitters get: the contexts, and the development part where there is one."""
    row = _board(session, name)
    files = {CONTEXTS: row.contexts, DEVELOPMENT: row.development}
    return {file: text for file, text in files.items() if text}


def close_board(session: Session, name: str, *, actor: str) -> None:
    """Close a board: it takes no submissions any more. The audit log names who closed it."""
    row = _board(session, name)
    if row.closed is None:
        row.closed = now()
        note_action(session, actor=actor, action="close board", detail=name)


@dataclass(frozen=True, slots=True)
class BoardSummary:
    """A board in a list."""

    number: int
    name: str
    settings: BoardSettings
    opened: int
    """When it was opened, in milliseconds since 1970, UTC."""
    closed: int | None
    submitters: int
    """Submitters who have a score."""
    submissions: int
    """Submissions that were scored."""
    files: tuple[str, ...]
    """Names of the files that submitters get."""


def board_rows(store: SurveyStore, name: str) -> tuple[BoardRow, ...]:
    """The standings of a board.

    Raises:
        UnknownName: There is no such board.
    """
    row = store.read(_board, name)
    entries = stored_state(store, row.id, BoardSettings(**row.settings)).all_shown()
    baselines = ((name, tuple(map(tuple, terms))) for name, terms in row.baselines.items())
    return standings(entries, tuple(baselines))


def boards(session: Session) -> list[BoardSummary]:
    """All boards with their counts, sorted by name."""
    scored = (Submission.board_id == BoardTable.id) & (Submission.state == SCORED)
    counted = (
        select(
            BoardTable, BoardTable.development != "",
            func.count(func.distinct(Submission.name)), func.count(Submission.id),
        )
        .outerjoin(Submission, scored)
        .group_by(BoardTable.id)
        .order_by(BoardTable.name)
    )  # fmt: skip
    return [
        BoardSummary(
            row.id, row.name, BoardSettings(**row.settings), row.opened, row.closed, people, count,
            (CONTEXTS, DEVELOPMENT) if develop else (CONTEXTS,),
        )
        for row, develop, people, count in session.execute(counted)
    ]  # fmt: skip


def board_summary(session: Session, name: str) -> BoardSummary:
    """The board of this name with its counts.

    Raises:
        UnknownName: There is no such board.
    """
    summaries = {board.name: board for board in boards(session)}
    if name not in summaries:
        raise UnknownName("board", name, summaries)
    return summaries[name]


def _board(session: Session, name: str) -> BoardTable:
    row = session.scalar(select(BoardTable).where(BoardTable.name == name))
    if row is None:
        raise UnknownName("board", name, session.scalars(select(BoardTable.name)).all())
    return row


def _part(
    whole: Dataset[Triple], settings: BoardSettings, key: bytes, part: str
) -> Dataset[Triple]:
    data = whole if settings.seed is None else split(whole, part, seed=settings.seed)
    return published.with_random_ids(data, key) if settings.random_ids else data


def _labelled(name: str, settings: BoardSettings, sha256: str, key: bytes) -> Dataset[Triple]:
    """The hidden items with their labels.

    Raises:
        Unavailable: The file is gone, cannot be read or was changed. What is wrong with it is logged for
            the organiser, and not shown to submitters.
    """
    try:
        whole = _unchanged(settings.labels, sha256)
    except (TiltmeterError, OSError) as error:
        _log.error("board %s: the file with its labels cannot be used: %s", name, error)
        raise Unavailable(
            "the file has no faults, but the board cannot score it at the moment; this does not "
            "count, submit it again later"
        ) from error
    return _part(whole, settings, key, "test")


def _unchanged(labels: str, sha256: str) -> Dataset[Triple]:
    with Path(labels).open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
            raise BadInput("it was changed since the board was made", "restore it", file=labels)
    return _read(labels, sha256)


@lru_cache(maxsize=2)
def _read(labels: str, sha256: str) -> Dataset[Triple]:  # noqa: ARG001 a changed file is read anew
    return read_triples(labels)
