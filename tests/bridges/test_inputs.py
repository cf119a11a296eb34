"""import and export to Every Eval Ever, as people call them."""

import gzip
import json
import lzma

import pytest

from support import evaluation_logs as logs


def quiz(path, model, right):
    samples = [
        logs.inspect_sample(f"q{n}", value="C" if n < right else "I", metadata={"topic": "xy"[n % 2]})
        for n in range(20)
    ]  # fmt: skip
    path.write_text(json.dumps(logs.inspect_log(samples, "quiz", model)))
    return path


def test_two_logs_become_one_comparison_with_holm(tilt, tmp_path):
    paths = [quiz(tmp_path / f"{name}.json", name, right) for name, right in (("a", 18), ("b", 6))]
    code, out, err = tilt("import", *paths, "--json", "--out", tmp_path / "runs")
    assert code == 0, err
    result = json.loads(out)
    found = {
        tuple(e["groups"].values()): e
        for e in result["estimates"]
        if e["name"] == "accuracy_difference"
    }
    assert found[()]["value"] == 60 and found[()]["p"] < 0.01
    folders = sorted(path.name.partition("-")[0] for path in (tmp_path / "runs").iterdir())
    assert folders == ["compare", "log", "log"]
    compared = next((tmp_path / "runs").glob("compare-*"))
    code, out, err = tilt("report", compared)
    assert code == 0 and "a " in out, err


def test_a_log_of_one_model_is_shown_with_its_name(tilt, tmp_path):
    path = quiz(tmp_path / "a.json", "a", 5)
    code, out, err = tilt("import", path, "--name", "mine", "--out", tmp_path / "runs")
    assert code == 0, err
    assert "mine has a right answer to 25.0 % of 20 samples" in out and "by topic" in out.lower()
    code, _, err = tilt("import", path, "--name", "x", "--name", "y")
    assert code == 2 and "logs: 1, names: 2; give one --name a log" in err


def test_thoughts_may_have_tags_of_the_users(tilt, tmp_path):
    path = tmp_path / "l.json"
    replies = ["<plan>Hm</plan>no", "<plan>Hm, no"]
    samples = [logs.inspect_sample(f"q{n}", reply) for n, reply in enumerate(replies)]
    path.write_text(json.dumps(logs.inspect_log(samples)))
    tags = ("--thinking-tags", "<plan>,</plan>", "--out", tmp_path / "runs")
    code, out, err = tilt("import", path, *tags, "--json")
    assert code == 0, err
    notes = [note["text"] for note in json.loads(out)["card"]["notes"]]
    assert any(note.startswith("1 of 2 replies ended while the model") for note in notes)
    code, _, err = tilt("import", path, "--thinking-tags", "<plan>")
    assert code == 2 and "is not the beginning and the end of a thought" in err
    row = logs.harness_row(1, {"q": "?"}, options=(" a", " b"), logprobs=(-1.5, -2.5))
    code, _, err = tilt("import", logs.harness_log(tmp_path / "h", [row]), *tags)
    assert code == 2 and "--thinking-tags has no effect: the log has no replies" in err


def test_thresholds_hold_for_imported_numbers(tilt, tmp_path):
    path = quiz(tmp_path / "a.json", "a", 5)
    words = ("import", path, "--fail-if", "accuracy < 50", "--out", tmp_path / "runs")
    assert tilt(*words)[0] == 3


def test_a_run_is_exported_for_every_eval_ever(tilt, tmp_path):
    tilt("import", quiz(tmp_path / "a.json", "org/a", 5), "--out", tmp_path / "runs")
    (run,) = (tmp_path / "runs").iterdir()
    to = tmp_path / "a.eee.json"
    code, _, err = tilt("export", run, to, "--format", "every-eval-ever")
    assert code == 0, err
    made = json.loads(to.read_text())
    assert made["schema_version"] == "0.3.0" and made["model_info"]["id"] == "org/a"
    scores = {
        e["evaluation_result_id"]: e["score_details"]["score"] for e in made["evaluation_results"]
    }
    assert scores["log:quiz.accuracy"] == 25
    for wrong in ((to,), (tmp_path / "a.csv", "--format", "every-eval-ever")):
        code, _, err = tilt("export", run, *wrong)
        assert code == 2 and "--format every-eval-ever and a name that ends with .json" in err


def test_logs_of_several_models_are_compared_over_the_samples_that_both_have(tilt, tmp_path):
    """A has a score for 20 samples and B for the last 12, in which both are right in six: no difference."""
    for model, numbers in (("A", range(20)), ("B", range(8, 20))):
        rows = [
            logs.harness_row(n, {"q": f"q{n}"}, scores={"exact_match": float(n < 14)})
            for n in numbers
        ]
        logs.harness_log(tmp_path / model, rows, model=model)
    code, out, err = tilt("import", tmp_path / "A", tmp_path / "B", "--out", tmp_path / "runs")
    text = " ".join(out.split())
    assert code == 0, err
    assert "A and B have the same value (difference in accuracy over 12 samples" in text
    assert "left out: 8 samples that A answers and B does not (0, 1, 2, …;" in text
    assert "the difference could be 0.0 to 40.0" in text
    (made,) = (tmp_path / "runs").glob("compare-*")
    assert tilt("export", made, tmp_path / "items.csv")[0] == 0
    rows = (tmp_path / "items.csv").read_text("utf-8").splitlines()
    assert len(rows) == 1 + 8
    assert "Items that only one of two models answers" in (made / "report.html").read_text("utf-8")


def test_two_logs_of_one_model_are_compared_under_names_that_tell_them_apart(tilt, tmp_path):
    paths = [quiz(tmp_path / f"{name}.json", "m", right) for name, right in (("a", 18), ("b", 6))]
    code, out, err = tilt("import", *paths, "--out", tmp_path / "runs")
    assert code == 0, err
    assert "m (quiz, a.json)" in out and "m (quiz, b.json)" in out
    assert len(list((tmp_path / "runs").iterdir())) == 3
    code, _, err = tilt("import", paths[0], paths[0], "--out", tmp_path / "twice")
    assert code == 2 and "give one --name a log, or import them one by one" in err
    assert not (tmp_path / "twice").exists()
    names = ("--name", "one", "--name", "two")
    assert tilt("import", paths[0], paths[0], *names, "--out", tmp_path / "twice")[0] == 0


def test_logs_that_cannot_be_compared_are_refused_before_a_folder_is_written(tilt, tmp_path):
    paths = [quiz(tmp_path / f"{name}.json", name, 5) for name in "ab"]
    paths[1].write_text(paths[1].read_text().replace('"id": "q', '"id": "r'))
    code, _, err = tilt("import", *paths, "--out", tmp_path / "runs")
    assert code == 2 and "in common" in err
    assert not (tmp_path / "runs").exists() or not list((tmp_path / "runs").iterdir())


def test_samples_without_a_score_are_named_on_the_terminal(tilt, tmp_path):
    samples = [logs.inspect_sample(f"q{n}", value=[0.5, None][n == 3]) for n in range(6)]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(logs.inspect_log(samples)))
    code, out, err = tilt("import", path, "--out", tmp_path / "runs")
    assert code == 0, err
    assert "1 of 6 samples has no match and does not count in it (null: 1): q3" in " ".join(
        out.split()
    )


def test_a_log_that_is_cut_is_refused_unless_what_is_there_is_taken(tilt, tmp_path):
    rows = [logs.harness_row(i, {"q": f"{i}?"}, "me", scores={"acc": i % 2}) for i in range(9)]
    path = logs.harness_log(tmp_path / "log", rows)
    path.write_text(path.read_text("utf-8")[:-40], "utf-8")
    code, _, err = tilt("import", path, "--out", tmp_path / "runs")
    assert code == 2 and "it ends in the middle of line 9; log the evaluation again" in " ".join(
        err.split()
    )
    assert tilt("import", path, "--out", tmp_path / "runs", "--skip-invalid")[0] == 0


def test_why_different_tasks_are_not_compared(tilt, tmp_path):
    for task in ("quiz", "other"):
        rows = [logs.harness_row(i, {"q": f"{i}?"}, "me", scores={"acc": i % 2}) for i in range(9)]
        logs.harness_log(tmp_path / task, rows, task=task)
    code, _, err = tilt("import", "quiz", "other", "--out", tmp_path / "runs")
    assert code == 0
    assert "Not compared with each other: log:other and log:quiz" in " ".join(err.split())


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_a_packed_log_is_to_be_unpacked_first(tilt, tmp_path, ending, pack):
    log = json.dumps(logs.inspect_log([logs.inspect_sample("a")]))
    (tmp_path / f"log.json{ending}").write_bytes(pack(log.encode()))
    code, _, err = tilt("import", f"log.json{ending}")
    assert code == 2
    assert (
        f"it is compressed ({ending}); what is in it is one of logs of other programs"
        in " ".join(err.split())
    )
