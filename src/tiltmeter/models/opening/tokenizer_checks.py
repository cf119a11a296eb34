"""Checks that a tokenizer is complete and always splits a text in the same way."""

from typing import Any

from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.back_ends import checkpoint_of

TEXT = (
    "The uncharacteristically straightforward neighbourhood newspaperwoman remembered everything."
)
TIMES = 20
"""How often a text is split to find out whether the splits differ."""

NO_LIMIT = 10**6
"""The `model_max_length` of a tokenizer that names no limit."""


def tried(tokenizer: Any, scheme: str, note: str) -> str:
    """The note with anything unusual about the tokenizer added, found by trying it.

    A broken tokenizer fails here and not during a run.
    """
    if not isinstance(tokenizer.model_max_length, int | float):
        tokenizer.model_max_length = NO_LIMIT  # a damaged value counts as none
    framed = checkpoint_of(scheme).framed
    if framed and tokenizer.cls_token_id not in (None, *tokenizer("a")["input_ids"]):
        return (
            f"{note} Its tokenizer adds no {tokenizer.cls_token}, so it is scored without.".strip()
        )
    return note


def switch_off(tokenizer: Any) -> bool:
    """Switch off random splits of a tokenizer that was loaded from files; returns whether it had any."""
    model: Any = getattr(getattr(tokenizer, "backend_tokenizer", None), "model", None)
    if getattr(model, "dropout", None):  # BPE dropout
        model.dropout = None
        return True
    if getattr(model, "alpha", None):  # sampling of a unigram model
        model.alpha = model.nbest_size = None
        return True
    return False


def check_repeatable(tokenizer: Any, name: str) -> None:
    """Refuse a tokenizer that does not always split a text in the same way.

    Raises:
        CannotAnswer: It splits a text in several ways.
    """
    splits = {tuple(tokenizer(TEXT)["input_ids"]) for _ in range(TIMES)}
    if len(splits) > 1:
        raise CannotAnswer(
            f"{name}: its tokenizer splits words at random (BPE dropout or sampling), so that scores would "
            "differ each time. Switch that off in tokenizer.json or tokenizer_config.json"
        )
