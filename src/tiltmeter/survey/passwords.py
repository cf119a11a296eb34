"""Passwords: argon2id hashes (RFC 9106), which cost about a tenth of a second and 64 MiB each.

Both functions are too slow for the thread that writes to the database; call them outside operations.
"""

import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tiltmeter.core.errors import BadInput

SHORTEST, LONGEST = 12, 1000
"""How many characters a password must and may have."""
HASHER = PasswordHasher()


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
