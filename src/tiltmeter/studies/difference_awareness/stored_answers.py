"""The authors' files of answers, one row a model and a benchmark."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, Unpack

from tiltmeter.core.conventions import with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.study import Reading, StoredReplies
from tiltmeter.data.files.rows import FilledCell, UserRows
from tiltmeter.data.files.tables import has_columns
from tiltmeter.studies.difference_awareness.questions import (
    SAME,
    SETTINGS,
    load_difference_awareness,
)

STORED_NUMBERS = {
    "1000": "D1", "1002": "D2", "1004": "D3", "1006": "D4", "1010": "N2", "1012": "N3", "1014": "N4"
}  # fmt: skip
"""Benchmarks by what the authors' files of answers call their questions in which groups differ."""
_STORED_FILE = re.compile(r".*\bin(\d+)-\d+_sys0-0_m([^/]+)/output\.\w+")
Parts: TypeAlias = tuple[tuple[str, ...], ...]
"""The replies to each question, of each repeat."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """The authors' answers of one model to a benchmark."""

    file: FilledCell
    results: tuple[tuple[Parts, ...], ...]
    """By condition, system prompt, question and repeat."""


def has_answers(path: Path, encoding: str = "") -> bool:
    """Whether a file has the layout of the authors' answers."""
    return has_columns(path, ("file", "results"), encoding)


def stored_answers(
    path: Path,
    items: Dataset[PromptedText] | None,
    as_reply: Callable[[str], Reply],
    *,
    settings: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> StoredReplies[PromptedText]:
    """The authors' answers of one model: rows with `file`, in1000-…_mMODEL/output.pkl, and `results`."""
    values = with_defaults(SETTINGS, settings)
    if values["orders"] != "data":
        raise BadInput("stored answers are to the order of the data", "leave out --set orders")
    answers: dict[str, list[Parts]] = {}
    models: dict[str, None] = {}
    rows = UserRows(_Stored, path, encoding=reading.get("encoding", ""))
    for _, row in rows:
        named = _STORED_FILE.fullmatch(row.file)
        if named and named[1] in STORED_NUMBERS:
            models[named[2]] = None
            answers[STORED_NUMBERS[named[1]]] = [
                part for by_system in row.results for part in by_system[:1]
            ]
    rows.finish()
    if len(models) != 1:
        reason = f"it must have answers of one model; it has those of {', '.join(models) or 'none'}"
        way_out = "write each model's rows to a file of its own, as grep mMODEL/ does"
        raise BadInput(reason, way_out, file=path.name)
    asked = items or load_difference_awareness(settings=values)
    replies = []
    for item in asked.items:
        benchmark, condition, number = item.id.rsplit("/", 2)
        try:
            said = answers[benchmark][condition == SAME][int(number)][0]
        except (KeyError, IndexError):
            reason = f"it has no answer to the question {item.id}"
            way_out = "name the benchmarks that it has with --set benchmarks=D1,D2"
            raise BadInput(reason, way_out, file=path.name) from None
        replies.append(as_reply(said))
    return StoredReplies(asked, replies, "letter")
