"""Comments by kind of hate: those of ETHOS, or the rows of a user's table with `text` and `label`.

A label is the name of a kind, as it stands in the question ("Is the following text sexist?"), or the one that
comments of no kind have.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from tiltmeter.core.conventions import Setting
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, Problem, known_names, stop_at
from tiltmeter.core.study import Reading
from tiltmeter.core.text import decimal_number
from tiltmeter.data.pairs.sentences import normal
from tiltmeter.data.prompts.prompt_items import names_in
from tiltmeter.data.prompts.prompt_set import ALL, OWN_AXES, AskedText
from tiltmeter.data.texts.labelled_rows import LabelledRow, LabelledRows, read_labelled

SEXIST, RACIST, NEITHER = "sexist", "racist", "neither"
LABELS = (SEXIST, RACIST, NEITHER)
"""The labels of Chiu, Collins and Alexander 2022, in the order of their tables."""
KINDS = Setting(
    "kinds",
    default="",
    summary="Of a table of your own: the labels that are kinds of hate, as a question names them, "
    "separated by commas (default: all labels but neither).",
)
_LISTED = 10
"""How many labels an error lists."""
NONE_OF_THEM = Setting(
    "neither",
    default="",
    summary="Of a table of your own: the label of texts that are of no kind (default: neither).",
)


@dataclass(frozen=True, slots=True)
class Comments:
    """Comments by label, in the order of their file. One with two labels is under both."""

    by_label: Mapping[str, tuple[AskedText, ...]]
    """Kinds of hate first, `neither` last."""
    about: Dataset[Any]
    """Source, licence, checksum and warning, without items."""
    neither: str = NEITHER
    """The label of comments of no kind."""
    own: bool = False
    """Whether they are a table of the user's."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The labels that are kinds of hate."""
        return tuple(label for label in self.by_label if label != self.neither)

    @property
    def labels(self) -> tuple[str, ...]:
        """The kinds of hate in the order in which prompts name them, and behind them the label of no hate."""
        return tuple(self.by_label)

    @property
    def ambiguous(self) -> tuple[AskedText, ...]:
        """The comments of the first kind that are also of another."""
        first, *others = (self.by_label[kind] for kind in self.kinds)
        elsewhere = {text.cluster for texts in others for text in texts}
        return () if self.own else tuple(text for text in first if text.cluster in elsewhere)

    def shuffled(self, label: str, seed: int) -> list[AskedText]:
        """The comments with this label alone, in a random order that depends on label and seed only."""
        left_out = {text.cluster for text in self.ambiguous}
        texts = [text for text in self.by_label[label] if text.cluster not in left_out]
        rng = np.random.default_rng([seed, self.labels.index(label)])
        return [texts[i] for i in rng.permutation(len(texts))]


def read_comments(
    path: Path, values: Mapping[str, str], *, needs_neither: bool = True, **reading: Unpack[Reading]
) -> Comments:
    """The rows of a table with `text` and `label`, under the settings `kinds` and `neither`.

    Columns of groups become axes. The labels of the paper come first, in its order.

    Raises:
        BadInput: The table cannot be read or lacks a column, or its labels cannot be asked about.
        BadItems: Rows without a text or label, with a label that is not wanted, or with the text of another.
        UnknownName: No row has a label that is wanted.
    """
    rows = read_labelled(path, "", **reading)
    labels = _labels(rows, values, needs_neither=needs_neither)
    problems = [*_faults(rows, labels)]
    stop_at(problems, skip_invalid=reading.get("skip_invalid", False))
    faulty = {problem.line for problem in problems}
    by_label: dict[str, list[AskedText]] = {label: [] for label in labels}
    for row in rows.rows:
        if row.line not in faulty:
            by_label[row.label].append(_comment(row, rows.file))
    about = replace(rows.about, invalid=[*rows.about.invalid, *problems])
    texts = {label: tuple(some) for label, some in by_label.items()}
    return Comments(texts, about, labels[-1], own=True)


def same_text(text: str) -> str:
    """A text as it is compared with others: spaces and case do not matter."""
    return normal(text).casefold()


def _comment(row: LabelledRow, file: str) -> AskedText:
    where = f"{file}:{row.line}"
    return AskedText(row.id, row.text, row.label, row.groups, row.cluster or row.id, where)


def _labels(
    rows: LabelledRows, values: Mapping[str, str], *, needs_neither: bool
) -> tuple[str, ...]:
    """The labels that are asked about, and the one of no kind behind them."""
    neither, file = values[NONE_OF_THEM.name] or NEITHER, rows.file
    there = sorted({row.label for row in rows.rows})
    listed = ", ".join(map(repr, there[:_LISTED])) + (" …" if len(there) > _LISTED else "")
    named = names_in(values[KINDS.name])
    known_names("label of the data", named, there)
    for label in there:
        if decimal_number(label) is not None or label == ALL or {"{", "}"} & {*label}:
            words = f"which cannot stand in a question (“Is the following text {label}?”)"
            way_out = "rename labels, for example with --map label=label:0=neither,1=hateful"
            raise BadInput(f"a label is {label!r}, {words}", way_out, file=file)
    if neither not in there and needs_neither:
        reason = (
            f"no text has the label {neither!r}, which texts of no kind have; labels are {listed}"
        )
        raise BadInput(reason, f"name yours with --set {NONE_OF_THEM.name}=LABEL", file=file)
    kinds = named or sorted(there, key=lambda label: (_rank(label), label))
    kinds = [kind for kind in kinds if kind != neither]
    if not kinds:
        raise BadInput(
            f"every text has the label {neither!r}", "give texts of a kind too", file=file
        )
    if len({label.casefold() for label in (*kinds, neither)}) < len(kinds) + 1:
        way_out = "write them in the same way, for example with --map label=label:OLD=NEW,*=*"
        raise BadInput(f"some labels differ in case only: {listed}", way_out, file=file)
    axes = sorted({axis for row in rows.rows for axis in row.groups} & {*OWN_AXES})
    if axes:
        reason = f"has a column of groups {axes[0]!r}, which the study uses itself"
        raise BadInput(reason, f"rename the column group_{axes[0]}", file=file)
    return (*kinds, neither)


def _rank(label: str) -> int:
    return LABELS.index(label) if label in LABELS else len(LABELS)


def _faults(rows: LabelledRows, labels: Sequence[str]) -> Iterator[Problem]:
    first: dict[str, LabelledRow] = {}
    for row in rows.rows:
        where = Problem("", file=rows.file, line=row.line, item=row.id)
        if row.label not in labels:
            *kinds, neither = labels
            reason = f"the label {row.label!r} is none of {', '.join(kinds)} and {neither}"
            way_out = f"name it in --set {KINDS.name} or rename it"
            yield replace(where, reason=reason, way_out=way_out)
            continue
        earlier = first.setdefault(same_text(row.text), row)
        if earlier is not row:
            other = "" if earlier.label == row.label else f", where the label is {earlier.label!r}"
            reason = f"the same text as in line {earlier.line}{other}"
            yield replace(where, reason=reason, way_out="keep one of the two rows")
