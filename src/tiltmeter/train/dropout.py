"""How often a model forgets while it learns: dropout, by the names that configurations have for it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, CannotAnswer

HIDDEN = (
    "hidden_dropout_prob", "hidden_dropout", "dropout", "resid_pdrop", "embd_pdrop", "emb_pdrop",
    "resid_dropout", "embd_dropout", "embedding_dropout", "mlp_dropout",
)  # fmt: skip
"""Names for that of states."""
ATTENTION = ("attention_probs_dropout_prob", "attention_dropout", "attn_pdrop", "attn_dropout")
"""Names for that of attention's weights."""
RAISED = {"masked": (0.2, 0.15), "causal": (0.15, 0.15)}
"""(of states, of attention) that Webster et al. 2020 (arXiv:2010.06032) and Meade et al. 2022 raise
BERT's, RoBERTa's and GPT-2's to, which were trained with .1."""
FROM_NOTHING = (0.05, 0.05)
"""What they raise ALBERT's to, which was trained without any."""


def configured(folder: Path) -> dict[str, float]:
    """Every setting of dropout in a model's configuration."""
    import transformers

    config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
    settings = {name: getattr(config, name, None) for name in (*HIDDEN, *ATTENTION)}
    return {
        name: float(value)
        for name, value in settings.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


def raised(
    configured: Mapping[str, float],
    kind: str,
    hidden: float | None,
    attention: float | None,
    name: str,
) -> dict[str, Any]:
    """What to set to what; `None` takes the published value for such a model.

    Raises:
        CannotAnswer: The model has no such dropout.
        BadInput: Nothing would be raised.

    >>> raised({"resid_pdrop": 0.1, "attn_pdrop": 0.1}, "causal", None, 0.3, "gpt2")
    {'resid_pdrop': 0.15, 'attn_pdrop': 0.3}
    """
    if not configured:
        raise CannotAnswer(f"{name}: its configuration has no dropout to raise")
    usual = RAISED[kind] if any(configured.values()) else FROM_NOTHING
    new: dict[str, float] = {}
    wanted = (("hidden", hidden, HIDDEN), ("attention", attention, ATTENTION))
    for (what, value, names), default in zip(wanted, usual, strict=True):
        mine = [setting for setting in names if setting in configured]
        if value is not None and not mine:
            raise CannotAnswer(f"{name} has no {what} dropout; leave out --{what}-dropout")
        new |= dict.fromkeys(mine, default if value is None else value)
    if not any(value > configured[key] for key, value in new.items()):
        present = ", ".join(f"{key} {configured[key]:g}" for key in new)
        raise BadInput(
            f"{name} was trained with {present}, so nothing would be raised",
            "give more with --hidden-dropout or --attention-dropout",
        )
    return new
