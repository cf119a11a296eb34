"""Scores items by what a model writes, as often as the run asks for a reply.

A reply is a record: the first to an item has the item's id, and those after it have `|2`, `|3`, … behind it.
All have the score `repeat`, from 0. The first has `changed_between_repeats`, 1 where the answers to the item
are not all the same, and `repeats`, how many there are.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Generic, TypeVar

from tiltmeter.core.model.protocols import Writes
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.text import counted
from tiltmeter.run.asking.repeating_model import RepeatingModel
from tiltmeter.study_families.repeats import CHANGED, REPEATS

T = TypeVar("T")
IGNORED = Note(
    "caution",
    "All replies to the same prompt are equal although the temperature is above 0: the model or its server "
    "seems to ignore the temperature, so that repeats say nothing about chance.",
)


def writes(rule: Rule[Any]) -> bool:
    """Whether a model writes replies by this rule, which another repeat may change."""
    return Writes in rule.needs.__mro__


@dataclass(slots=True)
class RepeatedReplies(Generic[T]):
    """A rule whose models reply several times to each item, and what came of that in a run."""

    rule: Rule[T]
    repeats: int | None = None
    """How many replies an item has; None is as many as its data ask for."""
    spared: int = 0
    """How many replies to an item a deterministic model was not asked for."""
    repeated: int = 0
    """The number of items with several replies at temperature 0."""
    changed: int = 0
    """The number of these with different answers."""
    most: int = 1
    """The largest number of their repeats."""

    def alike(self, items: Sequence[T]) -> list[tuple[int, Sequence[T]]]:
        """Items by the number of replies that each is to have."""
        if not writes(self.rule):
            return [(1, items)]
        by_times: dict[int, list[T]] = defaultdict(list)
        for item in items:
            by_times[self.repeats or int(getattr(item, "repeats", 1))].append(item)
        return sorted(by_times.items()) or [(1, items)]

    def score(self, model: Any, items: Sequence[T], context: Context) -> list[Record]:
        """One record for each item and repeat, the repeats of an item one after the other."""
        if not writes(self.rule):
            return self.rule.score(model, items, context)
        groups = [[*self._scored(model, some, times, context)] for times, some in self.alike(items)]
        if len(groups) == 1:
            return [*chain(*groups[0])]
        by_item = {repeats[0].item: repeats for group in groups for repeats in group}
        ids = (getattr(item, "id", "") for item in items)
        return [record for name in ids for record in by_item.get(name, ())]

    def _scored(
        self, model: Any, items: Sequence[T], times: int, context: Context
    ) -> Iterator[list[Record]]:
        """The records of each item's repeats."""
        if times == 1:
            for record in self.rule.score(model, items, context):
                yield [record.as_repeat(0)]
            return
        ranks = 1 + max((getattr(item, "rank", 0) for item in items), default=0)
        asked = RepeatingModel(model, times, ranks)
        passes = [self.rule.score(asked, items, context)]
        if asked.asks_again:
            for asked.repeat in range(1, times):
                # Problems are those of the first pass: it met the same items.
                passes.append(self.rule.score(asked, items, replace(context, problems=[])))
            self._note_temperature(asked, context)
        else:
            self.spared = max(self.spared, times - 1)
        cold = asked.temperatures == {0.0}
        for repeats in zip(*passes, strict=True):
            records = numbered(repeats)
            if cold:
                self.count(records)
            yield records

    def count(self, repeats: Sequence[Record]) -> None:
        """Count the replies to an item, at temperature 0, for the notes."""
        if len(repeats) > 1:
            self.repeated += 1
            self.changed += repeats[0].scores[CHANGED] > 0
            self.most = max(self.most, len(repeats))

    def _note_temperature(self, asked: RepeatingModel, context: Context) -> None:
        if asked.differ:
            context.rule_out(IGNORED)
        elif min(asked.temperatures) > 0:
            context.add_unless_ruled_out(IGNORED)

    def notes(self) -> list[Note]:
        """What is to be said of repeats at temperature 0."""
        if self.spared:
            return [Note(
                "data",
                f"Every item was asked about once and not {counted(self.spared + 1, 'times')}: at "
                "temperature 0 the "
                "replies of this model are always the same.",
            )]  # fmt: skip
        if not self.repeated:
            return []
        of = f"{self.changed:,} of {counted(self.repeated, 'items')}"
        share = f"{100 * self.changed / self.repeated:.1f} %"
        if self.changed:
            return [Note(
                "caution",
                "The model or its server is not deterministic: at temperature 0 the answers to "
                f"{of} ({share}) changed between {counted(self.most, 'repeats')}.",
            )]  # fmt: skip
        return [
            Note(
                "data",
                f"No answer changed between {counted(self.most, 'repeats')} at temperature 0.",
            )
        ]


def numbered(repeats: Sequence[Record]) -> list[Record]:
    """The records of the replies to an item, with ids and scores that say which repeat each is."""
    records = [record.as_repeat(k) for k, record in enumerate(repeats)]
    if len(records) > 1:
        changed = any(_answer(record) != _answer(repeats[0]) for record in repeats)
        more = {CHANGED: float(changed), REPEATS: float(len(repeats))}
        records[0] = replace(records[0], scores={**records[0].scores, **more})
    return records


def _answer(record: Record) -> object:
    """What counts as the answer: how a reply was read where it is to name an option, else its words."""
    if not any(name == "said" or name.endswith("_said") for name in record.scores):
        return record.said.split(), sorted(record.replies.items())
    about_writing = ("tokens", "thought")
    return sorted(
        (name, score)
        for name, score in record.scores.items()
        if not any(word in name for word in about_writing)
    )
