"""Whether a tokenizer can be relied on: it has its parts, and splits a text in one way."""

from typing import Any

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.back_ends import checkpoint_of

TEXT = (
    "The uncharacteristically straightforward neighbourhood newspaperwoman remembered everything."
)
TIMES = 20
"""How often a text is split to see whether the splits differ."""

NO_LIMIT = 10**6
"""Stands for a longest text that is not named."""


def tried(tokenizer: Any, scheme: str, note: str) -> str:
    """The note, and what is odd about the tokenizer; one that is broken fails here and not in a run."""
    if not isinstance(tokenizer.model_max_length, int | float):
        tokenizer.model_max_length = NO_LIMIT  # as where it is not named
    framed = checkpoint_of(scheme).framed
    if framed and tokenizer.cls_token_id not in (None, *tokenizer("a")["input_ids"]):
        return (
            f"{note} Its tokenizer adds no {tokenizer.cls_token}, so it is scored without.".strip()
        )
    return note


def switch_off(tokenizer: Any) -> bool:
    """Switch off random splits of a tokenizer that was loaded from files; whether there were any."""
    model: Any = getattr(getattr(tokenizer, "backend_tokenizer", None), "model", None)
    if getattr(model, "dropout", None):  # of byte-pair encoding
        model.dropout = None
        return True
    if getattr(model, "alpha", None):  # of a unigram model
        model.alpha = model.nbest_size = None
        return True
    return False


def check_repeatable(tokenizer: Any, name: str) -> None:
    """Refuse a tokenizer that splits one text in several ways.

    Raises:
        CannotAnswer: It does.
    """
    splits = {tuple(tokenizer(TEXT)["input_ids"]) for _ in range(TIMES)}
    if len(splits) > 1:
        raise CannotAnswer(
            f"{name}: its tokenizer splits words at random (BPE dropout or sampling), so that scores would "
            "differ each time. Switch that off in tokenizer.json or tokenizer_config.json"
        )
