"""Which program wrote a log, by what is in it; and all logs of a folder."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tiltmeter.bridges import every_eval_ever, helm, inspect, lm_eval
from tiltmeter.bridges.samples import EvaluationLog, sized
from tiltmeter.bridges.streamed_json import first_field
from tiltmeter.core.errors import BadInput
from tiltmeter.data.files.plain_text import first_bytes
from tiltmeter.data.files.tables import has_columns

KNOWN = (
    "give an .eval or JSON log of inspect_ai, samples_*.jsonl of lm-evaluation-harness (--log_samples), the "
    "folder of a HELM run, or samples of Every Eval Ever"
)
_NAMED = re.compile(r"samples_.*\.jsonl|.*_samples\.jsonl")
"""Names that programs give to their logs."""
OBJECTS = (every_eval_ever.RESULTS, inspect.ABOUT)
"""Fields by which a log that is an object is recognised."""
BEGINNING = 4096
"""Bytes of a JSON file in which the keys stand that tell whose log it is."""


def read_logs(path: Path, tags: Sequence[str] = ()) -> Iterator[EvaluationLog]:
    """The logs in a file, or those in a folder.

    Args:
        path: The file or folder.
        tags: A further beginning and end of a thought; () for none.

    Raises:
        BadInput: There is none, or one cannot be read.
    """
    if not path.is_dir():
        yield from _read(path, tags)
    elif (path / helm.SPEC).is_file():
        yield helm.read_log(path, tags)
    else:
        inside = [each for each in _files(path) if each.suffix in {".eval", ".jsonl"}]
        inside += [each for each in _files(path) if each.suffix == ".json" and _has_samples(each)]
        inside += [spec.parent for spec in _files(path) if spec.name == helm.SPEC]
        if not inside:
            raise BadInput("there is no log in this folder", KNOWN, file=str(path))
        for each in sorted(inside):
            yield from read_logs(each, tags)


def holds_logs(path: Path) -> bool:
    """Whether a file looks like a log, by its name or its beginning, or a folder has one.

    A damaged log counts as one, so that reading it says what is wrong.
    """
    if path.is_dir():
        return any(each.name == helm.SPEC or holds_logs(each) for each in _files(path))
    if not path.is_file():
        return False
    if path.suffix == ".eval" or _NAMED.fullmatch(path.name):
        return True
    if path.suffix == ".json":
        return _has_samples(path)
    layouts = (every_eval_ever.REQUIRED, lm_eval.REQUIRED)
    return path.suffix == ".jsonl" and any(has_columns(path, layout) for layout in layouts)


def _files(folder: Path) -> Iterator[Path]:
    """Regular files below the folder: a pipe or a device would never end."""
    return (path for path in folder.rglob("*") if path.is_file())


def _has_samples(path: Path) -> bool:
    """Whether a JSON file is a log of inspect_ai or Every Eval Ever, or rows of lm-evaluation-harness."""
    with path.open("rb") as file:
        start = file.read(BEGINNING)
    return any(f'"{field}"'.encode() in start for field in OBJECTS) or (
        start.lstrip().startswith(b"[") and has_columns(path, lm_eval.REQUIRED)
    )


def _read(path: Path, tags: Sequence[str]) -> Iterator[EvaluationLog]:
    if path.exists() and not path.is_file():
        raise BadInput("it is no regular file", KNOWN, file=path.name)
    if inspect.is_archive(path):
        yield inspect.read_log(path, tags)
        return
    first_bytes(sized(path))  # says what is wrong with a file of another kind
    if path.suffix == ".jsonl":
        if has_columns(path, every_eval_ever.REQUIRED):
            yield from every_eval_ever.read_logs(path, tags)
        else:
            yield lm_eval.read_log(path, tags)
        return
    named = first_field(path, OBJECTS, KNOWN) if path.suffix == ".json" else ""
    if named == every_eval_ever.RESULTS:
        yield from every_eval_ever.read_logs(path, tags)
    elif named == inspect.ABOUT:
        yield inspect.read_log(path, tags)
    elif path.suffix == ".json" and has_columns(path, lm_eval.REQUIRED):
        yield lm_eval.read_log(path, tags)
    else:
        raise BadInput("it is no log with samples", KNOWN, file=path.name)
