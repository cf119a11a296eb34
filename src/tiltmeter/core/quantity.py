"""A quantity: what all estimates of one name share, and its value at a place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference, Meaning, Role, only_finite
from tiltmeter.core.types import Groups
from tiltmeter.core.views import NumberColumn, Shown, number_columns

NOTHING = Inference(None, None)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that an analysis reports: what all estimates of its name share."""

    name: str
    """The name of the estimates. Meaning and unit never depend on a setting: another scale is another
    quantity."""
    meaning: Meaning
    unit: str = ""
    neutral: float | None = None
    interval: str = ""
    """How its intervals are made; an inference may say it for each."""
    test: str = ""

    def at(  # noqa: PLR0913 all but the first two are by name
        self,
        value: float | None,
        inference: Inference = NOTHING,
        *,
        n: int = 0,
        why: str = "",
        groups: Groups | None = None,
        p_adjusted: float | None = None,
        verdict: str = "",
        clusters: int | None = None,
        bound: Literal["", "<", "≤", ">"] = "",
    ) -> Estimate:
        """The estimate with this value, interval and coordinates.

        Args:
            value: None where it is undefined, for the reason in `why`.
            inference: Interval and p.
            n: How many items it was computed from; 0 where nothing is counted.
            why: Why there is no value, or what to know of it, besides what the inference says.
            groups: The place, by axis; {} is over everything.
            p_adjusted: p, corrected by Holm over its family.
            verdict: What it comes to, in a word.
            clusters: Of how many different things the n items are.
            bound: On which side of it the true value lies, where that is all that can be said.
        """
        value, inference, reason = only_finite(value, inference)
        return Estimate(
            self.name, value, inference.low, inference.high, inference.p, n, self.neutral, self.unit,
            "; ".join(text for text in (why, inference.why, reason) if text), groups or {},
            p_adjusted=p_adjusted, adjustment="" if p_adjusted is None else "Holm",
            interval=(inference.interval or self.interval) if inference[:2] != (None, None) else "",
            test=(inference.test or self.test) if inference.p is not None else "",
            mde=inference.mde, level=inference.level,
            meaning=self.meaning, verdict=verdict, clusters=clusters, bound=bound,
        )  # fmt: skip

    def columns(
        self,
        heading: str = "",
        *,
        at: Groups | None = None,
        on: Shown = "both",
        missing: str = "",
        signed: bool = False,
        **drops: int,
    ) -> tuple[NumberColumn, ...]:
        """Columns of a table of numbers, a field of its estimates each.

        Args:
            heading: Of the first column, where its usual one will not do.
            at: Further coordinates of these estimates.
            on: Where the columns stand.
            missing: Stands where there is no such estimate.
            signed: Whether it is a change.
            drops: The fields (see `views.Field`) in order: the higher the number, the sooner a
                narrow terminal leaves the column out; 0 is never. Only the value by default.

        >>> [(c.shows, c.drop) for c in quantity("tau", "Tau").columns(value=0, interval=1)]
        [('value', 0), ('interval', 1)]
        >>> [c.heading for c in quantity("tau", "Tau").columns("items", n=0, interval=1)]
        ['items', '']
        """
        return number_columns(
            self.name, heading, at=at, on=on, missing=missing, signed=signed, **drops
        )


def quantity(  # noqa: PLR0913 all of them are by name, and most have a default
    name: str,
    title: str,
    short: str = "",
    *,
    counts: str = "items",
    unit: str = "",
    decimals: int | None = None,
    neutral: float | None = None,
    interval: str = "",
    test: str = "",
    role: Role = "description",
    **meaning: Any,
) -> Quantity:
    """A quantity in one line; see `Quantity` and `Meaning`.

    >>> quantity("ac1", "Gwet’s AC1", "AC1", counts="hypotheses", decimals=2).meaning.short
    'AC1'
    """
    described = Meaning(title, short, role, counts, decimals=decimals, **meaning)
    return Quantity(name, described, unit, neutral, interval, test)


def computed(
    number: Callable[[], float], inference: Callable[[], Inference] = lambda: NOTHING
) -> tuple[float | None, Inference]:
    """A number and its uncertainty, or the reason why there is none: the head of `Quantity.at`.

    >>> from tiltmeter.core.errors import Undefined
    >>> def none(): raise Undefined("no answers")
    >>> computed(none, none)[1].why
    'no answers'
    """
    try:
        return number(), inference()
    except Undefined as undefined:
        return None, Inference(None, None, why=str(undefined))
