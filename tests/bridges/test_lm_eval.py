"""Samples of lm-evaluation-harness."""

import json

import pytest

from support import evaluation_logs as logs
from tiltmeter.bridges.lm_eval import read_log


def test_harness_logs_take_the_first_filter_and_the_results_beside(tmp_path):
    rows = [
        logs.harness_row(0, {"q": "Who?"}, "me", scores={"exact_match": 0.0}),
        logs.harness_row(0, {"q": "Who?"}, "me", scores={"exact_match": 1.0}, filter="flexible"),
        logs.harness_row(1, {"q": "?"}, options=(" a", " b"), logprobs=(-1.5, -2.5), scores={"acc": 1.0}),
    ]  # fmt: skip
    log = read_log(logs.harness_log(tmp_path, rows))
    assert (log.program, log.task, log.model, log.reported) == (
        "lm_eval",
        "quiz",
        "gpt2",
        {"acc": 0.5},
    )
    first, second = log.samples
    assert (first.text, first.reply, first.correct) == ("Who?", "me", 0)
    assert first.scores == {"exact_match": 0, "exact_match_flexible": 1}
    assert (second.options, second.logprobs, second.document) == ((" a", " b"), (-1.5, -2.5), "h1")


FAULTS = {
    "NaN": ("NaN", "the log-probability of its option 1 is NaN"),
    "null": (None, "the log-probability of its option 1 is None"),
    "above 0": (0.5, "the log-probability of its option 1 is 0.5, above 0"),
    "three": ((-1.0, -2.0, -3.0), "it has 3 log-probabilities for 2 options"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_log_probabilities_that_cannot_be_are_named(tmp_path, name):
    given, fault = FAULTS[name]
    row = logs.harness_row(0, {"q": "?"}, options=(" a", " b"), logprobs=(-1.0, -2.0))
    if name == "three":
        row["resps"] = [[[str(value), "False"]] for value in given]
    else:
        row["resps"][0][0][0] = given
    sample = read_log(logs.harness_log(tmp_path, [row])).samples[0]
    assert (sample.fault, sample.logprobs, sample.reply) == (fault, (), "")


def test_a_log_that_is_cut_says_so(tmp_path):
    """Of three samples the last line is cut in half: two remain, of three by the results beside."""
    rows = [logs.harness_row(i, {"q": f"{i}?"}, "me", scores={"acc": 1.0}) for i in range(3)]
    path = logs.harness_log(tmp_path, rows)
    assert read_log(path).cut == ""
    whole = path.read_text("utf-8")
    path.write_text(whole[:-40], "utf-8")
    assert read_log(path).cut == "it ends in the middle of line 3"
    (beside,) = tmp_path.glob("results_*.json")
    facts = json.loads(beside.read_text("utf-8"))
    beside.write_text(json.dumps({**facts, "n-samples": {"quiz": {"original": 9, "effective": 3}}}))
    assert read_log(path).cut == "it ends in the middle of line 3: 2 of 3 samples are here"
    path.write_text("".join(whole.splitlines(keepends=True)[:2]), "utf-8")
    assert read_log(path).cut == "it is not whole: 2 of 3 samples are here"
    path.write_text(whole, "utf-8")
    assert read_log(path).cut == ""
