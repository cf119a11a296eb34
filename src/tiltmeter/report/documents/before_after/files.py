"""A model before and after as plain values and as one table, for the files beside the page."""

from collections.abc import Sequence
from dataclasses import asdict

from tiltmeter.analysis.before_after import BeforeAfter, Change, Part
from tiltmeter.report.document import Column, Document, Json, Table


def before_after_json(made: BeforeAfter, *, sources: Sequence[str], command: str) -> Json:
    """Everything as plain values: what before-after.json holds and --json prints."""
    return {
        "before": made.before,
        "after": made.after,
        "done": made.done,
        "sources": list(sources),
        "command": command,
        "studies": [_part(part) for part in made.parts],
        "missing": [{"study": study, "why": why} for study, why in made.missing],
    }


def _part(part: Part) -> dict[str, Json]:
    cards = [asdict(card) for card in (part.before, part.after)]
    for card in cards:
        del card["files"]  # of a folder
    scores = part.scores
    return {
        "study": part.study,
        "leanings": [_change(change) for change in part.leanings],
        "costs": [_change(change) | {"worse": change.worse} for change in part.costs],
        "cells": {"changed": part.cells[0], "of": part.cells[1]},
        "elsafoury2023": None
        if scores is None
        else {
            "axis": scores.axis,
            "groups": scores.groups,
            **(scores.test._asdict() if scores.test else {"why": scores.why}),
        },
        "cards": cards,
    }


def _change(change: Change) -> dict[str, Json]:
    return {
        "way": change.way,
        "crossed": change.crossed,
        **{side: asdict(getattr(change, side)) for side in ("before", "after", "difference")},
    }


def one_table(document: Document) -> Table:
    """All tables of the document under each other; they have the same columns in files."""
    every = list(document.tables())
    names = [column.name or column.title for column in every[0].columns if column.in_files]
    named = [{c.name or c.title: c.values for c in table.columns} for table in every]
    return Table("before-after", [Column(n, [v for of in named for v in of[n]]) for n in names])
