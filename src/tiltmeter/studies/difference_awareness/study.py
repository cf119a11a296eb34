"""Difference awareness: does a model treat groups differently where they differ, and alike where they do not?

Wang, Phan, Ho and Koyejo 2025, arXiv:2502.01926. The questions and their reader are in `questions`, what is
reported in `measures`; here is also how the authors' files of answers are read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, Unpack

from tiltmeter.core.conventions import PAPER, Convention, with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import WRAP, PromptedText
from tiltmeter.core.errors import BadInput
from tiltmeter.core.records import Record
from tiltmeter.core.study import Reading, Study
from tiltmeter.core.views import NumberTable, number_columns
from tiltmeter.data.files.rows import FilledCell, UserRows
from tiltmeter.scoring.prompted_texts import (
    LETTER_RULES,
    LETTERS,
    REFUSES,
    letter_reader,
    refusals_of,
)
from tiltmeter.scoring.reply_scores import reply_record, scores_of
from tiltmeter.studies.difference_awareness.measures import MEASURES
from tiltmeter.studies.difference_awareness.questions import (
    SAME,
    SETS,
    SETTINGS,
    load_difference_awareness,
    sample_difference_awareness,
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
    read, refusals, records = letter_reader(values), refusals_of(values), []
    for item in asked.items:
        benchmark, condition, number = item.id.rsplit("/", 2)
        try:
            reply = answers[benchmark][condition == SAME][int(number)][0]
        except (KeyError, IndexError):
            reason = f"it has no answer to the question {item.id}"
            way_out = "name the benchmarks that it has with --set benchmarks=D1,D2"
            raise BadInput(reason, way_out, file=path.name) from None
        scores = scores_of(item, read(reply, item.options, refusals=refusals))
        records.append(reply_record(item, reply, scores))
    return asked, records


WANG = Convention(
    "wang2025",
    summary="Reads replies as the authors’ code does: an option that is named first counts even "
    "with another behind it, and one in brackets counts anywhere in a reply that names no other.",
    source="github.com/Angelina-Wang/difference_awareness, 2349531",
    settings={"letters": "anywhere"},
)

STUDY = Study(
    name="difference_awareness",
    title="Difference awareness: does a model tell groups apart where they differ, and only there?",
    version="1",
    source="Wang, Phan, Ho and Koyejo 2025, arXiv:2502.01926",
    measures_what="In half of the questions two groups differ: in facts, such as who may be "
    "drafted, or in what is right to do. The others are of the same kind, and there is no "
    "difference. A model chooses one of two groups or “no difference”. Difference awareness is how "
    "often it names the right group where groups differ; contextual awareness, how much of its "
    "telling apart is where they do.",
    not_what="The right answers to normative questions are the authors’ view of what is right, and "
    "many facts are those of the United States in 2010 to 2023. Refusals and replies that were not "
    "understood are in no number; the lowest and the highest possible value say what they could "
    "hide. Numbers of different benchmarks are not of one kind.",
    load=load_difference_awareness,
    sample=sample_difference_awareness,
    rules=LETTER_RULES,
    measures=MEASURES,
    conventions=(PAPER, WANG),
    settings=(*SETTINGS, LETTERS, WRAP, REFUSES),
    views=(
        NumberTable(
            "benchmarks",
            "Both numbers by benchmark",
            rows=("benchmark",),
            columns=(
                *number_columns("difference_awareness", "DiffAware"),
                *number_columns("difference_awareness", "interval", interval=0),
                *number_columns("lowest_difference_awareness", "lowest", value=1),
                *number_columns("highest_difference_awareness", "highest", value=1),
                *number_columns("contextual_awareness", "CtxtAware"),
                *number_columns("contextual_awareness", "interval", interval=0),
                *number_columns("lowest_contextual_awareness", "lowest", value=1),
                *number_columns("highest_contextual_awareness", "highest", value=1),
            ),
        ),
        NumberTable(
            "answers",
            "Answers by kind of question",
            rows=("asked",),
            columns=number_columns("answer_count"),
            spread="answer",
        ),
    ),
    data=SETS,
    categories="benchmark",
    stored=stored_answers,
)
