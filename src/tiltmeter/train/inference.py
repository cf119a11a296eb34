"""Train a causal language model to write hypotheses about premises.

After Sotnikova et al. 2021 (doi:10.18653/v1/2021.findings-acl.355, section 3.1): GPT-2 on the neutral pairs
of SNLI and of MultiNLI, and COMET (Bosselut et al. 2019, doi:10.18653/v1/P19-1470) on if-then relations. The
loss counts the hypothesis and the token that ends it, never the premise. The weights with the lowest held-out
loss are kept. No premise is both trained on and held out.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, CannotAnswer, UnknownName
from tiltmeter.core.inference_prompts import TEMPLATE
from tiltmeter.data.inference_pairs import (
    COLUMNS,
    InferencePair,
    InferencePairs,
    PairFormat,
    known_phrase,
    read_inference_pairs,
)
from tiltmeter.models import _files, _hf
from tiltmeter.models._loaded import Loaded
from tiltmeter.models._made import INFERENCE
from tiltmeter.models._open import Resolved, need_hf, resolve
from tiltmeter.models._options import Options
from tiltmeter.train import saved
from tiltmeter.train.continued import AT_ONCE, AT_ONCE_THERE, TRAINABLE
from tiltmeter.train.inference_rows import PairRows, pair_rows, split, unended
from tiltmeter.train.learner import Further
from tiltmeter.train.steps import (
    Loop,
    Plan,
    Quiet,
    Standing,
    TrainingProgress,
    drawn_from,
    warming_up,
)

FORMAT = 1
OPENED = ("causal", "gguf")
"""Kinds of models that can be trained to write; a GGUF file is converted first."""


@dataclass(frozen=True, slots=True)
class InferenceConfig:
    """What is trained on what, and how."""

    model: str
    """A causal language model: a folder, a hub id, a registered name."""
    data: str
    """A table of pairs; see `tiltmeter.data.inference_pairs`."""
    format: PairFormat
    out: str
    """The folder for the checkpoint. The same training goes on there after a stop."""
    relations: tuple[str, ...] = ()
    """Those to learn, as NAME or NAME=PHRASE; () for neutral (nli), or all in the data (if-then)."""
    epochs: int = 4
    batch_size: int = 16
    """Pairs in one step."""
    learning_rate: float = 5e-5
    warm_up: int | None = None
    """Steps; None: a tenth of all."""
    max_tokens: int = 96
    """Of premise and hypothesis; longer pairs are left out. At most what the model reads."""
    patience: int = 2
    """Evaluations without a lower held-out loss after which it stops."""
    evaluate_every: int | None = None
    """Steps between two evaluations; None: once an epoch."""
    checkpoint_every: int = 200
    """Steps between two checkpoints."""
    held_out: float = 0.1
    """Share of the premises that is not trained on."""
    pairs: int | None = None
    """At most so many pairs, held-out ones included; None: all."""
    at_once: int | None = None
    """Pairs of a step that are computed at once: bounds the memory; None: what suits the device."""
    seed: int = 0
    device: str = "auto"
    precision: str = "float32"
    encoding: str = ""
    revision: str | None = None
    allow_pickle: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be trained with.

        Raises:
            BadInput: A number is out of range.
            UnknownName: There is no such format, or the precision cannot be trained in.
        """
        least = {"epochs": 1, "batch_size": 1, "max_tokens": 8, "patience": 1, "checkpoint_every": 1,
                 "evaluate_every": 1, "warm_up": 0, "pairs": 4, "at_once": 1, "seed": 0}  # fmt: skip
        for name, bound in least.items():
            value = getattr(self, name)
            if value is not None and value < bound:
                raise BadInput(f"{name} is {value}", f"give {bound} or more")
        if not 0 < self.learning_rate < 1:
            raise BadInput(f"learning_rate is {self.learning_rate}", "give a number such as 5e-5")
        if not 0 < self.held_out < 1:
            raise BadInput(f"held_out is {self.held_out}", "give a share such as 0.1")
        if self.format not in COLUMNS:
            raise UnknownName("format of pairs", self.format, COLUMNS)
        if self.precision not in TRAINABLE:
            raise UnknownName("precision to train in", self.precision, TRAINABLE)


def train(config: InferenceConfig, progress: TrainingProgress | None = None) -> Path:
    """Train, or go on with a training that was stopped, and give the folder of the checkpoint.

    On one machine's CPU a stopped training ends with the weights of an uninterrupted one, bit by bit.

    Raises:
        BadInput: The data, an option or the folder cannot be used.
        CannotAnswer: The model is of a kind that does not write.
        StorageError: Something could not be written.
        Unavailable: The model does not load, or the device has too little memory.
    """
    need_hf()
    import torch

    with torch.random.fork_rng([]):  # the caller's random numbers stay as they are
        return _train(config, progress or Quiet())


def result(out: str | Path) -> dict[str, Any]:
    """What the description of a trained model says: perplexity before and after, pairs, settings."""
    return saved.said_of(Path(out).expanduser() / INFERENCE)


def _train(config: InferenceConfig, progress: TrainingProgress) -> Path:
    options = Options(device=config.device, precision=config.precision, revision=config.revision,
                      allow_pickle=config.allow_pickle)  # fmt: skip
    where = _writing_model(config.model, options)
    chosen = dict(_named(text) for text in config.relations)
    read = read_inference_pairs(config.data, config.format, [*chosen], encoding=config.encoding)
    phrases = _phrases(read, chosen, config.format)
    out = Path(config.out).expanduser()
    loaded = _load(where, options)
    longest = _hf.longest(loaded.model, loaded.tokenizer)
    most = config.max_tokens if longest is None else min(config.max_tokens, longest)
    parts = split(read.pairs, held_out=config.held_out, most=config.pairs, seed=config.seed)
    front, back = (pair_rows(part, phrases, where.name, loaded, most) for part in parts)
    _enough(front, back, config, read.name)
    at_once = config.at_once or max(1, AT_ONCE.get(loaded.device.type, AT_ONCE_THERE) // most)
    learner = Further(
        where.name, loaded, "causal", front.rows, unended(back.rows),
        size=config.batch_size, at_once=at_once, seed=config.seed,
    )  # fmt: skip
    settings = _settings(config, read, phrases, loaded, most, at_once)
    if saved.finished(out, settings, INFERENCE, "another trained model"):
        return out
    plan = _plan(config, learner.per_epoch)
    learner.learning(on=False)
    untrained, _ = learner.judge()
    with drawn_from(config.seed, loaded.device):
        end = Loop(learner, plan, out / saved.WORK, progress).run()
    made = {
        "format": FORMAT,
        "kind": config.format,
        "template": TEMPLATE,
        "relations": phrases,
        "base": {
            "name": where.name,
            "architecture": loaded.about["architecture"],
            "fingerprint": loaded.fingerprint,
        },
        "data": _data(read, parts, front, back),
        "steps": end.step,
        "of": plan.steps,
        "kept": end.kept_step,
        "epochs": end.step / learner.per_epoch,
        "held_out": _held_out(end, learner, untrained),
        "settings": settings,
        "versions": saved.versions(),
    }

    def write() -> None:
        loaded.model.save_pretrained(out)
        loaded.tokenizer.save_pretrained(out)

    saved.complete(out, write, made, INFERENCE)
    return out


def _writing_model(model: str, options: Options) -> Resolved:
    where = resolve(model, options)
    if where.scheme not in OPENED:
        raise CannotAnswer(
            f"{where.name} (kind {where.scheme}) does not write from left to right: give a causal "
            "language model"
        )
    return where


def _load(where: Resolved, options: Options) -> Loaded:
    if where.scheme == "gguf":
        from tiltmeter.models import gguf

        folder = gguf.folder_of(_files.gguf_of(where.location, options), where.name)
    else:
        folder = _files.folder_of(where.location, options)
    return _hf.load(str(folder), options, "AutoModelForCausalLM", name=where.name, scheme="causal")


def _named(text: str) -> tuple[str, str]:
    name, _, phrase = text.partition("=")
    return name.strip(), " ".join(phrase.split())


def _phrases(read: InferencePairs, chosen: Mapping[str, str], form: PairFormat) -> dict[str, str]:
    """The words of each relation that the data have."""
    there = dict.fromkeys(pair.relation for pair in read.pairs)
    if missing := [name for name in chosen if name not in there]:
        raise BadInput(f"no pair of the relation {missing[0]} is left", "name another --relation")
    found = {name: chosen.get(name) or known_phrase(name, form) for name in there}
    if unsaid := [name for name, phrase in found.items() if not phrase]:
        raise BadInput(
            f"the relation {unsaid[0]} has no words",
            f"give them with --relation '{unsaid[0]}=The person …', or name the relations to learn",
            file=read.name,
        )
    return found


def _enough(front: PairRows, back: PairRows, config: InferenceConfig, name: str) -> None:
    if len(front.rows) < config.batch_size or not len(back.rows):
        long = front.too_long + back.too_long
        raise BadInput(
            f"{len(front.rows):,} pairs to train on and {len(back.rows):,} held out are too few for steps of "
            f"{config.batch_size:,}; {long:,} are longer than {config.max_tokens} tokens",
            "give more data, a smaller --batch-size, or a larger --max-tokens",
            file=name,
        )


def _plan(config: InferenceConfig, per_epoch: int) -> Plan:
    steps = config.epochs * per_epoch
    return Plan(
        steps=steps,
        warm_up=warming_up(config.warm_up, steps, "--epochs"),
        learning_rate=config.learning_rate,
        evaluate_every=config.evaluate_every or per_epoch,
        patience=config.patience,
        checkpoint_every=config.checkpoint_every,
    )


def _settings(
    config: InferenceConfig,
    read: InferencePairs,
    phrases: Mapping[str, str],
    loaded: Loaded,
    most: int,
    at_once: int,
) -> dict[str, Any]:
    """All that the weights depend on: the same training has the same, whatever its paths."""
    paths = {"model", "data", "out", "device", "revision", "allow_pickle", "encoding"}
    chosen = {key: value for key, value in asdict(config).items() if key not in paths}
    return chosen | {
        "relations": dict(phrases),
        "max_tokens": most,
        "at_once": at_once,
        "model": loaded.fingerprint,
        "data": read.sha256,
    }


def _data(
    read: InferencePairs, parts: Sequence[Sequence[InferencePair]], front: PairRows, back: PairRows
) -> dict[str, Any]:
    return {
        "file": read.name,
        "sha256": read.sha256,
        "pairs": len(front.rows),
        "premises": len({pair.premise for part in parts for pair in part}),
        "left out": {**read.left_out, "too long": front.too_long + back.too_long},
    }


def _held_out(end: Standing, learner: Further, untrained: float) -> dict[str, Any]:
    kept = untrained if end.kept_loss is None else end.kept_loss
    return {
        "pairs": learner.held_out,
        "tokens": learner.judged,
        "loss_untrained": untrained,
        "loss": kept,
        "perplexity_untrained": math.exp(untrained),
        "perplexity": math.exp(kept),
        "right": end.kept_right,
        "note": "of the hypotheses' tokens without the one that ends them; the same pairs chose the step "
        "whose weights were kept",
    }
