"""A training from its first step, or from where it was stopped, to the folder that it ends with."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiltmeter.models.opening.open_model import need_hf
from tiltmeter.train import saved
from tiltmeter.train.steps import Learner, Loop, Plan, Standing, TrainingProgress, drawn_from


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """One training, ready to begin. The same settings in the same folder go on after a stop."""

    out: Path
    settings: Mapping[str, Any]
    """All that the weights depend on."""
    learner: Learner
    plan: Plan
    seed: int
    """Seed of the dropout."""
    description: str
    """Name of the file that is written last, and that a finished folder has."""
    other: str
    """What a finished folder with other settings holds, for the error: "another head"."""

    def carry_out(
        self,
        progress: TrainingProgress,
        describe: Callable[[Standing], Mapping[str, Any]],
        write: Callable[[], None],
    ) -> None:
        """Train, and write the folder; nothing where this very training was finished before.

        Args:
            progress: Told how far it is.
            describe: What the description says of the end; settings and versions are added.
            write: Writes the model.

        Raises:
            BadInput: The folder holds something else, or the loss is no longer a number.
            StorageError: Something could not be written.
            Unavailable: The device has too little memory.
        """
        if saved.finished(self.out, self.settings, self.description, self.other):
            return
        with drawn_from(self.seed, self.learner.device):
            end = Loop(self.learner, self.plan, self.out / saved.WORK, progress).run()
        description = {**describe(end), "settings": self.settings, "versions": saved.versions()}
        saved.complete(self.out, write, description, self.description)


@contextmanager
def own_random_numbers() -> Iterator[None]:
    """The caller's random numbers are afterwards as they were before.

    Raises:
        MissingExtra: The libraries to train with are not installed.
    """
    need_hf()
    import torch

    with torch.random.fork_rng([]):
        yield
