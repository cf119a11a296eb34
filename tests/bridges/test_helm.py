"""Runs of HELM."""

import evaluation_logs as logs
from tiltmeter.bridges.helm import read_log


def test_a_run_of_helm_has_the_option_of_a_letter(tmp_path):
    run = logs.helm_run(tmp_path / "run", [("id1", "Who?", ("Ann", "Ben"), "Ann", "Ben")])
    log = read_log(run)
    assert (log.program, log.task, log.model) == ("helm", "bbq:subject=all", "openai/gpt2")
    (sample,) = log.samples
    assert (sample.text, sample.reply, sample.options, sample.correct) == (
        "Who?",
        "Ben",
        ("Ann", "Ben"),
        0,
    )
    assert sample.scores == {"exact_match": 0}  # counts of tokens say nothing about answers
