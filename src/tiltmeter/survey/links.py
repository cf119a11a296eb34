"""Signed links: an invitation that nobody can alter or make up."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from itsdangerous import BadData, SignatureExpired, URLSafeTimedSerializer

from tiltmeter.core.errors import BadInput

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


def signed_token(key: bytes, invitation: Invitation) -> str:
    """The invitation as text for an address, signed with a secret key."""
    return str(URLSafeTimedSerializer(key, salt=PURPOSE).dumps(asdict(invitation)))


def read_token(key: bytes, token: str, *, hours: float = 0.0) -> Invitation:
    """The invitation that a token carries.

    Args:
        key: With which it was signed.
        token: From the address.
        hours: How old it may be; 0 for any age.

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
        raise BadInput("this link has expired", "ask for a new one") from None
    except BadData:
        raise BadInput(
            "this link is not valid", "copy the whole link, or ask for a new one"
        ) from None
    return Invitation(**fields)
