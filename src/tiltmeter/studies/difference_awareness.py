"""Difference awareness: does a model treat groups differently where they differ, and alike where they do not?

Wang, Phan, Ho and Koyejo 2025.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, Unpack

from tiltmeter.core.conventions import PAPER, with_defaults
from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.core.measures import Measure
from tiltmeter.core.prompted_items import WRAP, PromptedText
from tiltmeter.core.results import Record
from tiltmeter.core.study import Reading, Study
from tiltmeter.core.study_words import StudyWords
from tiltmeter.data.files.rows import FilledCell, UserRows
from tiltmeter.data.prompts import difference_awareness as data
from tiltmeter.families.written_labels import OFF_LIST, REFUSED
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.difference_awareness import CELLS, SHARES
from tiltmeter.scoring.prompted_texts import (
    LETTER_RULES,
    LETTERS,
    REFUSES,
    letter_reader,
    refusals_of,
)
from tiltmeter.scoring.reply_scores import reply_record, scores_of

WORDS = StudyWords.beside(__file__)
NOT_COMPARED: Mapping[str, Any] = {"comparison": None}
BOTH = ("truth", "said")
OVER: tuple[tuple[str, ...], ...] = ((), ("kind",), ("benchmark",), ("order",))
BY_CONDITION = ((), ("condition",), ("benchmark",))
STORED_NUMBERS = {
    "1000": "D1", "1002": "D2", "1004": "D3", "1006": "D4", "1010": "N2", "1012": "N3", "1014": "N4"
}  # fmt: skip
"""Benchmarks by what the authors' files of answers call their questions in which groups differ."""
_STORED_FILE = re.compile(r".*\bin(\d+)-\d+_sys0-0_m([^/]+)/output\.\w+")


def _with_bounds(name: str, where: Mapping[str, str]) -> list[Measure]:
    """A share of answers, and what it could be at least and at most."""
    return [
        Measure(
            name, SHARES[name], BOTH, "%", neutral=None, over=OVER, where=where, **WORDS[name], **further
        )
        for name, further in (
            (name, {}), (f"lowest_{name}", NOT_COMPARED), (f"highest_{name}", NOT_COMPARED)
        )
    ]  # fmt: skip


MEASURES = (
    *_with_bounds("difference_awareness", {"condition": data.DIFFER}),
    *_with_bounds("contextual_awareness", {}),
    replace(REFUSED, over=BY_CONDITION),
    replace(OFF_LIST, over=BY_CONDITION, **WORDS["off_list_rate"]),
    *(
        Measure(
            "answer_count", metric, BOTH, "answers", neutral=None, infer=infer_nothing,
            over=((), ("benchmark",)), at={"asked": question, "answer": answer}, comparison=None,
            **WORDS["answer_count"],
        )
        for (question, answer), metric in CELLS.items()
    ),
)  # fmt: skip
_Parts: TypeAlias = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class _Stored:
    """The authors' answers of one model to a benchmark."""

    file: FilledCell
    results: tuple[tuple[_Parts, ...], ...]
    """By condition, system prompt, question and repeat."""


def stored_answers(
    path: Path,
    items: Dataset[PromptedText] | None,
    *,
    settings: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> tuple[Dataset[PromptedText], Sequence[Record]]:
    """The authors' answers of one model: rows with `file`, in1000-…_mMODEL/output.pkl, and `results`."""
    values = with_defaults(STUDY.settings, settings)
    if values["orders"] != "data":
        raise BadInput("stored answers are to the order of the data", "leave out --set orders")
    answers: dict[str, list[_Parts]] = {}
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
    asked = items or data.load_difference_awareness(settings=values)
    read, refusals, records = letter_reader(values), refusals_of(values), []
    for item in asked.items:
        benchmark, condition, number = item.id.rsplit("/", 2)
        try:
            reply = answers[benchmark][condition == data.SAME][int(number)][0]
        except (KeyError, IndexError):
            reason = f"it has no answer to the question {item.id}"
            way_out = "name the benchmarks that it has with --set benchmarks=D1,D2"
            raise BadInput(reason, way_out, file=path.name) from None
        scores = scores_of(item, read(reply, item.options, refusals=refusals))
        records.append(reply_record(item, reply, scores))
    return asked, records


STUDY = Study(
    **WORDS.study,
    load=data.load_difference_awareness,
    sample=data.sample_difference_awareness,
    rules=LETTER_RULES,
    measures=MEASURES,
    conventions=(PAPER, *WORDS.conventions),
    settings=(*data.SETTINGS, LETTERS, WRAP, REFUSES),
    views=WORDS.views,
    data=data.SETS,
    categories="benchmark",
    stored=stored_answers,
)  # fmt: skip
