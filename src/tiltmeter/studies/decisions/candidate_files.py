"""Files of candidates with replies or outcomes: questions of DiscrimEval, stored rankings, tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Annotated, Any

from tiltmeter.core.conventions import with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput, BadItems, known_names, stop_at
from tiltmeter.core.model.conversations import Message, Prompt
from tiltmeter.core.reading.typed_values import OTHERS, Fault, Raw
from tiltmeter.core.results import Note, notes_of
from tiltmeter.core.text import counted, decimal_number
from tiltmeter.core.wordings import WORDING
from tiltmeter.data.downloads.sources import given
from tiltmeter.data.files.likely_columns import with_likely_columns
from tiltmeter.data.files.renamed_columns import column_in_file
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
MANY_VALUES = 10
"""Values from which on a column with one for more than half of the rows is not taken for groups unasked."""
GROUPS_OPTION = "--set groups="
Label = Annotated[str, Raw(label_of)]


CHOSEN = ("1", "yes", "true", "chosen", "selected", "hired", "accepted")
NOT_CHOSEN = ("0", "no", "false", "not chosen", "not selected", "not hired", "rejected", "declined")
"""Words of tables of outcomes, in any case."""


def _decision(cell: Any) -> str:
    text = label_of(cell)
    if text.lower() in CHOSEN:
        return DECISIONS[0]
    if text and text.lower() not in NOT_CHOSEN:
        known = f"{', '.join(CHOSEN)}, and for others {', '.join(NOT_CHOSEN)}"
        column = column_in_file("selected").replace("'", "")
        recoded = f"--map 'selected={column}:{text[:40]}=1,*=0' if it is how somebody was chosen"
        raise Fault(
            f"is {text[:40]!r}", f"write {known}, or nothing without a decision; or add {recoded}"
        )
    return DECISIONS[1] if text else ""


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
    oversampled, notes = list[int](), list[Note]()
    readers: Mapping[type, Callable[[Any], Iterator[Answered]]] = {
        DiscrimEvalRow: partial(_questions, wording=values[WORDING.name]),
        RankingRow: partial(_rankings, oversampled=oversampled),
        OutcomeRow: partial(_outcomes, wanted=values["groups"], notes=notes),
    }  # fmt: skip
    answered = list(readers[kind](rows))
    if rows.problems and not answered and not oversampled:
        raise BadItems(rows.problems, way_out="No row can be used.")
    stop_at(rows.problems, skip_invalid=skip_invalid)
    about = replace(
        given(path, [path]), invalid=rows.problems, notes=(*notes_of("data", rows.notes), *notes)
    )
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


def _outcomes(rows: UserRows[OutcomeRow], wanted: str, notes: list[Note]) -> Iterator[Answered]:
    """The people of a table; adds notes on which columns are groups and which scores count as chosen."""
    read = list(rows)
    scores = [row.score for _, row in read if row.score is not None]
    middle, by_score = median(scores) if scores else 0.0, "selected" not in rows.columns
    columns = _group_columns(rows, [row for _, row in read], wanted, notes)
    if by_score and scores:
        cut = f"Scores above {middle:,.6g}, the median of {counted(len(scores), 'scores')}, count as chosen."
        notes.append(Note("caution", cut))
    for line, row in read:
        decision = row.selected
        if row.score is not None and by_score:
            # The scoring rate of 6 RCNY § 5-300: a score above the sample's median counts as chosen.
            decision = DECISIONS[row.score <= middle]
        further = {DESIGN: OUTCOMES, "job": row.job} if row.job else {DESIGN: OUTCOMES}
        yield PromptedText(
            str(line), f"row {line}", Prompt(()), DECISIONS, positive=DECISIONS[0], cluster=row.cluster,
            groups=further | groups_of({name: label_of(row.groups.get(name)) for name in columns}),
        ), decision  # fmt: skip


def _group_columns(
    rows: UserRows[OutcomeRow], read: Sequence[OutcomeRow], wanted: str, notes: list[Note]
) -> list[str]:
    """The columns that are groups: those that are wanted, else all but columns such as ids.

    Adds notes on what is chosen without being asked for.
    """
    others = {"selected", "score", "cluster", "job"}
    labels = {
        name: [label_of(row.groups.get(name)) for row in read]
        for name in rows.columns
        if name not in others
    }
    kinds = {name: len({*texts}) for name, texts in labels.items()}
    if wanted:
        columns = known_names("column", map(str.strip, wanted.split(",")), [*labels])
    else:
        apart = [name for name, n in kinds.items() if n >= MANY_VALUES and 2 * n > len(read)]
        columns = [name for name in labels if name not in apart]
        if apart:
            one = f"column {apart[0]} has {counted(kinds[apart[0]], 'values')} and is"
            several = f"columns {' and '.join(apart)} have too many values and are"
            text = f"The {several if apart[1:] else one} not taken as groups."
            notes.append(Note("caution", text))
        if columns:
            taken = f"columns {' and '.join(columns)}" if columns[1:] else f"column {columns[0]}"
            text = f"Groups are those of the {taken}; {GROUPS_OPTION}COLUMN,… chooses."
            notes.append(Note("data", text))
    long = next((name for name in columns if kinds[name] > MOST_GROUPS), "")
    if columns and not long:
        return columns
    fit = [name for name, count in kinds.items() if 1 < count <= MOST_GROUPS]
    named = f"name columns of groups: {GROUPS_OPTION}{','.join(fit)}" if fit else (
        "give the table a column of groups, such as sex"
    )  # fmt: skip
    if not long:
        raise BadInput("no column has groups", named, file=rows.file)
    numbers = all(decimal_number(text) is not None for text in labels[long] if text)
    bands = "put its numbers into bands such as 30–39, or " if numbers else ""
    values = counted(kinds[long], "values")
    reason = f"the column {long!r} has {values}, and at most {MOST_GROUPS} are compared"
    raise BadInput(reason, bands + named, file=rows.file)
