"""Logs of four programs are known by what is in them; what is no log is refused with a reason."""

import json
import os
import zipfile

import pytest

from support import evaluation_logs as logs
from tiltmeter.bridges.reading import read_logs
from tiltmeter.core.errors import BadInput


def test_a_folder_has_all_its_logs(tmp_path):
    logs.harness_log(tmp_path / "m", [logs.harness_row(0, {"q": "?"})])
    logs.packed(tmp_path / "a.eval", logs.inspect_log([logs.inspect_sample("a")]))
    (tmp_path / "b.json").write_text(json.dumps(logs.inspect_log([logs.inspect_sample("b")])))
    logs.helm_run(tmp_path / "run", [("i", "?", ("x", "y"), "x", "x")])
    assert [log.program for log in read_logs(tmp_path)] == [
        "inspect_ai",
        "inspect_ai",
        "lm_eval",
        "helm",
    ]


def archive(path, **members):
    with zipfile.ZipFile(path, "w") as made:
        for name, content in members.items():
            made.writestr(name.replace("__", "/"), content)


BAD = {
    "missing": ("a.eval", None, "no such file"),
    "no archive": ("a.eval", b"{}", "no log with samples"),
    "unfinished": ("a.eval", lambda p: archive(p, samples__a="{}"), "not finished; finish it with"),
    "damaged member": ("a.eval", lambda p: archive(p, **{"header.json": "{"}), "it is damaged"),
    "archive of something": ("a.zip", lambda p: archive(p, x="{}"), "zip archive"),
    "results without samples": ("r.json", b'{"results": {}, "configs": {}}', "give an .eval"),
    "samples of nothing": ("s.jsonl", b'{"a": 1}\n', "no columns named doc, resps"),
    "broken JSON": ("s.json", b'{"eval": ', "cannot be read"),
    "no samples beside": ("e.json", b'{"evaluation_results": []}', "no such file"),
    "cut off": ("a.eval", b"PK\3\4" + b"x" * 50, "it is damaged"),
    "pickle": ("a.eval", b"\x80\x04\x95", "no log with samples"),
    "empty folder": ("logs", lambda p: p.mkdir(), "no log in this folder"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_log_is_refused(tmp_path, name):
    file, content, says = BAD[name]
    path = tmp_path / file
    if callable(content):
        content(path)
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(BadInput, match=says):
        list(read_logs(path))


def test_a_pipe_in_a_folder_is_no_log_and_is_not_waited_for(tmp_path):
    logs.harness_log(tmp_path, [logs.harness_row(0, {"q": "?"})])
    for name in ("x.json", "x.jsonl", "x.eval"):
        os.mkfifo(tmp_path / name)
    assert [log.program for log in read_logs(tmp_path)] == ["lm_eval"]
    with pytest.raises(BadInput, match="it is no regular file"):
        list(read_logs(tmp_path / "x.json"))


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_a_list_of_rows_is_a_log_of_the_older_harness(tmp_path, ending):
    rows = [
        {"doc_id": n, "doc": {"q": "Who?"}, "target": 0, "resps": [[[-1.0, False]], [[-2.5, False]]],
         "filtered_resps": [[-1.0, False], [-2.5, False]], "arguments": [["Who?", " a"], ["Who?", " b"]],
         "acc": float(n < 3), "acc_norm": None}
        for n in range(4)
    ]  # fmt: skip
    (tmp_path / f"pretrained__gpt2_quiz_two.{ending}").write_text(json.dumps(rows))
    about = {
        "results": {"two": {}, "quiz_two": {"acc,none": 0.75}},
        "config": {"model_args": "pretrained=gpt2"},
    }
    (tmp_path / "results.json").write_text(json.dumps(about))
    (log,) = read_logs(tmp_path)
    assert (log.program, log.task, log.model, log.reported) == (
        "lm_eval",
        "quiz_two",
        "gpt2",
        {"acc": 0.75},
    )
    assert [s.correct for s in log.samples] == [1, 1, 1, 0]
    sample = log.samples[0]
    assert (sample.text, sample.options, sample.logprobs) == ("Who?", (" a", " b"), (-1.0, -2.5))
    assert sample.unscored == {"acc_norm": "null"}
