"""Who answers batches of requests: the model in this process, or workers elsewhere.

Both call `Query.ask` on the same batches, so that results do not depend on who does the work.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

from tiltmeter.core.query import Query, StoredValue

Answered: TypeAlias = Generator[tuple[int, Sequence[StoredValue]], None, None]
"""(Number of the batch, one value for each request), each batch as soon as it is ready. Closing the
generator early stops the work."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Requests that share a forward pass, as planned over all requests."""

    keys: tuple[bytes, ...]
    """The key under which the answer to each request is stored."""
    requests: tuple[Any, ...]
    tokens: int
    """Of all requests together."""
    longest: int = 0
    """Tokens of the longest request."""


class Executor(Protocol):
    """Has batches answered, wherever and in whatever order."""

    def __call__(self, query: Query, batches: Sequence[Batch]) -> Answered:
        """Yield (number of the batch, its answers), each batch once, in any order."""


@runtime_checkable
class HasExecutor(Protocol):
    """A model whose batches are answered by others, several at once."""

    def execute(self, query: Query, batches: Sequence[Batch]) -> Answered:
        """Answer every batch once, as an `Executor`."""


def executor_of(model: Any) -> Executor:
    """The model's own executor, or one that asks it in this process, one batch after the other."""
    if isinstance(model, HasExecutor):
        return model.execute

    def local(query: Query, batches: Sequence[Batch]) -> Answered:
        for number, batch in enumerate(batches):
            yield number, query.ask(model, batch.requests)

    return local
