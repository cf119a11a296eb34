"""Studies in the database: opened with a form, read back, closed, counted."""

import secrets
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from sqlalchemy import Row, delete, func, select
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.text import counted
from tiltmeter.survey.accounts import note_action
from tiltmeter.survey.bot_persons import bots
from tiltmeter.survey.form import Form, ItemKind, SurveyItem
from tiltmeter.survey.form_file import form_of
from tiltmeter.survey.keys import LARGEST, now
from tiltmeter.survey.outcomes import OUTCOMES, UNDER_WAY, words_of
from tiltmeter.survey.persons import release_waiting, waiting
from tiltmeter.survey.schema import Answer, ItemRow, Person, PlatformIdentity, StudyRow

SALT, CODE = 32, 16
"""Bytes of a study's key, and of the secret of its completion codes."""


def open_study(session: Session, form: Form, *, name: str = "") -> int:
    """The number of a new study with this form and its items; the same form goes on where it was.

    Its name is by default the form's.

    Raises:
        BadInput: The study exists with another form or other items, or there are no items.
    """
    name = name or form.name
    row = session.scalar(select(StudyRow).where(StudyRow.name == name))
    if row is not None:
        if row.form_sha256 != form.sha256 or form_of_study(session, row.id).items != form.items:
            why = f"the study {name!r} was opened with another form or other items"
            raise BadInput(
                why, "name it with --study NAME, or take another database: --database FILE"
            )
        return row.id
    if not any(item.kind == "real" for item in form.items):
        raise BadInput(f"the form {form.name!r} has no items", "write [[items]], or give a table")
    study = StudyRow(
        name=name, form=form.text, form_sha256=form.sha256, salt=secrets.token_bytes(SALT),
        code=secrets.token_hex(CODE), opened=now(), erased=0,
    )  # fmt: skip
    session.add(study)
    session.flush()
    session.add_all(_row(study.id, item) for item in form.items)
    return study.id


def check_no_other_answers(session: Session, form: Form) -> None:
    """Check that a form does not get into a database with people's answers to other forms by mistake.

    Whoever wants several studies in one database names the new one.

    Raises:
        BadInput: The database has no study with the form's name, and others with answers.
    """
    names = study_names(session).values()
    if form.name in names:
        return
    of_study = select(StudyRow.name).join(Person, Person.study_id == StudyRow.id)
    answered = session.scalars(
        of_study.join(Answer, Answer.person_id == Person.id).distinct()
    ).all()
    if answered:
        listed = ", ".join(repr(name) for name in sorted(answered))
        raise BadInput(
            f"the database has answers to another form ({listed})",
            f"keep those to {form.name!r} in another one with --database FILE, or add the study to this one "
            f"with --study {shlex.quote(form.name)}",
        )


def study_named(session: Session, name: str = "") -> int:
    """The number of a study; "" for the only one in the database.

    Raises:
        BadInput: The database has no study, or there are several and none is named.
        UnknownName: There is no such study.
    """
    names = dict(session.execute(select(StudyRow.name, StudyRow.id)).all())
    if not names:
        raise BadInput("the database has no study", "begin one with `tiltmeter survey serve`")
    if not name and len(names) == 1:
        return next(iter(names.values()))
    if not name:
        reason = f"the database has {counted(len(names), 'studies')}"
        raise BadInput(reason, f"name one of them: {', '.join(sorted(names))}")
    if name not in names:
        raise UnknownName("study", name, names)
    return names[name]


def study_row(session: Session, study: int) -> StudyRow:
    """The study with this number.

    Raises:
        BadInput: There is none.
    """
    row = session.scalar(select(StudyRow).where(StudyRow.id == study)) if study <= LARGEST else None
    if row is None:
        raise BadInput("there is no such study", "choose one from the list")
    return row


def form_of_study(session: Session, study: int) -> Form:
    """The form with the items that were stored when the study was opened."""
    row = session.get_one(StudyRow, study)
    rows = session.scalars(select(ItemRow).where(ItemRow.study_id == study).order_by(ItemRow.id))
    return replace(form_of(row.form, file=f"{row.name}.toml"), items=tuple(map(item_of, rows)))


def study_names(session: Session) -> dict[int, str]:
    """The studies in the database, by number."""
    return dict(session.execute(select(StudyRow.id, StudyRow.name).order_by(StudyRow.id)).all())


def close_study(session: Session, study: int, *, actor: str) -> None:
    """Close a study: nobody can begin it any more. The audit log names who closed it."""
    row = session.get_one(StudyRow, study)
    if row.closed is None:
        row.closed = now()
        note_action(session, actor=actor, action="close study", detail=row.name)
    release_waiting(session, study)


def reopen_study(session: Session, study: int, *, actor: str) -> None:
    """Let people begin a closed study again.

    Raises:
        BadInput: Its key was erased with the platform ids: nobody could be recognised.
    """
    row = session.get_one(StudyRow, study)
    if not row.salt:
        raise BadInput(
            f"the key of the study {row.name!r} is erased", "open a new study with its form"
        )
    if row.closed is not None:
        row.closed = None
        note_action(session, actor=actor, action="reopen study", detail=row.name)


def erase_identities(session: Session, study: int, *, actor: str) -> int:
    """Erase the platform's ids of everybody; gives how many there were.

    Once the study is closed, the key of the pseudonyms is erased as well: then nobody can find out
    whose pseudonym is whose, not even by trying all ids.
    """
    people = select(Person.id).where(Person.study_id == study)
    erased = session.execute(delete(PlatformIdentity).where(PlatformIdentity.person_id.in_(people)))
    count: int = erased.rowcount  # type: ignore[attr-defined]
    study_row = session.get_one(StudyRow, study)
    if study_row.closed is not None:
        study_row.salt = b""
    note_action(
        session, actor=actor, action="erase platform ids", detail=f"{study_row.name} ({count})"
    )
    return count


@dataclass(frozen=True, slots=True)
class StudyStatus:
    """Counts of people, items and answers that show how far a study is."""

    name: str
    form_sha256: str
    opened: int
    closed: int | None
    people: Mapping[str, int]
    """By outcome, such as "finished"; under "under way" those without one. Bots are left out."""
    erased: int
    """People of whom everything was erased."""
    answers: int
    identities: int
    waiting: int
    """Unlinked demographics that wait for others before they are released."""
    bots: int = 0
    """Bots that tried the survey out; their answers are not among those counted here."""

    @property
    def by_outcome(self) -> Mapping[str, int]:
        """People by outcome in words: finished, withdrew, under way, and others that somebody has."""
        always = {"finished", "withdrew", None}
        return {
            words_of(outcome): self.people.get(outcome or UNDER_WAY, 0)
            for outcome in (*OUTCOMES, None)
            if outcome in always or self.people.get(outcome or UNDER_WAY)
        }


def study_status(session: Session, study: int) -> StudyStatus:
    """Counts of people, items and answers that show how far a study is."""
    row = session.get_one(StudyRow, study)
    people = select(Person.outcome, func.count()).where(Person.study_id == study, ~Person.bot)
    counted = session.execute(people.group_by(Person.outcome)).all()
    answers = select(func.count()).select_from(Answer).join(Person, Answer.person_id == Person.id)
    answers = answers.where(Answer.study_id == study, ~Person.bot)
    identities = select(func.count()).select_from(PlatformIdentity).join(Person)
    return StudyStatus(
        row.name, row.form_sha256, row.opened, row.closed,
        {outcome or UNDER_WAY: count for outcome, count in counted}, row.erased,
        session.scalar(answers) or 0,
        session.scalar(identities.where(Person.study_id == study)) or 0, waiting(session, study),
        bots(session, study),
    )  # fmt: skip


# ---- Items as rows


def _row(study: int, item: SurveyItem) -> ItemRow:
    columns = asdict(item)
    content = {name: columns.pop(name) for name in ("texts", "aliases", "expected", "why")}
    return ItemRow(study_id=study, content=content, **columns)


def item_of(row: ItemRow | Row[*tuple[Any, ...]]) -> SurveyItem:
    """The item that a row holds."""
    kind = cast("ItemKind", row.kind)
    columns: dict[str, Any] = {**row.content, "aliases": tuple(row.content["aliases"])}
    return SurveyItem(row.key, kind=kind, common=row.common, stratum=row.stratum, **columns)
