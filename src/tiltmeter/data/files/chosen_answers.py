"""Which of people's answers are read: all, those without some marks, or those of some people.

Wherever tables are read within `chosen_answers`, rows of people who are not chosen, or with marks that are
left out, are passed over. Marks stand in a column `marks` or `mark`, or in columns `mark_NAME` that are 1
where the mark holds, as `survey export` writes them; those of a whole person also in a table of participants.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.reading.answer_options import mark_name
from tiltmeter.core.text import counted, verb_for
from tiltmeter.data.files.table import FileTable, TableRow

PEOPLE = ("person", "annotator", "Annotator ID", "participant", "Participant id")
"""The usual columns that name a person."""
MARKS, MARK, VERDICT = ("marks", "mark"), "mark_", "_verdict"
"""Columns that list marks; how columns of one mark begin; how those with an analysis's verdict end."""
KNOWN_MARKS = frozenset({
    "name_item", "high_trait", "low_trait", "attention", "comprehension", "test_item", "self_agreement",
    "straight_line", "speed",
    "hidden_tab", "duplicate", "skip_logic", "bot",
    "constant", "copied", "reversed", "unrelated", "too_fast", "shifted", "cannot_tell",
})  # fmt: skip
"""Marks of surveys and of `agreement`: known even where no answer has one."""
BOT = "bot"
"""The mark of programs that filled in a survey to try it out."""
_NO = frozenset({"", "0", "0.0", "false", "no"})


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """Which people's answers an analysis uses, by their marks and by who gave them."""

    without: tuple[str, ...] = ()
    """Answers with any of these marks do not."""
    only: tuple[str, ...] = ()
    """Only answers with any of these marks do; () for all."""
    participants: Mapping[str, frozenset[str]] | None = None
    """The people whose answers count, with their marks; None for all people."""
    column: str = ""
    """The column that names the person, where it is an unusual one."""

    @property
    def marks(self) -> tuple[str, ...]:
        """All marks that are asked about."""
        return (*self.without, *self.only)

    @property
    def leaves_out(self) -> bool:
        """Whether it can leave out any answer."""
        return bool(self.marks) or self.participants is not None

    def takes(self, person: str, marks: frozenset[str]) -> bool:
        """Whether the analysis uses this person's answer, which has these marks.

        Marks of the person, from the table of participants, count as marks of each of their answers.
        """
        if self.participants is not None:
            if person not in self.participants:
                return False
            marks |= self.participants[person]
        return not marks & {*self.without} and (not self.only or bool(marks & {*self.only}))


@dataclass(slots=True)
class _FileCount:
    """What was read of one file."""

    answers: Counter[bool] = field(default_factory=Counter)
    """How many rows count, and how many do not."""
    people: dict[str, bool] = field(default_factory=dict)
    """Whether any answer of a person counts."""
    marks: Counter[str] = field(default_factory=Counter)
    """By mark that was asked about: the rows that have it, or whose participant does."""
    bots: set[str] = field(default_factory=set)
    """The people who count and have the mark `bot`."""


@dataclass(slots=True)
class ChosenAnswers:
    """A choice, and what it left out of the files that were read."""

    choice: AnswerChoice
    files: dict[str, _FileCount] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    """All marks that were found."""

    def count(
        self, file: str, person: str, marks: frozenset[str], *, is_answer: bool = True
    ) -> bool:
        """Whether a row counts; it is added to the numbers of its file."""
        takes = self.choice.takes(person, marks)
        marks |= (self.choice.participants or {}).get(person, frozenset())
        if is_answer:
            of = self.files.setdefault(file, _FileCount())
            of.answers[takes] += 1
            of.people[person] = of.people.get(person, False) or takes
            of.marks.update(marks & {*self.choice.marks})
            if takes and BOT in marks:
                of.bots.add(person)
        self.known |= marks
        return takes

    @property
    def answers(self) -> tuple[int, int]:
        """The rows that were left out, and all."""
        out = sum(of.answers[False] for of in self.files.values())
        return out, out + sum(of.answers[True] for of in self.files.values())

    @property
    def people(self) -> tuple[int, int]:
        """The people of whom nothing is left, and all."""
        kept: dict[str, bool] = {}
        for of in self.files.values():
            for person, has_some in of.people.items():
                kept[person] = kept.get(person, False) or has_some
        return sum(not has_some for has_some in kept.values()), len(kept)

    @property
    def bots_counted(self) -> str:
        """A caution where bots count as people, as a sentence; "" where none do."""
        bots = len({bot for of in self.files.values() for bot in of.bots})
        gone, people = self.people
        kept = people - gone
        if not bots:
            return ""
        if bots == kept:
            of_all = (
                "The only respondent is" if kept == 1 else f"All {counted(kept, 'respondents')} are"
            )
            return f"{of_all} marked {BOT}: nothing here is about people."
        where = f"{bots:,} of {counted(kept, 'respondents')} {verb_for(bots, 'are')} marked {BOT}"
        as_people = f"{verb_for(bots, 'are')} counted with the people"
        return f"{where} and {as_people}; --without {BOT} leaves out bots."

    @property
    def summary(self) -> str:
        """How many answers and people were left out, as a sentence."""
        (out, every), (gone, people) = self.answers, self.people
        of_people = f", and with them {gone:,} of {counted(people, 'people')}" if gone else ""
        return f"Left out: {out:,} of {counted(every, 'answers')}{of_people}."

    @property
    def marks(self) -> Counter[str]:
        """How many rows have each mark that was asked about."""
        return sum((of.marks for of in self.files.values()), Counter())

    def check(self) -> None:
        """Raise BadInput if the choice can have no effect.

        Raises:
            BadInput: No answers of single people were read, or none is left.
            UnknownName: A mark is neither in the files nor one that Tiltmeter gives.
        """
        if not self.choice.leaves_out:
            return
        if not self.files:
            raise BadInput(
                "no answers of single people were read, so none can be left out",
                "give a table with a row for each answer, or leave out --without, --only and --participants",
            )
        for mark in self.choice.marks:
            if mark not in self.known | KNOWN_MARKS:
                raise UnknownName("mark", mark, self.known or KNOWN_MARKS)
        out, every = self.answers
        if out == every:
            reason = f"of {counted(every, 'answers')} none is left"
            raise BadInput(reason, "name other marks or participants", file=next(iter(self.files)))


_CURRENT: ContextVar[ChosenAnswers | None] = ContextVar("chosen answers", default=None)


@contextmanager
def chosen_answers(choice: AnswerChoice) -> Iterator[ChosenAnswers]:
    """Within the block, only answers that a choice takes are read.

    On leaving it without an error, `ChosenAnswers.check` is called.
    """
    choosing = ChosenAnswers(choice)
    token = _CURRENT.set(choosing)
    try:
        yield choosing
    except (BadInput, UnknownName) as error:
        # A mark that does not exist explains why nothing is left to read, and so may what was left out.
        if choosing.files:
            choosing.check()
            if choosing.answers[0]:
                raise BadInput(f"{str(error).rstrip('.')}. {choosing.summary}") from error
        raise
    finally:
        _CURRENT.reset(token)
    choosing.check()


def is_chosen(file: str, person: str) -> bool:
    """Whether an answer counts that is in no table, and so has no marks but those of its participant.

    Raises:
        BadInput: Marks were asked about, and no table of participants has them.
    """
    choosing = _CURRENT.get()
    if choosing is None:
        return True
    if choosing.choice.marks and not choosing.choice.participants:
        raise _no_marks(file)
    return choosing.count(file, person, frozenset())


def chosen_rows(table: FileTable, file: str) -> FileTable:
    """The table without rows that do not count; unchanged where no column names a person.

    Raises:
        BadInput: Marks were asked about, and neither the table nor one of participants has any.
    """
    choosing = _CURRENT.get()
    if choosing is None:
        return table
    choice = choosing.choice
    person = person_column(table.columns, choice.column)
    if not person:
        return table
    columns = mark_columns(table.columns)
    if choice.marks and not columns and not any((choice.participants or {}).values()):
        raise _no_marks(file)
    choosing.known |= {
        mark_name(name.removeprefix(MARK)) for name in columns if name.startswith(MARK)
    }

    def rows() -> Iterator[TableRow]:
        choosing.files.pop(file, None)  # a table that is read again counts once
        for row in table.rows:
            name = str(row.cells.get(person) or "").strip()
            is_answer = "item" not in table.columns or bool(row.cells.get("item"))
            marks = marks_of(row.cells, columns)
            if not name or choosing.count(file, name, marks, is_answer=is_answer):
                yield row

    return replace(table, rows=rows())


def _no_marks(file: str) -> BadInput:
    return BadInput(
        "its answers have no marks",
        "give a table with a column marks, or columns mark_NAME, as survey export writes it; or name a table "
        "of participants with --participants: only people whom it lists count, and its marks are theirs",
        file=file,
    )


def person_column(columns: Sequence[str], usual: str = "") -> str:
    """The column that names the person; "" where there is none."""
    return next((name for name in (usual, *PEOPLE) if name and name in columns), "")


def mark_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """The columns with marks.

    >>> mark_columns(["person", "marks", "mark_speed", "answers_r_verdict", "market"])
    ('marks', 'mark_speed', 'answers_r_verdict')
    """
    return tuple(
        name for name in columns if name in MARKS or name.startswith(MARK) or name.endswith(VERDICT)
    )


def marks_of(cells: Mapping[str, Any], columns: Sequence[str]) -> frozenset[str]:
    """The marks in a row; a space within a mark counts as "_".

    >>> row = {"marks": "speed hidden_tab", "mark": "too fast", "mark_flat": 1.0, "mark_bot": 0}
    >>> sorted(marks_of(row, tuple(row)))
    ['flat', 'hidden_tab', 'speed', 'too_fast']
    """
    marks: set[str] = set()
    for name in columns:
        cell = "" if cells.get(name) is None else str(cells[name]).strip()
        if name.startswith(MARK):
            marks |= set() if cell.lower() in _NO else {mark_name(name.removeprefix(MARK))}
        else:
            by = r"[\s,;|]+" if name == "marks" else r"[,;|]+"
            marks |= {mark_name(mark) for mark in re.split(by, cell) if mark.strip()}
    return frozenset(marks)


def participants_in(table: FileTable, file: Path, column: str = "") -> dict[str, frozenset[str]]:
    """The people whom a table lists, with their marks.

    Raises:
        BadInput: It has no column that names a person, or lists nobody.
    """
    person = person_column(table.columns, column)
    if not person:
        raise BadInput("no column names a person", "call one person or annotator", file=str(file))
    columns = mark_columns(table.columns)
    marks: dict[str, frozenset[str]] = {}
    for row in table.rows:
        name = str(row.cells.get(person) or "").strip()
        if name:
            marks[name] = marks.get(name, frozenset()) | marks_of(row.cells, columns)
    if not marks:
        raise BadInput("it lists nobody", "give a row for each person", file=str(file))
    return marks
