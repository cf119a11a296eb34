"""Results in the form of Every Eval Ever: the schema's checks, written down from its version 0.3.0 (MIT)."""

import math

import pytest

import tiltmeter as tm
from tiltmeter.report.every_eval_ever_export import exported

jsonschema = pytest.importorskip("jsonschema", reason="the extra [test] is not installed")


def table(required=(), *, closed=False, **properties):
    return {
        "type": "object", "required": list(required), "properties": properties,
        **({"additionalProperties": False} if closed else {}),
    }  # fmt: skip


TEXT, NUMBER = {"type": "string"}, {"type": "number"}
TEXTS = {"type": "object", "additionalProperties": TEXT}
LIMIT = {"oneOf": [NUMBER, {"type": "string", "enum": ["Infinity", "-Infinity"]}, {"type": "null"}]}
SOURCE = table(
    ("source_type", "source_organization_name", "evaluator_relationship"),
    source_name=TEXT, source_organization_name=TEXT, additional_details=TEXTS,
    source_type={"enum": ["documentation", "evaluation_run"]},
    evaluator_relationship={"enum": ["first_party", "third_party", "collaborative", "other"]},
)  # fmt: skip
METRIC = table(
    ("lower_is_better", "min_score", "max_score"),  # the last two where the score is continuous
    evaluation_description=TEXT, metric_id=TEXT, metric_name=TEXT, metric_unit=TEXT,
    lower_is_better={"type": "boolean"}, score_type={"const": "continuous"}, min_score=LIMIT, max_score=LIMIT,
    additional_details=TEXTS,
)  # fmt: skip
INTERVAL = table(
    ("lower", "upper"), lower=NUMBER, upper=NUMBER, method=TEXT,
    confidence_level={"type": "number", "minimum": 0, "maximum": 1},
)  # fmt: skip
SCORE = table(
    ("score",), score=NUMBER, details=TEXTS,
    uncertainty=table(confidence_interval=INTERVAL, num_samples={"type": "integer"}),
)  # fmt: skip
MODEL = TEXTS | {
    "required": ["deployment_type", "model_availability"],
    "properties": {
        "deployment_type": {"enum": ["self_deployed", "externally_managed", "unknown"]},
        "model_availability": {"enum": ["open_weights", "closed_weights", "unknown"]},
    },
}
RESULT = table(
    ("evaluation_name", "source_data", "metric_config", "score_details"),
    evaluation_result_id=TEXT, evaluation_name=TEXT, metric_config=METRIC, score_details=SCORE,
    source_data=table(("dataset_name", "source_type"), dataset_name=TEXT, source_type={"const": "other"},
                      additional_details=TEXTS),
)  # fmt: skip
SCHEMA = table(
    ("schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info",
     "eval_library", "evaluation_results"),
    closed=True,
    schema_version={"const": "0.3.0"}, evaluation_id=TEXT, evaluation_timestamp=TEXT,
    retrieved_timestamp=TEXT, source_metadata=SOURCE, evaluation_results={"type": "array", "items": RESULT},
    model_info=table(("name", "id"), name=TEXT, id=TEXT, additional_details=MODEL),
    eval_library=table(("name", "version"), name=TEXT, version=TEXT, additional_details=TEXTS),
)  # fmt: skip


def test_a_result_is_valid_and_each_number_has_its_interval():
    run = tm.run("starter_pairs", "fake:causal")
    made = exported(run.result)
    jsonschema.validate(made, SCHEMA)
    of_schema = {e["evaluation_result_id"]: e for e in made["evaluation_results"]}
    assert len(of_schema) == sum(e.value is not None for e in run.estimates)
    head = of_schema["starter_pairs.stereotype_rate"]
    score, rate = head["score_details"], run.headline
    assert score["score"] == rate.value and score["uncertainty"] == {
        "confidence_interval": {
            "lower": rate.low, "upper": rate.high, "confidence_level": 0.95, "method": "Wilson",
        },
        "num_samples": 270,
    }  # fmt: skip
    assert score["details"]["p"] == str(rate.p)
    config = head["metric_config"]
    assert (config["min_score"], config["max_score"], config["metric_unit"]) == (0, 100, "%")
    assert config["additional_details"]["better"] == "nearer to neutral"
    age = of_schema["starter_pairs.stereotype_rate, bias_type=age"]
    assert age["metric_config"]["additional_details"]["bias_type"] == "age"


def test_numbers_without_limits_say_so_in_the_schemas_words(tmp_path):
    (tmp_path / "texts.txt").write_text(
        "The bus was late again today.\n\nIt rained all day and all night.\n"
    )
    texts = str(tmp_path / "texts.txt")
    made = exported(tm.run("perplexity", "fake:causal", data=texts).result)
    jsonschema.validate(made, SCHEMA)
    limits = {e["metric_config"]["max_score"] for e in made["evaluation_results"]}
    assert "Infinity" in limits and not any(
        isinstance(x, float) and math.isinf(x) for x in limits if x != "Infinity"
    )


@pytest.mark.parametrize("broken", ["source_metadata", "evaluation_results"])
def test_the_checks_see_what_is_missing(broken):
    made = exported(tm.run("starter_pairs", "fake:causal").result)
    del made[broken]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(made, SCHEMA)
