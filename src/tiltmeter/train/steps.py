"""The training loop: AdamW, a rate that warms up and then falls to nothing, clipped gradients, early stop.

A loop of our own, because a training that is stopped must end with the same weights when it goes on,
and nothing here may be stored as a pickle.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.train import checkpoint

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
    patience: int | None
    """Looks at the held-out loss without a lower one after which it stops; the weights of the lowest are
    kept. None: all steps are made, and the last weights are kept."""
    checkpoint_every: int
    first_look: bool = False
    """Whether the held-out loss is looked at before any step, too."""

    def rate(self, step: int) -> float:
        """Of the step with this number, from 0: up in a line, then down in a line.

        >>> plan = Plan(10, 2, 1.0, 5, 1, 5)
        >>> [plan.rate(step) for step in (0, 1, 2, 9)]
        [0.5, 1.0, 1.0, 0.125]
        """
        if step < self.warm_up:
            return self.learning_rate * (step + 1) / self.warm_up
        return self.learning_rate * (self.steps - step) / (self.steps - self.warm_up)


class Learner(ABC):
    """What a training loop needs of a model and the data that it learns from."""

    model: Any
    """All of its weights are trained, unless `trained` says otherwise."""
    device: "torch.device"
    """Where the weights are; what they learn from is put there too."""
    examples: int
    """How many there are to learn from."""
    held_out: int
    """How many are held out."""
    judged: int
    """How many answers `judge` may get right."""
    per_epoch: int
    """Steps in which every example comes up once."""
    bounds: str
    """The options that bound its memory, for who has too little."""

    def trained(self) -> dict[str, "torch.nn.Parameter"]:
        """The weights that are trained, by name; those that are shared, once."""
        return dict(self.model.named_parameters())

    def learning(self, *, on: bool) -> None:
        """Turn dropout on or off."""
        self.model.train(on)

    @abstractmethod
    def learn(self, step: int) -> float:
        """The mean loss of the step with this number, from 0; its gradients are added to the weights'."""

    @abstractmethod
    def judge(self) -> tuple[float, int]:
        """Mean loss on what is held out, and how many answers are right there. No gradients."""


def add_gradients(loss: "torch.Tensor") -> float:
    """Add the gradients of a loss to the weights', and give the loss as a number."""
    loss.backward()  # type: ignore[no-untyped-call]
    return float(loss.detach())


class TrainingProgress:
    """Told how far a training is; this one shows nothing."""

    def start(self, *, steps: int, done: int, examples: int, held_out: int) -> None:
        """`done` of `steps` were made before; so many examples to train on, so many held out."""

    def step(self, done: int, loss: float) -> None:
        """So many steps are made; the last batch's loss."""

    def evaluated(self, done: int, loss: float, accuracy: float) -> None:
        """On what is held out, after so many steps."""


@dataclass(slots=True)
class Standing:
    """Counters that a checkpoint keeps."""

    step: int = 0
    kept_step: int = 0
    """After which the weights are those that are kept, as far as is known; so `kept_loss`, `kept_right`."""
    kept_loss: float | None = None
    kept_right: int = 0
    waited: int = 0
    """Evaluations since the one that was kept."""
    first_loss: float | None = None
    """Before any step, where that is looked at."""
    first_right: int = 0

    def counts(self, plan: Plan, per_epoch: int) -> dict[str, Any]:
        """How far it went, for the description."""
        return {"steps": self.step, "of": plan.steps, "kept": self.kept_step,
                "epochs": self.step / per_epoch}  # fmt: skip


class Loop:
    """Trains in place; afterwards the weights are those of the lowest held-out loss, or the last ones."""

    def __init__(
        self, learner: Learner, plan: Plan, folder: Path, progress: TrainingProgress
    ) -> None:
        self._learner = learner
        self._plan = plan
        self._folder = folder
        self._progress = progress
        self._weights = learner.trained()
        self._optimiser = _optimiser(self._weights)

    def run(self) -> Standing:
        """Go on from the last checkpoint, or begin.

        Raises:
            BadInput: The loss is no longer a number.
            Unavailable: The device has too little memory.
        """
        at = self._restored()
        sizes = {"examples": self._learner.examples, "held_out": self._learner.held_out}
        self._progress.start(steps=self._plan.steps, done=at.step, **sizes)
        with _room(self._learner.bounds):
            if self._plan.first_look and at.first_loss is None:
                at.first_loss, at.first_right = self._judged(0)
            while at.step < self._plan.steps and not self._is_over(at):
                self._advance(at)
        if self._plan.patience is not None:
            best, _ = checkpoint.read(self._folder / checkpoint.BEST)
            checkpoint.load_weights(best, self._weights)
        self._learner.learning(on=False)
        return at

    def _is_over(self, at: Standing) -> bool:
        """Whether the loss has fallen no more for long enough."""
        return self._plan.patience is not None and at.waited >= self._plan.patience

    def _advance(self, at: Standing) -> None:
        loss = self._step(at.step)
        at.step += 1
        self._progress.step(at.step, loss)
        last = at.step == self._plan.steps
        if last or at.step % self._plan.evaluate_every == 0:
            self._evaluate(at)
        if last or at.step % self._plan.checkpoint_every == 0 or self._is_over(at):
            state = checkpoint.state_of(self._weights, self._optimiser, self._learner.device)
            checkpoint.write(self._folder / checkpoint.STATE, state, asdict(at))

    def _step(self, step: int) -> float:
        import torch

        self._learner.learning(on=True)
        for group in self._optimiser.param_groups:
            group["lr"] = self._plan.rate(step)
        self._optimiser.zero_grad()
        loss = self._learner.learn(step)
        _finite(loss, step)
        torch.nn.utils.clip_grad_norm_(list(self._weights.values()), CLIP)
        self._optimiser.step()
        return loss

    def _judged(self, step: int) -> tuple[float, int]:
        self._learner.learning(on=False)
        loss, right = self._learner.judge()
        self._progress.evaluated(step, loss, right / self._learner.judged)
        _finite(loss, step)
        return loss, right

    def _evaluate(self, at: Standing) -> None:
        loss, right = self._judged(at.step)
        lower = at.kept_loss is None or loss < at.kept_loss
        if self._plan.patience is not None and not lower:
            at.waited += 1
            return
        at.kept_step, at.kept_loss, at.kept_right, at.waited = at.step, loss, right, 0
        if self._plan.patience is not None:
            kept = {f"weight:{name}": value for name, value in self._weights.items()}
            checkpoint.write(self._folder / checkpoint.BEST, kept, {"step": at.step})

    def _restored(self) -> Standing:
        path = self._folder / checkpoint.STATE
        if not path.is_file():
            return Standing()
        state, counters = checkpoint.read(path)
        checkpoint.restore(state, self._weights, self._optimiser, self._learner.device)
        return Standing(**counters)


def warming_up(wanted: int | None, steps: int, more: str) -> int:
    """Steps of warm-up: what was asked for, else a tenth of all.

    Raises:
        BadInput: They are not fewer than all; the option `more` gives more.
    """
    warm_up = steps // 10 if wanted is None else wanted
    if warm_up >= steps:
        raise BadInput(
            f"{warm_up:,} warm-up steps are not fewer than the {steps:,} steps of the whole training",
            f"give a smaller --warm-up, or more {more}",
        )
    return warm_up


@contextmanager
def drawn_from(seed: int, device: "torch.device") -> Iterator[None]:
    """Dropout from this seed; an accelerator's random numbers are as before afterwards."""
    import torch

    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        yield


def fresh_head(width: int, classes: int, seed: int) -> "torch.nn.Linear":
    """Small weights, no preference among the classes; the caller's random numbers stay as they are."""
    import torch

    with torch.random.fork_rng([]):
        head = torch.nn.Linear(width, classes)
    generator = torch.Generator().manual_seed(seed)
    torch.nn.init.normal_(head.weight, std=0.02, generator=generator)
    torch.nn.init.zeros_(head.bias)
    return head


@contextmanager
def _room(bounds: str) -> Iterator[None]:
    """Too little memory, said with the options that bound it."""
    try:
        yield
    except RuntimeError as error:  # torch's own for accelerators, and a bare one on a CPU
        if "memory" not in str(error):
            raise
        raise Unavailable(
            f"there is too little memory for this training; use {bounds} (and another --out: they change "
            "the result)"
        ) from error


def _finite(loss: float, step: int) -> None:
    if not math.isfinite(loss):
        way_out = "give a smaller --learning-rate and another --out"
        raise BadInput(f"the loss is no longer a number after {step:,} steps", way_out)


def _optimiser(weights: dict[str, "torch.nn.Parameter"]) -> "torch.optim.Optimizer":
    import torch

    values = list(weights.values())
    return torch.optim.AdamW(
        [
            {"params": [v for v in values if v.dim() > 1], "weight_decay": DECAY},
            {"params": [v for v in values if v.dim() <= 1], "weight_decay": 0.0},
        ],
        lr=0.0,  # set anew before each step
    )
