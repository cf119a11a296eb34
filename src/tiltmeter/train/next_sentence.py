"""Train a head that says whether one sentence follows another, on a language model's trunk.

After Nadeem et al. 2021 (doi:10.18653/v1/2021.acl-long.416), appendix A.5: a sentence of running text with
the one that follows it, and with one from any other document; two classes; encoders are pooled at
their first token, causal models over all positions, permutation models (XLNet; not in the paper) at the
closing token; AdamW with a rate of 1e-5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.data.texts import corpus as corpora
from tiltmeter.data.texts.corpus import Corpus
from tiltmeter.models.reading import next_head
from tiltmeter.stats.intervals import wilson
from tiltmeter.train import saved
from tiltmeter.train.batches import Batches
from tiltmeter.train.next_sentence_net import Judging, open_trunk
from tiltmeter.train.pairs import NextSentenceExample, examples
from tiltmeter.train.steps import Quiet, Standing, TrainingProgress
from tiltmeter.train.training_config import NextSentenceConfig, chosen_settings, most_tokens
from tiltmeter.train.training_run import TrainingRun, own_random_numbers

if TYPE_CHECKING:
    import torch


def train(config: NextSentenceConfig, progress: TrainingProgress | None = None) -> Path:
    """Train, or go on with a training that was stopped, and give the folder of the head.

    On one machine's CPU a stopped training ends with the weights of an uninterrupted one, bit by bit.

    Raises:
        BadInput: The corpus, an option or the folder cannot be used.
        CannotAnswer: The model is of a kind that no head is trained on.
        StorageError: Something could not be written.
        Unavailable: The model does not load, or the device has too little memory.
    """
    with own_random_numbers():
        return _train(config, progress or Quiet())


def _train(config: NextSentenceConfig, progress: TrainingProgress) -> Path:
    out = config.folder
    corpus = corpora.read(config.corpus, config.encoding)
    front, back = examples(corpus, held_out=config.held_out, most=config.pairs, seed=config.seed)
    model = open_trunk(config.model, config.opening(), freeze=config.freeze, seed=config.seed)
    most = most_tokens(config.max_tokens, model.loaded.model, model.loaded.tokenizer)
    settings = chosen_settings(config) | {
        "max_tokens": most,
        "model": model.loaded.fingerprint,
        "corpus": corpus.sha256,
        "sentences": corpus.sentences,
    }
    batches = Batches(front, model.reader, size=config.batch_size, most=most, seed=config.seed)
    plan = config.plan(batches.per_epoch)
    learner = Pairs(model, batches, back, most)
    run = TrainingRun(
        out, settings, learner, plan, config.seed, next_head.DESCRIPTION, "another head"
    )

    def described(end: Standing) -> dict[str, Any]:
        made = {**end.counts(plan, batches.per_epoch), "pairs": len(front)}
        return {
            **model.said(),
            **_about(corpus, model),
            **made,
            "held_out": _held_out(end, len(back)),
        }

    run.carry_out(progress, described, lambda: model.save(out))
    return out


@dataclass(slots=True)
class Pairs:
    """A trunk and its head as a `Learner` of pairs."""

    model: Judging
    batches: Batches
    back: Sequence[NextSentenceExample]
    most: int
    """Tokens of a pair, at most; longer ones are cut."""
    bounds: str = "a smaller --batch-size or --max-tokens, or --freeze"

    @property
    def device(self) -> "torch.device":
        """Where the weights are; what they learn from is put there too."""
        return self.model.loaded.device

    @property
    def examples(self) -> int:
        """Pairs to learn from in an epoch."""
        return len(self.batches)

    @property
    def held_out(self) -> int:
        """Pairs held out, which are judged."""
        return len(self.back)

    @property
    def judged(self) -> int:
        """How many answers can be right: one a pair held out."""
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
    return dict(next_head.describe(Path(out).expanduser()).fields)


def _about(corpus: Corpus, model: Judging) -> dict[str, Any]:
    return {
        "base": saved.base(model.name, model.kind, model.loaded),
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
