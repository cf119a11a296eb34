"""Runs of HELM."""

import json

import pytest

from support import evaluation_logs as logs
from tiltmeter.bridges.helm import read_log
from tiltmeter.core.errors import BadInput


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


def quiz(folder, right=12):
    return logs.helm_run(
        folder,
        [
            (f"id{n}", f"Q{n}?", ("yes", "no"), "yes", "yes" if n < right else "no")
            for n in range(20)
        ],
    )


def with_stats(run, further):
    path = run / "per_instance_stats.json"
    stats = json.loads(path.read_text())
    path.write_text(json.dumps([row for each in stats for row in (each, further(each))]))
    return run


def test_rows_of_one_instance_are_joined_whatever_their_order(tmp_path):
    run = quiz(tmp_path / "run")
    plain = read_log(run)
    assert sum(s.correct for s in plain.samples) == 12
    other = {"name": {"name": "logprob", "split": "test"}, "mean": -1.5}
    for stats in ([], [other]):
        joined = read_log(
            with_stats(quiz(tmp_path / "run"), lambda row, s=stats: {**row, "stats": s})
        )
        assert [s.correct for s in joined.samples] == [s.correct for s in plain.samples]
        assert joined.samples[0].scores == {
            "exact_match": 1,
            **({"logprob": -1.5} if stats else {}),
        }
    assert joined.sha256 != plain.sha256  # a result of its own


def test_rows_of_one_instance_that_contradict_each_other_are_refused(tmp_path):
    wrong = [{"name": {"name": "exact_match", "split": "test"}, "mean": 0.25}]
    run = with_stats(quiz(tmp_path / "run"), lambda row: {**row, "stats": wrong})
    with pytest.raises(BadInput, match=r"'id0' has two values of exact_match, 1\.0 and 0\.25"):
        read_log(run)


def test_an_answer_without_statistics_and_statistics_without_an_answer_are_counted(tmp_path):
    run = quiz(tmp_path / "run")
    for name, inside, key in (
        ("scenario_state", "request_states", 0),
        ("per_instance_stats", None, 1),
    ):
        path = run / f"{name}.json"
        value = json.loads(path.read_text())
        del (value[inside] if inside else value)[key]
        path.write_text(json.dumps(value))
    log = read_log(run)
    assert len(log.samples) == 19 and log.samples[0].correct is None and not log.samples[0].scores
    assert [p.reason for p in log.problems] == ["id0/0: statistics without an answer"]


def test_changed_texts_are_told_apart_from_original_ones(tmp_path):
    run = quiz(tmp_path / "run")
    assert read_log(run).notes == [] and "perturbation" not in read_log(run).samples[0].fields
    change = {"name": "typos"}
    for name, path in (("request_states", "scenario_state.json"), ("", "per_instance_stats.json")):
        whole = json.loads((run / path).read_text())
        rows = whole[name] if name else whole
        for row in [*rows]:
            changed = {**row, "perturbation": change}
            if name:
                changed = {**row, "instance": {**row["instance"], "perturbation": change}}
            rows.append(changed)
        (run / path).write_text(json.dumps(whole))
    log = read_log(run)
    assert [s.fields["perturbation"] for s in log.samples] == ["none"] * 20 + ["typos"] * 20
    assert "a number over all samples is over both" in log.notes[0]
