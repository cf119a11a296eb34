"""The kinds of files and folders that can be imported: those of the core, and one of each wing that has some.

A wing has an `INPUTS` in its module `inputs`; it is found because it is there.
"""

import shlex
import shutil
from collections.abc import Sequence
from importlib import import_module
from lzma import LZMAError
from pathlib import Path
from tempfile import TemporaryDirectory

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.file_names import way_to_file
from tiltmeter.data.files.table import listed
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.files.unpacking import opened, packing_of
from tiltmeter.run.files.output_files import SEAL, SWEEP
from tiltmeter.run.imports import finished_runs, study_answers
from tiltmeter.run.imports.input_kinds import ImportedResult, ImportRequest, InputKind


def input_kinds() -> list[InputKind]:
    """All kinds, in the order in which they are looked for."""
    package = Path(__file__).parents[2]
    wings = sorted(path.parent.name for path in package.glob("*/inputs.py"))
    theirs = [import_module(f"tiltmeter.{wing}.inputs").INPUTS for wing in wings]
    return [finished_runs.INPUTS, *theirs, study_answers.INPUTS]


def imported(request: ImportRequest) -> list[ImportedResult]:
    """The results of all inputs, which are of one kind, sorted by study; nothing is written.

    Raises:
        TiltmeterError: An input is not recognised or cannot be read, or an option has no effect on it.
    """
    results = kind_of(request).results(request)
    return sorted(results, key=lambda each: each.study.name)


def kind_of(request: ImportRequest) -> InputKind:
    """The kind that all inputs are of, whose options are the ones that are given.

    Raises:
        BadInput: An input is of no kind, or two are of different ones.
    """
    kinds = input_kinds()
    chosen = [_kind(path, request, kinds) for path in request.inputs]
    for path, kind in zip(request.inputs, chosen, strict=True):
        if kind is not chosen[0]:
            reason = (
                f"{request.inputs[0]} is one of {chosen[0].noun}, and {path} one of {kind.noun}"
            )
            raise BadInput(reason, "import them in two commands")
    chosen[0].check_options(request)
    return chosen[0]


def _kind(path: Path, request: ImportRequest, kinds: Sequence[InputKind]) -> InputKind:
    kind = next((kind for kind in kinds if kind.holds(path, request)), None)
    if kind is not None:
        return kind
    if not path.exists():
        raise BadInput("there is no such file or folder", way_to_file(path), file=str(path))
    _refuse_own(path)
    _refuse_packed(path, request, kinds)
    if path.is_dir():
        holds = listed([each.name for each in sorted(path.iterdir())])
        raise BadInput(
            f"nothing in this folder is recognised (it holds {holds})" if holds else "this folder is empty",
            "name the folder of a log or of a run, or a file", file=str(path),
        )  # fmt: skip
    known = "; ".join(f"{kind.noun} ({kind.files})" for kind in kinds)
    way_out = (
        f"name its study: {shlex.join(['tiltmeter', 'import', str(path)])} --study STUDY. "
        f"{study_answers.known_readers()}. Recognised without --study: {known}"
    )
    raise BadInput(f"it is not recognised{_columns(path)}", way_out, file=str(path))


def _refuse_own(path: Path) -> None:
    """Refuse a folder of results of Tiltmeter, with the commands that take it.

    Raises:
        BadInput: It is one.
    """
    results = sum(1 for _ in path.rglob(SEAL)) if path.is_dir() else 0
    if results or (path / SWEEP).is_file():
        shown = shlex.quote(str(path))
        raise BadInput(
            f"this is a folder of Tiltmeter's own results ({results:,}), which need no import",
            f"`tiltmeter ls {shown}` lists them, `compare` and `view` take the folder as it is; to join the "
            "parts of a run, or to read replies by another --rule, name the folders of those runs",
            file=str(path),
        )


def _refuse_packed(path: Path, request: ImportRequest, kinds: Sequence[InputKind]) -> None:
    """Refuse a compressed file that is recognised once it is unpacked.

    Raises:
        BadInput: It is one.
    """
    if not path.is_file() or not (packing := packing_of(path)):
        return
    with TemporaryDirectory() as folder:
        unpacked = Path(folder) / (path.stem if path.suffix.lower() == packing else path.name)
        try:
            with opened(path, packing) as source, unpacked.open("wb") as copy:
                shutil.copyfileobj(source, copy)
            kind = next((kind for kind in kinds if kind.holds(unpacked, request)), None)
        except (OSError, EOFError, LZMAError):
            return  # damaged, which the reason for the refusal says
    if kind is not None:
        command = {".gz": "gunzip", ".bz2": "bunzip2", ".xz": "unxz"}[packing]
        raise BadInput(
            f"it is compressed ({packing}); what is in it is one of {kind.noun}",
            f"unpack it first: {command} --keep {shlex.quote(str(path))}",
            file=str(path),
        )


def _columns(path: Path) -> str:
    """The columns of a table, or why it cannot be read, in brackets; "" of what is none."""
    try:
        table = read_table(path, known=None)
        return f" (columns: {listed(table.columns)})"
    except BadInput as error:
        at = error.problem.line
        return f" ({f'line {at:,} ' if at else ''}{error.problem.reason})"
    except OSError:
        return ""
