"""How much of a batch a model has answered, while it still answers it.

A back-end that needs minutes for a batch calls `report_share`; whoever asked hears it. Reports reach only the
thread in which the model was asked, and go nowhere if nobody listens.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

T = TypeVar("T")
ShareHeard: TypeAlias = Callable[[float], None]


def _unheard(share: float) -> None:
    """What a share is reported to where no progress is shown."""


_LISTENER: ContextVar[ShareHeard] = ContextVar("listener", default=_unheard)


def report_share(share: float) -> None:
    """Report the share of the batch that is answered, from 0 to 1."""
    _LISTENER.get()(min(share, 1.0))


@contextmanager
def listening(listener: ShareHeard) -> Iterator[None]:
    """Have `listener` called with the shares that are reported while the block runs.

    >>> heard = []
    >>> with listening(heard.append):
    ...     report_share(0.5)
    >>> report_share(0.75)  # nobody listens any more
    >>> heard
    [0.5]
    """
    before = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def each_reported(parts: Sequence[T]) -> Iterator[T]:
    """The equal parts of a batch; the share that is reported in each counts as that share of the part.

    >>> heard = []
    >>> with listening(heard.append):
    ...     for part in each_reported("abcd"):
    ...         report_share(0.5)
    >>> heard
    [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]
    """
    whole = _LISTENER.get()
    for number, part in enumerate(parts):
        with listening(lambda share, done=number: whole((done + share) / len(parts))):  # type: ignore[misc]
            yield part
        whole((number + 1) / len(parts))


@dataclass(slots=True)
class WrittenTokens:
    """Counts the tokens that a batch of replies has, and reports their share of those that it may have."""

    planned: int
    written: int = 0

    def add(self, tokens: int) -> None:
        """Count further tokens; those that a finished reply did not need count too."""
        self.written += tokens
        report_share(self.written / max(self.planned, 1))
