"""Samples of lm-evaluation-harness."""

import evaluation_logs as logs
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
