"""The token that a causal model reads before a text, so that the text's first token has a probability."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, CannotAnswer


def start_of(name: str, tokenizer: Any, wanted: str | None) -> tuple[int, str]:
    """The id of the start token, and its name for the card.

    Raises:
        BadInput: The token asked for is not one token of the vocabulary.
        CannotAnswer: The tokenizer has neither a beginning- nor an end-of-text token.
    """
    if wanted is not None:
        token = tokenizer.convert_tokens_to_ids(wanted)
        if token is None or (token == tokenizer.unk_token_id and wanted != tokenizer.unk_token):
            way_out = "leave out --start-token, or name one token"
            raise BadInput(f"{name}: {wanted!r} is not a token of its vocabulary", way_out)
        return int(token), f"{wanted} (as asked)"
    if tokenizer.bos_token_id is not None:
        return int(tokenizer.bos_token_id), f"{tokenizer.bos_token} (beginning of text)"
    if tokenizer.eos_token_id is not None:
        fact = f"{tokenizer.eos_token} (end of text; there is no other)"
        return int(tokenizer.eos_token_id), fact
    raise CannotAnswer(
        f"{name}: its tokenizer has neither a beginning- nor an end-of-text token, so the first token "
        "of a text cannot be scored; name one with --start-token"
    )


BEGINS, GOES_ON = ("Ġ", "▁"), "##"
"""The marks of tokens that begin a word, in byte-level and SentencePiece vocabularies, and the mark of those
that continue one, in WordPiece vocabularies."""


def begins_word(tokenizer: Any, width: int) -> npt.NDArray[np.bool_] | None:
    """Whether each token begins a word, shape (width,); None where the vocabulary has no such marks.

    In a WordPiece vocabulary, every token without the mark counts as the beginning of a word, including
    special tokens and punctuation.
    """
    begins = np.zeros(width, dtype=np.bool_)
    names = {i: name for name, i in tokenizer.get_vocab().items() if i < width}
    if marked := [i for i, name in names.items() if name.startswith(BEGINS)]:
        begins[marked] = True
    elif rest := [i for i, name in names.items() if name.startswith(GOES_ON)]:
        begins[[*(names.keys() - rest)]] = True
    else:
        return None
    return begins
