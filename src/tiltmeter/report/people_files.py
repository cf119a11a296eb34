"""An alignment with people as JSON and CSV."""

from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from tiltmeter.analysis.people.alignment import Alignment, Alignments
from tiltmeter.analysis.people.alignment_numbers import POOLED, precision_name
from tiltmeter.analysis.people.ceiling_numbers import PERSON, REACH, SPLIT
from tiltmeter.core.results import Estimate
from tiltmeter.report.people_words import ranked
from tiltmeter.run import folder as folders

BY_GROUP = (
    "matrix", "group", "pairs", "kendall_tau", "low", "high", "p", "p_holm", "test", "precision",
    "precision_p", "split_half", "split_low", "split_high", "reachable", "one_person", "why",
)  # fmt: skip
BY_TEMPLATE = (
    "matrix", "template", "chosen", "cells", "kendall_tau", "low", "high", "p", "p_holm", "why",
)  # fmt: skip


def name_of(made: Alignments) -> str:
    """The folder: the matrices, and a digest of them, of the people and of how they were compared."""
    wanted = made.wanted
    parts = [made.people.name, made.people.sha256, str(wanted.k), str(wanted.pilot), wanted.by,
             str(sorted(wanted.aliases.items())), str(wanted.seed)]  # fmt: skip
    parts += [f"{one.source.name} {one.source.path} {one.source.middle}" for one in made.parts]
    digest = sha256("\n".join(parts).encode()).hexdigest()[:8]
    names = "-".join(folders.slug(one.source.name)[:30] for one in made.parts[:2])
    return f"people-{folders.slug(names)}-{digest}"


def as_object(made: Alignments) -> dict[str, Any]:
    """What --json prints and alignment.json holds."""
    people, wanted = made.people, made.wanted
    asked = people.ratings.annotators if people.ratings else ()
    return {
        "people": {
            "name": people.name, "source": people.source, "licence": people.licence,
            "sha256": people.sha256, "scale": list(people.scale), "who": people.who,
            "groups": list(people.groups), "pairs": list(people.pairs),
            "annotators": len(asked) if asked else None,
            "without_single_ratings": [list(cell) for cell in people.spoilt],
        },
        "settings": {
            "k": wanted.k, "by": wanted.by, "seed": wanted.seed, "splits": wanted.splits,
            "pilot": None if wanted.pilot is None else list(wanted.pilot),
            "aliases": dict(wanted.aliases),
        },
        "matrices": [_matrix(one) for one in made.parts],
        "compared": [asdict(e) for e in made.compared],
        "notes": list(made.notes),
    }  # fmt: skip


def _matrix(one: Alignment) -> dict[str, Any]:
    return {
        "name": one.source.name,
        "path": one.source.path,
        "facts": dict(one.source.facts),
        "groups": list(one.groups),
        "pairs": list(one.pairs),
        "pilot": asdict(one.pilot) if one.pilot else None,
        "turned": list(one.turned),
        "renamed": [list(both) for both in one.renamed],
        "left_out": list(one.left_out),
        "estimates": [asdict(e) for e in one.estimates],
        "by_template": [asdict(e) for e in one.by_template],
        "by_subset": [
            {
                "value": subset.value,
                "people": subset.people,
                "estimates": [asdict(e) for e in subset.estimates],
            }
            for subset in one.subsets
        ],
    }


def write_tables(made: Alignments, folder: Path) -> None:
    """by_group.csv and by_template.csv, a row a group or template of each matrix.

    Raises:
        StorageError: They could not be written.
    """
    groups = [row for one in made.parts for row in _group_rows(one, made.wanted.k)]
    templates = [row for one in made.parts for row in _template_rows(one)]
    for name, header, rows in (
        ("by_group", BY_GROUP, groups),
        ("by_template", BY_TEMPLATE, templates),
    ):
        columns = {c: [row[i] for row in rows] for i, c in enumerate(header)}
        text = pl.DataFrame(columns, strict=False).write_csv()
        folders.write_text(folder / f"{name}.csv", text)


def _group_rows(one: Alignment, k: int) -> list[Sequence[object]]:
    found: list[Sequence[object]] = []
    for e in ranked(one):
        group = e.groups["group"]
        precision = one.find(precision_name(k), group=group)
        split = one.find(f"{POOLED}_{SPLIT}", group=group)
        reach = one.find(f"{POOLED}_{REACH}", group=group)
        person = one.find(f"{POOLED}_{PERSON}", group=group)
        found.append((
            one.source.name, group, e.n, e.value, e.low, e.high, e.p, e.p_adjusted, e.test,
            _value(precision), precision.p if precision else None, _value(split),
            split.low if split else None, split.high if split else None, _value(reach),
            _value(person), e.why,
        ))  # fmt: skip
    return found


def _template_rows(one: Alignment) -> list[Sequence[object]]:
    chosen = one.pilot.templates if one.pilot else ()
    return [
        (one.source.name, e.groups["template"], e.groups["template"] in chosen, e.n, e.value, e.low,
         e.high, e.p, e.p_adjusted, e.why)
        for e in one.by_template
    ]  # fmt: skip


def _value(estimate: Estimate | None) -> float | None:
    return estimate.value if estimate else None
