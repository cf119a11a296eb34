"""Train a head that says whether one sentence follows another, on a language model's trunk.

The procedure follows Nadeem et al. 2021 (doi:10.18653/v1/2021.acl-long.416), appendix A.5. Each sentence of
running text is paired with the one that follows it and with one from any other document, and the head tells
these two classes apart. It reads encoders at their first token, causal models as the mean over all positions,
and permutation models (XLNet, not in the paper) at the closing token. The optimiser is AdamW with a learning
rate of 1e-5.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.data.texts import corpus as corpora
from tiltmeter.models.reading import next_head
from tiltmeter.stats.confidence_intervals.intervals import wilson
from tiltmeter.train.batch_learner import BatchLearner, Computing
from tiltmeter.train.next_sentence_net import Judging, open_trunk
from tiltmeter.train.pairs import Batches, LabelledPair, NextSentenceExample, examples
from tiltmeter.train.processes import in_processes
from tiltmeter.train.steps import Standing, TrainingProgress
from tiltmeter.train.training_config import NextSentenceConfig, chosen_settings, most_tokens
from tiltmeter.train.training_run import TrainingRun, own_random_numbers, trained_from

if TYPE_CHECKING:
    import torch


@in_processes
@own_random_numbers()
def train(config: NextSentenceConfig, progress: TrainingProgress | None = None) -> Path:
    """Train, or continue a training that was stopped, and return the folder of the head.

    On the CPU of one machine, a training that was stopped ends with exactly the weights of one that was not.

    Raises:
        BadInput: The corpus, an option or the folder cannot be used.
        CannotAnswer: The model is of a kind on which no head can be trained.
        StorageError: Something could not be written.
        Unavailable: The model does not load, or the device has too little memory.
    """
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
    learner = Pairs(
        model, batches, back, most, computing=config.computing(model.loaded.device, most)
    )
    plan = config.plan(learner.per_epoch)
    run = TrainingRun(
        out, settings, learner, plan, config.seed, next_head.DESCRIPTION, "another head"
    )

    def described(end: Standing) -> dict[str, Any]:
        return {
            **model.said(),
            "base": trained_from(model.name, model.kind, model.loaded),
            "trained": "head" if model.frozen else "head and trunk",
            "corpus": {
                "file": corpus.name,
                "sha256": corpus.sha256,
                "documents": len(corpus.documents),
                "sentences": corpus.sentences,
            },
            **end.counts(plan, learner.per_epoch),
            "pairs": len(front),
            "held_out": _held_out(end, len(back)),
        }

    run.carry_out(progress, described, lambda: model.save(out))
    return out


class Pairs(BatchLearner[LabelledPair]):
    """Trains a head, and the trunk below it unless that is frozen, on pairs of sentences."""

    def __init__(
        self,
        model: Judging,
        batches: Batches,
        back: Sequence[NextSentenceExample],
        most: int,
        *,
        computing: Computing,
    ) -> None:
        """`most` is the greatest number of tokens in a pair; longer pairs are cut."""
        self._net, self._batches, self._back, self._most = model, batches, back, most
        self.device, self.per_epoch = model.loaded.device, batches.per_epoch
        self.computing = computing
        self.examples, self.held_out = len(batches), len(back)
        self.judged = self.held_out

    def trained(self) -> dict[str, "torch.nn.Parameter"]:
        """The weights of the head and, unless it is frozen, of the trunk, by name."""
        net = self._net
        trunk = () if net.frozen else net.trunk.named_parameters()
        weights = {f"head.{name}": value for name, value in net.head.named_parameters()}
        return weights | {f"trunk.{name}": value for name, value in trunk}

    def learning(self, *, on: bool) -> None:
        """Turn dropout on or off; in a frozen trunk it is never on."""
        self._net.trunk.train(on and not self._net.frozen)

    def batch(self, step: int) -> list[LabelledPair]:
        """The pairs of a step with their labels."""
        return self._batches.batch(step)

    def held_out_portions(self) -> Iterator[list[LabelledPair]]:
        """The held-out pairs with their labels."""
        return self._net.in_batches(self._back, self._most)

    def length(self, example: LabelledPair) -> int:
        """The number of tokens."""
        return len(example[0].ids)

    def logits(self, portion: Sequence[LabelledPair]) -> tuple["torch.Tensor", "torch.Tensor"]:
        """Logits of the two classes, shape (pairs, 2), and each pair's label."""
        import torch

        rows, labels = zip(*portion, strict=True)
        return self._net.logits(rows), torch.tensor(labels, device=self.device)


def result(out: str | Path) -> dict[str, Any]:
    """The description in the folder of a finished head: held-out accuracy, pairs and settings."""
    return dict(next_head.describe(Path(out).expanduser()).fields)


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
