"""Rows in which several texts stand behind their common beginning, each blind to the others."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tiltmeter.core.shared_prefixes import PrefixFamily


class PrefixRows:
    """What a causal model is given for families of texts, one row each.

    A row is the beginning that its texts share, then what is left of each, one after the other. Every
    token sees the beginning and what stands before it in its own text. The last token of a text is
    never read, so it is left out where no other text needs it.
    """

    def __init__(self, texts: Sequence[Sequence[int]], family_of: Sequence[PrefixFamily]) -> None:
        self.before: list[tuple[int, list[int]]] = [(0, [])] * len(texts)
        """For each text its row, and the places from which its tokens but the first are foretold."""
        self.shared = any(family.shared for family in family_of)
        """Whether any texts share anything."""
        tokens, positions, branches = [], [], []
        for row, family in enumerate(family_of):
            n = family.shared
            ids = list(texts[family.members[0]][:n])
            at, branch = list(range(n)), [0] * n
            for which, member in enumerate(family.members, start=1):
                rest = texts[member][n:-1]
                first = len(ids)
                ids += rest
                at += range(n, n + len(rest))
                branch += [which] * len(rest)
                inside = [*range(n), *range(first, len(ids))]
                self.before[member] = (row, inside[: len(texts[member]) - 1])
            tokens.append(ids)
            positions.append(at)
            branches.append(branch)
        self.ids = _padded(tokens)
        """Shape (b, t)."""
        self.seen = _padded([[1] * max(1, len(ids)) for ids in tokens], self.ids.shape[1])
        """1 at tokens, 0 at padding, shape (b, t)."""
        self.positions = _padded(positions)
        """Of each token in its own text, shape (b, t)."""
        self._branches = _padded(branches, fill=-1)

    def sight(self) -> npt.NDArray[np.bool_]:
        """Which token (second axis) sees which (third), shape (b, t, t); padding sees itself."""
        branch, width = self._branches, self.ids.shape[1]
        own = branch[:, :, None] == branch[:, None, :]  # (b, t, t)
        beginning = branch[:, None, :] == 0  # (b, 1, t)
        return np.asarray((own | beginning) & np.tri(width, dtype=bool))


def _padded(
    rows: Sequence[Sequence[int]], width: int | None = None, fill: int = 0
) -> npt.NDArray[np.int64]:
    """Shape (rows, longest), at least one wide."""
    width = max(1, *(len(row) for row in rows)) if width is None else width
    found = np.full((len(rows), width), fill, dtype=np.int64)
    for i, row in enumerate(rows):
        found[i, : len(row)] = row
    return found
