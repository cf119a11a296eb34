"""The training loop: AdamW, a learning rate that warms up and then falls to zero, and early stopping.

Gradients are clipped. The loop is our own, because a training that is stopped and continued must end with the
same weights as one that is not, and because nothing may be stored as a pickle.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.core.text import counted
from tiltmeter.train import checkpoint
from tiltmeter.train.team import ALONE, Team

if TYPE_CHECKING:
    import torch

CLIP = 1.0
"""The greatest norm of the gradient over all weights; a longer gradient is shortened to it."""
DECAY = 0.01
"""Weight decay of matrices; biases and other vectors have none."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The length of a training, its learning rate, and when it is evaluated and stored."""

    steps: int
    """The greatest number of steps."""
    warm_up: int
    """The number of steps in which the learning rate rises."""
    learning_rate: float
    """The highest learning rate, which is reached at the end of the warm-up."""
    evaluate_every: int
    """Steps between evaluations on the held-out examples."""
    patience: int | None
    """After how many evaluations without a lower loss the training stops.

    The weights with the lowest loss are then kept. If it is None, all steps are made and the last weights
    are kept.
    """
    checkpoint_every: int
    """The number of steps between two checkpoints."""
    first_look: bool = False
    """Whether the held-out loss is also evaluated before the first step."""

    def rate(self, step: int) -> float:
        """The learning rate of a step, counted from 0: it rises linearly, then falls linearly.

        >>> plan = Plan(10, 2, 1.0, 5, 1, 5)
        >>> [plan.rate(step) for step in (0, 1, 2, 9)]
        [0.5, 1.0, 1.0, 0.125]
        """
        if step < self.warm_up:
            return self.learning_rate * (step + 1) / self.warm_up
        return self.learning_rate * (self.steps - step) / (self.steps - self.warm_up)


class Learner(ABC):
    """What the training loop needs from a model and from the data that it learns from."""

    model: Any
    """The model. All of its weights are trained, unless `trained` says otherwise."""
    device: "torch.device"
    """The device that holds the weights; examples are moved there too."""
    examples: int
    """How many examples are learned from."""
    held_out: int
    """How many examples are held out."""
    judged: int
    """How many answers `judge` counts, right or wrong."""
    per_epoch: int
    """The number of steps in which every example is used once."""
    team: Team = ALONE
    """The processes that make each step together; the learner computes its own part of a step."""
    bounds: str
    """The way out when there is too little memory, as the error says it: "use a smaller …"."""

    def trained(self) -> dict[str, "torch.nn.Parameter"]:
        """The weights that are trained, by name; shared weights are listed once."""
        return dict(self.model.named_parameters())

    def learning(self, *, on: bool) -> None:
        """Turn dropout on or off."""
        self.model.train(on)

    @abstractmethod
    def learn(self, step: int) -> float:
        """The mean loss of a step, counted from 0; its gradients are added to those of the weights."""

    @abstractmethod
    def judge(self) -> tuple[float, int]:
        """The mean loss on the held-out examples, and how many answers are right; without gradients."""


def add_gradients(loss: "torch.Tensor") -> float:
    """Add the gradients of a loss to those of the weights, and return the loss as a number."""
    loss.backward()  # type: ignore[no-untyped-call]
    return float(loss.detach())


class TrainingProgress:
    """Receives the progress of a training. This class shows nothing; subclasses do."""

    def start(self, *, steps: int, done: int, examples: int, held_out: int) -> None:
        """The training begins, or continues after `done` of its `steps`.

        It has `examples` to learn from and `held_out` examples to be judged on.
        """

    def step(self, done: int, loss: float) -> None:
        """`done` steps have been made; `loss` is the mean loss of the last one."""

    def evaluated(self, done: int, loss: float, accuracy: float) -> None:
        """After `done` steps the held-out examples were judged, with this mean loss and accuracy."""


@dataclass(slots=True)
class Standing:
    """How far a training is: the counters that a checkpoint stores."""

    step: int = 0
    """How many steps have been made."""
    kept_step: int = 0
    """The number of steps after which the weights were the ones to keep, as far as is known yet."""
    kept_loss: float | None = None
    """The held-out loss of the weights to keep; None before the first evaluation."""
    kept_right: int = 0
    """How many held-out answers are right with the weights to keep."""
    waited: int = 0
    """The number of evaluations since the one whose weights are to be kept."""
    first_loss: float | None = None
    """The held-out loss before the first step; None where that is not evaluated."""
    first_right: int = 0
    """How many held-out answers were right before the first step."""

    def counts(self, plan: Plan, per_epoch: int) -> dict[str, Any]:
        """What the description says of the steps that were made."""
        return {"steps": self.step, "of": plan.steps, "kept": self.kept_step,
                "epochs": self.step / per_epoch}  # fmt: skip


class Loop:
    """Trains the weights of a learner in place.

    Afterwards they are those with the lowest held-out loss, or without `Plan.patience` the last ones.
    """

    def __init__(
        self, learner: Learner, plan: Plan, folder: Path | None, progress: TrainingProgress
    ) -> None:
        """A training whose checkpoints lie in a folder.

        Without a folder it cannot be continued, and the weights to keep stay in memory.
        """
        import torch

        self._learner, self._team = learner, learner.team
        self._plan = plan
        self._folder = folder
        self._progress = progress
        self._weights = learner.trained()
        self._optimiser = _optimiser(self._weights)
        self._seed = torch.initial_seed() % 2**63
        self._best: dict[str, torch.Tensor] = {}

    def run(self) -> Standing:
        """Train from the last checkpoint in the folder, or from the start if there is none.

        Raises:
            BadInput: The loss is no longer a number.
            Unavailable: The device has too little memory.
        """
        at = self._restored()
        sizes = {"examples": self._learner.examples, "held_out": self._learner.held_out}
        self._progress.start(steps=self._plan.steps, done=at.step, **sizes)
        with _room(self._learner):
            if self._plan.first_look and at.first_loss is None:
                at.first_loss, at.first_right = self._judged(0)
            while at.step < self._plan.steps and not self._is_over(at):
                self._advance(at)
        if self._plan.patience is not None:
            self._team.wait()  # until the file is written
            if self._folder:
                self._best, _ = checkpoint.read(self._folder / checkpoint.BEST)
            checkpoint.load_weights(self._best, self._weights)
        self._learner.learning(on=False)
        return at

    def _is_over(self, at: Standing) -> bool:
        """Whether the held-out loss has not fallen for `Plan.patience` evaluations."""
        return self._plan.patience is not None and at.waited >= self._plan.patience

    def _advance(self, at: Standing) -> None:
        loss = self._step(at.step)
        at.step += 1
        self._progress.step(at.step, loss)
        last = at.step == self._plan.steps
        if last or at.step % self._plan.evaluate_every == 0:
            self._evaluate(at)
        due = last or at.step % self._plan.checkpoint_every == 0 or self._is_over(at)
        if due and self._folder and self._team.leads:
            state = checkpoint.state_of(self._weights, self._optimiser, self._learner.device)
            checkpoint.write(self._folder / checkpoint.STATE, state, asdict(at))

    def _step(self, step: int) -> float:
        import torch

        self._learner.learning(on=True)
        for group in self._optimiser.param_groups:
            group["lr"] = self._plan.rate(step)
        self._optimiser.zero_grad()
        if not self._team.leads:  # others than the first have random numbers of their own
            torch.manual_seed(hash((self._seed, self._team.rank, step)))
        (loss,) = self._team.sums(self._learner.learn(step))
        self._team.add_up_gradients([*self._weights.values()])
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
            kept = {f"weight:{name}": value.detach() for name, value in self._weights.items()}
            if self._folder and self._team.leads:
                checkpoint.write(self._folder / checkpoint.BEST, kept, {"step": at.step})
            elif not self._folder:
                self._best = {name: value.clone() for name, value in kept.items()}

    def _restored(self) -> Standing:
        path = self._folder / checkpoint.STATE if self._folder else None
        if not path or not path.is_file():
            return Standing()
        state, counters = checkpoint.read(path)
        checkpoint.restore(state, self._weights, self._optimiser, self._learner.device)
        return Standing(**counters)


def warming_up(wanted: int | None, steps: int, more: str) -> int:
    """The number of warm-up steps: `wanted`, or for None a tenth of all steps.

    Raises:
        BadInput: There are no fewer of them than steps. The error names `more`, the option for more steps.
    """
    warm_up = steps // 10 if wanted is None else wanted
    if warm_up >= steps:
        raise BadInput(
            f"{counted(warm_up, 'warm-up steps', 'are')} not fewer than the "
            f"{counted(steps, 'steps')} of the whole training",
            f"give a smaller --warm-up, or more {more}",
        )
    return warm_up


@contextmanager
def drawn_from(seed: int, device: "torch.device") -> Iterator[None]:
    """Draw random numbers, such as those of dropout, from this seed; afterwards generators are as before."""
    import torch

    with torch.random.fork_rng([device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        yield


def fresh_head(width: int, classes: int, seed: int) -> "torch.nn.Linear":
    """A linear head with small random weights that prefers no class.

    The caller's random number generator is left as it is.
    """
    import torch

    with torch.random.fork_rng([]):
        head = torch.nn.Linear(width, classes)
    generator = torch.Generator().manual_seed(seed)
    torch.nn.init.normal_(head.weight, std=0.02, generator=generator)
    torch.nn.init.zeros_(head.bias)
    return head


@contextmanager
def _room(learner: Learner) -> Iterator[None]:
    """Turn errors for too little memory into one that names the options that limit its use.

    Raises:
        Unavailable: There was too little memory.
    """
    try:
        yield
    except RuntimeError as error:  # torch's own for accelerators, and a bare one on a CPU
        if "memory" not in str(error):
            raise
        raise Unavailable(
            f"there is too little memory for this training; {learner.bounds}"
        ) from error


def _finite(loss: float, step: int) -> None:
    if not math.isfinite(loss):
        way_out = "give a smaller --learning-rate and another --out"
        raise BadInput(f"the loss is no longer a number after {counted(step, 'steps')}", way_out)


def _optimiser(weights: dict[str, "torch.nn.Parameter"]) -> "torch.optim.Optimizer":
    import torch

    values = list(weights.values())
    return torch.optim.AdamW(
        [
            {"params": [v for v in values if v.dim() > 1], "weight_decay": DECAY},
            {"params": [v for v in values if v.dim() <= 1], "weight_decay": 0.0},
        ],
        lr=0.0,  # set anew before each step
        fused=all(value.device.type == "cpu" for value in values),  # a sixth of the time there
    )
