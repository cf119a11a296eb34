"""What is there more than once, at some thirty bytes an item."""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np


def repeated(keys: Iterable[tuple[str, ...]]) -> list[list[int]]:
    """Positions of equal keys, for each key that is there more than once; in the order of the first.

    Keys are held as digests of sixteen bytes, which two different keys will not share.

    >>> repeated([("a", "b"), ("c",), ("a", "b"), ("ab", "")])
    [[0, 2]]
    """
    digests = np.fromiter(map(_digest, keys), dtype="S16").view(np.int64).reshape(-1, 2)
    halves = np.sort(digests[:, 0])
    twice = np.unique(halves[1:][halves[1:] == halves[:-1]])
    if not len(twice):
        return []
    groups: dict[bytes, list[int]] = {}
    for at in np.flatnonzero(np.isin(digests[:, 0], twice)).tolist():
        groups.setdefault(digests[at].tobytes(), []).append(at)
    return [places for places in groups.values() if len(places) > 1]


def _digest(key: tuple[str, ...]) -> bytes:
    said = "\0".join(f"{len(part)} {part}" for part in key)
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()
