"""A model before and after, as files: a row a number, and everything as one JSON object."""

from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

import polars as pl

from tiltmeter.analysis.before_after import BeforeAfter, Change, Part
from tiltmeter.report.wording import subset


def name_of(made: BeforeAfter, sources: Sequence[str]) -> str:
    """The folder: a digest of what went in."""
    digest = sha256("\n".join([*sources, str(made.seed)]).encode("utf-8", "surrogatepass"))
    return f"before-after-{digest.hexdigest()[:8]}"


def as_object(made: BeforeAfter, sources: Sequence[str], command: str) -> dict[str, Any]:
    """What before-after.json holds and --json prints.

    Args:
        made: What was found.
        sources: Run folders, as they were named.
        command: That makes it again.
    """
    return {
        "before": made.before,
        "after": made.after,
        "done": made.done,
        "sources": list(sources),
        "command": command,
        "studies": [_part(part) for part in made.parts],
        "missing": [{"study": study, "why": why} for study, why in made.missing],
    }


def _part(part: Part) -> dict[str, Any]:
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


def _change(change: Change) -> dict[str, Any]:
    return {
        "way": change.way,
        "crossed": change.crossed,
        **{side: asdict(getattr(change, side)) for side in ("before", "after", "difference")},
    }


def as_table(made: BeforeAfter) -> str:
    """A CSV with a row a number, leanings and costs."""
    rows = [
        _row(part, change, kind)
        for part in made.parts
        for kind, changes in (("leaning", part.leanings), ("cost", part.costs))
        for change in changes
    ]
    numbers = dict.fromkeys(
        ("before", "after", "change", "low", "high", "p", "p_adjusted", "neutral"), pl.Float64
    )
    return pl.DataFrame(rows, schema_overrides=numbers, infer_schema_length=None).write_csv()


def _row(part: Part, change: Change, kind: str) -> dict[str, object]:
    e = change.difference
    return {
        "study": part.study,
        "kind": kind,
        "measure": change.before.name,
        "items": subset(e.groups),
        "n": e.n,
        "neutral": change.before.neutral,
        "unit": change.before.unit,
        "before": change.before.value,
        "after": change.after.value,
        "change": e.value,
        "low": e.low,
        "high": e.high,
        "p": e.p,
        "p_adjusted": e.p_adjusted,
        "way": change.way if kind == "leaning" else "",
        "crossed": change.crossed if kind == "leaning" else None,
        "rule": part.before.rule,
        "convention": part.before.convention,
        "why": e.why,
    }
