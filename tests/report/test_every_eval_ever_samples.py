"""Replies as samples of Every Eval Ever: the schema's checks, and what is left out."""

import csv
import json

import pytest

import tiltmeter as tm
from tiltmeter.core.finder import find
from tiltmeter.report.every_eval_ever_export import exported
from tiltmeter.report.every_eval_ever_samples import sample_lines, samples
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.run_options import RunOptions

jsonschema = pytest.importorskip("jsonschema", reason="the extra [test] is not installed")
TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}
ATTRIBUTION = {
    "type": "object",
    "required": ["turn_idx", "source", "extracted_value", "extraction_method", "is_terminal"],
    "properties": {
        "turn_idx": COUNT, "source": TEXT, "extracted_value": TEXT, "extraction_method": TEXT,
        "is_terminal": {"type": "boolean"},
    },
}  # fmt: skip
TEXTS = {"type": "array", "items": TEXT}
SCHEMA = {
    "type": "object", "additionalProperties": False,
    "required": [
        "schema_version", "evaluation_id", "model_id", "evaluation_name", "sample_id", "interaction_type",
        "input", "output", "answer_attribution", "evaluation",
    ],
    "properties": {
        "schema_version": {"const": "0.3.0"}, "evaluation_id": TEXT, "model_id": TEXT,
        "evaluation_name": TEXT, "evaluation_result_id": TEXT, "sample_id": TEXT, "sample_hash": TEXT,
        "interaction_type": {"const": "single_turn"}, "error": TEXT,
        "input": {
            "type": "object", "required": ["raw", "reference"],
            "properties": {"raw": TEXT, "reference": TEXTS, "choices": TEXTS},
        },
        "output": {
            "type": "object", "required": ["raw"], "properties": {"raw": TEXTS, "reasoning_trace": TEXTS},
        },
        "answer_attribution": {"type": "array", "items": ATTRIBUTION},
        "evaluation": {
            "type": "object", "required": ["score", "is_correct"],
            "properties": {"score": {"type": "number"}, "is_correct": {"type": "boolean"}},
        },
        "token_usage": {
            "type": "object", "required": ["input_tokens", "output_tokens", "total_tokens"],
            "additionalProperties": COUNT,
        },
        "metadata": {"type": "object", "additionalProperties": TEXT},
    },
}  # fmt: skip
SAID = ("yes", "No.", "Sorry, I cannot help.", "Who knows?", "<think>Yes?</think>no", "<think>No")


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "replies.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("prompt", "answer"))
        items = load_items(find("studies", "prompts", "STUDY"), RunOptions(), Logged()).items
        for n, item in enumerate(items):
            rows.writerow((item.prompt.plain, SAID[n % len(SAID)]))
    return tm.run("prompts", f"replay:{path}", rule="word").result


def test_samples_are_valid_and_say_how_their_answers_were_read(run):
    lines = [*samples(run)]
    for line in lines:
        jsonschema.validate(line, SCHEMA)
    assert len(lines) == len(run.records)
    assert [line["answer_attribution"] for line in lines[:2]] == [
        [{"turn_idx": 0, "source": "output.raw", "extracted_value": option,
          "extraction_method": "tiltmeter rule word", "is_terminal": True}]
        for option in ("yes", "no")
    ]  # fmt: skip
    assert [line.get("error") for line in lines[:6]] == [
        None, None, "refusal", "not understood", None, "cut off while thinking",
    ]  # fmt: skip
    right = sum(line["evaluation"]["score"] for line in lines) / len(lines)
    strict = next(e for e in run.estimates if e.name == "strict_accuracy" and not e.groups)
    assert 100 * right == pytest.approx(strict.value)
    named = {e["evaluation_name"] for e in exported(run)["evaluation_results"]}
    assert {line["evaluation_name"] for line in lines} == {"prompts"} <= named
    assert {line["evaluation_id"] for line in lines} == {exported(run)["evaluation_id"]}


def test_thoughts_are_left_out_unless_they_are_asked_for(run):
    assert "Yes?" not in sample_lines(run) and "reasoning_trace" not in sample_lines(run)
    thoughts = [line["output"].get("reasoning_trace") for line in samples(run, thoughts=True)]
    assert thoughts[:6] == [None, None, None, None, ["Yes?"], ["No"]]


def test_what_has_no_right_answer_and_what_nobody_wrote_are_no_samples():
    assert sample_lines(tm.run("story_choice", "fake:causal", rule="word", limit=4).result) == ""
    assert sample_lines(tm.run("prompts", "fake:causal", rule="choice").result) == ""
    (line, *_) = map(
        json.loads, sample_lines(tm.run("prompts", "fake:causal", rule="word").result).splitlines()
    )
    assert line["token_usage"]["total_tokens"] > 0
