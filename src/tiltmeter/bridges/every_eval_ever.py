"""Samples of Every Eval Ever, schema 0.3.0 (evalevalai.com). Results are written in `report`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tiltmeter.bridges import samples as log
from tiltmeter.bridges.sample_rows import SampleRows
from tiltmeter.bridges.samples import at, identity, listed, number, text
from tiltmeter.core.errors import Problem
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.reading.json_text import read_json
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.tables import read_table

FINISH = "finish"
"""The entry of a sample's metadata that says why its reply ended; the schema has no field for that."""
RESULTS = "evaluation_results"
"""The field of a file of results by which it is recognised."""
SAMPLES, REQUIRED = "_samples.jsonl", ("sample_id", "evaluation")


@dataclass(slots=True)
class _Evaluation:
    """The rows of one model in one evaluation."""

    rows: SampleRows
    metric: str
    """The first one, which says whether an answer is right."""
    answers: dict[str, dict[str, int]] = field(default_factory=dict)
    """The number of each different reply to a question."""


def read_logs(path: Path, tags: Sequence[str] = ()) -> Iterator[log.EvaluationLog]:
    """The samples of a file, or those beside a file of results: a log for each model and each evaluation.

    Rows of one answer, such as one for each metric, are one sample. Different answers to one question are its
    repeats.

    Args:
        path: The file.
        tags: A further beginning and end of a thought; () for none.

    Raises:
        BadInput: It is no file of samples, there is none beside it, or two rows contradict each other.
    """
    about: Any = {}
    if path.suffix == ".json":
        about = read_json(path, log.WAY_OUT)
        inside = Path(text(at(about, "detailed_evaluation_results", "file_path"))).name
        path = path.with_name(inside or path.stem + SAMPLES)  # never in another folder
    problems, evaluations = list[Problem](), dict[tuple[str, str, str], _Evaluation]()
    line = 0
    for line, row, _ in read_table(path, required=REQUIRED, known=None).usable(problems):
        of = (
            text(at(row, "evaluation_name")), text(at(row, "model_id")), text(at(row, "evaluation_id")),
        )  # fmt: skip
        evaluation = evaluations.setdefault(of, _Evaluation(SampleRows(path.name), _metric(row)))
        _add(evaluation, row, line, tags)
    reported = {
        text(at(result, "evaluation_name")): value
        for result in listed(about, RESULTS)
        if (value := number(at(result, "score_details", "score"))) is not None
    }
    several = Counter((task, model) for task, model, _ in evaluations)
    digest = sha256(path)
    if not evaluations:
        yield log.EvaluationLog(
            "every_eval_ever", "", "", path.name, digest, (), reported, problems
        )
    for place, ((task, model, run), evaluation) in enumerate(evaluations.items()):
        samples, notes = evaluation.rows.finished()
        yield log.EvaluationLog(
            "every_eval_ever", f"{task} ({run})" if several[task, model] > 1 else task, model, path.name,
            digest if len(evaluations) == 1 else f"{digest}#{place}", samples, reported,
            [*(problems if not place else ()), *evaluation.rows.problems], notes,
            cut=log.why_cut(problems, line, len(samples)),
        )  # fmt: skip


def _metric(row: Any) -> str:
    return text(at(row, "evaluation_result_id")) or text(at(row, "evaluation_name"))


def _add(evaluation: _Evaluation, row: Any, line: int, tags: Sequence[str]) -> None:
    name, reply = identity(at(row, "sample_id")), _reply(row)
    metric = _metric(row)
    right = number(at(row, "evaluation", "is_correct")) if metric == evaluation.metric else None
    scores, unscored = log.scores_of({metric: at(row, "evaluation", "score")})
    question = [at(row, "input"), at(row, "sample_hash")]
    asked = identity([name, question])
    answers = evaluation.answers.setdefault(asked, {})
    sample = log.LoggedSample(
        name, text(at(row, "input", "raw")), "", _extracted(row),
        tuple(map(text, listed(row, "input", "choices"))), correct=right,
        scores=scores, unscored=unscored,
        fields={**log.fields(at(row, "metadata")), "target": text(at(row, "input", "reference"))},
        document=text(at(row, "sample_hash")), repeat=answers.setdefault(reply.text, len(answers)),
        line=line,
    ).replied(reply, tags)  # fmt: skip
    evaluation.rows.add(sample, row, question=question, about=metric)


def _reply(row: Any) -> Reply:
    """What the model wrote: the output, or the last message of a conversation."""
    written, thought = at(row, "output", "raw", 0), at(row, "output", "reasoning_trace")
    if not text(written) and listed(row, "messages"):
        written, thought = at(row, "messages", -1), at(row, "messages", -1, "reasoning_trace")
    usage = at(row, "token_usage")
    return Reply(
        text(written),
        log.finish(at(row, "metadata", FINISH)),
        log.count(at(usage, "input_tokens")),
        log.count(at(usage, "output_tokens")),
        text(thought),
        log.count(at(usage, "reasoning_tokens")),
    )


def _extracted(row: Any) -> str:
    """The final answer that the program took from the reply."""
    final = [each for each in listed(row, "answer_attribution") if at(each, "is_terminal") is True]
    return text(at(final, -1, "extracted_value"))
