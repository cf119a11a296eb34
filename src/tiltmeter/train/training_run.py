"""Carry out a training, from its first step or from where it was stopped, and write its folder."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiltmeter import __version__
from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import json_text
from tiltmeter.data.files.atomic_files import replace, sweep
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.checkpoint_parts import description_in
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.models.opening.model_kinds import need_hf
from tiltmeter.train.batch_learner import BatchLearner
from tiltmeter.train.checkpoint import storing
from tiltmeter.train.steps import Loop, Plan, Standing, TrainingProgress, drawn_from
from tiltmeter.train.team import current_team


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """A training that is ready to begin.

    After a stop, the same settings in the same folder continue it.
    """

    out: Path
    """The folder for the result, and for checkpoints until the training is done."""
    settings: Mapping[str, Any]
    """All settings that the weights depend on."""
    learner: BatchLearner[Any]
    plan: Plan
    seed: int
    """Seed of the dropout."""
    description: str
    """Name of the file that is written last; a folder that has it is complete."""
    other: str
    """What an error calls the content of a finished folder with other settings, such as "another head"."""

    def carry_out(
        self,
        progress: TrainingProgress | None,
        describe: Callable[[Standing], Mapping[str, Any]],
        write: Callable[[], None],
    ) -> None:
        """Train and write the folder, unless the same training was finished there before.

        Args:
            progress: Receives the progress of the training; None for no report.
            describe: Gives the description of the finished training, to which settings and versions are
                added.
            write: Writes the model.

        Raises:
            BadInput: The folder contains something else, or the loss is no longer a number.
            StorageError: Something could not be written.
            Unavailable: The device has too little memory.
        """
        team = self.learner.team = current_team()
        done = team.leads and finished(self.out, self.settings, self.description, self.other)
        if sum(team.sums(done)):
            return
        with drawn_from(self.seed, self.learner.device):
            end = Loop(
                self.learner, self.plan, self.out / WORK, progress or TrainingProgress()
            ).run()
        if team.leads:
            self._complete(describe(end), write)
        team.wait()

    def _complete(self, described: Mapping[str, Any], write: Callable[[], None]) -> None:
        description = {
            **described,
            "at_once": self.learner.computing.at_once,
            "processes": self.learner.team.size,
            "settings": self.settings,
            "versions": versions(),
        }
        complete(self.out, write, description, self.description)


@contextmanager
def own_random_numbers() -> Iterator[None]:
    """Leave the caller's random number generator afterwards as it was before.

    Raises:
        MissingExtra: The libraries for training are not installed.
    """
    need_hf()
    import torch

    with torch.random.fork_rng([]):
        yield


WORK = "training"
"""Name of the folder inside the result's folder that has the checkpoints until the training is done."""
SETTINGS = "settings.json"
"""Name of the file in `WORK` with the settings of an unfinished training."""


def finished(out: Path, settings: Mapping[str, Any], description: str, what: str) -> bool:
    """Whether the same training was finished in this folder before; if not, prepare the folder.

    Args:
        out: The folder of the result.
        settings: The settings that the weights depend on.
        description: Name of the file that a finished folder has.
        what: What an error calls the content of a finished folder with other settings.

    Raises:
        BadInput: The folder contains the result of another training, or other files.
        StorageError: The folder could not be prepared.
    """
    other = "name another folder with --out, or remove this one"
    if out.exists() and not out.is_dir():
        raise BadInput("this is a file, not a folder", other, file=str(out))
    if (out / description).is_file():
        _same(description_in(out / description).get("settings"), settings, out, what, other)
        shutil.rmtree(out / WORK, ignore_errors=True)
        return True
    begun = out / WORK / SETTINGS
    if begun.is_file():
        _same(description_in(begun), settings, out, "another unfinished training", other)
        sweep(out)
        return False
    if out.is_dir() and any(path.name != WORK for path in out.iterdir()):
        raise BadInput("the folder contains something else", other, file=str(out))
    with storing(out):
        begun.parent.mkdir(parents=True, exist_ok=True)
        write_json(begun, settings)
    return False


def _same(there: Any, settings: Mapping[str, Any], out: Path, what: str, way_out: str) -> None:
    there = there if isinstance(there, dict) else {}
    keys = [key for key in settings if there.get(key) != settings[key]]
    if keys:
        pairs = ", ".join(f"{key} {there.get(key)!r}, not {settings[key]!r}" for key in keys[:3])
        raise BadInput(f"the folder contains {what} ({pairs})", way_out, file=str(out))


def write_json(path: Path, contents: Mapping[str, Any]) -> None:
    """Write a JSON file, which is replaced only once the new one is complete."""
    text = json_text(contents) + "\n"
    replace(path, lambda to: to.write_text(text, "utf-8"))


def complete(
    out: Path, write: Callable[[], None], contents: Mapping[str, Any], description_name: str
) -> None:
    """Have the files written and then write the description, so that a folder that has one is complete.

    Raises:
        StorageError: Something could not be written.
    """
    with storing(out):
        out.mkdir(parents=True, exist_ok=True)
        with hf.quiet():
            write()
        write_json(out / description_name, contents)
        shutil.rmtree(out / WORK, ignore_errors=True)


def write_model(loaded: Loaded, out: Path) -> None:
    """Write weights, configuration and tokenizer to a folder."""
    loaded.model.save_pretrained(out)
    loaded.tokenizer.save_pretrained(out)


def trained_from(name: str, kind: str, loaded: Loaded) -> dict[str, Any]:
    """What a description says of the model that another was trained from."""
    return {
        "name": name,
        "kind": kind,
        "architecture": loaded.about["architecture"],
        "fingerprint": loaded.fingerprint,
    }


def versions() -> dict[str, str]:
    """The versions of Tiltmeter and of the libraries that the training uses."""
    import safetensors
    import torch
    import transformers

    libraries = {"torch": torch, "transformers": transformers, "safetensors": safetensors}
    return {"tiltmeter": __version__} | {
        name: str(library.__version__) for name, library in libraries.items()
    }
