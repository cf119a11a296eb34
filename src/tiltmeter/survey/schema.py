"""The database of surveys: SQLite or PostgreSQL, with the same tables.

Times are milliseconds since 1970, UTC. `answer` is append-only, which a trigger enforces against
updates: a changed answer is a new row. Raw ids of platforms are only in `identity`.
"""

from typing import Any, ClassVar, Literal, get_args

import sqlalchemy as sa
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from tiltmeter.survey.outcomes import Outcome

LARGE = sa.BigInteger()
Role = Literal["annotator", "researcher", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
"""Each may do what those before it may."""


class Base(DeclarativeBase):
    """Base class of all tables."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: sa.Text(), Role: sa.Text(), Outcome: sa.Text(), bytes: sa.LargeBinary(),
        dict[str, Any]: sa.JSON(),
    }  # fmt: skip


class StudyRow(Base):
    """A form that people are asked to fill in."""

    __tablename__ = "study"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    form: Mapped[str]
    """The form file, as it was read."""
    form_sha256: Mapped[str]
    salt: Mapped[bytes]
    """Key of the pseudonyms; erased with the identities."""
    code: Mapped[str]
    """Secret of the completion codes of people (`persons.own_code`)."""
    opened: Mapped[int] = mapped_column(LARGE)
    closed: Mapped[int | None] = mapped_column(LARGE)
    erased: Mapped[int] = mapped_column(default=0)
    """People of whom everything was erased: all that is left of them."""


class ItemRow(Base):
    """What a study asks about."""

    __tablename__ = "item"
    __table_args__ = (sa.UniqueConstraint("study_id", "key"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(sa.ForeignKey("study.id"), index=True)
    key: Mapped[str]
    kind: Mapped[str]
    """real, training, test or repeat."""
    common: Mapped[bool]
    stratum: Mapped[str]
    content: Mapped[dict[str, Any]]


class Person(Base):
    """Someone who came to take part, under a random id."""

    __tablename__ = "person"
    __table_args__ = (sa.UniqueConstraint("study_id", "pseudonym"),)
    id: Mapped[str] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(sa.ForeignKey("study.id"), index=True)
    pseudonym: Mapped[str]
    """The platform's id as HMAC-SHA256 under the study's salt."""
    stratum: Mapped[str]
    language: Mapped[str]
    consented: Mapped[int | None] = mapped_column(LARGE)
    linked: Mapped[bool] = mapped_column(default=False)
    """Whether they agreed to have demographics stored with their answers."""
    demographics: Mapped[bool] = mapped_column(default=False)
    """Whether they have given them."""
    bot: Mapped[bool] = mapped_column(default=False)
    """Whether it is a program that tries the survey out, as its requests said."""
    number: Mapped[int | None]
    """From 0, in the order in which people agreed to take part; decides their orders (`person_order`)."""
    started: Mapped[int] = mapped_column(LARGE)
    seen: Mapped[int] = mapped_column(LARGE)
    """When they last sent something, to the minute."""
    outcome: Mapped[Outcome | None]
    """How they left; None while they are under way. Who withdrew has no more than this and platform ids."""
    ended: Mapped[int | None] = mapped_column(LARGE)
    """When that was decided."""


class PlatformIdentity(Base):
    """Raw ids from the platform, apart from everything else and erasable."""

    __tablename__ = "identity"
    person_id: Mapped[str] = mapped_column(sa.ForeignKey("person.id"), primary_key=True)
    platform: Mapped[str]
    raw: Mapped[dict[str, Any]]


class ConsentRecord(Base):
    """What a person agreed to, and when: a row for each time that they agreed to something else."""

    __tablename__ = "consent"
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(sa.ForeignKey("study.id"), index=True)
    person_id: Mapped[str] = mapped_column(sa.ForeignKey("person.id"), index=True)
    form_sha256: Mapped[str]
    """The checksum of the form file with the text."""
    language: Mapped[str]
    """In which they read it."""
    linked: Mapped[bool]
    """Whether they also agreed to have demographics stored with their answers."""
    time: Mapped[int] = mapped_column(LARGE)


class Assignment(Base):
    """An item given to a person: a lease until it is done."""

    __tablename__ = "assignment"
    __table_args__ = (sa.UniqueConstraint("person_id", "item_id", "round"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(sa.ForeignKey("study.id"), index=True)
    item_id: Mapped[int] = mapped_column(sa.ForeignKey("item.id"), index=True)
    person_id: Mapped[str] = mapped_column(sa.ForeignKey("person.id"), index=True)
    stratum: Mapped[str]
    """Stratum of the person that it is given to."""
    bot: Mapped[bool] = mapped_column(default=False)
    """Whether that is a bot: it takes no place from people."""
    round: Mapped[int]
    """0 training, 1 first, 2 repeat."""
    position: Mapped[int]
    turn: Mapped[int] = mapped_column(default=0)
    """From 0, among the people who have the item; decides the order of its texts."""
    state: Mapped[str]
    """leased, done, expired, or late: done, but somebody else has the place, or is to have it."""
    until: Mapped[int] = mapped_column(LARGE)


class OfPerson:
    """Columns of tables with rows of a person, which may be about an item."""

    study_id: Mapped[int] = mapped_column(sa.ForeignKey("study.id"), index=True)
    person_id: Mapped[str] = mapped_column(sa.ForeignKey("person.id"), index=True)
    assignment_id: Mapped[int | None] = mapped_column(sa.ForeignKey("assignment.id"))


class SentByPerson(OfPerson):
    """Columns of tables with what people's browsers send."""

    number: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(unique=True)
    """A UUIDv7 made by the client: what is sent twice is stored once."""
    client_time: Mapped[int] = mapped_column(LARGE)
    server_time: Mapped[int] = mapped_column(LARGE)


class Answer(SentByPerson, Base):
    """One answer; a later one for the same question replaces it in exports."""

    __tablename__ = "answer"
    page: Mapped[str]
    question: Mapped[str]
    value: Mapped[Any] = mapped_column(sa.JSON)
    """null where the answer was withdrawn."""
    supersedes: Mapped[str | None]
    """The key of the answer that it replaces."""
    shown: Mapped[dict[str, Any] | None] = mapped_column(sa.JSON(none_as_null=True))
    """Where and how the question was shown (`person_order.Shown`)."""


_TRIGGER = "CREATE TRIGGER answers_never_change BEFORE UPDATE ON answer"
_NEVER = "answers are never changed"
_BODY = f"$$ BEGIN RAISE EXCEPTION '{_NEVER}'; END $$"
for _dialect, _statement in (
    ("sqlite", f"{_TRIGGER} BEGIN SELECT RAISE(ABORT, '{_NEVER}'); END"),
    (
        "postgresql",
        f"CREATE FUNCTION answers_never_change() RETURNS trigger AS {_BODY} LANGUAGE plpgsql",
    ),
    ("postgresql", f"{_TRIGGER} FOR EACH ROW EXECUTE FUNCTION answers_never_change()"),
):
    _ddl = sa.DDL(_statement)  # type: ignore[no-untyped-call]
    sa.event.listen(Answer.__table__, "after_create", _ddl.execute_if(dialect=_dialect))


class PageEvent(SentByPerson, Base):
    """A screen was shown, hidden, visible again, or submitted."""

    __tablename__ = "page_event"
    screen: Mapped[str]
    kind: Mapped[str]


class Mark(OfPerson, Base):
    """What a check found about a person or one of their items. Nothing is deleted because of it."""

    __tablename__ = "mark"
    id: Mapped[int] = mapped_column(primary_key=True)
    check: Mapped[str]
    rule: Mapped[str]
    value: Mapped[float | None]
    flagged: Mapped[bool]
    detail: Mapped[str]


class UnlinkedAnswers(Base):
    """One person's demographics, without person or time, in the order of random keys.

    `released` rows came in shuffled batches; the others wait until their batch is large enough.
    """

    __tablename__ = "unlinked"
    # SQLite numbers the rows of other tables in order of arrival.
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012 as SQLAlchemy declares it
    key: Mapped[str] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(sa.ForeignKey("study.id"))
    released: Mapped[bool]
    bot: Mapped[bool] = mapped_column(default=False)
    answers: Mapped[dict[str, Any]]


class User(Base):
    """Somebody with an account: an annotator, researcher or administrator."""

    __tablename__ = "account"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    password: Mapped[str]
    """argon2id hash of the password."""
    role: Mapped[Role]

    def may(self, role: Role) -> bool:
        """Whether the account has the rights of a role.

        >>> User(role="researcher").may("annotator"), User(role="researcher").may("admin")
        (True, False)
        """
        return ROLES.index(self.role) >= ROLES.index(role)


class LoginSession(Base):
    """A browser that is logged in, or in which a person takes part."""

    __tablename__ = "session"
    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(unique=True)
    """SHA-256 of the session's token."""
    user_id: Mapped[int | None] = mapped_column(sa.ForeignKey("account.id"))
    person_id: Mapped[str | None] = mapped_column(sa.ForeignKey("person.id"), index=True)
    until: Mapped[int] = mapped_column(LARGE)


class AuditEntry(Base):
    """Something that was done with an account or on the command line."""

    __tablename__ = "audit"
    id: Mapped[int] = mapped_column(primary_key=True)
    time: Mapped[int] = mapped_column(LARGE)
    actor: Mapped[str]
    action: Mapped[str]
    detail: Mapped[str]


class BoardTable(Base):
    """A leaderboard with hidden labels."""

    __tablename__ = "board"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    settings: Mapped[dict[str, Any]]
    """The fields of `boards.store.BoardSettings` as JSON."""
    labels_sha256: Mapped[str]
    contexts: Mapped[str] = mapped_column(deferred=True)
    """What submitters get: a file in StereoSet's layout, without labels."""
    development: Mapped[str] = mapped_column(deferred=True)
    """Such a file of other target terms, with labels; "" without one."""
    baselines: Mapped[dict[str, Any]]
    """By name: scores by target term, as in `Submission`."""
    key: Mapped[bytes]
    """Signs the receipts and names the sentences."""
    opened: Mapped[int] = mapped_column(LARGE)
    closed: Mapped[int | None] = mapped_column(LARGE)


class Submission(Base):
    """A file of predictions sent to a leaderboard."""

    __tablename__ = "submission"
    __table_args__ = (
        sa.Index("ix_submission_submitter", "board_id", "name"),
        sa.Index(
            "ix_submission_waiting", "board_id", "name", unique=True,
            sqlite_where=sa.text("state = 'waiting'"), postgresql_where=sa.text("state = 'waiting'"),
        ),
    )  # fmt: skip
    id: Mapped[int] = mapped_column(primary_key=True)
    board_id: Mapped[int] = mapped_column(sa.ForeignKey("board.id"))
    user_id: Mapped[int | None] = mapped_column(sa.ForeignKey("account.id"))
    """The submitter's account; None once it is removed."""
    name: Mapped[str]
    """Name of the submitter: of the account, or as given on the command line."""
    model: Mapped[str]
    """The submitter's name for what made the predictions: a row of the standings."""
    sha256: Mapped[str]
    state: Mapped[str]
    """waiting, scored or failed."""
    until: Mapped[int] = mapped_column(LARGE)
    """When a waiting submission counts as failed: its process must have died."""
    terms: Mapped[list[Any]] = mapped_column(sa.JSON)
    """Exact lms and ss of each target term, in the order of the terms; these are never shown."""
    moved: Mapped[bool]
    """Whether these became the scores that the board shows of this model."""
    why: Mapped[str]
    """Why it failed; "" otherwise."""
    time: Mapped[int] = mapped_column(LARGE)
    receipt: Mapped[str]
    """The signed record of a scored submission, a file that the submitter gets; "" otherwise."""
