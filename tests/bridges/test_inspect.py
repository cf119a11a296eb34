"""Logs of inspect_ai, packed or not."""

import json

import pytest

from support import evaluation_logs as logs
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
        "a", "Question a?", "no", "no", correct=1, scores={"match": 1},
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
    with pytest.raises(BadInput, match="is larger than"):
        read_log(path)


def test_a_changed_member_is_seen(tmp_path):
    path = logs.packed(tmp_path / "a.eval", logs.inspect_log([logs.inspect_sample("a")]))
    content = bytearray(path.read_bytes())
    content[content.index(b"header.json") + 30] ^= 1
    path.write_bytes(content)
    with pytest.raises(BadInput, match="it is damaged"):
        read_log(path)


def test_a_member_that_unpacks_to_far_more_than_it_has_is_not_unpacked(tmp_path):
    log = logs.inspect_log([logs.inspect_sample("a", "x" * 20_000_000)])
    path = logs.packed(tmp_path / "bomb.eval", log)
    assert path.stat().st_size < 10_000
    with pytest.raises(BadInput, match=r"bomb\.eval: it unpacks to more than 16 MB from 2\.4 kB"):
        read_log(path)


def test_many_members_that_are_small_by_themselves_are_not_unpacked(tmp_path):
    """Each may unpack to 16 MB; ten of them would fill memory with 100 MB from 100 kB."""
    samples = [logs.inspect_sample(str(at), "x" * 3_000_000) for at in range(10)]
    path = logs.packed(tmp_path / "bomb.eval", logs.inspect_log(samples), zstd=False)
    assert path.stat().st_size < 120_000
    with pytest.raises(
        BadInput, match=r"bomb\.eval: it unpacks to more than .* set TILTMETER_UNPACK_LIMIT"
    ):
        read_log(path)


SCORES = {
    "C": 1, "I": 0, "P": 0.5, "N": 0, "yes": 1, "No": 0, "TRUE": 1, True: 1, False: 0, "0.25": 0.25,
}  # fmt: skip


@pytest.mark.parametrize(("value", "number"), SCORES.items())
def test_scores_are_numbers_whatever_way_they_are_written(tmp_path, value, number):
    path = tmp_path / "l.json"
    path.write_text(json.dumps(logs.inspect_log([logs.inspect_sample("a", value=value)])))
    (sample,) = read_log(path).samples
    assert (sample.scores, sample.correct) == ({"match": number}, number)


def test_lists_and_objects_are_several_scores_and_what_is_no_number_is_named(tmp_path):
    path, value = tmp_path / "l.json", {"f1": 0.5, "kind": "odd", "none": None}
    samples = [logs.inspect_sample("a", value=value), logs.inspect_sample("b", value=["C", 0.25])]
    path.write_text(json.dumps(logs.inspect_log(samples)))
    a, b = read_log(path).samples
    assert (a.scores, b.scores) == ({"match_f1": 0.5}, {"match_0": 1, "match_1": 0.25})
    assert a.unscored == {"match_kind": "the text 'odd'", "match_none": "null"}


def test_the_first_scorer_says_for_all_samples_whether_an_answer_is_right(tmp_path):
    path = tmp_path / "l.json"
    both = {"match": {"value": None, "answer": ""}, "other": {"value": "C", "answer": ""}}
    samples = [logs.inspect_sample("a"), logs.inspect_sample("b", scores=both)]
    samples.append(logs.inspect_sample("c", scores={"other": both["other"]}))
    path.write_text(json.dumps(logs.inspect_log(samples)))
    assert [sample.correct for sample in read_log(path).samples] == [1, None, None]


def written(folder, values, **about):
    samples = [logs.inspect_sample(str(n), value=value) for n, value in enumerate(values)]
    path = folder / "l.json"
    path.write_text(json.dumps({**logs.inspect_log(samples), **about}))
    return read_log(path)


def test_the_c_of_school_grades_is_not_correct(tmp_path):
    graded = written(tmp_path, "ABCDC")
    assert {s.correct for s in graded.samples} == {None}
    assert {*graded.samples[2].unscored.items()} == {("match", "a letter grade")}
    judged = written(tmp_path, "CIPNC")
    assert [s.correct for s in judged.samples] == [1, 0, 0.5, 0, 1]


def test_an_evaluation_that_did_not_finish_is_noted(tmp_path):
    assert written(tmp_path, "CC").notes == []
    (note,) = written(tmp_path, "CC", status="error").notes
    assert note == "The status of l.json is 'error': the evaluation did not finish."
