"""Logs of lm-evaluation-harness: `samples_TASK_DATE.jsonl`, and the results of the same date beside them."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.bridges import samples as log
from tiltmeter.bridges.samples import at, listed, number, text
from tiltmeter.core.errors import Problem
from tiltmeter.core.json_text import read_json
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.tables import read_table

NAME = re.compile(r"samples_(.+)_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl")
WAY_OUT = "log with --log_samples"
RIGHT = ("acc", "exact_match")
"""Scores that say whether an answer is right; the first that a sample has counts."""


def read_log(path: Path) -> log.EvaluationLog:
    """The log in a file of samples. Rows of several filters are one sample; the first filter's scores count.

    Raises:
        BadInput: It is no file of samples.
    """
    samples, problems = dict[str, log.LoggedSample](), list[Problem]()
    for row in read_table(path, required=("doc", "resps"), known=None, way_out=WAY_OUT).usable(
        problems
    ):
        sample = read_sample(row.cells)
        known = samples.setdefault(sample.id, sample)
        if known is not sample:
            of = f"_{text(at(row.cells, 'filter'))}"
            further = {f"{name}{of}": value for name, value in sample.scores.items()}
            samples[sample.id] = replace(known, scores={**further, **known.scores})
    named = NAME.fullmatch(path.name)
    task, date = named.groups() if named else (path.stem, "")
    beside = path.with_name(f"results_{date}.json")
    results = read_json(beside, log.WAY_OUT) if beside.is_file() else {}
    model = Path(text(at(results, "model_name")) or path.resolve().parent.name)
    reported = log.numbers(at(results, "results", task))
    return log.EvaluationLog(
        "lm_eval", task, model.name if model.is_absolute() else str(model), path.name, sha256(path),
        [*samples.values()],
        {k.removesuffix(",none"): v for k, v in reported.items() if "," in k and "_stderr" not in k},
        problems, chats=bool(at(results, "chat_template")),
    )  # fmt: skip


def read_sample(row: Any) -> log.LoggedSample:
    """A line of a file of samples."""
    asked, replies = listed(row, "arguments"), listed(row, "resps")
    logprobs = [
        number(at(reply, 0, 0)) if isinstance(at(reply, 0), list) else None for reply in replies
    ]
    of_options = tuple(value for value in logprobs if value is not None)
    chooses = bool(replies) and len(of_options) == len(replies)
    scores = log.numbers(row)
    values = {name: scores[name] for name in map(text, listed(row, "metrics")) if name in scores}
    return log.LoggedSample(
        text(at(row, "doc_id")), text(at(asked, 0, "arg_0")), "" if chooses else text(at(replies, 0, 0)),
        tuple(text(at(each, "arg_1")) for each in asked) if chooses else (), of_options if chooses else (),
        next((values[name] for name in RIGHT if name in values), None), values,
        {**log.fields(at(row, "doc")), "target": text(at(row, "target"))}, text(at(row, "doc_hash")),
    )  # fmt: skip
