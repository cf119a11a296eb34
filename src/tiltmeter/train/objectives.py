"""What a model is asked in training.

A masked model is asked for hidden tokens, a causal one for what comes next, and the decoder of a
sequence-to-sequence model for a text that answers what the encoder reads.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tiltmeter.train.blocks import Ids, TokenRow

SHARE = 0.15
"""Of the text's tokens, how many a masked model is asked for; as in BERT's own training."""
MASKED, RANDOM = 0.8, 0.1
"""Of these, how many are masked and how many are another token; the rest stay as they are."""


NO_SOURCE: Ids = np.empty(0, np.int32)


class Asked(NamedTuple):
    """A row as the model is given it, and the tokens it is asked for."""

    ids: Ids
    places: npt.NDArray[np.int64]
    """Positions of the row where logits are read."""
    true: Ids
    """The tokens that are right there."""
    source: Ids = NO_SOURCE
    """What an encoder reads, in a model whose decoder reads `ids`."""


def hidden(
    rows: Sequence[TokenRow], rng: np.random.Generator, *, mask: int, vocabulary: int
) -> list[Asked]:
    """Each of a text's own tokens is chosen with probability SHARE; at least one of all rows is.

    Tokens that others are exchanged for are drawn from the whole vocabulary, as in BERT's own program.
    """
    made = []
    for row in rows:
        chosen = row.is_text & (rng.random(len(row.ids)) < SHARE)
        made.append(
            (row, chosen, rng.random(len(row.ids)), rng.integers(0, vocabulary, len(row.ids)))
        )
    if made and not any(chosen.any() for _, chosen, _, _ in made):
        first, chosen, _, _ = made[0]
        chosen[rng.choice(np.flatnonzero(first.is_text))] = True
    return [_changed(row, chosen, how, other, mask) for row, chosen, how, other in made]


def _changed(
    row: TokenRow,
    chosen: npt.NDArray[np.bool_],
    how: npt.NDArray[np.float64],
    other: npt.NDArray[np.int64],
    mask: int,
) -> Asked:
    ids = row.ids.copy()
    ids[chosen & (how < MASKED)] = mask
    exchanged = chosen & (how >= MASKED) & (how < MASKED + RANDOM)
    ids[exchanged] = other[exchanged]
    return Asked(ids, np.flatnonzero(chosen), row.ids[chosen])


def following(rows: Sequence[TokenRow]) -> list[Asked]:
    """Each of a text's own tokens but the first of a row, read at the place before it."""
    asked = []
    for row in rows:
        places = np.flatnonzero(row.is_text[1:])
        asked.append(Asked(row.ids, places, row.ids[places + 1]))
    return asked


def answering(rows: Sequence[TokenRow], start: Sequence[int]) -> list[Asked]:
    """An encoder reads all but the rows' own tokens; a decoder is asked for these, one after the other.

    Args:
        rows: The own tokens of each stand at its end.
        start: What the decoder reads before the first of them.
    """
    asked = []
    for row in rows:
        true = row.ids[row.is_text]
        ids = np.array([*start, *true[:-1]], dtype=np.int32)
        places = np.arange(len(true)) + len(start) - 1
        asked.append(Asked(ids, places, true, row.ids[~row.is_text]))
    return asked
