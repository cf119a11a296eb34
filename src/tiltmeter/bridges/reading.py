"""Which program wrote a log, by what is in it; and all logs of a folder."""

from collections.abc import Iterator
from pathlib import Path

from tiltmeter.bridges import every_eval_ever, helm, inspect, lm_eval
from tiltmeter.bridges.samples import EvaluationLog, at, sized
from tiltmeter.core.errors import BadInput
from tiltmeter.core.json_text import read_json
from tiltmeter.data.files.plain_text import first_bytes
from tiltmeter.data.files.tables import has_columns

KNOWN = (
    "give an .eval or JSON log of inspect_ai, samples_*.jsonl of lm-evaluation-harness (--log_samples), the "
    "folder of a HELM run, or samples of Every Eval Ever"
)


def read_logs(path: Path) -> Iterator[EvaluationLog]:
    """The log in a file, or those in a folder.

    Raises:
        BadInput: There is none, or one cannot be read.
    """
    if not path.is_dir():
        yield _read(path)
    elif (path / helm.SPEC).is_file():
        yield helm.read_log(path)
    else:
        inside = [*path.rglob("*.eval"), *path.rglob("*.jsonl")]
        inside += [*filter(_is_inspect, path.rglob("*.json"))]
        inside += [spec.parent for spec in path.rglob(helm.SPEC)]
        if not inside:
            raise BadInput("there is no log in this folder", KNOWN, file=str(path))
        for each in sorted(inside):
            yield from read_logs(each)


def _is_inspect(path: Path) -> bool:
    with path.open("rb") as file:
        return b'"eval"' in file.read(200)


def _read(path: Path) -> EvaluationLog:
    if inspect.is_archive(sized(path)):
        return inspect.read_log(path)
    first_bytes(path)  # says what is wrong with a file of another kind
    if path.suffix == ".jsonl":
        is_ours = has_columns(path, ("sample_id", "evaluation"))
        return every_eval_ever.read_log(path) if is_ours else lm_eval.read_log(path)
    value = read_json(path, KNOWN, twice=True) if path.suffix == ".json" else {}
    if at(value, "evaluation_results") is not None:
        return every_eval_ever.read_log(path)
    if at(value, "eval") is not None:
        return inspect.read_log(path)
    raise BadInput("it is no log with samples", KNOWN, file=path.name)
