"""A panel's table of a study's submissions: who took part, and their demographics.

Prolific's demographic export, MTurk's results of a batch, or a table like them. It has a row for each
submission. Someone who returned one and came back has two, of which the later says their status; what they
answered about themselves is put together.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.core.text import counted
from tiltmeter.data.files.missing_words import is_missing
from tiltmeter.data.files.rows import text_of
from tiltmeter.data.files.table import listed
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.people.row_facts import RowFacts

PROGRAM = "Prolific"
REVOKED, EXPIRED = "CONSENT_REVOKED", "DATA_EXPIRED"
"""In place of an answer that Prolific may no longer give."""
ID = (
    "Participant id", "participant_id", "PROLIFIC_PID", "WorkerId", "participantId", "ParticipantId",
)  # fmt: skip
SUBMISSION = ("Submission id", "session_id", "SESSION_ID", "AssignmentId", "assignmentId")
STATUS = ("Status", "status", "AssignmentStatus")
STARTED = ("Started at", "started_datetime", "AcceptTime")
OF_SUBMISSION = frozenset({
    *ID, *SUBMISSION, *STATUS, *STARTED, "STUDY_ID", "Custom study tncs accepted at", "Completed at",
    "completed_date_time", "Reviewed at", "reviewed_at_datetime", "Archived at", "archived_datetime",
    "Time taken", "time_taken", "Completion code", "entered_code", "Total approvals", "num_approvals",
    "num_rejections", "prolific_score",
    "HITId", "HITTypeId", "Title", "Description", "Keywords", "Reward", "CreationTime", "MaxAssignments",
    "RequesterAnnotation", "AssignmentDurationInSeconds", "AutoApprovalDelayInSeconds", "Expiration",
    "NumberOfSimilarHITs", "LifetimeInSeconds", "SubmitTime", "AutoApprovalTime", "ApprovalTime",
    "RejectionTime", "RequesterFeedback", "WorkTimeInSeconds", "LifetimeApprovalRate",
    "Last30DaysApprovalRate", "Last7DaysApprovalRate", "Approve", "Reject",
})  # fmt: skip
"""Columns about the submission, in Prolific's exports of today and those until 2022 and in MTurk's results;
all others are about the person."""
OF_TASK = "Input."
"""Before the names of MTurk's columns that say what the task was made from."""


@dataclass(frozen=True, slots=True)
class PanelPerson:
    """Someone whom the panel lists."""

    id: str
    """The panel's id of the person."""
    status: str
    """The status of the latest submission, as the panel writes it ("APPROVED"); "" if no column has it."""
    submissions: tuple[str, ...]
    """The panel's ids of the person's submissions, the earliest first."""
    about: Mapping[str, str]
    """The answer in each column about the person; "" where there is none."""


@dataclass(frozen=True, slots=True)
class PanelPeople:
    """The people whom a panel lists, by their ids."""

    people: Mapping[str, PanelPerson]
    columns: tuple[str, ...]
    """The columns about the person."""
    rows: int
    """Rows of the table: submissions, of which one person may have several."""
    notes: tuple[str, ...] = ()


def read_panel(path: Path, *, person: str = "", encoding: str = "") -> PanelPeople:
    """The people in a panel's table.

    Args:
        path: Prolific's export of demographic data, or another table with a row for each submission.
        person: The column with the panel's ids, where it is none of `ID`.
        encoding: Of the file, where it is not UTF-8.

    Raises:
        BadInput: The file cannot be read, or no column has ids.
        BadItems: Rows without an id, or that say something else of a person than an earlier row does.
    """
    table = read_table(path, encoding=encoding, known=None)
    who = _first((person,) if person else ID, table.columns)
    if not who:
        what = f"column named {person!r}" if person else "column of the panel’s ids"
        reason = f"no {what} (found: {listed(table.columns)})"
        raise BadInput(reason, f"call it {ID[0]!r}", file=path.name, line=1)
    submission, status, started = (
        _first(of, table.columns) for of in (SUBMISSION, STATUS, STARTED)
    )
    of_person = tuple(
        name
        for name in table.columns
        if name and name not in {who, *OF_SUBMISSION} and not name.startswith(OF_TASK)
    )
    problems: list[Problem] = []
    facts = RowFacts(path.name, problems=problems)
    submissions: dict[str, list[tuple[str, str, str]]] = {}
    missing: Counter[str] = Counter()
    rows = 0
    for row in table.usable(problems):
        rows += 1
        cells = {name: text_of(row.cells.get(name)) for name in table.columns}
        name = cells[who]
        if not name:
            reason = f"{who} is empty"
            problems.append(Problem(reason, "fill it in", file=path.name, line=row.line))
            continue
        place = (cells.get(started, ""), cells.get(submission, ""), cells.get(status, ""))
        submissions.setdefault(name, []).append(place)
        for column in of_person:
            cell = cells[column]
            if cell and (cell in {REVOKED, EXPIRED} or is_missing(cell)):
                missing[cell] += 1
                cell = ""
            facts.add("participant", name, column, cell, row.line)
    if problems:
        raise BadItems(problems, way_out="Correct these rows, or remove them.")
    people = {}
    for name, several in submissions.items():
        ordered = sorted(several, key=lambda each: each[0])
        about = {column: facts.by_name["participant", name, column] for column in of_person}
        ids = tuple(each[1] for each in ordered if each[1])
        people[name] = PanelPerson(name, ordered[-1][2], ids, about)
    return PanelPeople(people, of_person, rows, tuple(_notes(people, rows, missing)))


def _first(names: Sequence[str], columns: Sequence[str]) -> str:
    return next((name for name in names if name in columns), "")


def _notes(people: Mapping[str, PanelPerson], rows: int, missing: Counter[str]) -> list[str]:
    notes = []
    if rows > len(people):
        notes.append(f"{counted(rows, 'submissions')} of {counted(len(people), 'people')}.")
    if missing:
        words = ", ".join(f"{word!r} {count:,}" for word, count in missing.most_common())
        notes.append(f"{counted(missing.total(), 'answers')} read as missing ({words}).")
    return notes
