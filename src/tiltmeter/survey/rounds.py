"""One round of the store: operations that are committed together, each of which fails for itself."""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.orm import Session

from tiltmeter.core.errors import StorageError

P = ParamSpec("P")
T = TypeVar("T")
Operation = Callable[Concatenate[Session, P], T]
"""Works on the database, with arguments of its own."""
Joint = Callable[[Session, list[Any]], list[Any]]
"""Takes items, and gives a result for each."""
JOINED = 50
"""Items of one joint operation, at most: databases limit the parameters of a statement."""


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """One item of an operation that waits to be committed."""

    run: Joint
    item: object
    future: "Future[Any]"
    sent: float
    """When it was submitted, by `time.monotonic`."""


WorkResult = tuple["Future[Any]", Any, BaseException | None]


def single(session: Session, operations: list[Callable[[Session], T]]) -> list[T]:
    """Run a plain operation, as a joint one of which there is one item."""
    (operation,) = operations
    return [operation(session)]


def groups_of(works: list[Work]) -> list[list[Work]]:
    """The items of each joint operation together."""
    joint: dict[Joint, list[Work]] = {}
    for work in works:
        joint.setdefault(work.run, []).append(work)
    return [
        group[at : at + JOINED] for group in joint.values() for at in range(0, len(group), JOINED)
    ]


def results_of(session: Session, group: list[Work], *, alone: bool = False) -> list[WorkResult]:
    """Run one group; if it raises, each of its items for itself."""
    results, problem = _tried(session, group, alone=alone)
    if problem is None:
        return [(work.future, result, None) for work, result in zip(group, results, strict=True)]
    if len(group) == 1:
        return [(group[0].future, None, problem)]
    return [outcome for work in group for outcome in results_of(session, [work])]


def _tried(
    session: Session, group: list[Work], *, alone: bool
) -> tuple[list[Any], BaseException | None]:
    """What the operation of a group gives, or what it raised; then nothing of it is left.

    Raises:
        OperationalError: The database itself fails, and with it the whole transaction.
    """
    try:
        # What is alone needs no savepoint: the whole transaction is undone with it.
        with nullcontext() if alone else session.begin_nested():
            results = group[0].run(session, [work.item for work in group])
            session.flush()
            return results, None
    except OperationalError:  # the database itself fails, and with it the whole round
        raise
    except SQLAlchemyError as error:
        problem: Exception = StorageError(
            f"this could not be stored: {getattr(error, 'orig', error)}"
        )
        problem.__cause__ = error
    except Exception as error:  # noqa: BLE001 the caller hears of it
        problem = error
    if alone:
        session.rollback()
    return [], problem
