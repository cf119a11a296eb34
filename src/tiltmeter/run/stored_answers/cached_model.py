"""A model with a store in front of it: only requests without a stored answer reach the model."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.batch_progress import listening
from tiltmeter.core.model.batches import batches_by_length
from tiltmeter.core.model.query import OptionValue, Query, Question, StoredValue
from tiltmeter.core.model.questions import questions
from tiltmeter.core.model.study_turns import StudyTurn
from tiltmeter.run.asking.budget import RequestBudget
from tiltmeter.run.asking.executors import Batch, Executor, executor_of
from tiltmeter.run.asking.manner import ANY_REPLY, Manner
from tiltmeter.run.asking.requests_under_way import RequestsUnderWay
from tiltmeter.run.stored_answers.store import Store
from tiltmeter.run.stored_answers.store_thread import StoreThread


class RunProgress(Protocol):
    """Receives the progress of the requests, in tokens."""

    def part(self, before: float, share: float) -> None:
        """Announce the next part of the run: its share, and the share of what came before (both 0 to 1)."""

    def start(self, *, total: int, stored: int, requests: int) -> None:
        """Announce `requests` distinct requests of `total` tokens, of which `stored` are already answered."""

    def advance(self, tokens: int) -> None:
        """Report that this many more tokens have been answered, of whole requests or of parts."""


class NoProgress:
    """Progress that is shown nowhere; a base class for displays that show only some of it."""

    def part(self, before: float, share: float) -> None:
        """Ignore the beginning of a part of the run."""

    def start(self, *, total: int, stored: int, requests: int) -> None:
        """Ignore the announcement of requests."""

    def advance(self, tokens: int) -> None:
        """Do nothing with the answers."""


@dataclass(slots=True)
class _BatchProgress:
    """Passes on the progress within batches that are answered one after the other in this process."""

    progress: RunProgress
    batches: Sequence[Batch]
    answered: int = 0
    """The number of batches that are answered."""
    _ahead: int = 0
    """Tokens of the next one that were reported already."""

    def within(self, share: float) -> None:
        """Report the share of the next batch that is answered."""
        more = int(share * self.batches[self.answered].tokens) - self._ahead
        if more > 0:
            self._ahead += more
            self.progress.advance(more)

    def finished(self, batch: Batch) -> None:
        """Report that a batch is answered."""
        self.progress.advance(batch.tokens - self._ahead)
        self.answered, self._ahead = self.answered + 1, 0


class CachedModel:
    """Wraps a model so that every answer to a question goes through the store.

    The methods that answer the questions listed in `core.model.questions` look up stored answers and store
    new ones; all other attributes are the model's own.

    Which requests share a batch depends only on the whole set of requests, never on what is stored
    already. A run that was killed and started again with the same command therefore computes exactly
    what an uninterrupted run computes, bit for bit. Answers stored by another study or with another
    --batch-tokens may differ in the last digits of float32. Equal requests are asked once.
    """

    def __init__(  # noqa: PLR0913 what a run may say of how a model is asked
        self,
        model: Any,
        store: Store | StoreThread,
        progress: RunProgress | None = None,
        *,
        fresh: bool = False,
        executor: Executor | None = None,
        budget: RequestBudget | None = None,
        manner: Manner | None = None,
        under_way: RequestsUnderWay | None = None,
        turn: StudyTurn | None = None,
    ) -> None:
        self._model = model
        self._manner = manner or Manner()
        self._budget = budget or RequestBudget()
        self._under_way = under_way or RequestsUnderWay()
        self._turn = turn
        self._questions = {
            question.method: question for question in questions() if question.key is not None
        }
        self._execute = executor or executor_of(model)
        self._store = store
        precision = str(model.about.get("precision", ""))
        self._id = store.model(model.fingerprint, model.name, precision)
        self._progress = progress or NoProgress()
        self._fresh = fresh
        self.asked = 0
        """The number of requests that the model itself answered in this run."""
        self.recalled = 0
        """The number of requests that the store answered."""

    def part(self, before: float, share: float) -> None:
        """Announce the next part of the run to the progress display; see `RunProgress.part`."""
        self._progress.part(before, share)

    def __getattr__(self, name: str) -> Any:
        # `copy` looks up attributes before `__init__` has run: `_questions` would look itself up forever.
        if name.startswith("_"):
            raise AttributeError(name)
        question = self._questions.get(name)
        return partial(self._answer, question) if question else getattr(self._model, name)

    def _answer(
        self, question: Question[Any], requests: Sequence[Any], **options: OptionValue
    ) -> Any:
        query = question.query(**options)
        requests = self._in_manner(requests)
        keys = query.keys(requests)
        distinct = dict(zip(keys, requests, strict=True))
        sizes = self._sizes(question, distinct)
        known = self._recalled(question, sizes)
        with self._turn.awaiting() if self._turn else nullcontext():
            while plan := list(self._batches(question, distinct, sizes, known)):
                with self._claimed(plan) as (own, others):
                    self._make(query, own, known, len(distinct))
                if not others:
                    break
                self._under_way.wait(self._id, others)
                answered = self._stored(question, [key for batch in others for key in batch.keys])
                self.recalled += len(answered)
                self._progress.advance(sum(sizes[key] for key in answered))
                known |= answered
        return question.collect([known[key] for key in keys])

    def _in_manner(self, requests: Sequence[Any]) -> Sequence[Any]:
        """The requests as they are made of this model: with the run's system prompt and limits."""
        if not requests or not isinstance(requests[0], ANY_REPLY):
            return requests
        return self._manner.applied(requests, thinks=bool(getattr(self._model, "thinks", False)))

    def _sizes(self, question: Question[Any], distinct: Mapping[bytes, Any]) -> dict[bytes, int]:
        """The tokens of each request, by key."""
        return dict(zip(distinct, question.sizes(self._model, [*distinct.values()]), strict=True))

    def _recalled(self, question: Question[Any], sizes: Mapping[bytes, int]) -> dict[bytes, Any]:
        """The answers that are stored, by key; the display of progress learns of all requests."""
        known = {} if self._fresh else self._stored(question, list(sizes))
        self.recalled += len(known)
        stored = sum(sizes[key] for key in known)
        self._progress.start(total=sum(sizes.values()), stored=stored, requests=len(sizes))
        return known

    def _claimed(
        self, plan: Sequence[Batch]
    ) -> AbstractContextManager[tuple[Sequence[Batch], Sequence[Batch]]]:
        """The batches to make, and those of which another study makes a request.

        If nothing stored is to be used, the answer to another study's request is not either.
        """
        if self._fresh:
            return nullcontext((plan, ()))
        return self._under_way.claimed(self._id, plan)

    def _make(
        self, query: Query, plan: Sequence[Batch], known: dict[bytes, Any], total: int
    ) -> None:
        """Have these batches answered within the budget, and add the answers to the known ones of `total`."""
        question = query.question
        while plan:
            with (
                self._budget.held(question, plan) as share,
                closing(self._asked(query, share.batches)) as answered,
            ):
                for batch, made in answered:
                    decoded = {key: question.decode(value) for key, value in made.items()}
                    share.spend(batch, [*decoded.values()])
                    known |= decoded
                    if len(known) < total:
                        self._budget.check_time()
                        self._budget.check_cost(total - len(known))
            plan = plan[len(share.batches) :]

    def _asked(
        self, query: Query, plan: Sequence[Batch]
    ) -> Generator[tuple[Batch, dict[bytes, StoredValue]], None, None]:
        """Each batch with its answers, once these have been passed to the store."""
        within = _BatchProgress(self._progress, plan)
        with closing(self._execute(query, plan)) as answered:
            while True:
                with listening(within.within):
                    answer = next(answered, None)
                if answer is None:
                    return
                number, values = answer
                batch = plan[number]
                for request, value in zip(batch.requests, values, strict=True):
                    self._check(request, value)
                self._check_finite(values)
                made = dict(zip(batch.keys, values, strict=True))
                self._store.put(self._id, made, at_once=query.question.is_costly)
                self.asked += len(made)
                within.finished(batch)
                yield batch, made

    def _stored(self, question: Question[Any], keys: Sequence[bytes]) -> dict[bytes, Any]:
        """The stored answers that can be decoded, by key."""
        answers = {}
        for key, value in self._store.get(self._id, keys).items():
            try:
                answers[key] = question.decode(value)
            except ValueError:
                continue
        return answers

    def _batches(
        self,
        question: Question[Any],
        distinct: Mapping[bytes, Any],
        sizes: Mapping[bytes, int],
        known: Mapping[bytes, Any],
    ) -> Iterator[Batch]:
        """The batches planned over all requests, each without the requests that have a stored answer."""
        order = list(distinct)
        rows = question.rows(self._model, [*distinct.values()], order, [*sizes.values()])
        alike, lengths = [row for row, _ in rows], [length for _, length in rows]
        most = (question.is_written and self._model.reply_tokens) or self._model.batch_tokens
        for batch in batches_by_length(lengths, int(most), order, alike):
            missing = tuple(order[i] for i in batch if order[i] not in known)
            if missing:
                tokens = [sizes[key] for key in missing]
                asked = tuple(distinct[key] for key in missing)
                yield Batch(missing, asked, sum(tokens), max(tokens))

    def _check(self, request: Any, value: StoredValue) -> None:
        if isinstance(value, str):
            return
        if not isinstance(value, np.ndarray):
            raise CannotAnswer(
                f"{self.name} returned an answer of type {type(value).__name__}, "
                "which is neither numbers nor text"
            )
        nothing_read = not getattr(request, "read", getattr(request, "ids", True))
        if not (value.size or nothing_read) or value.dtype.kind not in "fiu":
            what = "values that are not numbers" if value.size else "no numbers"
            raise CannotAnswer(f"{self.name} returned {what} where a score was asked for")

    def _check_finite(self, values: Sequence[StoredValue]) -> None:
        numbers = [value.ravel() for value in values if not isinstance(value, str)]
        if numbers and not np.isfinite(np.concatenate(numbers)).all():  # one call: there are many
            raise CannotAnswer(
                f"{self.name} returned an answer that is not a finite number; "
                "if it runs in reduced precision, try --precision float32"
            )
