"""What a run would ask, counted before anything is asked: requests, tokens, and what they would cost."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tiltmeter.core.model.query import OptionValue, Question
from tiltmeter.core.rules import Context, Rule
from tiltmeter.run.asking.budget import Price
from tiltmeter.run.jobs import Job, Session, opened
from tiltmeter.run.measuring.measure import of_rule
from tiltmeter.run.measuring.portions import portions
from tiltmeter.run.stored_answers.cached_model import CachedModel


@dataclass(slots=True)
class RequestPlan:
    """What one model would be asked."""

    model: str
    rule: str
    requests: int = 0
    """Different requests; equal ones are asked once."""
    stored: int = 0
    """Those of them whose answers are stored already."""
    read: int = 0
    """Tokens that the model would read for the others; an estimate where only a server knows."""
    written: int = 0
    """Tokens that it would write at most."""
    at_once: int = 1
    """How many requests are sent at the same time."""
    remote: bool = False
    """Whether a server is asked for replies, one at a time."""
    questions: dict[str, None] = field(default_factory=dict)
    measured: float | None = None
    """Seconds that all would take one after the other, as timed on one request; None where it was not."""

    @property
    def left(self) -> int:
        """Requests that would be asked."""
        return self.requests - self.stored

    def cost(self, price: Price) -> float:
        """What they would cost at most, in the currency of the price."""
        return price.of(self.read, self.written)

    def hours(self, seconds: float) -> float:
        """How long they would take if each takes so many seconds."""
        return self.left * seconds / self.at_once / 3600


class _CountedError(Exception):
    """Stops a rule at its first question."""


class _Counting(CachedModel):
    """Counts what it is asked, and answers nothing."""

    def __init__(self, model: Any, session: Session, plan: RequestPlan, *, fresh: bool) -> None:
        super().__init__(model, session.store, fresh=fresh)
        self._plan = plan
        self._met: set[bytes] = set()

    def _answer(
        self, question: Question[Any], requests: Sequence[Any], **options: OptionValue
    ) -> Any:
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
        known, batches = self._planned(question, distinct)
        left = [request for batch in batches for request in batch.requests]
        written = sum(question.writes(request) for request in left)
        plan = self._plan
        plan.questions[question.name] = None
        plan.requests += len(distinct)
        plan.stored += len(known)
        plan.read += sum(batch.tokens for batch in batches) - written
        plan.written += written
        if question.is_costly and left and not plan.remote:
            tokens = sum(batch.tokens for batch in batches)
            size = sum(question.sizes(self._model, left[:1]))
            plan.measured = (plan.measured or 0.0) + self._seconds(
                question, left[0]
            ) * tokens / size

    def _seconds(self, question: Question[Any], request: Any) -> float:
        """How long the model takes for a request that it has had before; the answer is not kept."""
        query = question.query()
        # What a model does once, such as trying how it reads, is not counted.
        query.ask(self._model, [request])
        begun = time.monotonic()
        query.ask(self._model, [request])
        return time.monotonic() - begun


def plan_requests(job: Job, session: Session) -> list[RequestPlan]:
    """What each model of a job would be asked.

    Only a local model that writes is asked anything: one request, for its speed. Its reply is not kept.
    Rules that ask again after they have seen an answer are counted up to their first question.
    """
    plans = []
    for member in job.plan.members:
        plan = RequestPlan(member.where.reference, member.chosen.rule.name)
        with opened(job, member.where, session) as (model, _):
            plan.remote = hasattr(model, "at_once")
            plan.at_once = int(getattr(model, "at_once", 1))
            asked = _Counting(model, session, plan, fresh=job.options.fresh)
            context = Context(
                member.chosen.convention, job.options.seed, job.options.skip_invalid,
                settings=member.chosen.settings,
            )  # fmt: skip
            items = of_rule(job.items, member.chosen.rule).items
            _count_items(member.chosen.rule, asked, items, context)
            if hasattr(model, "encode") and not plan.written:
                # A server that scores texts is sent many at once, and their tokens are known here.
                plan.remote = False
        plans.append(plan)
    return plans


def _count_items(rule: Rule[Any], asked: _Counting, items: Sequence[Any], context: Context) -> None:
    ranges = [(0, len(items))] if rule.at_once else portions(items)
    for start, stop in ranges:
        with suppress(_CountedError):
            rule.score(asked, items[start:stop], context)
