"""Tokenizers that split words at random, as for training: such a split would give other scores each time."""

from typing import Any

from tiltmeter.core.errors import CannotAnswer

TEXT = (
    "The uncharacteristically straightforward neighbourhood newspaperwoman remembered everything."
)
TIMES = 20
"""How often a text is split to see whether the splits differ."""


def switch_off(tokenizer: Any) -> bool:
    """Switch off random splits of a tokenizer that was loaded from files; whether there were any."""
    model = getattr(getattr(tokenizer, "backend_tokenizer", None), "model", None)
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
