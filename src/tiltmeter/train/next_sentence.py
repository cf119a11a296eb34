"""Train a head that says whether one sentence follows another, on a language model's trunk.

After Nadeem et al. 2021 (doi:10.18653/v1/2021.acl-long.416), appendix A.5: a sentence of running text with
the one that follows it, and with one from any other document; two classes; encoders are pooled at
their first token, causal models over all positions, permutation models (XLNet; not in the paper) at the
closing token; AdamW with a rate of 1e-5.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data import corpus as corpora
from tiltmeter.data.corpus import Corpus
from tiltmeter.models import _hf, _next_head
from tiltmeter.models._open import need_hf
from tiltmeter.models._options import Options
from tiltmeter.stats.intervals import wilson
from tiltmeter.train import saved
from tiltmeter.train.batches import Batches
from tiltmeter.train.next_sentence_net import Judging, open_trunk
from tiltmeter.train.pairs import NextSentenceExample, examples
from tiltmeter.train.steps import (
    Loop,
    Plan,
    Quiet,
    Standing,
    TrainingProgress,
    drawn_from,
    warming_up,
)

if TYPE_CHECKING:
    import torch

TRAINABLE = ("float32", "bfloat16")
"""In float16 small gradients vanish."""


@dataclass(frozen=True, slots=True)
class NextSentenceConfig:
    """What to train on what, and how."""

    model: str
    """A masked, causal or permutation language model: a folder, a hub id, a registered name."""
    corpus: str
    """A file or folder of running text; see `tiltmeter.data.corpus`."""
    out: str
    """The folder for the head. The same training goes on there after a stop."""
    epochs: int = 3
    batch_size: int = 32
    learning_rate: float = 1e-5
    warm_up: int | None = None
    """Steps; None: a tenth of all."""
    max_tokens: int = 256
    """Of a pair: in longer ones the longer sentence is cut first. At most what the model reads."""
    patience: int = 3
    """Evaluations without a lower held-out loss after which it stops."""
    evaluate_every: int | None = None
    """Steps between two evaluations; None: once an epoch."""
    checkpoint_every: int = 200
    """Steps between two checkpoints."""
    held_out: float = 0.1
    """Share of the documents that is not trained on."""
    pairs: int | None = None
    """At most so many pairs, held-out ones included; None: all."""
    freeze: bool = False
    """Train the head alone and leave the model as it is."""
    seed: int = 0
    device: str = "auto"
    precision: str = "float32"
    encoding: str = ""
    """Of the corpus, where it is not UTF-8."""
    revision: str | None = None
    allow_pickle: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be trained with.

        Raises:
            BadInput: A number is out of range.
            UnknownName: The precision cannot be trained in.
        """
        least = {"epochs": 1, "batch_size": 1, "max_tokens": 8, "patience": 1, "checkpoint_every": 1,
                 "evaluate_every": 1, "warm_up": 0, "pairs": 4, "seed": 0}  # fmt: skip
        for name, bound in least.items():
            value = getattr(self, name)
            if value is not None and value < bound:
                raise BadInput(f"{name} is {value}", f"give {bound} or more")
        if not 0 < self.learning_rate < 1:
            raise BadInput(f"learning_rate is {self.learning_rate}", "give a number such as 1e-5")
        if not 0 < self.held_out < 1:
            raise BadInput(f"held_out is {self.held_out}", "give a share such as 0.1")
        if self.precision not in TRAINABLE:
            raise UnknownName("precision to train in", self.precision, TRAINABLE)


def train(config: NextSentenceConfig, progress: TrainingProgress | None = None) -> Path:
    """Train, or go on with a training that was stopped, and give the folder of the head.

    On one machine's CPU a stopped training ends with the weights of an uninterrupted one, bit by bit.

    Raises:
        BadInput: The corpus, an option or the folder cannot be used.
        CannotAnswer: The model is of a kind that no head is trained on.
        StorageError: Something could not be written.
        Unavailable: The model does not load, or the device has too little memory.
    """
    need_hf()
    import torch

    with torch.random.fork_rng([]):  # the caller's random numbers stay as they are
        return _train(config, progress or Quiet())


def _train(config: NextSentenceConfig, progress: TrainingProgress) -> Path:
    out = Path(config.out).expanduser()
    corpus = corpora.read(config.corpus, config.encoding)
    front, back = examples(corpus, held_out=config.held_out, most=config.pairs, seed=config.seed)
    options = Options(
        device=config.device,
        precision=config.precision,
        revision=config.revision,
        allow_pickle=config.allow_pickle,
    )
    model = open_trunk(config.model, options, freeze=config.freeze, seed=config.seed)
    most = _most(config, model)
    settings = _settings(config, corpus, model, most)
    if saved.finished(out, settings):
        return out
    batches = Batches(front, model.reader, size=config.batch_size, most=most, seed=config.seed)
    plan = _plan(config, batches.per_epoch)
    loop = Loop(Pairs(model, batches, back, most), plan, out / saved.WORK, progress)
    with drawn_from(config.seed, model.loaded.device):
        end = loop.run()
    made = {"steps": end.step, "of": plan.steps, "kept": end.kept_step,
            "epochs": end.step / batches.per_epoch, "pairs": len(front)}  # fmt: skip
    about = _about(corpus, model) | made | {"held_out": _held_out(end, len(back))}
    saved.save(out, model, about | {"settings": settings, "versions": saved.versions()})
    return out


@dataclass(slots=True)
class Pairs:
    """A trunk and its head as a `Learner` of pairs."""

    model: Judging
    batches: Batches
    back: Sequence[NextSentenceExample]
    most: int
    """Tokens of a pair."""
    bounds: str = "a smaller --batch-size or --max-tokens, or --freeze"

    @property
    def device(self) -> "torch.device":
        """As `Learner`; so are all below."""
        return self.model.loaded.device

    @property
    def examples(self) -> int:
        """Pairs in an epoch."""
        return len(self.batches)

    @property
    def held_out(self) -> int:
        """Pairs."""
        return len(self.back)

    @property
    def judged(self) -> int:
        """One answer a pair."""
        return len(self.back)

    def trained(self) -> dict[str, "torch.nn.Parameter"]:
        """The head's, and the trunk's where it is not frozen."""
        return self.model.trained()

    def learning(self, *, on: bool) -> None:
        """Dropout, never in a frozen trunk."""
        self.model.learning(on=on)

    def learn(self, step: int) -> float:
        """Cross-entropy over the two classes."""
        import torch

        rows, labels = self.batches.batch(step)
        logits = self.model.logits(rows)  # (b, 2)
        loss = torch.nn.functional.cross_entropy(logits, torch.tensor(labels, device=logits.device))
        loss.backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())

    def judge(self) -> tuple[float, int]:
        """Over the pairs held out."""
        return self.model.judge(self.back, most=self.most)


def result(out: str | Path) -> dict[str, Any]:
    """What the description of a finished head says: held-out accuracy, pairs, settings."""
    return dict(_next_head.describe(Path(out).expanduser()).said)


def _most(config: NextSentenceConfig, model: Judging) -> int:
    longest = _hf.longest(model.loaded.model, model.loaded.tokenizer)
    return config.max_tokens if longest is None else min(config.max_tokens, longest)


def _settings(
    config: NextSentenceConfig, corpus: Corpus, model: Judging, most: int
) -> dict[str, Any]:
    """All that the weights depend on: the same training has the same, whatever its paths."""
    paths = {"model", "corpus", "out", "device", "revision", "allow_pickle", "encoding"}
    chosen = {key: value for key, value in asdict(config).items() if key not in paths}
    return chosen | {
        "max_tokens": most,
        "model": model.loaded.fingerprint,
        "corpus": corpus.sha256,
        "sentences": corpus.sentences,
    }


def _plan(config: NextSentenceConfig, per_epoch: int) -> Plan:
    steps = config.epochs * per_epoch
    return Plan(
        steps=steps,
        warm_up=warming_up(config.warm_up, steps, "--epochs"),
        learning_rate=config.learning_rate,
        evaluate_every=config.evaluate_every or per_epoch,
        patience=config.patience,
        checkpoint_every=config.checkpoint_every,
    )


def _about(corpus: Corpus, model: Judging) -> dict[str, Any]:
    return {
        "base": {
            "name": model.name,
            "kind": model.kind,
            "architecture": model.loaded.about["architecture"],
            "fingerprint": model.loaded.fingerprint,
        },
        "trained": "head" if model.frozen else "head and trunk",
        "corpus": {
            "file": corpus.name,
            "sha256": corpus.sha256,
            "documents": len(corpus.documents),
            "sentences": corpus.sentences,
        },
    }


def _held_out(end: Standing, pairs: int) -> dict[str, Any]:
    return {
        "pairs": pairs,
        "right": end.kept_right,
        "accuracy": end.kept_right / pairs,
        "interval": list(wilson(end.kept_right, pairs)),
        "interval_is": "Wilson",
        "loss": end.kept_loss,
        "note": "the same pairs chose the step whose weights were kept",
    }
