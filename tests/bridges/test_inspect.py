"""Logs of inspect_ai, packed or not."""

import json

import pytest

import evaluation_logs as logs
from tiltmeter.bridges.inspect import read_log
from tiltmeter.bridges.samples import LoggedSample
from tiltmeter.core.errors import BadInput


@pytest.mark.parametrize("kind", ["zstd", "deflate", "json"])
def test_inspect_logs_are_the_same_packed_or_not(tmp_path, kind):
    samples = [
        logs.inspect_sample("a", metadata={"topic": "x", "more": {"level": 2}}),
        logs.inspect_sample("b", "ANSWER: B", answer="B", choices=["one", "two"], value="I"),
        logs.inspect_sample("c", value={"f1": 0.5, "words": 3}, epoch=2),
        logs.inspect_sample("d", error={"message": "out of tokens"}),
    ]
    log = logs.inspect_log(samples)
    path = tmp_path / ("l.json" if kind == "json" else "l.eval")
    if kind == "json":
        path.write_text(json.dumps(log))
    else:
        logs.packed(path, log, zstd=kind == "zstd")
    read = read_log(path)
    assert (read.program, read.task, read.model, read.chats) == (
        "inspect_ai",
        "quiz",
        "openai/x",
        True,
    )
    assert read.reported == {"match accuracy": 0.5}
    a, b, c = read.samples
    assert a == LoggedSample(
        "a", "Question a?", "no", correct=1, scores={"match": 1},
        fields={"topic": "x", "more.level": "2", "target": "no"},
    )  # fmt: skip
    assert (b.reply, b.options, b.correct) == ("two", ("one", "two"), 0)
    assert (c.correct, c.scores, c.repeat) == (None, {"match_f1": 0.5, "match_words": 3}, 1)
    assert [p.reason for p in read.problems] == ["sample 'd': out of tokens"]


def test_members_are_never_written_and_no_larger_than_they_say(tmp_path, monkeypatch):
    log = logs.inspect_log([logs.inspect_sample("../../a")])
    path = logs.packed(
        tmp_path / "in" / "a.eval" if (tmp_path / "in").mkdir() else tmp_path / "a.eval", log
    )
    assert [sample.id for sample in read_log(path).samples] == ["../../a"]
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["a.eval"]
    monkeypatch.setattr("tiltmeter.bridges.samples.LARGEST", 50)
    for most, says in ((4, "its samples have more than"), (1_000, "is larger than")):
        monkeypatch.setattr("tiltmeter.bridges.inspect.MOST", most)
        with pytest.raises(BadInput, match=says):
            read_log(path)


def test_a_changed_member_is_seen(tmp_path):
    path = logs.packed(tmp_path / "a.eval", logs.inspect_log([logs.inspect_sample("a")]))
    content = bytearray(path.read_bytes())
    content[content.index(b"header.json") + 30] ^= 1
    path.write_bytes(content)
    with pytest.raises(BadInput, match="it is damaged"):
        read_log(path)
