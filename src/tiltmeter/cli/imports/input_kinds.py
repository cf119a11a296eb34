"""What `import` is given, and what one kind of files and folders declares."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tiltmeter.cli.arguments import RunOutput
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import options_given
from tiltmeter.run.run_options import RunOptions

if TYPE_CHECKING:
    from tiltmeter.core.results import Result
    from tiltmeter.core.study import Study
    from tiltmeter.derived.audits.thresholds import Threshold

    Imported: TypeAlias = Sequence[tuple[Study[Any], Result]]
    """Results with the studies that made them."""


@dataclass(frozen=True, slots=True)
class Given:
    """What the user typed."""

    inputs: Sequence[Path]
    options: RunOptions
    study: str
    """The name of the study, or its Python file; "" if none is given."""
    allow_code: bool
    cluster: str
    names: Sequence[str]
    """One for each input, or none."""
    lower_is_better: bool
    output: RunOutput
    limits: "Sequence[Threshold]"
    command: str


@dataclass(frozen=True, slots=True)
class InputKind:
    """One kind of files and folders."""

    noun: str
    """What inputs of the kind are called, in the plural: "logs of other programs"."""
    files: str
    """Which they are, for the error where nothing is recognised."""
    options: frozenset[str]
    """The options that have an effect, as users write them, besides those of the output."""
    holds: Callable[[Path, Given], bool]
    results: "Callable[[Given], Imported]"
    """Computes and does not write.

    Raises:
        TiltmeterError: Something cannot be read, or the options do not go with it.
    """

    def check_options(self, given: Given) -> None:
        """Refuse options that have no effect on this kind of input.

        Raises:
            BadInput: One is given.
        """
        others = {
            "study": given.study, "cluster": given.cluster, "name": given.names,
            "lower-is-better": given.lower_is_better,
        }  # fmt: skip
        typed = [*options_given(given.options), *(key for key, value in others.items() if value)]
        for key in typed:
            if key not in self.options:
                raise BadInput(f"--{key} has no effect on {self.noun}", "leave it out")
