"""The training loop: AdamW, a rate that warms up and then falls to nothing, clipped gradients, early stop.

A loop of our own, because a training that is stopped must end with the same weights when it goes on,
and nothing here may be stored as a pickle.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.train import checkpoint
from tiltmeter.train.batches import Batches
from tiltmeter.train.pairs import Example
from tiltmeter.train.trunk import Judging

if TYPE_CHECKING:
    import torch

CLIP = 1.0
"""The longest gradient, over all weights."""
DECAY = 0.01
"""Weight decay, of matrices only."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how fast."""

    steps: int
    warm_up: int
    learning_rate: float
    evaluate_every: int
    patience: int
    checkpoint_every: int
    max_tokens: int

    def rate(self, step: int) -> float:
        """Of the step with this number, from 0: up in a line, then down in a line.

        >>> plan = Plan(10, 2, 1.0, 5, 1, 5, 64)
        >>> [plan.rate(step) for step in (0, 1, 2, 9)]
        [0.5, 1.0, 1.0, 0.125]
        """
        if step < self.warm_up:
            return self.learning_rate * (step + 1) / self.warm_up
        return self.learning_rate * (self.steps - step) / (self.steps - self.warm_up)


class Progress(Protocol):
    """Told how far a training is."""

    def start(self, *, steps: int, done: int, pairs: int, held_out: int) -> None:
        """`done` of `steps` were made before; so many pairs to train on, so many held out."""
        ...

    def step(self, done: int, loss: float) -> None:
        """So many steps are made; the last batch's loss."""
        ...

    def evaluated(self, done: int, loss: float, accuracy: float) -> None:
        """On the held-out pairs, after so many steps."""
        ...


class Quiet:
    """Progress that nobody watches."""

    def start(self, *, steps: int, done: int, pairs: int, held_out: int) -> None:
        """Say nothing."""

    def step(self, done: int, loss: float) -> None:
        """Say nothing."""

    def evaluated(self, done: int, loss: float, accuracy: float) -> None:
        """Say nothing."""


@dataclass(slots=True)
class Standing:
    """Counters that a checkpoint keeps."""

    step: int = 0
    best_step: int = 0
    best_loss: float | None = None
    best_right: int = 0
    waited: int = 0
    """Evaluations since the best one."""


class Loop:
    """Trains in place; afterwards the weights are those of the lowest held-out loss."""

    def __init__(
        self,
        model: Judging,
        batches: Batches,
        held_out: Sequence[Example],
        plan: Plan,
        folder: Path,
        progress: Progress,
    ) -> None:
        self._model = model
        self._batches = batches
        self._held_out = held_out
        self._plan = plan
        self._folder = folder
        self._progress = progress
        self._weights = model.trained()
        self._optimiser = _optimiser(self._weights)

    def run(self) -> Standing:
        """Go on from the last checkpoint, or begin.

        Raises:
            BadInput: The loss is no longer a number.
            Unavailable: The device has too little memory.
        """
        at = self._restored()
        self._progress.start(
            steps=self._plan.steps,
            done=at.step,
            pairs=len(self._batches),
            held_out=len(self._held_out),
        )
        with _room():
            while at.step < self._plan.steps and at.waited < self._plan.patience:
                self._advance(at)
        best, _ = checkpoint.read(self._folder / checkpoint.BEST)
        checkpoint.load_weights(best, self._weights)
        self._model.learning(on=False)
        return at

    def _advance(self, at: Standing) -> None:
        loss = self._step(at.step)
        at.step += 1
        self._progress.step(at.step, loss)
        last = at.step == self._plan.steps
        if last or at.step % self._plan.evaluate_every == 0:
            self._evaluate(at)
        if last or at.step % self._plan.checkpoint_every == 0 or at.waited >= self._plan.patience:
            device = self._model.loaded.device
            state = checkpoint.state_of(self._weights, self._optimiser, device)
            checkpoint.write(self._folder / checkpoint.STATE, state, asdict(at))

    def _step(self, step: int) -> float:
        import torch

        self._model.learning(on=True)
        rows, labels = self._batches.batch(step)
        for group in self._optimiser.param_groups:
            group["lr"] = self._plan.rate(step)
        self._optimiser.zero_grad()
        logits = self._model.logits(rows)  # (b, 2)
        loss = torch.nn.functional.cross_entropy(logits, torch.tensor(labels, device=logits.device))
        _finite(float(loss.detach()), step)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(list(self._weights.values()), CLIP)
        self._optimiser.step()
        return float(loss.detach())

    def _evaluate(self, at: Standing) -> None:
        loss, right = self._model.judge(self._held_out, most=self._plan.max_tokens)
        self._progress.evaluated(at.step, loss, right / len(self._held_out))
        _finite(loss, at.step)
        if at.best_loss is None or loss < at.best_loss:
            at.best_step, at.best_loss, at.best_right, at.waited = at.step, loss, right, 0
            kept = {f"weight:{name}": value for name, value in self._weights.items()}
            checkpoint.write(self._folder / checkpoint.BEST, kept, {"step": at.step})
        else:
            at.waited += 1

    def _restored(self) -> Standing:
        path = self._folder / checkpoint.STATE
        if not path.is_file():
            return Standing()
        found, counters = checkpoint.read(path)
        checkpoint.restore(found, self._weights, self._optimiser, self._model.loaded.device)
        return Standing(**counters)


@contextmanager
def _room() -> Iterator[None]:
    """Too little memory, said with the options that bound it."""
    try:
        yield
    except RuntimeError as error:  # torch's own for accelerators, and a bare one on a CPU
        if "memory" not in str(error):
            raise
        raise Unavailable(
            "there is too little memory for this training; give a smaller --batch-size or --max-tokens "
            "(and another --out: they change the result), or --freeze"
        ) from error


def _finite(loss: float, step: int) -> None:
    if not math.isfinite(loss):
        raise BadInput(
            f"the loss is no longer a number after {step:,} steps",
            "give a smaller --learning-rate and another --out",
        )


def _optimiser(weights: dict[str, "torch.nn.Parameter"]) -> "torch.optim.Optimizer":
    import torch

    values = list(weights.values())
    return torch.optim.AdamW(
        [
            {"params": [v for v in values if v.dim() > 1], "weight_decay": DECAY},
            {"params": [v for v in values if v.dim() <= 1], "weight_decay": 0.0},
        ],
        lr=0.0,
    )
