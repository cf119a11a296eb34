"""What is there more than once, at some forty bytes an item."""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np


def repeated(keys: Iterable[tuple[str, ...]]) -> list[list[int]]:
    """Positions of equal keys, for each key that is there more than once; in the order of the first.

    Keys are held as digests of sixteen bytes, which two different keys will not share.

    >>> repeated([("a", "b"), ("c",), ("a", "b"), ("ab", "")])
    [[0, 2]]
    """
    digests = np.fromiter(map(_digest, keys), dtype="S16")
    _, which, counts = np.unique(digests, return_inverse=True, return_counts=True)
    again = np.flatnonzero(counts[which] > 1)
    groups: dict[int, list[int]] = {}
    for at in again.tolist():
        groups.setdefault(int(which[at]), []).append(at)
    return list(groups.values())


def _digest(key: tuple[str, ...]) -> bytes:
    said = "\0".join(f"{len(part)} {part}" for part in key)
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()
