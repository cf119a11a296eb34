"""A task that is none of our studies: its scores over all samples and by its fields."""

import json

import pytest

from support import evaluation_logs as logs
from support.evaluation_logs import QUIZ, made, quiz, quiz_of, values
from tiltmeter.core.errors import BadInput
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.run.files.folder import read, write


def test_any_other_task_has_its_scores_over_all_and_by_its_fields(tmp_path):
    result = made(quiz(tmp_path, "m"))
    assert (result.card.study, result.card.data_name) == ("log:quiz", "quiz")
    assert values(result) == {
        ("accuracy",): 75, ("accuracy", "x"): 50, ("accuracy", "y"): 100,
    }  # fmt: skip  # by topic alone: passage has the same values, and `match` is the same as accuracy
    by_passage = made(quiz(tmp_path, "m"), by="passage")
    assert {record.cluster for record in by_passage.records} == {"x", "y"}
    assert by_passage.card.data["clusters"] == "passage"
    with pytest.raises(BadInput, match="no field is called 'page'; there are topic"):
        made(quiz(tmp_path, "m"), by="page")


def test_results_of_other_tasks_are_compared_where_nothing_but_their_folders_is_left(tmp_path):
    others = [(q, 1 - value, topic) for q, value, topic in QUIZ]
    runs = []
    for name, right in (("m", QUIZ), ("n", others)):
        folder = tmp_path / name / "run"
        write(made(quiz(tmp_path / name, name, right)), folder, page="")
        runs.append(read(folder))
    (whole,) = [e for e in compare(*runs) if e.name == "accuracy_difference" and not e.groups]
    assert whole.value == 50 and whole.model == "m − n"  # 75 less 25


def test_a_log_without_scores_is_refused(tmp_path):
    path = tmp_path / "q.json"
    path.write_text(json.dumps(logs.inspect_log([logs.inspect_sample("a", value="good")])))
    with pytest.raises(BadInput, match="no sample of openai/x has a score"):
        made(path)
    path.write_text(json.dumps(logs.inspect_log([])))
    with pytest.raises(BadInput, match="no sample has an answer"):
        made(path)


@pytest.mark.parametrize("nothing", [None, float("nan"), "not sure", {}, []])
def test_a_mean_is_over_the_samples_that_have_the_score(tmp_path, nothing):
    path = tmp_path / "l.json"
    path.write_text(json.dumps(quiz_of([nothing, 0.5, 1.5, nothing, 1.0, 0.0, nothing, 2.0])))
    result = made(path)
    (mean,) = [e for e in result.estimates if not e.groups]
    assert (mean.name, mean.value, mean.n) == ("match", 1.0, 5)
    assert mean.low is None and "their median is 1 (no interval: " in mean.why
    (note,) = [n.text for n in result.card.notes if n.kind == "coverage"]
    assert note.startswith("3 of 8 samples have no match and do not count in it (")
    assert note.endswith(": q0, q3, q6.")


def test_few_samples_with_a_score_are_few_however_many_have_none(tmp_path):
    path = tmp_path / "l.json"
    path.write_text(json.dumps(quiz_of(["C", "I", "C", *[None] * 60])))
    (accuracy,) = [e for e in made(path).estimates if not e.groups]
    assert (accuracy.n, accuracy.value) == (3, pytest.approx(200 / 3))
    path.write_text(json.dumps(quiz_of(["C", "I", "C"])))
    (alone,) = [e for e in made(path).estimates if not e.groups]
    assert (accuracy.low, accuracy.high, accuracy.why) == (alone.low, alone.high, alone.why)


def test_failed_samples_are_counted_one_by_one(tmp_path):
    path = tmp_path / "l.json"
    log = quiz_of([1.0, 0.0, 0.5, 1.0])
    log["samples"] += [
        logs.inspect_sample(f"f{n}", error={"message": "out of tokens"}) for n in range(4)
    ]
    path.write_text(json.dumps(log))
    counts = made(path).card.counts
    assert (counts["total"], counts["scored"], counts["invalid"]) == (8, 4, 4)


def test_where_no_score_is_a_number_the_error_says_what_stands_there(tmp_path):
    path = tmp_path / "l.json"
    path.write_text(json.dumps(quiz_of(["good", "bad"])))
    with pytest.raises(BadInput, match="match is the text 'good' in the first"):
        made(path)


def test_replies_that_ended_within_a_thought_are_counted_in_a_note(tmp_path):
    samples = [
        logs.inspect_sample(f"q{n}", "<think>Hm" if n < 2 else "<think>Hm</think>no")
        for n in range(6)
    ]
    path = tmp_path / "l.json"
    path.write_text(json.dumps(logs.inspect_log(samples)))
    result = made(path)
    (note,) = [note.text for note in result.card.notes if "still thinking" in note.text]
    assert note.startswith("2 of 6 replies ended while the model was still thinking")
    assert [(r.said, r.finish) for r in result.records] == [("", "thinking")] * 2 + [
        ("no", "stop")
    ] * 4
    assert {record.thoughts["reply"] for record in result.records} == {"Hm"}
