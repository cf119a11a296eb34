"""The kinds of files and folders that `import` takes: those of the core, and one of each wing that has some.

A wing has an `INPUTS` in its module `inputs`; it is found because it is there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
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
    """Its name or Python file; "" where none is named."""
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
    """Of several: "logs of other programs"."""
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


def input_kinds() -> list[InputKind]:
    """All kinds, in the order in which they are looked for."""
    from tiltmeter.cli.imports import finished_runs, study_answers

    cli = Path(__file__).parents[1]
    wings = sorted(path.parent.name for path in cli.glob("*/inputs.py"))
    theirs = [import_module(f"tiltmeter.cli.{wing}.inputs").INPUTS for wing in wings]
    return [finished_runs.INPUTS, *theirs, study_answers.INPUTS]


def kind_of(given: Given) -> InputKind:
    """The kind that all inputs are of, whose options are the ones that are given.

    Raises:
        BadInput: An input is of no kind, or two are of different ones.
    """
    kinds = input_kinds()
    chosen = [_kind(path, given, kinds) for path in given.inputs]
    for path, kind in zip(given.inputs, chosen, strict=True):
        if kind is not chosen[0]:
            reason = f"{given.inputs[0]} is one of {chosen[0].noun}, and {path} one of {kind.noun}"
            raise BadInput(reason, "import them in two commands")
    chosen[0].check_options(given)
    return chosen[0]


def _kind(path: Path, given: Given, kinds: Sequence[InputKind]) -> InputKind:
    kind = next((kind for kind in kinds if kind.holds(path, given)), None)
    if kind is not None:
        return kind
    if not path.exists():
        raise BadInput("there is no such file or folder", "check the name", file=str(path))
    known = "; ".join(f"{kind.noun} ({kind.files})" for kind in kinds)
    way_out = f"name the study that it is about with --study. What can be read: {known}"
    raise BadInput("it is not recognised", way_out, file=str(path))
