"""Limits on the requests, cost and time of a run; when one is reached, all answers so far are kept."""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from tiltmeter.core.errors import BadInput, LimitReached
from tiltmeter.core.reading.options import Option, check_options
from tiltmeter.core.text import counted

if TYPE_CHECKING:
    from tiltmeter.core.model.query import Question
    from tiltmeter.run.asking.executors import Batch

MILLION = 1_000_000
"""The number of tokens that a price is quoted for."""


class Price(NamedTuple):
    """What a server charges per million tokens read (prompt) and written (reply), in the user's currency."""

    read: float
    written: float

    def of(self, read: int, written: int) -> float:
        """The cost of reading and writing these numbers of tokens.

        >>> Price(2.0, 8.0).of(500_000, 100_000)
        1.8
        """
        return (read * self.read + written * self.written) / MILLION


def price_given(text: str) -> Price:
    """Parse a price as typed on the command line: "0.15,0.60", per million tokens read and written.

    Raises:
        BadInput: The text is not two non-negative numbers separated by a comma.
    """
    try:
        read, written = (float(part) for part in text.split(","))
    except ValueError:
        read = written = -1.0
    if not all(0 <= price < float("inf") for price in (read, written)):
        raise BadInput(
            f"--price {text!r} is not two prices",
            "give what a million tokens read and a million tokens written cost: --price 0.15,0.60",
        )
    return Price(read, written)


@dataclass(slots=True)
class Used:
    """Numbers of requests, and of the tokens that they read and had written."""

    requests: int = 0
    read: int = 0
    written: int = 0

    def add(self, other: "Used", times: int = 1) -> None:
        """Add the numbers of another, or subtract them (`times` = -1)."""
        self.requests += times * other.requests
        self.read += times * other.read
        self.written += times * other.written


@dataclass(slots=True)
class RequestBudget:
    """The limits of a run and what it has used so far; all models and studies of a run share one budget."""

    max_requests: Annotated[
        int | None, Option("Stop after this many requests; the same command continues.", min=1)
    ] = None
    max_cost: Annotated[
        float | None, Option("Stop before this is exceeded; needs --price.", above=0)
    ] = None
    price: Annotated[
        Price | None,
        Option(
            "What a million tokens cost, in your currency: 0.15,0.60.",
            metavar="READ,WRITTEN", typed=str, parse=price_given,
        ),
    ] = None  # fmt: skip
    until: float = math.inf
    """The deadline, on the clock of `time.monotonic`; infinity means no time limit."""
    used: Used = field(default_factory=Used)
    _held: Used = field(default_factory=Used)
    """The most that requests under way may still use."""
    _changed: Condition = field(default_factory=Condition)

    def __post_init__(self) -> None:
        """Refuse options out of range, and a cost limit without a price."""
        check_options(self)
        if self.max_cost is not None and self.price is None:
            raise BadInput(
                "--max-cost needs the price of the tokens",
                "give what a million tokens read and written cost: --price 0.15,0.60",
            )

    def check_price(self, *, planned: bool) -> None:
        """Refuse a price that would have no effect.

        Raises:
            BadInput: A price is given, but neither a plan nor a cost limit that would use it.
        """
        if self.price is not None and self.max_cost is None and not planned:
            reason = "--price has no effect without --plan or --max-cost"
            raise BadInput(reason, "add one of them, or leave it out")

    @property
    def cost(self) -> float:
        """The cost so far, in the currency of the price; 0 without a price."""
        return self._cost_of(self.used)

    def _cost_of(self, used: Used) -> float:
        return self.price.of(used.read, used.written) if self.price else 0.0

    def check_time(self) -> None:
        """Check that the deadline has not passed.

        Raises:
            LimitReached: The deadline has passed.
        """
        if time.monotonic() >= self.until:
            raise LimitReached("the time budget was spent; the same command continues with it")

    def check_cost(self, left: int) -> None:
        """Check that the cost limit is not passed, as where replies are longer than the requests foresaw.

        Args:
            left: The number of requests without an answer.

        Raises:
            LimitReached: It is.
        """
        if self.max_cost is not None and self.cost > self.max_cost:
            raise LimitReached(self._message(left))

    @contextmanager
    def held(
        self, question: "Question[Any]", batches: "Sequence[Batch]"
    ) -> "Iterator[BudgetShare]":
        """The leading batches that fit into the budget if every reply has the maximum length.

        What they may use is kept for them until the block ends. If nothing fits because other studies hold
        what is left, this waits for what they do not use.

        Raises:
            LimitReached: Not even the first batch fits.
        """
        with self._changed:
            while not (share := self._share(question, batches)).batches and self._held.requests:
                self._changed.wait()
            if not share.batches:
                self._refuse(batches)
            self._held.add(share.most)
        try:
            yield share
        finally:
            with self._changed:
                self._held.add(share.most, -1)
                self._changed.notify_all()

    def _share(self, question: "Question[Any]", batches: "Sequence[Batch]") -> "BudgetShare":
        """As many of the leading batches as fit beside what is used and held."""
        share, total = BudgetShare(self, question), Used()
        total.add(self.used)
        total.add(self._held)
        for batch in batches:
            most = _most(question, batch)
            total.add(most)
            if self.max_requests is not None and total.requests > self.max_requests:
                break
            if self.max_cost is not None and self._cost_of(total) > self.max_cost:
                break
            share.batches.append(batch)
            share.most.add(most)
        return share

    def _refuse(self, batches: "Sequence[Batch]") -> None:
        together = len(batches[0].requests)
        if self.max_requests is not None and together > self.max_requests:
            raise LimitReached(
                f"--max-requests {self.max_requests:,} is too small: the model answers "
                f"{counted(together, 'requests')} at once; allow at least {together:,}"
            )
        raise LimitReached(self._message(sum(len(batch.requests) for batch in batches)))

    def spend(self, used: Used, held: Used) -> None:
        """Count what an answered batch has used, in place of what was held for it."""
        with self._changed:
            self.used.add(used)
            self._held.add(held, -1)

    def _message(self, left: int) -> str:
        by_count = self.max_requests is not None and self.used.requests >= self.max_requests
        spent = f"of which {self.cost:,.4g} is spent" if self.cost else "of which nothing is spent"
        which = (
            f"--max-requests {self.max_requests:,} is reached"
            if by_count or self.max_cost is None
            else f"the next request might exceed --max-cost {self.max_cost:,.6g}, {spent}"
        )
        return (
            f"{which}: {counted(self.used.requests, 'requests', 'were')} answered "
            f"and kept, {left:,} or more are left. "
            "The same command goes on from here"
        )


@dataclass(slots=True)
class BudgetShare:
    """The batches for which a study holds a part of the budget."""

    budget: RequestBudget
    question: "Question[Any]"
    batches: "list[Batch]" = field(default_factory=list)
    most: Used = field(default_factory=Used)
    """What those not answered yet may use."""

    def spend(self, batch: "Batch", answers: Sequence[Any]) -> None:
        """Count the requests and tokens of an answered batch."""
        used = Used(len(batch.requests), batch.tokens)
        if self.question.used is not None:
            both = [self.question.used(answer) for answer in answers]
            used.read, used.written = sum(read for read, _ in both), sum(new for _, new in both)
        most = _most(self.question, batch)
        self.budget.spend(used, most)
        self.most.add(most, -1)


def _most(question: "Question[Any]", batch: "Batch") -> Used:
    """The most that a batch may use: its tokens include those of its longest possible replies."""
    written = sum(question.writes(request) for request in batch.requests)
    return Used(len(batch.requests), batch.tokens - written, written)
