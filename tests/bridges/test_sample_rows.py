"""Rows of a log become samples, are named as left out, or are refused: none is overwritten, by any reader."""

import json
import math
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support import evaluation_logs as logs
from tiltmeter.bridges.matching import ITSELF, result_of
from tiltmeter.bridges.reading import read_logs
from tiltmeter.bridges.sample_rows import SampleRows, with_correct
from tiltmeter.bridges.samples import LoggedSample
from tiltmeter.core.errors import BadInput
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions

IDS = (0, 1, "1", None, {"doc": 1}, [2])
SCORES = (0.0, 1.0, 0.5, True, None, math.nan, "C", "yes", "maybe", {"a": 1.0}, [0.5, "I"])
FILTERS = ("none", "flexible")
ROWS = st.lists(
    st.tuples(
        st.sampled_from(IDS), st.sampled_from(("Who?", "When?")), st.sampled_from(("me", "you")),
        st.sampled_from(SCORES), st.sampled_from(FILTERS), st.integers(1, 2),
    ), min_size=1, max_size=12,
)  # fmt: skip


def of_inspect(folder, rows):
    samples = [
        logs.inspect_sample(name, reply, value=score, input=question, epoch=epoch)
        for name, question, reply, score, _, epoch in rows
    ]
    path = folder / "l.json"
    path.write_text(json.dumps(logs.inspect_log(samples)))
    return path


def of_archive(folder, rows):
    samples = [
        logs.inspect_sample(name, reply, value=score, input=question, epoch=epoch)
        for name, question, reply, score, _, epoch in rows
    ]
    return logs.packed(folder / "l.eval", logs.inspect_log(samples))


def of_harness(folder, rows):
    logged = [
        logs.harness_row(name, {"q": question}, reply, scores={"acc": score}, filter=of)
        for name, question, reply, score, of, _ in rows
    ]
    return logs.harness_log(folder, logged)


def of_older_harness(folder, rows):
    """As versions 0.4.0 to 0.4.2 write it: one list, arguments as lists, no filter, no metrics."""
    logged = [
        {"doc_id": name, "doc": {"q": question}, "target": "x", "arguments": [[question, {"until": []}]],
         "resps": [[reply]], "filtered_resps": [reply], "acc": score}
        for name, question, reply, score, *_ in rows
    ]  # fmt: skip
    path = folder / "pretrained__gpt2_quiz.jsonl"
    path.write_text(json.dumps(logged, indent=4))
    return path


def of_ever(folder, rows):
    logged = [
        {**logs.ever_row(name, 0.0, result=f"quiz.{of}", reply=reply), "input": {"raw": question},
         "evaluation": {"score": score, "is_correct": score == 1}}
        for name, question, reply, score, of, _ in rows
    ]  # fmt: skip
    return logs.ever_log(folder, logged)


def of_helm(folder, rows):
    states = [
        {"instance": {"id": name, "input": {"text": question}, "references": []}, "train_trial_index": epoch,
         "result": {"completions": [{"text": reply}]}}
        for name, question, reply, _, _, epoch in rows
    ]  # fmt: skip
    stats = [
        {"instance_id": name, "train_trial_index": epoch,
         "stats": [{"name": {"name": "exact_match"}, "mean": score}]}
        for name, _, _, score, _, epoch in rows
    ]  # fmt: skip
    run = logs.helm_run(folder / "run", [])
    (run / "scenario_state.json").write_text(json.dumps({"request_states": states}))
    (run / "per_instance_stats.json").write_text(json.dumps(stats))
    return run


WRITERS = {
    "inspect": of_inspect, "archive": of_archive, "harness": of_harness, "older harness": of_older_harness,
    "every eval ever": of_ever, "helm": of_helm,
}  # fmt: skip


def tried(function, *words):
    """What it returns, or None where it refuses with one of these reasons."""
    try:
        return function()
    except BadInput as refused:
        if not any(word in str(refused) for word in words):
            raise
        return None


@pytest.mark.parametrize("program", WRITERS)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=ROWS)
def test_every_row_is_part_of_a_sample_or_named_or_the_log_is_refused(tmp_path, program, rows):
    path = WRITERS[program](tmp_path, rows)
    read = tried(lambda: list(read_logs(path)), "two values of", "cannot be told") or ()
    kept = sum(sample.rows for log in read for sample in log.samples)
    problems = [problem for log in read for problem in log.problems]
    assert not read or kept + len(problems) == len(rows)
    assert len({p.item for p in problems}) == len(problems)  # each is counted
    for log in read:
        assert len({(s.id, s.repeat) for s in log.samples}) == len(log.samples)
        how = partial(result_of, log, RunOptions(), Logged(), study=ITSELF)
        made = tried(how, "has a score")
        if made is not None:
            check_numbers(log, made[1])


def check_numbers(log, result):
    """All samples are counted, and each mean is over those that have the score."""
    assert result.card.counts["scored"] == len(log.samples)
    assert result.card.counts["invalid"] == len(log.problems)
    for name in {name for sample in log.samples for name in sample.scores}:
        scores = [s.scores[name] for s in log.samples if name in s.scores]
        for e in result.estimates:
            if e.name == name and not e.groups:
                assert (e.value, e.n) == (pytest.approx(sum(scores) / len(scores)), len(scores))


SUBTASKS = [(n, f"Question {task} {n}?", "me", float(n < right), "none", 1)
            for task, right in (("a", 8), ("b", 2)) for n in range(10)]  # fmt: skip


@pytest.mark.parametrize("program", ["harness", "older harness", "inspect", "every eval ever"])
def test_ids_that_restart_are_kept_apart_and_noted(tmp_path, program):
    (log,) = read_logs(WRITERS[program](tmp_path, SUBTASKS))
    assert len(log.samples) == 20 and sum(s.correct for s in log.samples) == 10
    assert log.samples[10].id == "0#2"
    (note,) = log.notes
    assert note.startswith("10 ids of") and "kept apart as ID#2" in note


@pytest.mark.parametrize("program", ["harness", "older harness", "inspect", "every eval ever"])
@pytest.mark.parametrize("missing", [None, {"a": 1}])
def test_rows_without_an_id_or_with_an_object_are_samples_of_their_own(tmp_path, program, missing):
    rows = [
        (missing and {**missing, "n": n}, f"Q{n}?", "me", float(n < 7), "none", 1)
        for n in range(10)
    ]
    (log,) = read_logs(WRITERS[program](tmp_path, rows))
    assert len({s.id for s in log.samples}) == 10 and sum(s.correct for s in log.samples) == 7
    rows = [(None, "Q?", "me", float(n < 7), "none", 1) for n in range(10)]
    if missing is None and program != "every eval ever":  # there, answers are repeats
        (log,) = read_logs(WRITERS[program](tmp_path, rows))
        assert len(log.samples) == 10 and sum(s.correct for s in log.samples) == 7


@pytest.mark.parametrize("program", ["harness", "inspect", "archive", "every eval ever", "helm"])
def test_contradicting_rows_are_refused_and_repeated_ones_named(tmp_path, program):
    row = ("q1", "Who?", "me", 1.0, "none", 1)
    other = ("q2", "Who else?", "me", 0.0, "none", 1)
    with pytest.raises(BadInput, match="'q1' has two values of"):
        list(
            read_logs(
                WRITERS[program](tmp_path, [row, other, ("q1", "Who?", "me", 0.0, "none", 1)])
            )
        )
    (log,) = read_logs(WRITERS[program](tmp_path, [row, other, row]))
    assert [s.id for s in log.samples] == ["q1", "q2"]
    assert ["'q1'" in p.reason and "it repeats" in p.reason for p in log.problems] == [True]


def test_two_models_and_two_evaluations_of_one_file_are_logs_of_their_own(tmp_path):
    rows = [
        {**logs.ever_row(f"q{n}", float(n < right)), "model_id": model, "evaluation_name": task}
        for model, task, right in (("a", "quiz", 9), ("b", "quiz", 3), ("b", "sums", 6)) for n in range(10)
    ]  # fmt: skip
    read = list(read_logs(logs.ever_log(tmp_path, rows)))
    assert [(log.model, log.task, sum(s.correct for s in log.samples)) for log in read] == [
        ("a", "quiz", 9), ("b", "quiz", 3), ("b", "sums", 6),
    ]  # fmt: skip
    assert len({log.sha256 for log in read}) == 3


def test_rows_of_one_sample_are_joined():
    rows = SampleRows("l")
    for name, value in (("f1", 0.5), ("em", 1.0)):
        sample = LoggedSample(
            "a", "Q?", "me", scores={name: value}, fields={"scorer": name, "topic": "x"}
        )
        rows.add(sample, {"scorer": name}, question="Q?", about=name)
    ((joined,), notes) = rows.finished()
    assert joined.scores == {"f1": 0.5, "em": 1.0} and joined.rows == 2 and notes == []
    assert joined.fields == {"topic": "x"}  # what differs is about the row


def test_scores_in_per_cent_do_not_say_what_is_right():
    samples = [LoggedSample(str(n), "Q?", scores={"acc": 100.0 * (n < 7)}) for n in range(10)]
    assert {s.correct for s in with_correct(samples, ["acc"])} == {None}
    parts = [
        LoggedSample("a", "Q?", scores={"acc": 0.5}),
        LoggedSample("b", "Q?", scores={"f1": 1}),
    ]
    assert [s.correct for s in with_correct(parts, ["acc"])] == [0.5, None]
