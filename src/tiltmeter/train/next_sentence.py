"""Train a head that says whether one sentence follows another, on a language model's trunk.

The procedure follows Nadeem et al. 2021 (doi:10.18653/v1/2021.acl-long.416), appendix A.5. Each sentence of
running text is paired with the one that follows it and with one from any other document, and the head tells
these two classes apart. It reads encoders at their first token, causal models as the mean over all positions,
and permutation models (XLNet, not in the paper) at the closing token. The optimiser is AdamW with a learning
rate of 1e-5.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.data.texts import corpus as corpora
from tiltmeter.models.reading import next_head
from tiltmeter.stats.confidence_intervals.intervals import wilson
from tiltmeter.train.next_sentence_net import Judging, open_trunk
from tiltmeter.train.pairs import Batches, NextSentenceExample, examples
from tiltmeter.train.steps import Learner, Standing, TrainingProgress, add_gradients
from tiltmeter.train.training_config import NextSentenceConfig, chosen_settings, most_tokens
from tiltmeter.train.training_run import TrainingRun, own_random_numbers, trained_from

if TYPE_CHECKING:
    import torch


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
    learner = Pairs(model, batches, back, most)
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


class Pairs(Learner):
    """Trains a head, and the trunk below it unless that is frozen, on pairs of sentences."""

    bounds = "a smaller --batch-size or --max-tokens, or --freeze"

    def __init__(
        self, model: Judging, batches: Batches, back: Sequence[NextSentenceExample], most: int
    ) -> None:
        """`most` is the greatest number of tokens in a pair; longer pairs are cut."""
        self._net, self._batches, self._back, self._most = model, batches, back, most
        self.device, self.per_epoch = model.loaded.device, batches.per_epoch
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

    def learn(self, step: int) -> float:
        """Mean cross-entropy of the two classes over the pairs of a step; adds its gradients."""
        import torch

        rows, labels = self._batches.batch(step)
        logits = self._net.logits(rows)  # (b, 2)
        true = torch.tensor(labels, device=logits.device)
        return add_gradients(torch.nn.functional.cross_entropy(logits, true))

    def judge(self) -> tuple[float, int]:
        """Mean cross-entropy over the held-out pairs, and how many of them are judged correctly."""
        import torch

        loss, right = 0.0, 0
        with torch.no_grad():
            for rows, labels in self._net.in_batches(self._back, self._most):
                logprobs = self._net.logits(rows).double().log_softmax(-1)  # (b, 2)
                of_label = logprobs.gather(1, torch.tensor(labels, device=logprobs.device)[:, None])
                loss -= float(of_label.sum())
                right += int((of_label > math.log(0.5)).sum())
        return loss / len(self._back), right


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
