"""Which tokens of a vocabulary begin a word, by the marks that tokenizers put there."""

from typing import Any

import numpy as np
import numpy.typing as npt

BEGINS, GOES_ON = ("Ġ", "▁"), "##"
"""Byte-level and SentencePiece vocabularies mark the beginning of a word, WordPiece the rest of one."""


def begins_word(tokenizer: Any, width: int) -> npt.NDArray[np.bool_] | None:
    """True where a token begins a word, shape (width,); None where the vocabulary has no such marks.

    In a WordPiece vocabulary all that is not marked begins a word: special tokens and marks too.
    """
    begins = np.zeros(width, dtype=np.bool_)
    names = {i: name for name, i in tokenizer.get_vocab().items() if i < width}
    if any(name.startswith(BEGINS) for name in names.values()):
        begins[[i for i, name in names.items() if name.startswith(BEGINS)]] = True
        return begins
    if any(name.startswith(GOES_ON) for name in names.values()):
        begins[[i for i, name in names.items() if not name.startswith(GOES_ON)]] = True
        return begins
    return None
