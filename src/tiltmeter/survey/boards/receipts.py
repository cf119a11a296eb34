"""Receipts of a leaderboard: what was submitted, when, and the scores shown, signed with the board's key.

The signature is an HMAC: only who has the board's key, its organiser, can make one or check one.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Annotated

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.reading.typed_values import made
from tiltmeter.core.reading.value_types import via
from tiltmeter.core.text import json_text

LEAST_KEY = 32
"""Bytes of a key, at least: as many as the digest has."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of a submission for the person who made it."""

    board: str
    submitter: str
    model: str
    """The submitter's name for what made the predictions."""
    digest: str
    """SHA-256 of the submitted file."""
    scores: Mapping[str, float]
    """The scores as shown after this submission, rounded."""
    moved: bool
    """Whether this submission changed them."""
    at: Annotated[datetime, via(str, datetime.fromisoformat)]
    signature: str = ""
    """HMAC-SHA256 of everything else, in hexadecimal digits."""


def signed(receipt: Receipt, key: bytes) -> Receipt:
    """The receipt with its signature.

    Raises:
        BadInput: The key is too short.
    """
    return replace(receipt, signature=_signature(receipt, key))


def verify(receipt: Receipt, key: bytes) -> bool:
    """Whether a receipt was signed with this key and has not been changed since.

    Raises:
        BadInput: The key is too short.

    >>> from datetime import UTC
    >>> receipt = Receipt("b", "ann", "BERT", "00", {"lms": 85.8}, True, datetime(2026, 1, 2, tzinfo=UTC))
    >>> key = bytes(range(32))
    >>> verify(signed(receipt, key), key), verify(signed(receipt, key), key[::-1]), verify(receipt, key)
    (True, False, False)
    """
    return hmac.compare_digest(receipt.signature.encode(), _signature(receipt, key).encode())


def receipt_text(receipt: Receipt) -> str:
    """The receipt as a JSON file."""
    return json_text(asdict(receipt) | {"at": receipt.at.isoformat()}) + "\n"


def read_receipt(text: str, *, file: str = "") -> Receipt:
    """What `receipt_text` wrote; its signature is not checked.

    Raises:
        BadInput: It is no receipt.
    """
    try:
        return made(Receipt, parsed(text))
    except ValueError:
        raise BadInput("is no receipt", "give the file that you downloaded", file=file) from None


def _payload(receipt: Receipt) -> bytes:
    """The bytes that are signed: all fields but the signature, as canonical JSON."""
    fields = asdict(replace(receipt, signature="")) | {"at": receipt.at.isoformat()}
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def _signature(receipt: Receipt, key: bytes) -> str:
    if len(key) < LEAST_KEY:
        raise BadInput(f"a key of {len(key)} bytes is too short", f"use at least {LEAST_KEY}")
    return hmac.new(key, _payload(receipt), hashlib.sha256).hexdigest()
