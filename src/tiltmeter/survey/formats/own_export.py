"""The folder that `survey export` writes as csv, stored again: all that it holds, or a refusal that says why.

People keep their ids and answers their keys, so that exporting the study again writes the same files. What
exports never hold is gone: platform ids, items that were given and not answered, answers that were replaced.
"""

import csv
import io
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.core.text import counted, decimal_number, verb_for
from tiltmeter.data.files.tables import read_table
from tiltmeter.survey.collected import collect
from tiltmeter.survey.flow import FIRST, familiar_page
from tiltmeter.survey.form import DEMOGRAPHICS_PAGE, FAMILIAR_PAGE, Form
from tiltmeter.survey.form_file import read_form, with_items
from tiltmeter.survey.formats import tables
from tiltmeter.survey.formats.cells import as_csv, plain
from tiltmeter.survey.keys import checked_key, derived_key, now
from tiltmeter.survey.marking import mark_study
from tiltmeter.survey.order.person_order import Shown
from tiltmeter.survey.outcomes import OUTCOMES
from tiltmeter.survey.persons import NAMELESS
from tiltmeter.survey.question import FormQuestion, Value
from tiltmeter.survey.schema import (
    Answer,
    Assignment,
    ConsentRecord,
    ItemRow,
    PageEvent,
    Person,
    StudyRow,
    UnlinkedAnswers,
)
from tiltmeter.survey.studies import open_study

FORM, ITEMS, PEOPLE, ANSWERS, MARKS = (
    "form.toml", "items.csv", "participants.csv", "answers.csv", "marks.csv",
)  # fmt: skip
CONSENTS, PAGES, DEMOGRAPHICS, STUDY = "consents.csv", "pages.csv", "demographics.csv", "study.csv"
DERIVED = (
    "ratings.csv", "repeated-ratings.csv", "written.csv", "data-statement.md", "datasheet.md",
)  # fmt: skip
"""Files that follow from the others, and are not read."""
BOT = "bot"
FOUND_ANEW = ("language", "stratum", "kind", "seconds", "marks")
"""Columns of the answers that follow from people, the form, times on pages and checks."""
KEPT = {
    PEOPLE: ("person", "language", "stratum", "outcome", BOT),
    CONSENTS: ("person", "date", "language", "form_sha256", "linked"),
    ANSWERS: (
        "person", "item", "round", "state", "page", "question", "value", "client_time", "server_time",
        "key", *tables.SHOWN, *FOUND_ANEW,
    ),
    PAGES: tables.PAGES,
    STUDY: tables.STUDY,
    MARKS: tables.MARKS,
}  # fmt: skip
"""The columns of each file that are stored, or follow from what is."""
WAY_OUT = "export it anew"
MILLI = 1000
Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StoredExport:
    """What an import of an export stored, or found to be there."""

    study: str
    people: int
    answers: int
    is_new: bool
    """False where the same people's answers were in the study before: nothing was stored."""
    notes: tuple[str, ...] = ()
    """What was not read, and where checks find something else than before."""


@dataclass(frozen=True, slots=True)
class _Files:
    """The tables of an export, by file name; () for one that is not there."""

    folder: Path
    form: Form
    rows: Mapping[str, Sequence[Row]]
    others: tuple[str, ...]
    """Further files in the folder."""

    def problem(self, file: str, line: int, reason: str) -> Problem:
        # Line 1 has the columns; cells with line breaks make it a lower bound.
        return Problem(reason, WAY_OUT, file=file, line=line + 1)


@dataclass(slots=True)
class _People:
    """The people of an export while their answers are stored."""

    study: int
    rows: dict[str, Person] = field(default_factory=dict)
    assignments: dict[tuple[str, str, int], Assignment] = field(default_factory=dict)
    """By person, item and round."""


def is_own_export(path: Path) -> bool:
    """Whether a path is a folder that `survey export` wrote."""
    return path.is_dir() and (path / FORM).is_file()


def import_export(
    session: Session, folder: Path, *, name: str = "", encoding: str = ""
) -> StoredExport:
    """Store a whole export as a study, with the checks' marks.

    Args:
        session: Of the database.
        folder: As `survey export` wrote it.
        name: Of the study; "" for the one that it had.
        encoding: Of the files.

    Raises:
        BadInput: A file is missing or has a column that could not be kept, or the database has these people
            in another study, or other people in a study of this name.
        BadItems: Rows that are no people, answers or times; all of them.
    """
    files = _read(folder, encoding)
    study = {**(files.rows[STUDY][0] if files.rows[STUDY] else {})}
    name = name or study.get("name", "") or files.form.name
    ids = [row["person"] for row in files.rows[PEOPLE]]
    if twice := [who for who, n in Counter(ids).items() if n > 1]:
        raise BadInput(f"the person {twice[0]!r} is listed twice", WAY_OUT, file=PEOPLE)
    answers = len(files.rows[ANSWERS])
    if _is_stored(session, name, ids):
        return StoredExport(name, len(ids), answers, is_new=False)
    number = open_study(session, files.form, name=name)
    row = session.get_one(StudyRow, number)
    row.opened = int(study.get("opened") or row.opened)
    row.closed = int(study["closed"]) if study.get("closed") else None
    row.erased = int(study.get("erased") or 0)
    people = _People(number)
    problems = [
        *_store_people(session, files, people),
        *_store_answers(session, files, people),
        *_store_pages(session, files, people),
        *_store_demographics(session, files, people),
    ]
    if problems:
        raise BadItems(problems)
    session.flush()
    mark_study(session, number, bots=any(person.bot for person in people.rows.values()))
    notes = [*_found_otherwise(session, files, number)]
    if files.others:
        notes.append(f"Not read: {', '.join(files.others)}.")
    return StoredExport(name, len(ids), answers, is_new=True, notes=tuple(notes))


def _read(folder: Path, encoding: str) -> _Files:
    if not (folder / PEOPLE).is_file():
        reason = f"has no {PEOPLE}: exports for other programs, and those of old versions, do not hold all"
        way_out = "export the study as csv, or give one file with --form and --format"
        raise BadInput(reason, way_out, file=str(folder))
    form = read_form(folder / FORM)
    if (folder / ITEMS).is_file():
        listed = with_items(form, folder / ITEMS, encoding=encoding)
        of_form = [item for item in form.items if item.kind == "real"]
        if of_form != [item for item in listed.items if item.kind == "real"]:
            form = listed
    read = {name: _rows(folder / name, encoding) for name in (*KEPT, DEMOGRAPHICS)}
    for name, rows in read.items():
        asked = [q.name for page, q in form.questions if page == DEMOGRAPHICS_PAGE]
        unknown = [c for c in (rows[0] if rows else ()) if c not in KEPT.get(name, asked)]
        if unknown:
            reason = f"has a column {unknown[0]!r} that this version cannot keep"
            raise BadInput(reason, "remove it, or use the version that wrote it", file=name)
    known = {FORM, ITEMS, *read, *DERIVED}
    others = tuple(sorted(path.name for path in folder.iterdir() if path.name not in known))
    return _Files(folder, form, read, others)


def _rows(path: Path, encoding: str) -> list[Row]:
    if not path.is_file():
        return []
    problems: list[Problem] = []
    optional = {*FOUND_ANEW, *tables.SHOWN, BOT}
    needed = [name for name in KEPT.get(path.name, ()) if name not in optional]
    table = read_table(path, encoding=encoding, known=None, required=needed, way_out=WAY_OUT)
    rows: list[Row] = [
        {name: plain(str(row.cells[name])) for name in table.columns}
        for row in table.usable(problems)
    ]
    if problems:
        raise BadItems(problems)
    return rows


def _is_stored(session: Session, name: str, ids: Sequence[str]) -> bool:
    """Whether the study has these people already.

    Raises:
        BadInput: Another study has some of them, or the study of this name has others.
    """
    there = dict(
        session.execute(
            select(Person.id, StudyRow.name).join(StudyRow, Person.study_id == StudyRow.id)
        ).all()
    )
    mine = {who for who, study in there.items() if study == name}
    if mine == set(ids) and ids:
        return True
    elsewhere = sorted({there[who] for who in ids if who in there})
    if elsewhere:
        reason = f"the study {elsewhere[0]!r} of this database has some of these people"
        raise BadInput(reason, "give another database with --database")
    if mine or session.scalar(select(StudyRow.id).where(StudyRow.name == name)) is not None:
        reason = f"the database has a study {name!r} with other people"
        raise BadInput(reason, "give another name with --study")
    return False


# ---- People


def _store_people(session: Session, files: _Files, people: _People) -> Iterator[Problem]:
    agreed: dict[str, Row] = {}
    days: dict[str, int] = {}
    for line, row in enumerate(files.rows[CONSENTS], start=1):
        agreed[row["person"]] = row
        try:
            day = datetime.fromisoformat(row["date"]).replace(tzinfo=UTC)
            days[row["person"]] = round(day.timestamp() * MILLI)
        except ValueError:
            yield files.problem(CONSENTS, line, f"date is {row['date']!r}, which is not a day")
    first = {row["person"]: row for row in reversed(files.rows[ANSWERS])}
    for line, row in enumerate(files.rows[PEOPLE], start=1):
        who, outcome = row["person"], row["outcome"] or None
        if not who or (outcome and outcome not in OUTCOMES):
            what = f"outcome is {outcome!r}" if who else "person is empty"
            yield files.problem(PEOPLE, line, what)
            continue
        consent = agreed.get(who, {})
        begun = days.get(who) or _whole(first.get(who, {}).get("server_time", "")) or 0
        took_part = who in agreed or who in first
        people.rows[who] = Person(
            id=who, study_id=people.study, pseudonym=f"{NAMELESS}{uuid.uuid4().hex}",
            stratum=row["stratum"], language=row["language"], consented=begun if took_part else None,
            linked=consent.get("linked") == "yes", demographics=False, bot=row.get(BOT) == "yes",
            started=begun, seen=now(), outcome=outcome, ended=begun if outcome else None,
        )  # fmt: skip
    session.add_all(people.rows.values())
    session.flush()
    for line, row in enumerate(files.rows[CONSENTS], start=1):
        who = row["person"]
        if who not in people.rows:
            yield files.problem(CONSENTS, line, f"{who!r} is not in {PEOPLE}")
            continue
        session.add(ConsentRecord(
            study_id=people.study, person_id=who, form_sha256=row["form_sha256"],
            language=row["language"], linked=row["linked"] == "yes", time=days.get(who, 0),
        ))  # fmt: skip


# ---- Answers


def _store_answers(session: Session, files: _Files, people: _People) -> Iterator[Problem]:
    items = dict(
        session.execute(
            select(ItemRow.key, ItemRow.id).where(ItemRow.study_id == people.study)
        ).all()
    )
    questions = {(page, q.name): q for page, q in files.form.questions}
    if files.form.sampling.familiar:
        questions[FAMILIAR_PAGE, FAMILIAR_PAGE] = familiar_page(files.form).questions[0]
    seen: set[tuple[str, ...]] = set()
    for line, row in enumerate(files.rows[ANSWERS], start=1):
        question = questions.get((row["page"], row["question"]))
        place = (row["person"], row["item"], row["round"], row["page"], row["question"])
        reason = ""
        if row["person"] not in people.rows:
            reason = f"{row['person']!r} is not in {PEOPLE}"
        elif question is None:
            reason = f"there is no question {row['question']!r} on {row['page']!r}"
        elif row["item"] and row["item"] not in items:
            reason = f"there is no item {row['item']!r}"
        elif place in seen:
            reason = "the question is answered twice"
        else:
            seen.add(place)
            try:
                assignment = _assignment(session, people, items, row) if row["item"] else None
                session.add(_answer(people.study, row, question, assignment))
            except BadInput as error:
                reason = str(error).removesuffix("; answer again").removesuffix(f"; {WAY_OUT}")
        if reason:
            yield files.problem(ANSWERS, line, reason)
    session.flush()


def _answer(study: int, row: Row, question: FormQuestion, assignment: int | None) -> Answer:
    value: Value = question.checked(question.from_cell(row["value"]))
    shown = _shown(row)
    return Answer(
        key=checked_key(row["key"]), study_id=study, person_id=row["person"], assignment_id=assignment,
        client_time=_time(row["client_time"]), server_time=_time(row["server_time"]),
        page=row["page"], question=row["question"], value=value, shown=shown.stored(),
    )  # fmt: skip


def _shown(row: Row) -> Shown:
    try:
        return tables.shown_in(row)
    except ValueError:
        raise BadInput("where it was shown is not a place", WAY_OUT) from None


def _time(cell: str) -> int:
    number = _whole(cell)
    if number is None:
        raise BadInput(f"{cell!r} is not a time in milliseconds", WAY_OUT)
    return number


def _whole(cell: str) -> int | None:
    number = decimal_number(cell) if cell else None
    is_whole = number is not None and 0 <= number < 2**53 and number == int(number)
    return int(number) if number is not None and is_whole else None


def _assignment(session: Session, people: _People, items: Mapping[str, int], row: Row) -> int:
    """The number of the assignment that an answer is about, made if it is the first."""
    number = _whole(row["round"])
    if number is None:
        raise BadInput(f"round is {row['round']!r}", WAY_OUT)
    place = (row["person"], row["item"], number)
    if place not in people.assignments:
        who = people.rows[row["person"]]
        made = Assignment(
            study_id=people.study, item_id=items[row["item"]], person_id=who.id, stratum=who.stratum,
            bot=who.bot, round=number, position=_shown(row).item or 0, state=row["state"], until=0,
        )  # fmt: skip
        session.add(made)
        session.flush()
        people.assignments[place] = made
    return people.assignments[place].id


# ---- Times on pages


def _store_pages(session: Session, files: _Files, people: _People) -> Iterator[Problem]:
    """Events from which the same times follow; the time of day is not exported, so that days begin at 0."""
    clocks = {who: person.started for who, person in people.rows.items()}
    for line, row in enumerate(files.rows[PAGES], start=1):
        who, number = row["person"], _whole(row["round"]) if row["round"] else FIRST
        seconds, hidden = decimal_number(row["seconds"]), decimal_number(row["hidden"])
        assignment = people.assignments.get((who, row["item"], FIRST if number is None else number))
        if who not in people.rows or seconds is None or hidden is None or number is None:
            yield files.problem(PAGES, line, "is not the time of a person in " + PEOPLE)
            continue
        if row["item"] and assignment is None:
            continue  # a page of an item without answers
        screen = f"{row['screen']}.{assignment.id}" if assignment else row["screen"]
        begun, away = clocks[who], round(hidden * MILLI)
        clocks[who] = max(begun + round(seconds * MILLI), begun)
        times = {"shown": begun, "submitted": clocks[who]}
        if away:  # a page can be away longer than it was shown only by another clock
            times = {"shown": begun, "hidden": begun, "visible": begun + away, **times}
        session.add_all(
            PageEvent(
                key=derived_key(time, who, str(line), kind, row["screen"]), study_id=people.study,
                person_id=who, assignment_id=assignment.id if assignment else None,
                client_time=time, server_time=time, screen=screen, kind=kind,
            )
            for kind, time in sorted(times.items(), key=lambda each: _ORDER[each[0]])
        )  # fmt: skip
    session.flush()


_ORDER = {"shown": 0, "hidden": 1, "visible": 2, "submitted": 3}


# ---- Demographics that are not linked


def _store_demographics(session: Session, files: _Files, people: _People) -> Iterator[Problem]:
    asked = {q.name: q for page, q in files.form.questions if page == DEMOGRAPHICS_PAGE}
    for line, row in enumerate(files.rows[DEMOGRAPHICS], start=1):
        try:
            given = {
                name: asked[name].checked(asked[name].from_cell(cell))
                for name, cell in row.items() if cell
            }  # fmt: skip
        except BadInput as error:
            yield files.problem(DEMOGRAPHICS, line, str(error).removesuffix("; answer again"))
            continue
        # Exports list them in the order of their keys, which was random when they were written.
        key = f"{DEMOGRAPHICS_PAGE}-{line:08d}-{uuid.uuid4().hex}"
        session.add(UnlinkedAnswers(key=key, study_id=people.study, released=True, answers=given))


# ---- What checks find


def _found_otherwise(session: Session, files: _Files, study: int) -> Iterator[str]:
    """A note where the checks do not find what the export says they found."""
    columns, found = tables.marks(collect(session, study, bots=True))
    # Through a file, so that numbers are rounded alike.
    written = csv.reader(io.StringIO(as_csv(columns, found), newline=""))
    now = Counter(tuple(map(plain, cells)) for cells in [*written][1:])
    before = Counter(tuple(row[name] for name in columns) for row in files.rows[MARKS])
    differ = (before - now).total()
    if differ:
        results = f"{counted(differ, 'results')} of checks {verb_for(differ, 'differ')}"
        yield f"{results} from those in {MARKS}; the new ones count."
