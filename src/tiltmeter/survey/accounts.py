"""Accounts of researchers, administrators and annotators, and the log of what they did.

Operations on the database, as in `studies`. They take the hash of a password, never the password itself: to
hash one (argon2id, RFC 9106) costs about a tenth of a second and 64 MiB, too slow for the thread that writes.
"""

import re
import secrets
import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.survey.keys import LARGEST, now
from tiltmeter.survey.schema import ROLES, AuditEntry, LoginSession, Role, Submission, User

COMMAND_LINE = "(command line)"
"""Actor of what was done on the machine itself; no account can have this name."""
SHORTEST, LONGEST = 12, 1000
"""How many characters a password must and may have."""
HASHER = PasswordHasher()
_NAME = re.compile(r"[\w.@+-]{1,64}")
_LOOKALIKES = str.maketrans("асеһіјорѕухԁԛԝοανρυικτ", "acehijopsyxdqwoavpuikt")
"""Cyrillic and Greek letters that look like Latin ones."""


def account_name(name: str) -> str:
    """The name as it is stored: case and the way letters are encoded do not matter.

    >>> account_name("Ann@Lab.org ")
    'ann@lab.org'

    Raises:
        BadInput: It has other characters than letters, digits and . @ + - _, or letters of several scripts,
            with which it may look like another name.
    """
    normalised = unicodedata.normalize("NFKC", name).strip().casefold()
    if not _NAME.fullmatch(normalised):
        raise BadInput(
            f"{name!r} cannot be the name of an account",
            "use up to 64 letters, digits and the characters . @ + - _",
        )
    scripts = sorted({unicodedata.name(c, "").partition(" ")[0] for c in normalised if c.isalpha()})
    if len({*scripts} & {"LATIN", "CYRILLIC", "GREEK"}) > 1:
        raise BadInput(f"{name!r} mixes {' and '.join(scripts)} letters", "use those of one script")
    return normalised


def checked_role(role: str) -> Role:
    """The role of this name.

    Raises:
        UnknownName: There is none.
    """
    if role not in ROLES:
        raise UnknownName("role", role, ROLES)
    return role


# ---- Accounts


def create_account(session: Session, *, name: str, password: str, role: Role, actor: str) -> User:
    """A new account, with the hash of its password; `actor` creates it, for the audit log.

    Raises:
        BadInput: The name is taken, or cannot be one.
    """
    name = account_name(name)
    for known in session.scalars(select(User.name)):
        if known.translate(_LOOKALIKES) == name.translate(_LOOKALIKES):
            reason = f"there is an account {known!r} already"
            raise BadInput(
                reason if known == name else f"{reason}, which looks alike", "use another name"
            )
    row = User(name=name, password=password, role=role)
    session.add(row)
    session.flush()
    note_action(session, actor=actor, action="create account", detail=f"{name} ({role})")
    return row


def accounts(session: Session) -> list[User]:
    """All accounts, sorted by name."""
    return [*session.scalars(select(User).order_by(User.name))]


def account_named(session: Session, name: str) -> User:
    """The account of this name.

    Raises:
        UnknownName: There is none.
    """
    row = _by_name(session, name)
    if row is None:
        raise UnknownName("account", name, session.scalars(select(User.name)))
    return row


def account_with_id(session: Session, account: int) -> User:
    """The account with this number.

    Raises:
        BadInput: There is none.
    """
    row = session.get(User, account) if account <= LARGEST else None
    if row is None:
        raise BadInput("there is no such account", "it may have been removed")
    return row


def change_password(session: Session, account: int, *, password: str, actor: str) -> None:
    """Give an account another password, as a hash; every browser that is signed in is signed out."""
    row = account_with_id(session, account)
    row.password = password
    end_sessions(session, account)
    note_action(session, actor=actor, action="change password", detail=row.name)


def change_role(session: Session, account: int, *, role: Role, actor: str) -> None:
    """Give an account other rights; every browser that is signed in with it is signed out.

    Raises:
        BadInput: It is the only administrator.
    """
    row = account_with_id(session, account)
    if row.role == role:
        return
    _keep_an_admin(session, row)
    row.role = role
    end_sessions(session, account)
    note_action(session, actor=actor, action="change role", detail=f"{row.name} ({role})")


def remove_account(session: Session, account: int, *, actor: str) -> None:
    """Remove an account; what it did stays in the audit log, and its submissions on leaderboards.

    Raises:
        BadInput: It is the only administrator.
    """
    row = account_with_id(session, account)
    _keep_an_admin(session, row)
    end_sessions(session, account)
    session.execute(update(Submission).where(Submission.user_id == account).values(user_id=None))
    session.delete(row)
    note_action(session, actor=actor, action="remove account", detail=row.name)


def end_sessions(session: Session, account: int) -> None:
    """Sign an account out everywhere."""
    session.execute(delete(LoginSession).where(LoginSession.user_id == account))


def credentials(session: Session, name: str) -> tuple[int, str] | None:
    """Number and password hash of an account; None without one of this name."""
    row = _by_name(session, name)
    return (row.id, row.password) if row else None


def _by_name(session: Session, name: str) -> User | None:
    try:
        name = account_name(name)
    except BadInput:
        return None
    return session.scalar(select(User).where(User.name == name))


def _keep_an_admin(session: Session, row: User) -> None:
    # Locked, so that two processes do not take the rights of the last two at the same moment.
    admins = select(User.id).where(User.role == "admin").order_by(User.id).with_for_update()
    if session.scalars(admins).all() == [row.id]:
        raise BadInput(f"{row.name!r} is the only administrator", "make someone else one first")


# ---- Passwords


def hashed_password(password: str) -> str:
    """The argon2id hash of a new password, with a random salt.

    Raises:
        BadInput: It is too short or too long.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadInput(
            f"a password has {SHORTEST} to {LONGEST:,} characters",
            "choose another, such as four or five random words",
        )
    return HASHER.hash(password)


def is_password(password: str, stored: str | None) -> bool:
    """Whether a password belongs to a hash.

    Without a hash (no account of that name) the password is compared with a random one, so that the
    time of the answer does not tell which names exist.
    """
    try:
        return HASHER.verify(stored or _nobodys(), password[: LONGEST + 1]) and stored is not None
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobodys() -> str:
    return HASHER.hash(secrets.token_urlsafe(32))


# ---- Audit log


def note_action(session: Session, *, actor: str, action: str, detail: str = "") -> None:
    """Note in the audit log what somebody does; the details hold no answers and no platform ids."""
    session.add(AuditEntry(time=now(), actor=actor, action=action, detail=detail))


def audit_log(session: Session, *, before: int = 0, limit: int = 200) -> list[AuditEntry]:
    """What was done, the newest first; only before the entry of this number unless it is 0."""
    query = select(AuditEntry).order_by(AuditEntry.id.desc()).limit(limit)
    return [*session.scalars(query.where(AuditEntry.id < before) if before else query)]
