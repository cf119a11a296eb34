"""Every Eval Ever, schema 0.3.0 (evalevalai.com): its samples read, and a result written in its form."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from tiltmeter.bridges import samples as log
from tiltmeter.bridges.sample_rows import SampleRows
from tiltmeter.bridges.samples import at, identity, listed, number, text
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.json_text import read_json
from tiltmeter.core.results import Estimate, Result
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.tables import read_table

SCHEMA, SAMPLES, REQUIRED = "0.3.0", "_samples.jsonl", ("sample_id", "evaluation")
LIMITS = {float("inf"): "Infinity", float("-inf"): "-Infinity"}
"""The schema's words for the limits of numbers without any."""


@dataclass(slots=True)
class _Evaluation:
    """The rows of one model in one evaluation."""

    rows: SampleRows
    metric: str
    """The first one, which says whether an answer is right."""
    answers: dict[str, dict[str, int]] = field(default_factory=dict)
    """The number of each different reply to a question."""


def read_logs(path: Path) -> Iterator[log.EvaluationLog]:
    """The samples of a file, or those beside a file of results: a log for each model and each evaluation.

    Rows of one answer, such as one for each metric, are one sample. Different answers to one question are its
    repeats.

    Raises:
        BadInput: It is no file of samples, there is none beside it, or two rows contradict each other.
    """
    about: Any = {}
    if path.suffix == ".json":
        about = read_json(path, log.WAY_OUT)
        inside = Path(text(at(about, "detailed_evaluation_results", "file_path"))).name
        path = path.with_name(inside or path.stem + SAMPLES)  # never in another folder
    problems, evaluations = list[Problem](), dict[tuple[str, str, str], _Evaluation]()
    for line, row, _ in read_table(path, required=REQUIRED, known=None).usable(problems):
        of = (
            text(at(row, "evaluation_name")), text(at(row, "model_id")), text(at(row, "evaluation_id")),
        )  # fmt: skip
        evaluation = evaluations.setdefault(of, _Evaluation(SampleRows(path.name), _metric(row)))
        _add(evaluation, row, line)
    reported = {
        text(at(result, "evaluation_name")): value
        for result in listed(about, "evaluation_results")
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
        )  # fmt: skip


def _metric(row: Any) -> str:
    return text(at(row, "evaluation_result_id")) or text(at(row, "evaluation_name"))


def _add(evaluation: _Evaluation, row: Any, line: int) -> None:
    name, reply = identity(at(row, "sample_id")), text(at(row, "output", "raw", 0))
    metric = _metric(row)
    right = number(at(row, "evaluation", "is_correct")) if metric == evaluation.metric else None
    scores, unscored = log.scores_of({metric: at(row, "evaluation", "score")})
    question = [at(row, "input"), at(row, "sample_hash")]
    asked = identity([name, question])
    reply = reply or text(at(row, "messages", -1))
    answers = evaluation.answers.setdefault(asked, {})
    sample = log.LoggedSample(
        name, text(at(row, "input", "raw")), reply, "",
        tuple(map(text, listed(row, "input", "choices"))), correct=right,
        scores=scores, unscored=unscored,
        fields={**log.fields(at(row, "metadata")), "target": text(at(row, "input", "reference"))},
        document=text(at(row, "sample_hash")), repeat=answers.setdefault(reply, len(answers)), line=line,
    )  # fmt: skip
    evaluation.rows.add(sample, row, question=question, about=metric)


def exported(result: Result) -> dict[str, Any]:
    """The result as an object of the schema: every estimate that has a value, with its interval.

    Raises:
        BadInput: It is not about one model.
    """
    card, when = result.card, "0"
    if not card.model_name:
        raise BadInput("it is not about one model", "export the runs one by one")
    if finished := text(card.run.get("finished")):
        when = str(int(datetime.fromisoformat(finished).timestamp()))
    of_run = {
        "study": card.study, "study_version": card.study_version, "rule": card.rule, "seed": card.seed,
        "convention": card.convention, "ties": card.ties, "command": card.command, "method": card.method,
    }  # fmt: skip
    of_model = dict.fromkeys(("deployment_type", "model_availability"), "unknown")
    of_model |= {key: str(card.model.get(key, "")) for key in ("kind", "fingerprint")}
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"{card.study}/{card.model_name.replace('/', '_')}/{when}",
        "evaluation_timestamp": when, "retrieved_timestamp": when,
        "source_metadata": {
            "source_name": "Tiltmeter", "source_type": "evaluation_run",
            "source_organization_name": "unknown", "evaluator_relationship": "other",
        },
        "eval_library": {
            "name": "tiltmeter", "version": card.versions.get("tiltmeter", "unknown"),
            "additional_details": _stated(of_run),
        },
        "model_info": {
            "name": card.model_name.rpartition("/")[2], "id": card.model_name,
            "additional_details": _stated(of_model),
        },
        "evaluation_results": [_result(e, result) for e in result.estimates if e.value is not None],
    }  # fmt: skip


def _result(e: Estimate, result: Result) -> dict[str, Any]:
    card, title = result.card, e.meaning.title or e.name
    subset = "".join(f", {axis}={label}" for axis, label in sorted(e.groups.items()))
    least, most = (LIMITS.get(limit, limit) for limit in e.meaning.range(e.unit))
    interval = {"lower": e.low, "upper": e.high, "confidence_level": e.level, "method": e.interval}
    both = e.low is not None and e.high is not None
    return {
        "evaluation_result_id": f"{card.study}.{e.name}{subset}", "evaluation_name": f"{card.study}{subset}",
        "source_data": {
            "dataset_name": card.data_name, "source_type": "other",
            "additional_details": _stated({k: card.data.get(k) for k in ("sha256", "items")}),
        },
        "metric_config": {
            "evaluation_description": title, "metric_id": f"tiltmeter.{e.name}", "metric_name": title,
            "metric_unit": e.unit, "score_type": "continuous", "min_score": least, "max_score": most,
            "lower_is_better": e.meaning.better != "higher",
            "additional_details": _stated({
                "neutral": e.neutral, "better": e.meaning.better or "nearer to neutral", **e.groups,
            }),
        },
        "score_details": {
            "score": e.value,
            "details": _stated({
                "n": e.n, "p": e.p, "p_adjusted": e.p_adjusted, "adjustment": e.adjustment, "why": e.why,
                "test": e.test, "minimum_detectable_effect": e.mde,
            }),
            "uncertainty": {**({"confidence_interval": interval} if both else {}), "num_samples": e.n},
        },
    }  # fmt: skip


def _stated(values: Mapping[str, object]) -> dict[str, str]:
    return {key: str(value) for key, value in values.items() if value not in {None, ""}}
