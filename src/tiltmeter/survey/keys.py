"""Keys and times: UUIDv7 as idempotency keys, milliseconds since 1970."""

import hashlib
import secrets
import time
import uuid
from datetime import UTC, datetime

from tiltmeter.core.errors import BadInput

LARGEST = 2**31 - 1
"""Number of a row, which is all that PostgreSQL's integers hold."""
DAY = 24 * 60 * 60 * 1000
"""A day in milliseconds."""
_VERSION, _VARIANT = 7, 0b10


def now() -> int:
    """The time, in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def date_of(milliseconds: int) -> datetime:
    """Such a time as a date, in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def new_key(at: int | None = None) -> str:
    """A UUIDv7 (RFC 9562): keys made later sort later.

    >>> new_key(1000) < new_key(2000)
    True
    """
    return _uuid7(now() if at is None else at, secrets.token_bytes(10))


def derived_key(at: int, *parts: str) -> str:
    """A UUIDv7 that is the same for the same parts: what is imported twice is stored once.

    >>> derived_key(0, "a", "b") == derived_key(0, "a", "b") != derived_key(0, "ab", "")
    True
    """
    return _uuid7(at, hashlib.sha256("\x00".join(parts).encode()).digest()[:10])


def _uuid7(at: int, noise: bytes) -> str:
    bits = int.from_bytes(noise)
    value = (at & (1 << 48) - 1) << 80 | _VERSION << 76 | (bits >> 68 & 0xFFF) << 64
    return str(uuid.UUID(int=value | _VARIANT << 62 | bits & (1 << 62) - 1))


def checked_key(key: str) -> str:
    """The key in its usual spelling.

    >>> checked_key("0190163D-8694-7392-8B2F-1FE9D6FAB00A")
    '0190163d-8694-7392-8b2f-1fe9d6fab00a'

    Raises:
        BadInput: It is no UUIDv7.
    """
    try:
        parsed = uuid.UUID(key)
    except (ValueError, AttributeError, TypeError):
        parsed = uuid.UUID(int=0)
    if parsed.version != _VERSION:
        raise BadInput(f"{key!r} is no UUIDv7", "make a new key for every new answer")
    return str(parsed)
