"""Samples of Every Eval Ever are read as evaluations of other programs."""

from support import evaluation_logs as logs
from tiltmeter.bridges.every_eval_ever import read_logs


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
