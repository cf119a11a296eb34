"""Limits on the requests, cost and time of a run; when one is reached, all answers so far are kept."""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
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
class RequestBudget:
    """The limits of a run and what it has used so far; all models of a run share one budget."""

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
    requests: int = 0
    read: int = 0
    written: int = 0

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
        return self.price.of(self.read, self.written) if self.price else 0.0

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

    def affordable(self, question: "Question[Any]", batches: "Sequence[Batch]") -> "list[Batch]":
        """The leading batches that fit into the budget if every reply has the maximum length.

        Raises:
            LimitReached: Not even the first batch fits.
        """
        requests, read, written = self.requests, self.read, self.written
        kept: list[Batch] = []
        for batch in batches:
            most = sum(question.writes(request) for request in batch.requests)
            requests += len(batch.requests)
            # The tokens of a batch include those of its longest possible replies.
            read, written = read + batch.tokens - most, written + most
            if self.max_requests is not None and requests > self.max_requests:
                break
            cost = self.price.of(read, written) if self.price else 0.0
            if self.max_cost is not None and cost > self.max_cost:
                break
            kept.append(batch)
        if batches and not kept:
            together = len(batches[0].requests)
            if self.max_requests is not None and together > self.max_requests:
                raise LimitReached(
                    f"--max-requests {self.max_requests:,} is too small: the model answers "
                    f"{counted(together, 'requests')} at once; allow at least {together:,}"
                )
            raise LimitReached(self._message(sum(len(batch.requests) for batch in batches)))
        return kept

    def spend(self, question: "Question[Any]", batch: "Batch", answers: Sequence[Any]) -> None:
        """Add the requests and tokens of an answered batch to what has been used."""
        self.requests += len(batch.requests)
        if question.used is None:
            self.read += batch.tokens
            return
        for answer in answers:
            read, written = question.used(answer)
            self.read, self.written = self.read + read, self.written + written

    def _message(self, left: int) -> str:
        by_count = self.max_requests is not None and self.requests >= self.max_requests
        spent = f"of which {self.cost:,.4g} is spent" if self.cost else "of which nothing is spent"
        which = (
            f"--max-requests {self.max_requests:,} is reached"
            if by_count or self.max_cost is None
            else f"the next request might exceed --max-cost {self.max_cost:,.6g}, {spent}"
        )
        return (
            f"{which}: {counted(self.requests, 'requests', 'were')} answered "
            f"and kept, {left:,} or more are left. "
            "The same command goes on from here"
        )
