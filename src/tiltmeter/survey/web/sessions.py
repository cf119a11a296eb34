"""Sessions of browsers: a random token in a cookie, of which the database has the SHA-256 only.

People who take part and accounts that are signed in have a cookie each, so one browser can be both.
"""

import hashlib
import hmac
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from typing import cast

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response

from tiltmeter.survey.keys import now
from tiltmeter.survey.persons import RESPONDENT, Respondent
from tiltmeter.survey.schema import LoginSession, Person, User

COOKIE = "tiltmeter_survey"
"""Name of the cookie of people who take part."""
DAYS = 30
"""Days for which people who take part can come back to where they were."""
HOURS = 12
"""Hours for which an account stays signed in."""
NONCE = 16
"""Letters at the beginning of a form's token that differ from page to page."""
HOUR, DAY = 3600, 24 * 3600


@dataclass(frozen=True, slots=True)
class SessionCookie:
    """A cookie that holds the token of a session."""

    name: str
    seconds: int

    def token_of(self, request: Request) -> str:
        """The token in the cookie; "" without one."""
        return request.cookies.get(self.name, "")

    def keep(self, request: Request, response: Response, token: str) -> None:
        """Have the browser keep the token in a cookie, for as long as the session lasts."""
        response.set_cookie(
            self.name, token, max_age=self.seconds, httponly=True, samesite="lax",
            secure=request.url.scheme == "https",
        )  # fmt: skip

    def is_ours(self, request: Request, sent: str) -> bool:
        """Whether a request was made by one of our own pages in this browser."""
        origin = request.headers.get("origin")
        if origin is not None and origin.partition("://")[2] != request.headers.get("host"):
            return False
        token = self.token_of(request)
        return bool(token) and is_csrf_token(token, sent)


TAKING_PART = SessionCookie(COOKIE, DAYS * DAY)
SIGNED_IN = SessionCookie("tiltmeter_account", HOURS * HOUR)


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """What the database stores of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def csrf_token(token: str, nonce: str = "") -> str:
    """What forms of this browser carry: derived from the cookie, which scripts cannot read.

    Every page has another, so that nothing follows from how well many of them can be compressed (BREACH).

    >>> is_csrf_token("a", csrf_token("a")), is_csrf_token("b", csrf_token("a"))
    (True, False)
    >>> csrf_token("a") == csrf_token("a")
    False
    """
    nonce = nonce or secrets.token_hex(NONCE // 2)
    purpose = f"tiltmeter.survey.csrf.{nonce}"
    return nonce + hmac.new(token.encode(), purpose.encode(), hashlib.sha256).hexdigest()


def is_csrf_token(token: str, sent: str) -> bool:
    """Whether this is one of the tokens that forms of this browser carry."""
    return hmac.compare_digest(sent.encode(), csrf_token(token, sent[:NONCE]).encode())


def queue_name(token: str) -> str:
    """Name under which a browser keeps unsent answers, so that pages of another person do not read them."""
    return hmac.new(token.encode(), b"tiltmeter.survey.queue", hashlib.sha256).hexdigest()[:16]


def begin_session(session: Session, *, person: str, old: str) -> str:
    """A new token for a person who has just agreed; the old one is worth nothing from now on."""
    return _begun(session, TAKING_PART, old, LoginSession(person_id=person))


def begin_login(session: Session, *, account: int, old: str) -> str:
    """A new token for an account that has just signed in; the old one is worth nothing from now on."""
    return _begun(session, SIGNED_IN, old, LoginSession(user_id=account))


def _begun(session: Session, cookie: SessionCookie, old: str, row: LoginSession) -> str:
    over = (LoginSession.token == hashed(old)) | (LoginSession.until < now())
    session.execute(delete(LoginSession).where(over))
    token = new_token()
    row.token, row.until = hashed(token), now() + cookie.seconds * 1000
    session.add(row)
    return token


def close_session(session: Session, *, token: str) -> None:
    """End the session of this token."""
    session.execute(delete(LoginSession).where(LoginSession.token == hashed(token)))


_SESSION, _PERSON = LoginSession.__table__, Person.__table__
_PEOPLE = (
    select(_SESSION.c.token, *RESPONDENT)
    .join_from(_SESSION, _PERSON, _SESSION.c.person_id == _PERSON.c.id)
    .where(
        _SESSION.c.token.in_(bindparam("tokens", expanding=True)),
        _SESSION.c.until >= bindparam("now"),
        _PERSON.c.study_id == bindparam("study"),
    )
)


def people_of(session: Session, tokens: Collection[str], *, study: int) -> dict[str, Respondent]:
    """Who takes part in a study, by token; without the tokens that are not known."""
    by_hash = {hashed(token): token for token in tokens}
    rows = session.execute(_PEOPLE, {"tokens": [*by_hash], "now": now(), "study": study})
    return {by_hash[row.token]: cast("Respondent", row) for row in rows}


def account_of(session: Session, *, token: str) -> User | None:
    """The account that is signed in with this token."""
    valid = (LoginSession.token == hashed(token)) & (LoginSession.until >= now())
    return session.scalar(select(User).join(LoginSession).where(valid))
