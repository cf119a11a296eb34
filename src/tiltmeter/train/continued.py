"""Train a masked or causal language model further, on texts that the caller has made.

The objective is the one that the model was trained with before: a masked model predicts 15 % of a text's
tokens, most of which are hidden from it, and a causal model predicts each next token. The optimiser is AdamW
with a learning rate that warms up and then falls to zero. All steps are made and the last weights are kept,
unless there is a patience; the loss on held-out text is measured before the first step and after the last.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.core.text import counted
from tiltmeter.data.texts.stored_documents import Document
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.checkpoint_parts import TRAINED, description_in
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved, place_of, resolve
from tiltmeter.models.reading.start_token import start_of
from tiltmeter.train.blocks import TokenRows, rows_of
from tiltmeter.train.learner import Further
from tiltmeter.train.steps import Standing, TrainingProgress
from tiltmeter.train.training_config import ContinuedConfig, chosen_settings, most_tokens
from tiltmeter.train.training_run import TrainingRun, own_random_numbers, trained_from, write_model

LOOKED_AT = 256
"""The greatest number of held-out rows on which the model is judged."""
FORMAT = 1
"""Version of the format of the description."""

FURTHER = ("masked", "causal")
"""Kinds of models that can be trained further, because their own objective is implemented."""


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of a training, and how they were made."""

    front: Sequence[Document]
    """Documents that the model learns from."""
    back: Sequence[Document]
    """Documents that are held out, on which the model is judged."""
    settings: Mapping[str, Any]
    """All that decided how the texts were made. Equal settings mean equal texts."""
    about: Mapping[str, Any]
    """What the description says of the texts: method, attribute, corpus and so on."""


@own_random_numbers()
def train(config: ContinuedConfig, texts: Texts, progress: TrainingProgress | None = None) -> Path:
    """Train, or continue a training that was stopped, and return the folder of the checkpoint.

    On the CPU of one machine, a training that was stopped ends with exactly the weights of one that was not.

    Raises:
        BadInput: There is too little text, or the folder cannot be used.
        CannotAnswer: The model is of a kind that cannot be trained further.
        StorageError: Something could not be written.
        Unavailable: The model does not load, or the device has too little memory.
    """
    where = check(config)
    out, (loaded, dropout) = Path(config.out).expanduser(), _open(config, where)
    most = most_tokens(config.max_tokens, loaded.model, loaded.tokenizer)
    front, back = (_rows(part, where, loaded, most) for part in (texts.front, texts.back))
    _enough(front, back, config, most)
    learner = Further(
        where.name, loaded, where.scheme, front, _some(back, config.seed),
        size=config.batch_size, computing=config.computing(loaded.device, most), seed=config.seed,
    )  # fmt: skip
    plan = config.further_plan(learner.per_epoch)
    resolved = {"max_tokens": most, "steps": plan.steps, "model": loaded.fingerprint}
    settings = {**chosen_settings(config), **resolved, **texts.settings}
    other = "another model that was trained further"
    run = TrainingRun(out, settings, learner, plan, config.seed, TRAINED, other)

    def described(end: Standing) -> dict[str, Any]:
        return {
            "format": FORMAT,
            **texts.about,
            "base": trained_from(where.name, where.scheme, loaded),
            "steps": end.step,
            "rows": len(front),
            "tokens": front.tokens,
            "epochs": end.step / learner.per_epoch,
            "dropout": dict(dropout),
            "held out": {
                "rows": learner.held_out,
                "asked": learner.judged,
                "asked for": "hidden tokens" if where.scheme == "masked" else "next tokens",
                "loss before": end.first_loss,
                "loss after": end.kept_loss,
                "right before": end.first_right,
                "right after": end.kept_right,
            },
        }

    run.carry_out(progress, described, lambda: write_model(loaded, out))
    return out


def check(config: ContinuedConfig) -> Resolved:
    """Find the model before anything is read, and refuse one that cannot be trained further.

    Raises:
        CannotAnswer: The model is neither masked nor causal.
    """
    options = Options(revision=config.revision, allow_pickle=config.allow_pickle)
    where = resolve(config.model, options)
    if where.scheme not in FURTHER:
        raise CannotAnswer(
            f"{where.name} (kind {where.scheme}) cannot be trained further: give a {' or '.join(FURTHER)} "
            "language model"
        )
    return where


def result(out: str | Path) -> dict[str, Any]:
    """The description in the folder of a trained model."""
    return description_in(Path(out).expanduser() / TRAINED)


def _open(config: ContinuedConfig, where: Resolved) -> tuple[Loaded, Mapping[str, float]]:
    """The opened model, and the dropout settings of its configuration that were raised."""
    options, kind, name = config.opening(), where.scheme, where.name
    folder = place_of(where, options)
    new: dict[str, float] = {}
    if config.raise_dropout:
        rates = config.hidden_dropout, config.attention_dropout
        new = raised_dropout(configured_dropout(Path(folder)), kind, *rates, name)
    return hf.load(folder, options, name=name, scheme=kind, configured=new), new


def _rows(documents: Sequence[Document], where: Resolved, loaded: Loaded, most: int) -> TokenRows:
    masked = where.scheme == "masked"
    start = None if masked else start_of(where.name, loaded.tokenizer, None)[0]
    return rows_of(documents, lambda texts: loaded.encode(texts, special=masked), most, start)


def _enough(front: TokenRows, back: TokenRows, config: ContinuedConfig, most: int) -> None:
    if len(front) < config.batch_size:
        raise BadInput(
            f"the corpus has {counted(len(front), 'rows')} of at most {counted(most, 'tokens')} "
            "for training, fewer than the "
            f"{config.batch_size:,} of one step",
            "give more text, or a smaller --batch-size or --max-tokens",
        )
    if not len(back):
        raise BadInput("no part of the corpus is held out", "give more text")


def _some(back: TokenRows, seed: int) -> TokenRows:
    """The held-out rows, or LOOKED_AT of them drawn at random where there are more."""
    if len(back) <= LOOKED_AT:
        return back
    chosen = np.random.default_rng([seed, 5]).choice(len(back), LOOKED_AT, replace=False)
    return TokenRows(back[int(i)] for i in np.sort(chosen))


HIDDEN = (
    "hidden_dropout_prob", "hidden_dropout", "dropout", "resid_pdrop", "embd_pdrop", "emb_pdrop",
    "resid_dropout", "embd_dropout", "embedding_dropout", "mlp_dropout",
)  # fmt: skip
"""Names under which configurations set the dropout of hidden states."""
ATTENTION = ("attention_probs_dropout_prob", "attention_dropout", "attn_pdrop", "attn_dropout")
"""Names under which configurations set the dropout of attention weights."""
RAISED = {"masked": (0.2, 0.15), "causal": (0.15, 0.15)}
"""Dropout of (hidden states, attention weights) for further training, by kind of model.

Webster et al. 2020 (arXiv:2010.06032) and Meade et al. 2022 use these rates for BERT, RoBERTa and GPT-2,
which were trained with 0.1.
"""
FROM_NOTHING = (0.05, 0.05)
"""The rates that the same papers use for ALBERT, which was trained without dropout."""


def configured_dropout(folder: Path) -> dict[str, float]:
    """The dropout settings in a model's configuration: rate by name."""
    import transformers

    config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
    settings: dict[str, Any] = {k: getattr(config, k, None) for k in (*HIDDEN, *ATTENTION)}
    return {name: float(rate) for name, rate in settings.items() if type(rate) in {int, float}}


def raised_dropout(
    configured: Mapping[str, float],
    kind: str,
    hidden: float | None,
    attention: float | None,
    name: str,
) -> dict[str, Any]:
    """The dropout settings to change in a model's configuration, with their new rates.

    Args:
        configured: The settings that the configuration has, rate by name.
        kind: masked or causal.
        hidden: New rate for hidden states; None for the published value.
        attention: New rate for attention weights; None for the published value.
        name: Name of the model, for errors.

    Raises:
        CannotAnswer: The model has no dropout, or none of a kind that was asked for.
        BadInput: No rate would be raised.

    >>> raised_dropout({"resid_pdrop": 0.1, "attn_pdrop": 0.1}, "causal", None, 0.3, "gpt2")
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
        way_out = "give more with --hidden-dropout or --attention-dropout"
        raise BadInput(f"{name} was trained with {present}, so nothing would be raised", way_out)
    return new
