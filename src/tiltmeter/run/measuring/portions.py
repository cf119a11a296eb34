"""Scores items by a rule, portion by portion: the only way in which a model is asked.

Many items are scored in portions, so that only the requests and answers of one portion are in
memory. Where a portion ends depends only on the items: a run that was killed and is started again
packs the same batches, and its numbers are equal bit for bit.
"""

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context, Rule, foreseen
from tiltmeter.data.memory.spool import Spool
from tiltmeter.run.measuring.repeated_replies import RepeatedReplies, writes

T = TypeVar("T")
ITEMS = 5_000
"""The maximum number of items in a portion. Batches of texts of equal length are full except for the last of
each length, and a pair takes a masked model some 26 requests: with this many items, the batches that are not
full are a small part of a portion. Every published data set fits into one portion."""
LETTERS = 200_000_000
"""The maximum sum of the squared lengths, in characters, of a portion's texts. A rule that masks each token
in turn reads a text as many times as it has tokens, so that portions of long texts (350 tokens) have fewer
items."""


def score_items(
    rule: Rule[T], model: Any, items: Sequence[T], context: Context, *, repeats: int | None = None
) -> Sequence[Record]:
    """One record for every item that has a score, in order; the others are in `context.problems`.

    Where the model writes, an item has a record for each of its `repeats`; None is as many as its data say.

    Raises:
        BadItems: Some items have no defined score and are not to be skipped; the error lists all of them,
            and the model has not been asked anything.
    """
    ranges = list(portions(items, rule))
    replies = RepeatedReplies(rule, repeats)
    if rule.at_once or len(ranges) == 1:
        whole = replies.score(model, items, context)
        context.notes += replies.notes()
        return whole
    if not context.skip_invalid:
        for start, stop in ranges:
            context.problems += foreseen(rule, model, items[start:stop], context)
        context.settle()
    records: list[Record] | Spool[Record] = [] if context.per_token else Spool(Record)
    show_part = getattr(model, "part", None)
    for start, stop in ranges:
        if show_part is not None:
            show_part(start / len(items), (stop - start) / len(items))
        records.extend(replies.score(model, items[start:stop], context))
        return_free_memory()
    context.notes += replies.notes()
    return records


def portions(items: Sequence[Any], rule: Rule[Any]) -> Iterator[tuple[int, int]]:
    """Yields the start and stop index of each portion; no items make one empty portion.

    Of a rule by which the model writes, only the number of items counts: a prompt is read once, and a server
    would be idle at the end of each portion.
    """
    start = work = 0
    for i, item in enumerate(items):
        asked = 0 if writes(rule) else sum(len(text) ** 2 for text in getattr(item, "texts", ()))
        if i > start and (i - start == ITEMS or work + asked > LETTERS):
            yield start, i
            start, work = i, 0
        work += asked
    yield start, len(items)


def return_free_memory() -> None:
    """Have the C library return its free memory to the operating system, if that library is glibc.

    glibc keeps freed blocks of up to 32 MB, such as a batch's logits, for reuse. Small objects that live
    longer, such as records, are then allocated inside them, so that fewer and fewer large blocks fit: a
    process with a masked model grew by 2 kB with each pair of sentences.
    """
    try:
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    except (OSError, TypeError):  # not every system has it, such as Windows
        return
    if trim is not None:
        trim(0)
