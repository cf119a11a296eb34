"""Executors, which have batches of requests answered: by the model in this process, or by workers elsewhere.

Both call `Query.ask` on the same batches, so that results do not depend on where the work is done.
"""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Protocol, TypeAlias, runtime_checkable

from tiltmeter.core.model.query import Query, StoredValue
from tiltmeter.core.model.questions import facts_and_lookups, questions
from tiltmeter.core.model.study_turns import StudyTurn
from tiltmeter.run.asking.workers import Shard, ShardTask, Wanted, WorkerPool, shard_id

Answered: TypeAlias = Generator[tuple[int, Sequence[StoredValue]], None, None]
"""Yields (index of the batch, one value per request) for each batch as soon as it is ready; closing the
generator early stops the work."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Requests that share a forward pass."""

    keys: tuple[bytes, ...]
    """The key under which the answer to each request is stored."""
    requests: tuple[Any, ...]
    tokens: int
    """The number of tokens of all requests together."""
    longest: int = 0
    """The number of tokens of the longest request."""


Executor: TypeAlias = Callable[[Query, Sequence[Batch]], Answered]
"""A function that has each batch answered exactly once, in any order."""


@runtime_checkable
class HasExecutor(Protocol):
    """A model that brings its own executor, for example one that answers several batches at once."""

    def execute(self, query: Query, batches: Sequence[Batch]) -> Answered:
        """Answer every batch exactly once; see `Executor`."""


def executor_of(model: Any) -> Executor:
    """The model's own executor if it has one; otherwise one that asks it in this process, batch by batch."""
    if isinstance(model, HasExecutor):
        return model.execute

    def local(query: Query, batches: Sequence[Batch]) -> Answered:
        for number, batch in enumerate(batches):
            yield number, query.ask(model, batch.requests)

    return local


ROUNDS = 8
"""Roughly the least number of shards per worker in a call, so that no worker waits long for the others."""
LARGEST = 8
"""The maximum number of batches in a shard: all of them are lost if its worker dies."""
ELEMENTS = 4_096
"""The number of elements (such as texts to tokenise) in one shard of a lookup."""


class RemoteModel:
    """A model held by workers: it has their model's facts and lookups, and an executor.

    Questions whose answers are not stored are answered in one call, by one worker.
    """

    def __init__(
        self,
        pool: WorkerPool,
        wanted: Wanted,
        turn: StudyTurn | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """The model on the workers of the pool; `facts` are what they have said of it before."""
        self._pool = pool
        self._wanted = wanted
        self._turn = turn
        _, lookups = facts_and_lookups()
        whole = (question.method for question in questions() if question.key is None)
        self._methods: Mapping[str, Callable[[Sequence[Any]], Any]] = {
            **{name: partial(self._shared_out, name) for name in lookups},
            **{name: partial(self._whole, name) for name in whole},
        }
        self._facts: Mapping[str, Any] = facts or {}  # `_each`, which fetches them, reads them too
        if not facts:  # as often as there are workers, so that all open the model at the same time
            self._facts = self._each(ShardTask(), [[wanted.name]] * pool.workers)[0]

    def __getattr__(self, name: str) -> Any:
        for known in () if name.startswith("_") else (self._facts, self._methods):
            if name in known:
                return known[name]
        raise AttributeError(f"{type(self).__name__} has no {name}")

    def in_turn(self, turn: StudyTurn) -> "RemoteModel":
        """The same model as one of several studies asks it; all of them share its workers."""
        return RemoteModel(self._pool, self._wanted, turn, self._facts)

    def execute(self, query: Query, batches: Sequence[Batch]) -> Answered:
        """Have every batch answered exactly once by the workers; see `Executor`."""
        task = ShardTask(query.question.name, query.options)
        many = len(batches) // (ROUNDS * self._pool.workers)
        step = min(max(many, 1), LARGEST)
        starts = range(0, len(batches), step)
        shards = []
        for some in (batches[at : at + step] for at in starts):
            keys = (key for batch in some for key in batch.keys)
            longest = max(batch.longest for batch in some)
            shards.append(self._shard(task, keys, (batch.requests for batch in some), longest))
        turn = self._turn or StudyTurn()
        turn.asks(len(shards))
        with closing(self._pool.done(shards, turn)) as done:
            for number, results in done:
                turn.unanswered -= 1
                for more, answers in enumerate(results):
                    yield starts[number] + more, answers

    def _shard(
        self,
        task: ShardTask,
        keys: Iterable[bytes],
        parts: Iterable[Sequence[Any]],
        longest: int = 0,
    ) -> Shard:
        mark = self._facts.get("fingerprint", "")
        name = shard_id(mark, task.label, [*keys])
        return Shard(name, self._wanted, mark, task, tuple(parts), longest)

    def _shared_out(self, method: str, elements: Sequence[Any]) -> list[Any]:
        """One value per element, computed by all workers."""
        portions = [elements[at : at + ELEMENTS] for at in range(0, len(elements), ELEMENTS)]
        return list(chain.from_iterable(self._each(ShardTask(method=method), portions)))

    def _whole(self, method: str, requests: Sequence[Any]) -> Any:
        """All answers from a single call on one worker, since they may depend on each other."""
        (answers,) = self._each(ShardTask(method=method), [requests])
        return answers

    def _each(self, task: ShardTask, portions: Sequence[Sequence[Any]]) -> list[Any]:
        """The result for each portion, in order."""
        shards = [
            self._shard(task, (repr(e).encode("utf-8", "replace") for e in portion), [portion])
            for portion in portions
        ]
        waiting = self._turn.awaiting() if self._turn else nullcontext()
        with waiting, closing(self._pool.done(shards)) as done:
            results = {number: element for number, (element,) in done}
        return [results[number] for number in range(len(shards))]
