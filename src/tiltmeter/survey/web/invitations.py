"""Who a link invites: a signed link, which nobody can alter or make up, or the ids that a platform adds."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from urllib.parse import quote

from itsdangerous import BadData, SignatureExpired, URLSafeTimedSerializer
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.accounts import note_action
from tiltmeter.survey.refusals import Refusal
from tiltmeter.survey.schema import StudyRow

PLATFORMS: Mapping[str, tuple[str, ...]] = {
    "prolific": ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    "mturk": ("workerId", "assignmentId", "hitId"),
    "cloudresearch": ("participantId", "assignmentId", "projectId"),
    "sona": ("survey_code",),
    "link": ("pid",),
}
"""Parameters of addresses by platform; the first names the person."""
LONGEST = 200
"""Characters of an id, at most."""
_PLACEHOLDER = re.compile(r"\{\{.*\}\}|%[A-Za-z_]+%|\$\{.*\}")
"""What an address has in place of an id; everybody who came with it would be one and the same person."""
PURPOSE = "tiltmeter.survey.invitation"
"""Keeps signatures for one purpose from being used for another."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """Who is invited to which study."""

    study: str
    platform: str = ""
    ids: Mapping[str, str] = field(default_factory=dict)
    """The platform's ids; {} for a link that anyone may use."""
    stratum: str = ""
    language: str = ""
    bot: bool = False
    """Whether a bot follows the link, as its requests say."""
    screened: bool = False
    """Whether the questions before the consent are answered, so that the study is for them."""


_bad_link = partial(Refusal, word="bad_link")


def signed_token(key: bytes, invitation: Invitation) -> str:
    """The invitation as text for an address, signed with a secret key."""
    return str(URLSafeTimedSerializer(key, salt=PURPOSE).dumps(asdict(invitation)))


def read_token(key: bytes, token: str, *, hours: float = 0.0) -> Invitation:
    """The invitation that a token from an address carries; it may be so many hours old, with 0 any age.

    >>> token = signed_token(b"key", Invitation("warmth", "prolific", {"PROLIFIC_PID": "5f1"}))
    >>> read_token(b"key", token).ids["PROLIFIC_PID"]
    '5f1'

    Raises:
        BadInput: It was altered, was signed with another key, or is too old.
    """
    signer = URLSafeTimedSerializer(key, salt=PURPOSE)
    try:
        fields = signer.loads(token, max_age=int(hours * 3600) if hours else None)
    except SignatureExpired:
        raise _bad_link("this link has expired", "ask for a new one") from None
    except BadData:
        raise _bad_link(
            "this link is not valid", "copy the whole link, or ask for a new one"
        ) from None
    return Invitation(**fields)


def link_key(salt: bytes) -> bytes:
    """The key with which links of a study are signed."""
    return hmac.new(salt, b"tiltmeter.survey.links", hashlib.sha256).digest()


def signed_links(
    study: StudyRow, address: str, people: Iterable[str], *, stratum: str = "", language: str = ""
) -> dict[str, str]:
    """A link for each person, by their id ("" for a link that anyone may use), to where the study is served.

    The stratum is for quotas, and the language that to begin with.

    Raises:
        BadInput: The study is closed, or the address is none.
    """
    if study.closed is not None or not study.salt:
        raise BadInput(f"the study {study.name!r} is closed", "nobody can begin it any more")
    if not address.startswith(("https://", "http://")):
        raise BadInput(f"{address!r} is no address", "begin it with https://")
    by_person = {}
    for person in people:
        ids = {"pid": person} if person else {}
        invitation = Invitation(study.name, "link" if person else "", ids, stratum, language)
        token = signed_token(link_key(study.salt), invitation)
        by_person[person] = f"{address.rstrip('/')}/?invitation={quote(token)}"
    return by_person


def note_links(session: Session, study: str, count: int, *, actor: str) -> None:
    """Note in the audit log that links to a study were made, how many and by whom."""
    note_action(session, actor=actor, action="make links", detail=f"{study} ({count})")


@dataclass(frozen=True, slots=True)
class Invitations:
    """Reads the links of one study."""

    study: str
    salt: bytes
    signed: bool = False
    """Whether only signed links are let in."""

    @property
    def passing_key(self) -> bytes:
        """Signs what goes from page to page before consent; not valid as a signed link.

        An open server of the same study makes such tokens for any id, so those of a signed entry differ.
        """
        purpose = b"tiltmeter.survey.passing" + (b".signed" if self.signed else b"")
        return hmac.new(self.salt, purpose, hashlib.sha256).digest()

    def from_address(self, parameters: Mapping[str, str]) -> Invitation:
        """The invitation in an address.

        Raises:
            BadInput: A signed link was altered or belongs to another study, or there is none and only
                signed links are let in, or a placeholder stands in place of an id.
        """
        if "passed" in parameters:
            return self.from_form(parameters["passed"])
        token = parameters.get("invitation", "")
        if token:
            return self._of_study(read_token(link_key(self.salt), token))
        if self.signed:
            raise _bad_link("this survey needs a personal link", "ask for one")
        for platform, names in PLATFORMS.items():
            given = {name: parameters.get(name, "").strip()[:LONGEST] for name in names}
            ids = {name: value for name, value in given.items() if value}
            if names[0] in ids:
                if _PLACEHOLDER.fullmatch(ids[names[0]]):
                    reason = f"the panel has put no id in place of {ids[names[0]]}"
                    raise _bad_link(reason, "correct the study's address on the panel")
                return Invitation(self.study, platform, ids)
        return Invitation(self.study)

    def passed(self, invitation: Invitation) -> str:
        """An invitation as text for our own forms."""
        return signed_token(self.passing_key, invitation)

    def from_form(self, token: str) -> Invitation:
        """The invitation in a token that `passed` made.

        Raises:
            BadInput: It was altered.
        """
        return self._of_study(read_token(self.passing_key, token, hours=24))

    def _of_study(self, invitation: Invitation) -> Invitation:
        if invitation.study != self.study:
            raise _bad_link("this link belongs to another survey", "ask for a new one")
        return invitation
