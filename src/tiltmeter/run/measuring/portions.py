"""Have a rule score items: the one way by which a model is asked.

Many items are scored in portions, so that the requests and answers of one portion only are in
memory. Where a portion ends depends on the items alone: a run that was killed and is started again
packs the same batches, and its numbers are equal bit by bit.
"""

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context, Rule, foreseen
from tiltmeter.data.memory.spool import Spool

T = TypeVar("T")
ITEMS = 5_000
"""Items of a portion, at most. Batches of equal lengths are full but for the last of each length, and
a masked pair makes some 26 requests: with so many, what is lost at a portion's end is a small part
of it. Every published set is one portion."""
LETTERS = 200_000_000
"""Squares of the lengths of a portion's texts, in characters, at most. A rule that hides each token
in turn reads a text as often as it has tokens: a portion of texts of 350 tokens has fewer of them."""


def score_items(
    rule: Rule[T], model: Any, items: Sequence[T], context: Context
) -> Sequence[Record]:
    """One record for every item that has a score, in order; the others are in `context.problems`.

    Raises:
        BadItems: Some items have no defined score and they are not to be skipped; all of them are
            told, and nothing was asked.
    """
    ranges = list(portions(items))
    if rule.at_once or len(ranges) == 1:
        return rule.score(model, items, context)
    if not context.skip_invalid:
        for start, stop in ranges:
            context.problems += foreseen(rule, model, items[start:stop], context)
        context.settle()
    records: list[Record] | Spool[Record] = [] if context.per_token else Spool(Record)
    show_part = getattr(model, "part", None)
    for start, stop in ranges:
        if show_part is not None:
            show_part(start / len(items), (stop - start) / len(items))
        records.extend(rule.score(model, items[start:stop], context))
        return_free_memory()
    return records


def portions(items: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """From where to where each portion of the items goes; () makes one, which is empty."""
    start = work = 0
    for i, item in enumerate(items):
        asked = sum(len(text) ** 2 for text in getattr(item, "texts", ()))
        if i > start and (i - start == ITEMS or work + asked > LETTERS):
            yield start, i
            start, work = i, 0
        work += asked
    yield start, len(items)


def return_free_memory() -> None:
    """Have the C library give back to the system whatever memory is free in it.

    glibc keeps freed blocks of up to 32 MB, such as a batch's logits, for the next ones. Small objects that
    live longer, such as records, come to stand in them, and blocks fit less and less: a process with a
    masked model grew by 2 kB with each pair of sentences. Does nothing where the C library is another one.
    """
    try:
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    except (OSError, TypeError):  # not every system has it, such as Windows
        return
    if trim is not None:
        trim(0)
