"""Replaces tables and pictures without a single value by one sentence that names them and the reason."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import counted
from tiltmeter.report.document import Block, Column, Panels, Picture, Section, Table, Text
from tiltmeter.report.text import sentence_end, why_undefined

UNDEFINED = "undefined"
COUNTS = {"n", "neutral", "clusters", "tied"}
"""Columns that have numbers even where the value is undefined."""
MOST_NAMED = 3


def has_no_value(table: Table) -> bool:
    """Whether a table has undefined values and no numbers other than counts and neutral values."""
    numbers = [
        c for c in table.columns if c.number and c.on and not COUNTS & {c.name, c.title.lower()}
    ]
    some = any(_is_undefined(column) for column in numbers)
    return some and all(value is None for column in numbers for value in column.values)


def _is_undefined(column: Column) -> bool:
    return UNDEFINED in column.cells


def without_undefined(
    sections: Sequence[Section], estimates: Sequence[Estimate], *, keep: str = "estimates"
) -> list[Section]:
    """The sections with one sentence in place of all tables and pictures that have no value.

    The section with the anchor `keep`, which lists all numbers, is not changed.
    """
    lost = [t for s in sections if s.id != keep for block in s.blocks for t in _tables_lost(block)]
    if not lost:
        return list(sections)
    kept = [Section("undefined", "", [Text(_sentence(lost, estimates))])]
    for section in sections:
        blocks = [b for b in section.blocks if section.id == keep or not _tables_lost(b)]
        if blocks or not section.blocks:
            kept.append(replace(section, blocks=blocks))
    return kept


def _tables_lost(block: Block) -> list[Table]:
    """The tables of a block if none of them has a value, otherwise []."""
    pictures = block.pictures if isinstance(block, Panels) else [block]
    tables = [p.table if isinstance(p, Picture) else p for p in pictures]
    known = [table for table in tables if isinstance(table, Table)]
    return known if len(known) == len(tables) and known and all(map(has_no_value, known)) else []


def _sentence(lost: Sequence[Table], estimates: Sequence[Estimate]) -> str:
    titles = [*dict.fromkeys(table.title for table in lost if table.title)]
    more = len(titles) - MOST_NAMED
    named = "; ".join(titles[:MOST_NAMED]) + (f"; and {more:,} more" if more > 0 else "")
    reasons = Counter(why_undefined(e) for e in estimates if e.value is None)
    ((why, _),) = reasons.most_common(1)
    head = next((e for e in estimates if not e.groups), None)
    if head is not None and head.value is None and why_undefined(head) == why:
        why = "for the same reason"  # as the finding
    others = "" if len(reasons) == 1 else "; the table of all numbers has the other reasons"
    return sentence_end(
        f"{counted(len(titles), 'tables')} without a value ({named}): {why}{others}"
    )
