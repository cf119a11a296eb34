"""import says what it can read where nothing is recognised, and takes inputs of one kind."""

import bz2
import gzip
import lzma

import pytest

from tiltmeter.run.imports.recognising import input_kinds

PAIRS = "id,sent_more,sent_less,sent_more_score,sent_less_score\n" + "".join(
    f"p{n},The old man {n} sang.,The young man {n} sang.,-{n % 3},-1\n" for n in range(12)
)


def test_what_is_not_recognised_says_what_can_be_read(tilt, tmp_path):
    (tmp_path / "ids.csv").write_text("id,score_more,score_less\na,-1,-2\n")
    code, out, err = tilt("import", "ids.csv")
    said = " ".join(err.split())
    assert (code, out) == (2, "")
    assert "ids.csv: it is not recognised (columns: 'id', 'score_more', 'score_less')" in said
    assert (
        "name its study: tiltmeter import ids.csv --study STUDY. Scores and predictions are" in said
    )
    assert "crows_pairs" in said and "replies and outcomes by bbq" in said
    for kind in input_kinds():
        assert kind.noun in said
    assert not (tmp_path / "runs").exists()
    assert "there is no such file or folder" in tilt("import", "nowhere.csv")[2]


def test_inputs_of_two_kinds_are_refused(tilt, tmp_path):
    (tmp_path / "a.csv").write_text(PAIRS)
    assert tilt("run", "starter_pairs", "fake", "--out", "made")[0] == 0
    (run,) = (tmp_path / "made").iterdir()
    code, _, err = tilt("import", run, "a.csv")
    assert code == 2 and "import them in two commands" in err


def test_a_file_that_cannot_be_read_is_refused_with_the_reason(tmp_path, tilt):
    (tmp_path / "scores.csv").write_bytes(lzma.compress(b"id,score\n1,2\n"))
    code, _, err = tilt("import", "scores.csv")
    assert code == 2
    assert "scores.csv: it is not recognised (is xz-compressed)" in " ".join(err.split())


@pytest.mark.parametrize(
    ("name", "ending", "pack", "kind"),
    [
        ("pairs.csv", ".xz", lzma.compress, "scores and replies"),
        ("pairs.csv", ".bz2", bz2.compress, "scores and replies"),
    ],
)
def test_a_packed_file_is_to_be_unpacked_first(tmp_path, tilt, name, ending, pack, kind):
    (tmp_path / f"{name}{ending}").write_bytes(pack(PAIRS.encode()))
    code, _, err = tilt("import", f"{name}{ending}")
    text = " ".join(err.split())
    assert code == 2
    assert f"it is compressed ({ending}); what is in it is one of {kind}; unpack it first" in text
    assert f"--keep {name}{ending}" in text


def test_a_packed_file_that_is_damaged_is_refused_with_the_reason(tmp_path, tilt):
    (tmp_path / "log.json.gz").write_bytes(gzip.compress(b'{"version": 2}' * 999)[:30])
    code, _, err = tilt("import", "log.json.gz")
    assert code == 2 and "it is not recognised" in err


def test_results_of_ours_are_named_with_the_commands_that_take_them(tmp_path, tilt):
    assert tilt("run", "starter_pairs", "fake", "--out", "made")[0] == 0
    (tmp_path / "below" / "it").mkdir(parents=True)
    (tmp_path / "made").rename(tmp_path / "below" / "it" / "made")
    (tmp_path / "grid").mkdir()
    (tmp_path / "grid" / "cells.json").write_text("{}")
    for folder, results in (("below", 1), ("grid", 0)):
        code, _, err = tilt("import", folder)
        text = " ".join(err.split())
        assert code == 2
        assert f"{folder}: this is a folder of Tiltmeter's own results ({results})" in text
        assert f"`tiltmeter ls {folder}` lists them" in text


def test_a_folder_without_anything_known_is_refused_briefly(tilt, tmp_path):
    (tmp_path / "empty").mkdir()
    code, _, err = tilt("import", "empty")
    assert code == 2 and "empty: this folder is empty; name the folder of a log" in " ".join(
        err.split()
    )
    (tmp_path / "empty" / "notes.txt").write_text("none")
    code, _, err = tilt("import", "empty")
    assert code == 2 and "(it holds 'notes.txt')" in err and len(err.splitlines()) < 5
