"""Logs of lm-evaluation-harness: `samples_TASK_DATE.jsonl`, and the results of the same date beside them.

Versions 0.4.0 to 0.4.2 write one list of rows, call the file `MODEL_TASK.jsonl`, and give arguments as lists;
they name neither filters nor metrics.
"""

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tiltmeter.bridges import samples as log
from tiltmeter.bridges.sample_rows import SampleRows
from tiltmeter.bridges.samples import at, identity, listed, named, number, text
from tiltmeter.core.errors import Problem
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.reading.json_text import read_json
from tiltmeter.core.text import counted
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.tables import read_table

NAME = re.compile(r"samples_(.+)_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl")
REQUIRED = ("doc", "resps")
WAY_OUT = "log with --log_samples"
RIGHT = ("acc", "exact_match")
"""Scores that say whether an answer is right; the first that the log has counts."""
OWN = frozenset({
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash",
    "prompt_hash", "target_hash",
})  # fmt: skip
"""Fields of a row that are no scores."""
ROUNDING = 1e-3
"""A log-probability may be above 0 by so much."""


def read_log(path: Path, tags: Sequence[str] = ()) -> log.EvaluationLog:
    """The log in a file of samples. Rows of several filters are one sample; the first filter's scores count.

    Args:
        path: The file.
        tags: A further beginning and end of a thought; () for none.

    Raises:
        BadInput: It is no file of samples, or two rows of one sample contradict each other.
    """
    problems, rows = list[Problem](), SampleRows(path.name)
    table = read_table(path, required=REQUIRED, known=None, way_out=WAY_OUT)
    first_filter: dict[str, str] = {}
    last = 0
    for row in table.usable(problems):
        cells, last = row.cells, row.line
        # the older versions write a row for each filter, and not which one it is
        of = identity(at(cells, "filter")) or f"filter of {identity(at(cells, 'filtered_resps'))}"
        question = [at(cells, "doc"), at(cells, "arguments")]
        first = first_filter.setdefault(identity([at(cells, "doc_id"), question]), of)
        sample = read_sample(cells, line=row.line, of="" if of == first else of, tags=tags)
        rows.add(sample, cells, question=question, about=of)
    match = NAME.fullmatch(path.name)
    task, date = match.groups() if match else (path.stem, "")
    beside = path.with_name(f"results_{date}.json" if date else "results.json")
    results = read_json(beside, log.WAY_OUT) if beside.is_file() else {}
    if not match:  # of the older versions: the end of the file's name
        tasks = [name for name, _ in named(results, "results") if path.stem.endswith(f"_{name}")]
        task = max(tasks, key=len, default=task)
    model = Path(_model(results) or path.resolve().parent.name)
    reported = log.numbers(at(results, "results", task))
    samples, notes = rows.finished(RIGHT)
    evaluated = log.count(at(results, "n-samples", task, "effective"))
    return log.EvaluationLog(
        "lm_eval", task, model.name if model.is_absolute() else str(model), path.name, sha256(path), samples,
        {k.removesuffix(",none"): v for k, v in reported.items() if "," in k and "_stderr" not in k},
        [*problems, *rows.problems], notes, chats=bool(at(results, "chat_template")),
        cut=log.why_cut(problems, last, len(samples), evaluated),
    )  # fmt: skip


def _model(results: object) -> str:
    """As the results call it; the older versions by what it was opened with."""
    given = dict(
        pair.split("=", 1) for pair in text(at(results, "config", "model_args")).split(",") if "=" in pair
    )  # fmt: skip
    return text(at(results, "model_name")) or given.get("pretrained", given.get("model", ""))


def read_sample(
    row: Any, *, line: int | None = None, of: str = "", tags: Sequence[str] = ()
) -> log.LoggedSample:
    """A line of a file of samples; `of` is the filter, where it is not the sample's first."""
    replies = listed(row, "resps")
    asked = [_arguments(each) for each in listed(row, "arguments")]
    chooses = bool(replies) and all(isinstance(at(reply, 0), list) for reply in replies)
    logprobs, fault = _logprobs(replies, len(asked)) if chooses else ((), "")
    names = [text(name) for name in listed(row, "metrics")] or [
        name for name, value in named(row)
        if name not in OWN and (value is None or isinstance(value, int | float))
    ]  # fmt: skip
    scores, unscored = log.scores_of({name: at(row, name) for name in names})
    behind = f"_{of}" if of else ""
    return log.LoggedSample(
        identity(at(row, "doc_id")), text(at(asked, 0, 0)), "",
        "" if chooses else text(at(row, "filtered_resps", 0)),
        tuple(text(at(each, 1)) for each in asked) if chooses else (), logprobs,
        scores={f"{name}{behind}": value for name, value in scores.items()},
        unscored={f"{name}{behind}": why for name, why in unscored.items()},
        fields={**log.fields(at(row, "doc")), "target": text(at(row, "target"))},
        document=text(at(row, "doc_hash")), fault=fault, line=line,
    ).replied(Reply("" if chooses else text(at(replies, 0, 0))), tags)  # fmt: skip


def _arguments(value: object) -> list[Any]:
    """Context and continuation of a request: a list in older versions, else named `arg_0` and `arg_1`."""
    if isinstance(value, Mapping):
        return [at(value, "arg_0"), at(value, "arg_1")]
    return value if isinstance(value, list) else []


def _logprobs(replies: list[Any], options: int) -> tuple[tuple[float, ...], str]:
    """The log-probability of each option; or () and why they cannot be used."""
    if len(replies) != options:
        return (), f"it has {len(replies):,} log-probabilities for {counted(options, 'options')}"
    values = list[float]()
    for place, reply in enumerate(replies, 1):
        given = at(reply, 0, 0)
        value = number(given)
        if value is None or isinstance(given, bool):
            said = "NaN" if _is_nan(given) else repr(given)
            return (), f"the log-probability of its option {place} is {said}"
        if value > ROUNDING:
            return (), f"the log-probability of its option {place} is {value:g}, above 0"
        values.append(value)
    return tuple(values), ""


def _is_nan(value: object) -> bool:
    try:
        return math.isnan(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
