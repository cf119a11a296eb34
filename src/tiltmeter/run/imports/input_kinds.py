"""What an import is given, and what one kind of files and folders declares."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiltmeter.core.errors import BadInput, known_names
from tiltmeter.core.reading.options import options_given
from tiltmeter.run.run_options import RunOptions

if TYPE_CHECKING:
    from tiltmeter.core.results import Result
    from tiltmeter.core.study import Study
    from tiltmeter.run.files.reread_runs import Reread
    from tiltmeter.run.monitor import Monitor


def _nothing_checked(study: "Study[Any]", models: int) -> None:
    """The check of a kind of input that any study may read, whatever the number of models."""


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """The files and folders to import, and the options for them."""

    inputs: Sequence[Path]
    options: RunOptions
    monitor: "Monitor"
    command: str
    study: str = ""
    """The name of the study, or its Python file; "" if none is given."""
    allow_code: bool = False
    cluster: str = ""
    names: Sequence[str] = ()
    """One for each input, or OLD=NEW for those that are renamed, or none."""
    lower_is_better: bool = False
    folder: Path | None = None
    """The folder in which the folders of the results are going to be made, if any."""
    check_study: Callable[["Study[Any]", int], None] = _nothing_checked
    """Called with a study and the number of its results before any is computed, to refuse it early."""

    def names_of(self, usual: Sequence[str], noun: str) -> list[str]:
        """The user's name for each model, "" where it keeps its usual one.

        Args:
            usual: What the models are called without a name of the user's.
            noun: What each of them is in: "log", "file".

        Raises:
            BadInput: There are as many names as inputs neither, nor are all of them OLD=NEW.
            UnknownName: No model is called OLD.
        """
        pairs = [name.partition("=") for name in self.names]
        if pairs and all(sign for _, sign, _ in pairs):
            new_names = {old.strip(): new.strip() for old, _, new in pairs}
            known_names("model in these files", new_names, usual)
            return [new_names.get(name, "") for name in usual]
        if self.names and len(self.names) != len(usual):
            reason = f"{noun}s: {len(usual)}, names: {len(self.names)}"
            raise BadInput(reason, f"give one --name a {noun}")
        return [*self.names] or [""] * len(usual)


@dataclass(frozen=True, slots=True)
class ImportedResult:
    """A result, and the study that made it."""

    study: "Study[Any]"
    result: "Result"
    reread: "Reread | None" = None
    """How its replies are read now and were read before, if it is a run that was read again."""


@dataclass(frozen=True, slots=True)
class InputKind:
    """One kind of files and folders."""

    noun: str
    """What inputs of the kind are called, in the plural: "logs of other programs"."""
    files: str
    """Which they are, for the error where nothing is recognised."""
    options: frozenset[str]
    """The options that have an effect, as users write them, besides those of the output."""
    holds: Callable[[Path, ImportRequest], bool]
    results: Callable[[ImportRequest], Sequence[ImportedResult]]
    """Computes and does not write.

    Raises:
        TiltmeterError: Something cannot be read, or the options do not go with it.
    """

    def check_options(self, request: ImportRequest) -> None:
        """Refuse options that have no effect on this kind of input.

        Raises:
            BadInput: One is given.
        """
        others = {
            "study": request.study, "cluster": request.cluster, "name": request.names,
            "lower-is-better": request.lower_is_better,
        }  # fmt: skip
        typed = [*options_given(request.options), *(key for key, value in others.items() if value)]
        for key in typed:
            if key not in self.options:
                raise BadInput(f"--{key} has no effect on {self.noun}", "leave it out")
