"""Answers as rows of the store: their bytes, the form these have, and a checksum."""

from zlib import crc32

import numpy as np

from tiltmeter.core.query import StoredValue

SINGLE = -1
"""Form of a one-dimensional array in single precision (float32)."""
TEXT = -2
"""Form under which a text is stored; `written` gives the others."""
CHECK = 4
"""Bytes of checksum at the end of every answer."""


def is_finite(value: StoredValue) -> bool:
    """Whether all numbers are finite; always true of a text."""
    return isinstance(value, str) or bool(np.isfinite(value).all())


def written(value: StoredValue) -> tuple[int, bytes]:
    """An answer's form and its bytes.

    The form is SINGLE, TEXT, 0 for a one-dimensional array in double precision, or the number of rows
    of a two-dimensional one.
    """
    if isinstance(value, str):
        return TEXT, value.encode("utf-8", "surrogatepass")
    single = value.ndim == 1 and value.dtype == np.float32
    form = value.shape[0] if value.ndim == 2 else SINGLE if single else 0  # noqa: PLR2004
    return form, value.astype("<f4" if single else "<f8").tobytes()


def read(seed: int, key: bytes, form: object, answer: object) -> StoredValue | None:
    """The answer; None if a byte of the row is not as it was written."""
    if not isinstance(form, int) or not isinstance(answer, bytes):
        return None
    content = answer[:-CHECK]
    if answer[-CHECK:] != checksum(seed, key, form, content):
        return None
    if form == TEXT:
        return content.decode("utf-8", "surrogatepass")
    flat = np.frombuffer(content, dtype="<f4" if form == SINGLE else "<f8")
    return flat.reshape(form, -1) if form > 0 else flat


def seed_of(model: int) -> int:
    """What the checksums of a model's answers start from."""
    return crc32(model.to_bytes(8))


def checksum(seed: int, key: bytes, form: int, content: bytes) -> bytes:
    """Of the model, the request, the form and the content together."""
    return crc32(content, crc32(key, (seed + form) % 2**32)).to_bytes(CHECK)
