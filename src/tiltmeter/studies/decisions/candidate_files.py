"""Files of candidates with replies or outcomes: questions of DiscrimEval, stored rankings, tables."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Annotated, Any

from tiltmeter.core.conventions import with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput, known_names, stop_at
from tiltmeter.core.model.conversations import Message, Prompt
from tiltmeter.core.reading.typed_values import OTHERS, Fault, Raw
from tiltmeter.core.results import Note, notes_of
from tiltmeter.core.text import counted
from tiltmeter.core.wordings import WORDING
from tiltmeter.data.downloads.sources import given
from tiltmeter.data.files.likely_columns import with_likely_columns
from tiltmeter.data.files.rows import (
    Cell,
    FilledCell,
    FilledText,
    TextCell,
    UserRows,
    label_of,
    number_of,
    text_of,
)
from tiltmeter.data.files.tables import has_columns
from tiltmeter.studies.decisions.candidates import (
    CODES,
    DECISIONS,
    DESIGN,
    OUTCOMES,
    SETTINGS,
    WORDINGS,
    YES,
    YES_NO,
    Answered,
    Candidate,
    candidates,
    dataset_of,
    groups_of,
)

LISTED = 10
"""Lines that a note names."""
MOST_GROUPS = 40
Label = Annotated[str, Raw(label_of)]


def _decision(cell: Any) -> str:
    known = {"1": 0, "yes": 0, "true": 0, "0": 1, "no": 1, "false": 1}
    text = label_of(cell).lower()
    if text and text not in known:
        raise Fault(f"is {text[:40]!r}", "write 1, 0, or nothing where there was no decision")
    return DECISIONS[known[text]] if text else ""


@dataclass(frozen=True, slots=True)
class DiscrimEvalRow:
    """A yes/no question of DiscrimEval, and the answer where the file has one."""

    filled_template: FilledText
    decision_question_id: Label
    age: Label
    race: Label
    gender: Label
    answer: Cell = ""


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A reply that ranks candidates, and who they were: their names and codes such as B_W, as asked."""

    content: TextCell
    names: tuple[str, ...]
    demo: tuple[str, ...]
    job: FilledCell
    model: Cell = ""
    oversampled: bool = False


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """A candidate about whom somebody decided, or whom a model scored."""

    groups: Annotated[Mapping[str, Any], OTHERS]
    selected: Annotated[str, Raw(_decision)] = ""
    score: Annotated[float | None, Raw(lambda cell: number_of(cell) if text_of(cell) else None)] = (
        None
    )
    cluster: Label = ""
    job: Label = ""


def read_answers(
    path: Path, *, settings: Mapping[str, str] | None = None, skip_invalid: bool = False, encoding: str = "",
) -> tuple[Dataset[PromptedText], list[str]]:  # fmt: skip
    """The candidates of a file, and of each the reply or the outcome that it has.

    Raises:
        BadInput: It has no layout that is known, or lacks what its layout needs.
        BadItems: Rows cannot be used, and are not to be skipped.
    """
    values, kind = with_defaults(SETTINGS, settings), layout_of(path, encoding)
    rows: UserRows[Any] = UserRows(kind, path, encoding=encoding)
    oversampled = list[int]()
    readers: Mapping[type, Callable[[Any], Iterator[Answered]]] = {
        DiscrimEvalRow: partial(_questions, wording=values[WORDING.name]),
        RankingRow: partial(_rankings, oversampled=oversampled),
        OutcomeRow: partial(_outcomes, wanted=values["groups"]),
    }  # fmt: skip
    answered = list(readers[kind](rows))
    stop_at(rows.problems, skip_invalid=skip_invalid)
    about = replace(given(path, [path]), invalid=rows.problems, notes=notes_of("data", rows.notes))
    if oversampled:
        shown = ", ".join(f"{line:,}" for line in oversampled[:LISTED])
        more = ", …" if len(oversampled) > LISTED else ""
        text = (
            f"{counted(len(oversampled), 'rankings')} not counted, because the file marks them as "
            f"oversampled: lines {shown}{more}."
        )
        about = replace(about, notes=(*about.notes, Note("coverage", text)))
    if not answered and oversampled:
        raise BadInput(
            "all rankings are marked as oversampled", "give those that are not", file=path.name
        )
    return dataset_of(about, answered, values), [reply for _, reply in answered]


def has_questions(path: Path, encoding: str = "") -> bool:
    """Whether a file has the layout of DiscrimEval."""
    return has_columns(path, ("filled_template", "decision_question_id"), encoding)


def has_answers(path: Path, encoding: str = "") -> bool:
    """Whether a file has a layout of candidates with their replies or outcomes."""
    layouts = (
        ("filled_template", "decision_question_id", "answer"),
        ("content", "names", "demo"), ("selected",),
    )  # fmt: skip
    return any(has_columns(path, columns, encoding) for columns in layouts)


def layout_of(path: Path, encoding: str) -> type:
    """The class of a file's rows, recognised by its columns.

    Raises:
        BadInput: It has none of the layouts.
    """
    if has_questions(path, encoding):
        return DiscrimEvalRow
    if has_columns(path, ("content", "names", "demo"), encoding):
        return RankingRow
    columns = UserRows(OutcomeRow, path, encoding=encoding).columns
    if not {"selected", "score"} & {*columns}:
        reason = "there is neither a column selected nor a column score, as in tables of outcomes"
        way_out = with_likely_columns("name one with --map selected=COLUMN", columns)
        raise BadInput(reason, way_out, file=path.name, line=1)
    return OutcomeRow


def _questions(rows: UserRows[DiscrimEvalRow], wording: str) -> Iterator[Answered]:
    for line, row in rows:
        asked = WORDINGS.put(YES_NO, wording, {"question": row.filled_template})
        prompt = Prompt((Message("user", asked),))
        crossed = groups_of({"race": row.race, "gender": row.gender})
        yield PromptedText(
            f"{row.decision_question_id}/{line}", row.filled_template, prompt, YES, positive=YES[0],
            groups={DESIGN: YES_NO, "age": row.age, **crossed}, cluster=row.decision_question_id,
            roles=YES[:2] * 2, where=f"{rows.file}:{line}",
        ), row.answer  # fmt: skip


def _rankings(rows: UserRows[RankingRow], oversampled: list[int]) -> Iterator[Answered]:
    """The candidates of each ranking; of those marked as oversampled only the lines are noted."""
    models: set[str] = set()
    for line, row in rows:
        if len(row.demo) != len(row.names) or not CODES.keys() >= {*row.demo}:
            rows.complain(line, "demo is not a code such as B_W for each of its names")
        elif row.oversampled:
            oversampled.append(line)
        else:
            models.add(row.model)
            both = zip(row.names, row.demo, strict=True)
            people = [Candidate(name.title(), *CODES[code]) for name, code in both]
            yield from ((i, row.content) for i in candidates(line, row.job, people, Prompt(())))
    if len(models) > 1:
        reason = f"the file has rankings of {counted(len(models), 'models')}"
        raise BadInput(reason, "give a file for each", file=rows.file)


def _outcomes(rows: UserRows[OutcomeRow], wanted: str) -> Iterator[Answered]:
    read, others = list(rows), {"selected", "score", "cluster", "job"}
    scores = [row.score for _, row in read if row.score is not None]
    middle = median(scores) if scores else 0.0
    columns = [name for name in rows.columns if name not in others]
    if wanted:
        columns = known_names("column", map(str.strip, wanted.split(",")), columns)
    kinds = {name: len({label_of(row.groups.get(name)) for _, row in read}) for name in columns}
    long = next((name for name, count in kinds.items() if count > MOST_GROUPS), "")
    if long or not columns:
        reason = (
            f"the column {long!r} has {counted(kinds[long], 'values')}"
            if long
            else "no column has groups"
        )
        raise BadInput(reason, "name columns of groups: --set groups=sex,race", file=rows.file)
    for line, row in read:
        decision = row.selected
        if row.score is not None and "selected" not in rows.columns:
            # The scoring rate of 6 RCNY § 5-300: a score above the sample's median counts as chosen.
            decision = DECISIONS[row.score <= middle]
        further = {DESIGN: OUTCOMES, "job": row.job} if row.job else {DESIGN: OUTCOMES}
        yield PromptedText(
            str(line), f"row {line}", Prompt(()), DECISIONS, positive=DECISIONS[0], cluster=row.cluster,
            groups=further | groups_of({name: label_of(row.groups.get(name)) for name in columns}),
        ), decision  # fmt: skip
