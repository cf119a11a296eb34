"""Train a masked or causal language model further, on texts that the caller has made.

As it was trained before: a masked model is asked for 15 % of a text's tokens, most of them hidden, a
causal one for each next token. AdamW, a rate that warms up and falls to nothing. All steps are made and
the last weights are kept; the loss on held-out text is looked at before the first step and after the last.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tiltmeter.core.errors import BadInput, CannotAnswer, UnknownName
from tiltmeter.data.corpus import Document
from tiltmeter.models import _files, _hf
from tiltmeter.models._loaded import Loaded
from tiltmeter.models._made import TRAINED
from tiltmeter.models._open import need_hf, resolve
from tiltmeter.models._options import Options
from tiltmeter.models.causal import start_of
from tiltmeter.train import dropout, saved
from tiltmeter.train.blocks import TokenRows, rows_of
from tiltmeter.train.learner import Further
from tiltmeter.train.next_sentence_net import AUTO
from tiltmeter.train.steps import (
    Loop,
    Plan,
    Quiet,
    Standing,
    TrainingProgress,
    drawn_from,
    warming_up,
)

TRAINABLE = ("float32", "bfloat16")
"""In float16 small gradients vanish."""
AT_ONCE = {"cpu": 2048}
"""Tokens of rows that are computed at once, by kind of device; on accelerators `AT_ONCE_THERE`."""
AT_ONCE_THERE = 16_384
LOOKED_AT = 256
"""Held-out rows that are judged, at most."""
FORMAT = 1

FURTHER = ("masked", "causal")
"""Kinds of models whose own objective is known here."""


@dataclass(frozen=True, slots=True)
class ContinuedConfig:
    """What is trained, and how; on which texts, the caller says."""

    model: str
    """A masked or causal language model: a folder, a hub id, a registered name."""
    out: str
    """The folder for the checkpoint. The same training goes on there after a stop."""
    steps: int = 200
    batch_size: int = 16
    """Rows in one step."""
    max_tokens: int = 128
    """Of a row. At most what the model reads."""
    learning_rate: float = 5e-5
    warm_up: int | None = None
    """Steps; None: a tenth of all."""
    evaluate_every: int | None = None
    """Steps between two looks at the held-out loss; None: only before the first and after the last."""
    checkpoint_every: int = 50
    """Steps between two checkpoints."""
    at_once: int | None = None
    """Rows of a step that are computed at once: bounds the memory; None: what suits the device."""
    raise_dropout: bool = False
    """Whether dropout is raised above the model's own."""
    hidden_dropout: float | None = None
    """Of states; None: the published value for such a model."""
    attention_dropout: float | None = None
    seed: int = 0
    device: str = "auto"
    precision: str = "float32"
    revision: str | None = None
    allow_pickle: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be trained with.

        Raises:
            BadInput: A number is out of range.
            UnknownName: The precision cannot be trained in.
        """
        least = {"steps": 1, "batch_size": 1, "max_tokens": 8, "warm_up": 0, "evaluate_every": 1,
                 "checkpoint_every": 1, "at_once": 1, "seed": 0}  # fmt: skip
        for name, bound in least.items():
            value = getattr(self, name)
            if value is not None and value < bound:
                raise BadInput(f"{name} is {value}", f"give {bound} or more")
        if not 0 < self.learning_rate < 1:
            raise BadInput(f"learning_rate is {self.learning_rate}", "give a number such as 5e-5")
        for name in ("hidden_dropout", "attention_dropout"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < 1:
                raise BadInput(f"{name} is {value}", "give a share such as 0.2")
        if self.precision not in TRAINABLE:
            raise UnknownName("precision to train in", self.precision, TRAINABLE)


@dataclass(frozen=True, slots=True)
class Texts:
    """What is learned from and what is held out."""

    front: Sequence[Document]
    back: Sequence[Document]
    settings: Mapping[str, Any]
    """All that decided how the texts were made: other texts have others."""
    about: Mapping[str, Any]
    """What the description is to say of them: method, attribute, corpus, …"""


def train(config: ContinuedConfig, texts: Texts, progress: TrainingProgress | None = None) -> Path:
    """Train, or go on with a training that was stopped, and give the folder of the checkpoint.

    On one machine's CPU a stopped training ends with the weights of an uninterrupted one, bit by bit.

    Raises:
        BadInput: There is too little text, or the folder cannot be used.
        CannotAnswer: The model is of a kind that is not trained here.
        StorageError: Something could not be written.
        Unavailable: The model does not load, or the device has too little memory.
    """
    need_hf()
    import torch

    with torch.random.fork_rng([]):  # the caller's random numbers stay as they are
        return _train(config, texts, progress or Quiet())


def check(config: ContinuedConfig) -> None:
    """Refuse a model that cannot be trained, before anything is read.

    Raises:
        CannotAnswer: It is of another kind.
    """
    options = Options(revision=config.revision, allow_pickle=config.allow_pickle)
    where = resolve(config.model, options)
    if where.scheme not in FURTHER:
        raise CannotAnswer(
            f"{where.name} (kind {where.scheme}) cannot be trained further: give a {' or '.join(FURTHER)} "
            "language model"
        )


@dataclass(frozen=True, slots=True)
class Opened:
    """What is trained."""

    loaded: Loaded
    kind: str
    name: str
    dropout: Mapping[str, float]
    """What was set in its configuration."""


def _train(config: ContinuedConfig, texts: Texts, progress: TrainingProgress) -> Path:
    check(config)
    out = Path(config.out).expanduser()
    model = _open(config)
    loaded = model.loaded
    longest = _hf.longest(loaded.model, loaded.tokenizer)
    most = config.max_tokens if longest is None else min(config.max_tokens, longest)
    at_once = config.at_once or max(1, AT_ONCE.get(loaded.device.type, AT_ONCE_THERE) // most)
    front, back = (_rows(part, model, most) for part in (texts.front, texts.back))
    _enough(front, back, config, most)
    learner = Further(
        model.name, loaded, model.kind, front, _some(back, config.seed),
        size=config.batch_size, at_once=at_once, seed=config.seed,
    )  # fmt: skip
    plan = _plan(config)
    settings = _settings(config, texts, loaded, most, at_once)
    if saved.finished(out, settings, TRAINED, "another model that was trained further"):
        return out
    with drawn_from(config.seed, loaded.device):
        end = Loop(learner, plan, out / saved.WORK, progress).run()
    said = {
        "format": FORMAT,
        **texts.about,
        "base": _base(model),
        "steps": end.step,
        "rows": len(front),
        "tokens": front.tokens,
        "epochs": end.step / learner.per_epoch,
        "dropout": dict(model.dropout),
        "held out": _held_out(end, learner, model.kind),
        "settings": settings,
        "versions": saved.versions(),
    }

    def write() -> None:
        loaded.model.save_pretrained(out)
        loaded.tokenizer.save_pretrained(out)

    saved.complete(out, write, said, TRAINED)
    return out


def result(out: str | Path) -> dict[str, Any]:
    """What the description of a trained model says."""
    return saved.said_of(Path(out).expanduser() / TRAINED)


def _open(config: ContinuedConfig) -> Opened:
    options = Options(
        device=config.device,
        precision=config.precision,
        revision=config.revision,
        allow_pickle=config.allow_pickle,
    )
    where = resolve(config.model, options)
    folder = _files.folder_of(where.location, options)
    new: dict[str, float] = {}
    if config.raise_dropout:
        own = dropout.configured(folder)
        new = dropout.raised(
            own, where.scheme, config.hidden_dropout, config.attention_dropout, where.name
        )
    auto = AUTO[where.scheme]
    loaded = _hf.load(
        str(folder), options, auto, name=where.name, scheme=where.scheme, configured=new
    )
    return Opened(loaded, where.scheme, where.name, new)


def _rows(documents: Sequence[Document], model: Opened, most: int) -> TokenRows:
    loaded, masked = model.loaded, model.kind == "masked"
    start = None if masked else start_of(model.name, loaded.tokenizer, None)[0]
    return rows_of(documents, lambda texts: loaded.encode(texts, special=masked), most, start)


def _plan(config: ContinuedConfig) -> Plan:
    return Plan(
        steps=config.steps,
        warm_up=warming_up(config.warm_up, config.steps, "--steps"),
        learning_rate=config.learning_rate,
        evaluate_every=config.evaluate_every or config.steps,
        patience=None,
        checkpoint_every=config.checkpoint_every,
    )


def _enough(front: TokenRows, back: TokenRows, config: ContinuedConfig, most: int) -> None:
    if len(front) < config.batch_size:
        raise BadInput(
            f"the corpus has {len(front):,} rows of at most {most:,} tokens for training, fewer than the "
            f"{config.batch_size:,} of one step",
            "give more text, or a smaller --batch-size or --max-tokens",
        )
    if not len(back):
        raise BadInput("no part of the corpus is held out", "give more text")


def _some(back: TokenRows, seed: int) -> TokenRows:
    """At most LOOKED_AT of the held-out rows, drawn at random."""
    if len(back) <= LOOKED_AT:
        return back
    chosen = np.random.default_rng([seed, 5]).choice(len(back), LOOKED_AT, replace=False)
    return TokenRows(back[int(i)] for i in np.sort(chosen))


def _settings(
    config: ContinuedConfig, texts: Texts, loaded: Loaded, most: int, at_once: int
) -> dict[str, Any]:
    """All that the weights depend on: the same training has the same, whatever its paths."""
    paths = {"model", "out", "device", "revision", "allow_pickle"}
    chosen = {key: value for key, value in asdict(config).items() if key not in paths}
    resolved = {"max_tokens": most, "at_once": at_once, "model": loaded.fingerprint}
    return chosen | resolved | dict(texts.settings)


def _base(model: Opened) -> dict[str, Any]:
    return {
        "name": model.name,
        "kind": model.kind,
        "architecture": model.loaded.about["architecture"],
        "fingerprint": model.loaded.fingerprint,
    }


def _held_out(end: Standing, learner: Further, kind: str) -> dict[str, Any]:
    return {
        "rows": learner.held_out,
        "asked": learner.judged,
        "asked for": "hidden tokens" if kind == "masked" else "next tokens",
        "loss before": end.first_loss,
        "loss after": end.kept_loss,
        "right before": end.first_right,
        "right after": end.kept_right,
    }
