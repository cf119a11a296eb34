"""Run folders of which something was cut or changed: said, and mended by the same command."""

import json
import shutil
import subprocess
import threading

import pytest

from faults.undisturbed import card, files, write_pairs
from tiltmeter.run.files import folder as folders
from tiltmeter.run.files.output_files import OURS


@pytest.fixture
def command(tmp_path):
    return ("run", "pairs", "fake:masked", "--jsonl", "--data", write_pairs(tmp_path / "d.csv", 12))


def cut(file):
    file.write_bytes(file.read_bytes()[:-7])


def garble(file):
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 0x10
    file.write_bytes(whole)


def cut_last_line(file):
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:-1], lines[-1][:20]]))


def empty(file):
    file.write_bytes(b"")


def remove(file):
    file.unlink()


def no_number(path):
    card = json.loads(path.read_text())
    path.write_text(json.dumps(card | {"counts": {"scored": "many"}}))


def not_a_card(path):
    path.write_text("[]")


@pytest.mark.parametrize(
    ("name", "harm", "says"),
    [
        ("records.parquet", cut, "records.parquet was changed after the run"),
        ("records.parquet", garble, "records.parquet was changed after the run"),
        ("records.parquet", empty, "records.parquet was changed after the run"),
        ("records.parquet", remove, "records.parquet is missing"),
        ("records.jsonl", cut_last_line, "records.jsonl was changed after the run"),
        ("records.jsonl", garble, "records.jsonl was changed after the run"),
        ("estimates.json", cut, "estimates.json was changed after the run"),
        ("estimates.json", garble, "estimates.json was changed after the run"),
        ("estimates.json", remove, "estimates.json is missing"),
        ("card.json", cut, "the result is damaged"),
        ("card.json", empty, "the result is damaged"),
        ("card.json", not_a_card, "card.json is not a card"),
        ("card.json", no_number, "card.json is not a card"),
        ("card.json", remove, "has no card.json: the run did not finish"),
    ],
)
def test_damage_is_said_and_mended(tilt, tmp_path, command, name, harm, says):
    assert tilt(*command)[0] == 0
    expected = files(tmp_path / "runs")
    (folder,) = (tmp_path / "runs").iterdir()
    whole = shutil.copytree(folder, tmp_path / "whole")
    harm(folder / name)
    for words in (("report", folder), ("compare", folder, whole)):
        code, out, err = tilt(*words)
        assert (code, out) == (2, "")
        left_out = words[0] == "compare" and name == "card.json" and harm is remove
        assert ("a run that did not finish" if left_out else says) in err
        assert folder.name in err
        assert "Traceback" not in err
    code, _, err = tilt(*command)
    assert code == 0, err
    assert files(tmp_path / "runs") == expected
    assert card(tmp_path / "runs")["run"]["asked"] == 0
    assert tilt("report", folder)[0] == 0


def test_a_copy_may_be_removed_and_the_page_written_anew(tilt, tmp_path, command):
    assert tilt(*command)[0] == 0
    (folder,) = (tmp_path / "runs").iterdir()
    (folder / "records.jsonl").unlink()
    assert tilt("report", folder, "--no-text")[0] == 0
    assert tilt("report", folder)[0] == 0


def test_a_folder_from_before_there_were_checksums(tilt, tmp_path, command):
    assert tilt(*command)[0] == 0
    (folder,) = (tmp_path / "runs").iterdir()
    whole = json.loads((folder / "card.json").read_text("utf-8"))
    del whole["files"]
    (folder / "card.json").write_text(json.dumps(whole), "utf-8")
    assert tilt("report", folder)[0] == 0
    cut(folder / "records.parquet")
    code, _, err = tilt("report", folder)
    assert code == 2
    assert "the result is damaged" in err


def test_what_killed_processes_left_is_swept_up(tilt, tmp_path, command):
    assert tilt(*command)[0] == 0
    expected = files(tmp_path / "runs")
    (folder,) = (tmp_path / "runs").iterdir()
    gone = subprocess.Popen(["true"])
    gone.wait()
    (folder / f".records.parquet.{gone.pid}-1").write_bytes(b"half")
    (folder / f".card.json.{gone.pid}-1").write_bytes(b"{")
    (folder / ".notes.md").write_bytes(b"mine")
    (folder / ".records.parquet.backup").write_bytes(b"mine")
    assert tilt(*command)[0] == 0
    found = files(tmp_path / "runs")
    assert found.pop(".notes.md") == found.pop(".records.parquet.backup") == b"mine"
    assert found == expected


@pytest.mark.slow
def test_two_runs_of_one_folder_at_once(start, tilt, tmp_path, monkeypatch, command):
    """From nothing: both ask, store and write; and again, where only the writing is left."""
    for _ in range(2):
        both = [start(*command) for _ in range(2)]
        for run in both:
            _, err = run.communicate(timeout=100)
            assert run.returncode == 0, err
    found = files(tmp_path / "runs")
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "other cache"))
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert tilt(*command)[0] == 0
    assert files(tmp_path / "other" / "runs") == found


def test_files_of_two_writers_are_not_mixed(tilt, tmp_path, command, monkeypatch):
    """Two results for one folder, written at once by threads: each whole, the later one stays."""
    assert tilt(*command)[0] == 0
    (folder,) = (tmp_path / "runs").iterdir()
    result = folders.read(folder)
    order, write = [], folders._write

    def noted(result, folder, *, page, **how):
        order.append(page)
        write(result, folder, page=page, **how)
        order.append(page)

    monkeypatch.setattr(folders, "_write", noted)
    threads = [
        threading.Thread(
            target=folders.write, args=(result, folder), kwargs={"page": f"{OURS.decode()}{n}"}
        )
        for n in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert order[::2] == order[1::2]  # one began when the one before had ended
    assert sorted(page[-1] for page in order[::2]) == list("012345")
    assert (folder / "report.html").read_text("utf-8") == order[-1]
