"""Disks that are full at every point of a run: told clearly, nothing half-written, and then mended."""

import os
import resource
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from faults.undisturbed import card, files, write_pairs
from tiltmeter.core.errors import StorageError
from tiltmeter.run.stored_answers.store import Store

PAGE = 4096
ORDER = ("records.parquet", "records.jsonl", "estimates.json", "report.html", "card.json")


@contextmanager
def disk(place, size="2m"):
    """A real file system of its own."""
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    if os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(place, *, leave):
    """Take up all but so many pages."""
    filler = place / "filler"
    free = os.statvfs(place).f_bavail * os.statvfs(place).f_frsize
    filler.write_bytes(bytes(free - leave * PAGE))
    return filler


def pages(size):
    return -(-size // PAGE)


def test_where_results_go(tilt, tmp_path):
    """Full at each file in turn, with some of it written and with nothing of it written."""
    args = ("run", "pairs", "fake:masked", "--jsonl", "--data", write_pairs(tmp_path / "d.csv"))
    large = tmp_path / "large"  # a name of the same length, since the page gives the command
    assert tilt(*args, "--out", large / "runs")[0] == 0
    expected = files(large / "runs")
    (folder,) = (large / "runs").iterdir()
    sizes = [pages((folder / name).stat().st_size) for name in ORDER]
    with disk(tmp_path / "small") as small:
        for at in range(len(ORDER)):
            for leave in {sum(sizes[:at]), sum(sizes[: at + 1]) - 1}:
                (small / "runs").mkdir()
                filler = fill(small, leave=leave)
                code, out, err = tilt(*args, "--out", small / "runs")
                assert (code, out) == (1, ""), (ORDER[at], err)
                assert "No space left" in err
                assert str(small / "runs") in err
                assert "make room or name another --out, and run the same command again" in err
                assert "Traceback" not in err
                left = {
                    f.name
                    for (d, _, found) in os.walk(small / "runs")
                    for f in map(Path(d).joinpath, found)
                }
                assert left == set(ORDER[:at])  # each of them whole
                filler.unlink()
                shutil.rmtree(small / "runs")
        assert tilt(*args, "--out", small / "runs")[0] == 0
        found = files(small / "runs")
    for one in (found, expected):
        del one["card.json"]["command"], one["report.html"]
    assert found == expected


def test_where_answers_are_kept(tilt, tmp_path, monkeypatch):
    """Full before anything is stored, and in the middle; what was stored is not asked again."""
    args = ("run", "pairs", "fake:masked", "--data", write_pairs(tmp_path / "d.csv", 300))
    (tmp_path / "other").mkdir()
    with monkeypatch.context() as patch:
        patch.chdir(tmp_path / "other")
        assert tilt(*args)[0] == 0
    expected = files(tmp_path / "other" / "runs")
    with disk(tmp_path / "small", "8m") as small:
        monkeypatch.setenv("TILTMETER_CACHE", str(small))
        for leave in (0, 2, 12, 60):
            filler = fill(small, leave=leave)
            code, out, err = tilt(*args)
            filler.unlink()
            assert (code, out) == (1, ""), (leave, err)
            assert str(small / "answers.sqlite") in err
            assert "TILTMETER_CACHE=FOLDER" in err or "free some and run the same command" in err
            assert "Traceback" not in err
        assert not (tmp_path / "runs").exists()
        with Store(small / "answers.sqlite") as store:
            kept = sum(one.answers for one in store.summary())
        assert tilt(*args)[0] == 0
        assert card(tmp_path / "runs")["run"]["recalled"] == kept
        assert files(tmp_path / "runs") == expected


def test_a_full_store_can_be_cleared(tilt, tmp_path, monkeypatch):
    with disk(tmp_path / "small") as small:
        monkeypatch.setenv("TILTMETER_CACHE", str(small))
        with Store(small / "answers.sqlite") as store:
            m = store.model("f", "m")
            store.put(m, {i.to_bytes(16): np.zeros(100) for i in range(1000)})
        fill(small, leave=0)
        code, _, err = tilt("data", "cache", "clear")
        assert code == 0, err
        assert "1,000 answers of m deleted" in err
        assert os.statvfs(small).f_bavail > 100


def test_write_protected(tilt, tmp_path, monkeypatch):
    """A cache that can only be read, with a store that would be of use: told before anything loads."""
    args = ("run", "starter_pairs", "fake:masked")
    with disk(tmp_path / "small") as small:
        monkeypatch.setenv("TILTMETER_CACHE", str(small))
        assert tilt(*args)[0] == 0
        subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
        for words in (args, ("data", "cache", "info"), ("data", "cache", "clear")):
            code, out, err = tilt(*words)
            assert (code, out) == (1, "")
            assert f"{small}: the cache folder cannot be written; set TILTMETER_CACHE" in err
            assert "loading" not in err
        with pytest.raises(
            StorageError, match=r"answers\.sqlite: .*check the folder, or use another"
        ):
            Store(small / "answers.sqlite")


@pytest.mark.parametrize("most", [10_000, 90_000])
def test_a_quota_needs_no_root(tmp_path, tilt, most):
    """The system refuses files longer than that: another way in which writing fails anywhere."""
    args = ("run", "pairs", "fake:masked", "--data", write_pairs(tmp_path / "d.csv", 400))
    small = (
        "import resource, runpy, sys\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))\n"
        "runpy.run_module('tiltmeter', run_name='__main__', alter_sys=True)\n"
    )
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    run = subprocess.run(
        [sys.executable, "-c", small, *map(str, args)],
        cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert run.returncode == 1, run.stderr
    assert run.stdout == ""
    assert "Traceback" not in run.stderr
    assert str(tmp_path / "cache" / "answers.sqlite") in run.stderr or "runs" in run.stderr
    assert "run the same command again" in run.stderr
    assert not list(tmp_path.glob("runs/*/card.json"))
    code, _, err = tilt(*args)
    assert code == 0, err


def test_standard_output_that_takes_nothing(tmp_path):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "tiltmeter", "run", "starter_pairs", "fake:masked", "--json"],
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=100, check=False,
        )  # fmt: skip
    assert run.returncode == 1, run.stderr
    assert "No space left on device" in run.stderr
    assert "Traceback" not in run.stderr
    assert len(list(tmp_path.glob("runs/*/card.json"))) == 1  # the result is there
