"""Samples of Every Eval Ever are read as evaluations of other programs."""

import json

import tiltmeter as tm
from support import evaluation_logs as logs
from tiltmeter.bridges.answers import asked_rows
from tiltmeter.bridges.every_eval_ever import read_logs
from tiltmeter.report.every_eval_ever_samples import sample_lines


def test_every_eval_ever_has_a_row_for_each_score_and_its_samples_beside(tmp_path):
    path = logs.ever_log(
        tmp_path, [logs.ever_row("a", 1.0), logs.ever_row("a", 0.5, result="demo.f1")]
    )
    for given in (path, tmp_path / "x.json"):  # of its file_path only the name counts
        (log,) = read_logs(given)
        (sample,) = log.samples
        assert (log.program, log.task, log.model, sample.correct) == (
            "every_eval_ever",
            "quiz",
            "org/m",
            1,
        )
        assert sample.scores == {"demo.quiz": 1, "demo.f1": 0.5} and sample.rows == 2
        assert sample.fields == {"subject": "sums", "target": "4"}
    assert log.reported == {"demo.quiz": 0.75}


def test_several_answers_to_a_question_are_its_repeats(tmp_path):
    rows = [logs.ever_row("a", 1.0), logs.ever_row("a", 0.0, reply="5"), logs.ever_row("b", 1.0)]
    (log,) = read_logs(logs.ever_log(tmp_path, rows))
    samples = log.samples
    assert [(s.id, s.repeat, s.correct) for s in samples] == [("a", 0, 1), ("a", 1, 0), ("b", 0, 1)]


def test_our_own_samples_come_back_as_the_same_answers(tmp_path):
    said = (
        "yes",
        "No.",
        "Sorry, I cannot help.",
        "Who knows?",
        "<think>Yes?</think>no",
        "<think>No",
    )
    asked = [row.request.prompt.plain for row in asked_rows("prompts", writes=True, chats=True)]
    path = tmp_path / "replies.jsonl"
    path.write_text(
        "".join(
            json.dumps({"prompt": prompt, "answer": said[n % len(said)]}) + "\n"
            for n, prompt in enumerate(asked)
        )
    )
    run = tm.run("prompts", f"replay:{path}", rule="word").result
    path = tmp_path / "x_samples.jsonl"
    path.write_text(sample_lines(run, thoughts=True), "utf-8")
    again = logs.made(path, study="prompts")
    assert {**again.card.counts} == {**run.card.counts}
    assert logs.values(again) == logs.values(run)
    assert [r.thoughts for r in again.records] == [r.thoughts for r in run.records]
