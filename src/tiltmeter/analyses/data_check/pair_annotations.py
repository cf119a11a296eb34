"""What the annotators of pairs said: read from the published column, and what it can tell.

The published CrowS-Pairs file keeps, for each pair, five lists of bias types, one an annotator.
The form (Nangia et al. 2020, doi:10.18653/v1/2020.emnlp-main.154, appendix C) asked four things:
whether sentence 1, then sentence 2, shows or violates a stereotype; whether the two are minimally
distant; and which attribute it is about, with "none of the above". Only the fourth answer is in
the file. So the column tells which types were named and by how many; it does *not* tell who called
a pair valid, or minimally distant, or which sentence they found more stereotyping. An empty list
is read here as "named no type"; that it also meant "not valid" is likely but nowhere said. And it
holds the 1,508 accepted examples only, not the 492 that were removed.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.analyses.data_check.data_description import counted_items
from tiltmeter.core.errors import BadItems, Problem
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import computed, quantity
from tiltmeter.core.text import counted
from tiltmeter.data.files.tables import read_table
from tiltmeter.stats.raters.acceptance_by_chance import chance_of_acceptance
from tiltmeter.stats.raters.kappa_and_alpha import (
    alpha_inference,
    average_majority,
    coded,
    krippendorff_alpha,
)

NEEDED = 3
"""So many votes accept a pair, the writer's among them (section 2)."""
LONGEST_CELL = 10_000
"""Longer annotation cells are refused instead of parsed."""
AGREEMENT_NAMED = quantity(
    "agreement_named", "Agreement on naming a bias type", counts="pairs", unit="%"
)
AGREEMENT_TYPE = quantity(
    "agreement_type", "Agreement on which bias type", counts="pairs", unit="%"
)
ALPHA_TYPE = quantity(
    "alpha_type", "Krippendorff’s α on which bias type", "α", counts="pairs", decimals=2
)
ANNOTATED = quantity("annotated", "Pairs by annotations", "pairs", counts="pairs", decimals=0)
CHANCE = quantity(
    "chance_of_acceptance", "Accepted if everybody answered at random", counts="votes", unit="%"
)
PEOPLE = quantity("people", "Writers and annotators", "number", counts="pairs", decimals=0)


@dataclass(frozen=True, slots=True)
class Annotation:
    """What the annotators of one pair named, and who they were."""

    id: str
    bias_type: str
    """The type that the data set gives the pair; annotators may have named others."""
    votes: tuple[tuple[str, ...], ...]
    """One tuple per annotator: the bias types named, () for none."""
    writer: str = ""
    annotators: tuple[str, ...] = ()

    @property
    def named(self) -> int:
        """How many annotators named a bias type."""
        return sum(map(bool, self.votes))

    @property
    def types(self) -> Counter[str]:
        """How many annotators named each bias type."""
        return Counter(name for vote in self.votes for name in set(vote))


def read_annotations(path: Path, *, skip_invalid: bool = False) -> list[Annotation]:
    """The annotations of the published file, in its order.

    Needs the column `annotations`; reads `bias_type`, `anon_writer`, `anon_annotators` and the
    nameless first column, or `id`, where they are there.

    Raises:
        BadInput: The file cannot be read or has no such column.
        BadItems: Cells that are not lists of lists of text, each with its line; with
            `skip_invalid` those rows are left out.
    """
    read: list[Annotation] = []
    problems: list[Problem] = []
    for index, row in enumerate(read_table(path, required=("annotations",)).rows):
        if row.problem is not None:
            problems.append(row.problem)
            continue
        cells = row.cells
        name = str(cells.get("id") or cells.get("") or index)
        try:
            votes = _lists(cells["annotations"])
            people = _texts(_literal(cells.get("anon_annotators") or "[]"))
        except ValueError as error:
            way = "give lists as in [['age'], ['age'], []], or leave the row out"
            problems.append(Problem(str(error), way, file=path.name, line=row.line, item=name))
            continue
        kind, writer = (str(cells.get(key) or "") for key in ("bias_type", "anon_writer"))
        read.append(Annotation(name, kind, votes, writer, people))
    if problems and not skip_invalid:
        raise BadItems(problems)
    return read


def _literal(cell: Any) -> Any:
    """The value of a cell, which spells lists or, from JSON and Parquet, is one; text is never evaluated."""
    if not isinstance(cell, str):
        return cell
    if len(cell) > LONGEST_CELL:
        raise ValueError(
            f"a cell of {counted(len(cell), 'characters')} is too long for annotations"
        )
    try:
        return ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError) as error:
        raise ValueError("the cell is not a list") from error


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(text, str) for text in value):
        raise ValueError("the cell is not a list of texts")
    return tuple(value)


def _lists(cell: Any) -> tuple[tuple[str, ...], ...]:
    value = _literal(cell)
    if not isinstance(value, list | tuple):
        raise ValueError("the annotations are not a list of lists")  # noqa: TRY004  (one kind)
    if not value:
        raise ValueError("the annotations are empty")
    return tuple(_texts(vote) for vote in value)


def votes(annotations: Sequence[Annotation]) -> Iterator[Estimate]:
    """Recompute what the annotations of some pairs can tell; see the module for what they cannot.

    Agreement is the average majority: on naming a type or none, the writer counted as naming one; and on
    which type, among those who named one. An annotator who named several types counts once for each; the
    agreement on types takes their first.

    >>> one = Annotation("7", "age", (("age",), ("age",), ("gender",), (), ("gender",)), "w1")
    >>> {e.groups["annotations"] for e in votes([one]) if e.name == "annotated" and e.value} == {
    ...     "4 annotators naming a type", "published type tied with another", "two types named twice or more"
    ... }
    True
    """
    kinds = coded([[vote[0] if vote else None for vote in a.votes] for a in annotations])
    naming = coded([["yes", *("yes" if vote else "no" for vote in a.votes)] for a in annotations])
    yield AGREEMENT_NAMED.at(*computed(lambda: average_majority(naming)))
    yield AGREEMENT_TYPE.at(*computed(lambda: average_majority(kinds)))
    yield ALPHA_TYPE.at(
        *computed(lambda: krippendorff_alpha(kinds), lambda: alpha_inference(kinds))
    )
    given = Counter(len(a.votes) for a in annotations)
    usual = max(given, key=lambda n: (given[n], n))
    yield CHANCE.at(100 * chance_of_acceptance(usual, NEEDED), n=usual)
    total = len(annotations)
    by_named = Counter(a.named for a in annotations)
    leading = {
        a.id: [t for t, n in a.types.items() if n == max(a.types.values())] for a in annotations
    }
    typed = [a for a in annotations if a.bias_type]
    ours = [a for a in typed if a.bias_type in leading[a.id]]
    pairs = {
        **{f"{counted(n, 'annotators')} naming a type": by_named[n] for n in sorted(by_named)},
        "published type named most often": sum(len(leading[a.id]) == 1 for a in ours),
        "published type tied with another": sum(len(leading[a.id]) > 1 for a in ours),
        "published type outvoted": sum(bool(a.types) for a in typed) - len(ours),
        "published type named by nobody": sum(a.bias_type not in a.types for a in typed),
        # Perhaps about both.
        "two types named twice or more": sum(
            sum(n > 1 for n in a.types.values()) > 1 for a in annotations
        ),
        # Even if everyone who named a type, and the writer, called them valid and minimally distant. All
        # others may have been accepted; the file cannot show that they were.
        "fewer than three votes at best": sum(1 + a.named < NEEDED for a in annotations),
        "judged by their own writer": sum(
            bool(a.writer) and a.writer in a.annotators for a in annotations
        ),
    }
    for kind, n in pairs.items():
        yield from counted_items(ANNOTATED, n, total, {"annotations": kind})
    writers = Counter(a.writer for a in annotations if a.writer)
    shares = np.cumsum([n for _, n in writers.most_common()])
    people = {
        "writers": len(writers),
        "pairs by the busiest writer": max(writers.values(), default=0),
        "writers of half the pairs": int(np.searchsorted(shares, shares[-1] / 2) + 1) if writers else 0,
        "writers and annotators": len({*writers, *(who for a in annotations for who in a.annotators)}),
    }  # fmt: skip
    for who, n in people.items():
        yield PEOPLE.at(n, n=total, groups={"who": who})
