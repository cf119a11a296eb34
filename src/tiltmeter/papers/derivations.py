"""Derived numbers as a paper's file declares them: a correlation, a mean, a count, and of which numbers."""

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Literal

from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.reading.value_types import Line, Lines, several, some
from tiltmeter.core.text import counted

Places = Mapping[Line, Annotated[tuple[str, ...], several(str)]]
"""Values of coordinates, one or several each: a number is meant if it has one of them everywhere, or any but
the whole where they are "*"."""
CORRELATIONS = ("pearson", "spearman")
Statistic = Literal["number", "count", "share", "sum", "mean", "highest", "pearson", "spearman"]


@dataclass(frozen=True, slots=True)
class NumberSource:
    """The numbers that another number is derived from, each with its coordinates."""

    _: KW_ONLY
    item: Line = ""
    """An earlier item, whose cells they are: ours and the printed ones, by its axes."""
    of: Lines = ()
    """Runs and analyses, whose estimates they are, by the axes of `tiltmeter table`."""
    records: Line = ""
    """Read the records of this kind instead of the estimates: their `scores`, by the records' axes and
    `score`."""
    scores: Lines = ()
    fact: Line = ""
    """Read a fact about the model instead, under its name in `card.json`."""
    table: Line = ""
    """A table in the folder of data: the numbers in some of its `columns`, by `column` and `row`."""
    columns: Lines = ()
    contains: Line = ""
    """Read only rows of the table with this text in one of the columns, each of which counts 1."""
    where: Places = field(default_factory=dict)
    """By axis the values whose numbers are taken; {} takes all."""
    by: Lines = ()
    """Axes along which these numbers have a series each, besides those of the derived number."""
    axes: Mapping[Line, Line] = field(default_factory=dict)
    """Other names for axes: {base = "model"}."""
    at: Mapping[Line, Line] = field(default_factory=dict)
    """Further coordinates of all these numbers."""
    times: float = 1.0
    """What they are multiplied by: 100 makes percentages of shares."""

    @property
    def kinds(self) -> list[str]:
        """Which of the kinds of numbers are meant; exactly one is right."""
        kinds = {"item": self.item, "of": self.of, "table": self.table}
        return [kind for kind, given in kinds.items() if given]

    def faults(self) -> Iterator[Fault]:
        """That it is none of the kinds, or several, or has keys of another."""
        if len(self.kinds) != 1:
            named = " and ".join(self.kinds) or "nothing"
            yield Fault(f"takes numbers from {named}", "name one of item, of and table")
        if (self.records or self.fact or self.scores) and not self.of:
            yield Fault("names records or a fact of no results", "write of = […]")
        if bool(self.records) != bool(self.scores):
            yield Fault("lacks records or scores", 'write records = "…" and scores = […]')
        if self.records and self.fact:
            yield Fault("takes records and a fact", "leave one out")
        if bool(self.table) != bool(self.columns):
            yield Fault("lacks a table or its columns", 'write table = "…" and columns = […]')
        if self.contains and not self.table:
            yield Fault("looks for a text in no table", 'write table = "…"')


@dataclass(frozen=True, slots=True)
class DerivedNumber:
    """A number that is computed from others: a correlation, a mean, a sum, a count."""

    statistic: Statistic
    of: Annotated[tuple[NumberSource, ...], several(NumberSource), some]
    """The numbers; a correlation takes two series."""
    _: KW_ONLY
    over: Lines = ()
    """The axes along which the numbers lie that one is made of: "model"."""
    by: Lines = ()
    """The axes along which there is one for each value."""
    at: Mapping[Line, Line] = field(default_factory=dict)
    """Further coordinates of the derived number."""
    at_least: float | None = None
    """For a count or a share: the lowest number that counts; None counts all."""
    above: float | None = None
    """The same, without this value itself."""
    printed: bool = False
    """Whether the paper's printed numbers are taken where ours are not complete and comparable."""
    complete: bool = True
    """Whether all that the paper has is needed for a comparison, and nothing else is taken; otherwise it is
    made of whatever is here, also of models of the user's own."""

    def faults(self) -> Iterator[Fault]:
        """What does not go together."""
        wanted = 2 if self.statistic in CORRELATIONS else 1
        if len(self.of) != wanted:
            reason = f"makes a {self.statistic} of {counted(len(self.of), 'series')}"
            yield Fault(reason, f"name {wanted} in of = […]")
        limits = [limit for limit in (self.at_least, self.above) if limit is not None]
        if limits and self.statistic not in {"count", "share"}:
            yield Fault(f"limits a {self.statistic}", "leave at_least and above out")
        if len(limits) > 1 or (self.statistic == "share" and not limits):
            yield Fault("has two limits or none", "write at_least = … or above = …")
        if self.printed and not all(source.item for source in self.of):
            yield Fault("takes printed numbers of no item", 'write of = [{item = "…"}]')
        if self.printed and not self.complete:
            yield Fault("takes printed numbers and whatever is here", "leave one of both out")
