"""Exports a result in the format of Every Eval Ever, schema 0.3.0 (evalevalai.com)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result

SCHEMA = "0.3.0"
LIMITS = {float("inf"): "Infinity", float("-inf"): "-Infinity"}
"""How the schema writes the limits of unbounded measures."""


def exported(result: Result) -> dict[str, Any]:
    """The result as an object of the schema: every estimate that has a value, with its interval.

    Raises:
        BadInput: The result is not about a single model.
    """
    card, when = result.card, _finished(result.card)
    if not card.model_name:
        raise BadInput("it is not about one model", "export the runs one by one")
    of_run = {
        "study": card.study, "study_version": card.study_version, "rule": card.rule, "seed": card.seed,
        "convention": card.convention, "ties": card.ties, "command": card.command, "method": card.method,
    }  # fmt: skip
    of_model = dict.fromkeys(("deployment_type", "model_availability"), "unknown")
    of_model |= {key: str(card.model.get(key, "")) for key in ("kind", "fingerprint")}
    return {
        "schema_version": SCHEMA,
        "evaluation_id": evaluation_id(card),
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
            "name": card.model_name.rpartition("/")[2], "id": card.model_reference,
            "additional_details": _stated(of_model),
        },
        "evaluation_results": [_result(e, result) for e in result.estimates if e.value is not None],
    }  # fmt: skip


def evaluation_id(card: Card) -> str:
    """What all numbers and samples of a result have in common in the schema."""
    return f"{card.study}/{card.model_name.replace('/', '_')}/{_finished(card)}"


def _finished(card: Card) -> str:
    """When the run was finished, in seconds since 1970; "0" where that is not known."""
    finished = str(card.run.get("finished") or "")
    return str(int(datetime.fromisoformat(finished).timestamp())) if finished else "0"


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
