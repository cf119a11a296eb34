"""Request plans: the requests, tokens and cost of a run, counted before anything is asked."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tiltmeter.core.model.back_ends import optional_function
from tiltmeter.core.model.conversations import ALLOWANCES, Writing
from tiltmeter.core.model.query import OptionValue, Question
from tiltmeter.core.rules import Context
from tiltmeter.models.opening.memory_estimate import MemoryEstimate, TextSizes, estimate_memory
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved, place_of
from tiltmeter.models.speed.free_memory import free_bytes
from tiltmeter.run.asking.budget import Price
from tiltmeter.run.asking.manner import Manner, manner_of
from tiltmeter.run.jobs import Job, Session, opened
from tiltmeter.run.measuring.measure import of_rule
from tiltmeter.run.measuring.portions import portions
from tiltmeter.run.measuring.repeated_replies import RepeatedReplies
from tiltmeter.run.stored_answers.cached_model import CachedModel

STORED, NUMBER = 55, 8
"""Bytes of an answer in the store with its key and a single number, and of each further number or token."""


@dataclass(slots=True)
class RequestPlan:
    """The number of requests and tokens that a run would take with one model."""

    model: str
    rule: str
    requests: int = 0
    """The number of distinct requests; equal ones are asked once."""
    stored: int = 0
    """The number of these whose answers are stored already."""
    read: int = 0
    """Tokens that the model would read for the remaining requests; an estimate for models on a server."""
    written: int = 0
    """The maximum number of tokens that the model would write."""
    at_once: int = 1
    """The number of requests that are sent concurrently."""
    remote: bool = False
    """Whether a server is asked, with one request per reply."""
    questions: dict[str, None] = field(default_factory=dict)
    measured: float | None = None
    """Estimated seconds for all remaining requests in sequence, from timing one; None if not timed."""
    thoughts: int = 0
    """How many tokens more it could write if it thinks, though no thought is foreseen."""
    study: str = ""
    memory: MemoryEstimate | None = None
    """The memory that a local model takes; None where that is not known, as for models on a server."""
    free: int | None = None
    """The bytes of memory that are free for it; None where that is not known."""
    answers: int = 0
    """The most bytes that the remaining answers take in the store."""

    @property
    def left(self) -> int:
        """The number of requests whose answers are not stored yet."""
        return self.requests - self.stored

    def cost(self, price: Price) -> float:
        """The maximum cost of the remaining requests, in the currency of the price."""
        return price.of(self.read, self.written)

    def hours(self, seconds: float) -> float:
        """The hours that the remaining requests would take at so many seconds per request."""
        return self.left * seconds / self.at_once / 3600


class _CountedError(Exception):
    """Raised to stop a rule at its first question."""


class _Counting(CachedModel):
    """A model that counts the requests it receives and answers none of them."""

    def __init__(
        self, model: Any, session: Session, plan: RequestPlan, *, fresh: bool, manner: Manner
    ) -> None:
        super().__init__(model, session.store, fresh=fresh, manner=manner)
        self._plan = plan
        self._met: set[bytes] = set()
        self.texts = TextSizes(int(model.batch_tokens))

    def _answer(
        self, question: Question[Any], requests: Sequence[Any], **options: OptionValue
    ) -> Any:
        requests = self._in_manner(requests)
        keys = question.query(**options).keys(requests)
        distinct = {
            key: request
            for key, request in zip(keys, requests, strict=True)
            if key not in self._met
        }
        self._met |= distinct.keys()
        self._count(question, distinct)
        raise _CountedError

    def _count(self, question: Question[Any], distinct: Mapping[bytes, Any]) -> None:
        sizes = self._sizes(question, distinct)
        known = self._recalled(question, sizes)
        batches = list(self._batches(question, distinct, sizes, known))
        left = [request for batch in batches for request in batch.requests]
        written = sum(question.writes(request) for request in left)
        plan = self._plan
        plan.questions[question.name] = None
        plan.requests += len(distinct)
        plan.stored += len(known)
        plan.read += sum(batch.tokens for batch in batches) - written
        plan.written += written
        tokens = sum(batch.tokens for batch in batches)
        self._measure(question, left)
        plan.answers += STORED * len(left) + NUMBER * (written if question.is_written else tokens)
        if plan.remote:
            plan.thoughts += sum(map(_unforeseen, left))
        if question.is_costly and left and not plan.remote:
            tokens = sum(batch.tokens for batch in batches)
            size = sum(question.sizes(self._model, left[:1]))
            plan.measured = (plan.measured or 0.0) + self._seconds(
                question, left[0]
            ) * tokens / size

    def _measure(self, question: Question[Any], requests: Sequence[Any]) -> None:
        sizes = question.sizes(self._model, requests) if requests else ()
        self.texts.longest = max(self.texts.longest, *sizes, 0)
        if question.is_written:
            for request, size in zip(requests, sizes, strict=True):
                most = question.writes(request)
                self.texts.add_reply(request.prompt, size - most, most)

    def _seconds(self, question: Question[Any], request: Any) -> float:
        """The seconds that the model takes to answer a request; the answer is discarded."""
        query = question.query()
        # The first call is not timed: it includes what a model does only once, such as trying how it reads.
        query.ask(self._model, [request])
        begun = time.monotonic()
        query.ask(self._model, [request])
        return time.monotonic() - begun


def plan_requests(job: Job, session: Session) -> list[RequestPlan]:
    """A request plan for each model of a job.

    A local model that writes replies is asked one request to measure its speed, and its reply is discarded;
    other models are asked nothing. For rules whose later questions depend on earlier answers, only the first
    question is counted.
    """
    plans = []
    for member in job.plan.members:
        free = free_bytes("cpu")  # before the model is opened
        plan = RequestPlan(member.where.reference, member.chosen.rule.name, study=job.study.name)
        with opened(job, member.where, session) as (model, _):
            plan.remote = hasattr(model, "at_once")
            plan.at_once = int(getattr(model, "at_once", 1))
            manner = manner_of(job.options)
            asked = _Counting(model, session, plan, fresh=job.options.fresh, manner=manner)
            context = Context(
                member.chosen.convention, job.options.seed, job.options.skip_invalid,
                settings=member.chosen.settings,
            )  # fmt: skip
            items = of_rule(job.items, member.chosen.rule).items
            replies = RepeatedReplies(member.chosen.rule, job.options.repeats)
            _count_items(replies, asked, items, context)
            if hasattr(model, "encode") and not plan.written:
                # A server that scores texts is sent many at once, and their tokens are known here.
                plan.remote = False
            if not plan.remote:
                _estimate(plan, member.where, job.opening, model, asked.texts, free)
        plans.append(plan)
    return plans


def _estimate(
    plan: RequestPlan, where: Resolved, opening: Options, model: Any, texts: TextSizes, free: int | None
) -> None:  # fmt: skip
    """Fill in the memory of a local model and what is free for it, with `free` bytes for the processor."""
    if where.in_memory is not None:
        return
    about = model.about
    precision, device = (
        str(about.get("precision")),
        str(about.get("device", "cpu")).partition(":")[0],
    )
    own = optional_function(where.scheme, "memory")
    if own:
        plan.memory = own(place_of(where, opening), precision, device, texts)
    elif where.traits.checkpoint:
        plan.memory = estimate_memory(Path(place_of(where, opening)), precision, device, texts)
    if plan.memory:
        plan.free = free if device == "cpu" else free_bytes(device)


def _unforeseen(request: Any) -> int:
    """The tokens of a thought that a server's reply may have though its request foresees none."""
    foreseen = not isinstance(request, Writing) or request.thinking_tokens or request.thinking
    return 0 if foreseen or not request.prompt.chat else ALLOWANCES[""]


def _count_items(
    replies: RepeatedReplies[Any], asked: _Counting, items: Sequence[Any], context: Context
) -> None:
    ranges = [(0, len(items))] if replies.rule.at_once else portions(items, replies.rule)
    for start, stop in ranges:
        for _, some in replies.alike(items[start:stop]):
            with suppress(_CountedError):
                replies.score(asked, some, context)
