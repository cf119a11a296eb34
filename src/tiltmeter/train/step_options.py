"""The options of a training's steps, declared once: the same names, checks and meaning in every trainer.

A trainer's own options are a dataclass on top of `StepOptions`, which gives each of them its default:

    @dataclass(frozen=True, slots=True)
    class HeadConfig(StepOptions):
        epochs: int = 3
        batch_size: int = 32
        …
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Self

from tiltmeter.core.reading.options import CheckedOptions, Option
from tiltmeter.models.opening.model_options import AllowPickle, Device, Options, Revision
from tiltmeter.train.batch_learner import Computing, usual_at_once
from tiltmeter.train.steps import Plan, warming_up

if TYPE_CHECKING:
    import torch

TRAINABLE = ("float32", "bfloat16")
"""Precisions in which a model can be trained. In float16, which is missing, small gradients vanish."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOptions(CheckedOptions):
    """How a training makes its steps, whatever is trained."""

    epochs: Annotated[int | None, Option("Maximum number of epochs.", min=1)]
    batch_size: Annotated[int, Option("Examples per step.", min=1)]
    at_once: Annotated[
        int | None,
        Option(
            "Examples of a step computed at once; limits memory use and leaves the training as it is "
            "(default: by device).", min=1,
        ),
    ] = None  # fmt: skip
    learning_rate: Annotated[float, Option("Peak learning rate.", above=0, below=1)]
    warm_up: Annotated[
        int | None, Option("Warm-up steps (default: a tenth of all steps).", min=0)
    ] = None
    patience: Annotated[
        int | None, Option("Stop after this many evaluations without a lower loss.", min=1)
    ]
    max_tokens: Annotated[
        int, Option("Maximum number of tokens in an example; longer ones are cut.", min=4)
    ]
    precision: Annotated[
        str,
        Option(
            "float32, or bfloat16 for mixed precision.", choices=TRAINABLE,
            noun="precision to train in",
        ),
    ] = "float32"  # fmt: skip
    evaluate_every: Annotated[
        int | None, Option("Steps between evaluations (default: one epoch).", min=1)
    ] = None
    checkpoint_every: Annotated[int, Option("Steps between checkpoints.", min=1)] = 200
    processes: Annotated[
        int,
        Option(
            "Processes that compute each step together, one for each GPU; batch and training stay as "
            "they are.", min=1,
        ),
    ] = 1  # fmt: skip
    device: Device = "auto"
    revision: Revision = None
    allow_pickle: AllowPickle = False

    def on(self, device: str) -> Self:
        """The options for a training on this device."""
        return replace(self, device=device)

    def opening(self) -> Options:
        """The options with which the model is opened: its weights are float32 in either precision."""
        return Options(
            device=self.device, precision="float32", revision=self.revision,
            allow_pickle=self.allow_pickle,
        )  # fmt: skip

    def computing(self, device: "torch.device", most: int) -> Computing:
        """How examples of at most `most` tokens are computed on this device."""
        at_once = self.at_once or usual_at_once(device, most)
        return Computing(min(at_once, self.batch_size), self.precision)

    def plan(self, per_epoch: int, *, steps: int | None = None, first_look: bool = False) -> Plan:
        """The plan of a training that keeps the weights with the lowest held-out loss.

        Args:
            per_epoch: The number of steps in an epoch.
            steps: The greatest number of steps; None for those of all epochs.
            first_look: Whether the held-out loss is also evaluated before the first step.

        Raises:
            BadInput: There are no fewer warm-up steps than steps.
        """
        more = "--epochs" if self.epochs else "--steps"
        steps = steps or (self.epochs or 1) * per_epoch
        every = self.evaluate_every or per_epoch
        return Plan(
            steps,
            warming_up(self.warm_up, steps, more),
            self.learning_rate,
            every,
            # Without --patience, no number of evaluations is enough to stop.
            self.patience or -(-steps // every),
            self.checkpoint_every,
            first_look,
        )
