"""Values are computed once, under everything that they depend on; a fault of the folder costs time only."""

import errno
import os
import random
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.data.files import remembered_values
from tiltmeter.data.files.remembered_values import recalled, remember, remembered, stamp


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "remembered"


def never():
    pytest.fail("computed again")


def test_a_value_is_computed_once_for_each_key(folder):
    assert remembered(("a", 1), lambda: {"n": [1, None, "ü\ud800"]}) == {"n": [1, None, "ü\ud800"]}
    assert remembered(("a", 1), never) == {"n": [1, None, "ü\ud800"]}
    assert remembered(("a", 2), lambda: 2.5) == 2.5
    assert remembered(("a", 1), never) == {"n": [1, None, "ü\ud800"]}
    assert len(list(folder.iterdir())) == len(remembered_values.files()) == 2


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(json_values)
def test_what_is_recalled_is_what_was_computed(value):
    remember("any", value)
    assert recalled("any") == value


def test_other_software_knows_nothing_of_it(monkeypatch):
    remember("key", 1)
    monkeypatch.setattr(remembered_values, "_software", lambda _: "another version")
    assert recalled("key") is None


def test_software_changes_with_a_package_and_with_a_file_of_tiltmeter(tmp_path, monkeypatch):
    software = remembered_values._software.__wrapped__
    package = tmp_path / "package"
    package.mkdir()
    monkeypatch.setattr(remembered_values.places, "package_file", lambda _: package)
    path = (str(tmp_path), "no such folder")
    seen = [software(path), software(path)]
    assert seen[0] == seen[1]
    (package / "module.py").write_text("x = 1")
    seen.append(software(path))
    (package / "module.py").write_text("x = 12")
    seen.append(software(path))
    (package / "module.pyc").write_text("compiled")
    assert software(path) == seen[-1]
    (tmp_path / "torch-2.dist-info").mkdir()
    seen.append(software(path))
    (tmp_path / "torch-2.dist-info").rename(tmp_path / "torch-3.dist-info")
    seen.append(software(path))
    assert len(set(seen)) == 5


def test_a_library_that_is_imported_from_elsewhere_is_other_software(tmp_path, monkeypatch):
    (tmp_path / "transformers").mkdir()
    (tmp_path / "transformers" / "__init__.py").touch()
    code = (
        "import sys\nfrom tiltmeter.data.files import remembered_values\n"
        "print(remembered_values._software(tuple(sys.path)))"
    )

    def software():
        command = [sys.executable, "-c", code]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    before = software()
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    monkeypatch.setenv("PYTHONPATH", path)
    assert software() != before


@pytest.mark.parametrize("damage", [
    lambda _: b"", lambda content: content[:20], lambda content: content[:-1],
    lambda content: content[:40] + bytes([content[40] ^ 1]) + content[41:],
    lambda content: content + b"more", lambda content: b"\0" * len(content),
])  # fmt: skip
def test_a_damaged_value_is_computed_again(folder, damage):
    remember("key", list(range(100)))
    (file,) = folder.iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert recalled("key") is None
    assert remembered("key", lambda: [1]) == [1]
    assert remembered("key", never) == [1]


def test_brackets_without_end_are_damage(folder):
    content = zlib.compress(b"[" * 200_000)
    folder.mkdir(parents=True)
    remembered_values._file("key").write_bytes(remembered_values._checksum(content) + content)
    assert remembered("key", lambda: 1) == 1
    assert remembered("key", never) == 1


def test_a_value_that_would_drive_out_all_others_is_not_remembered(monkeypatch):
    remember("small", 1)
    monkeypatch.setattr(remembered_values, "MOST", 400)
    remember("large", random.Random(0).randbytes(300).hex())
    assert (recalled("small"), recalled("large")) == (1, None)


def test_what_cannot_be_written_is_not_remembered(folder, tmp_path, monkeypatch):
    folder.parent.mkdir()
    folder.touch()  # a file in the folder's place
    assert remembered("key", lambda: 1) == 1
    assert recalled("key") is None
    folder.unlink()

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        assert remembered("key", lambda: 1) == 1
    assert list(folder.iterdir()) == []
    (tmp_path / "file").touch()
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "file" / "cache"))
    assert remembered("key", lambda: 1) == 1


def test_what_json_cannot_hold_is_not_remembered():
    assert remembered("key", lambda: {1, 2}) == {1, 2}
    assert remembered("key", lambda: {3}) == {3}


def test_the_least_recently_used_go_when_the_folder_is_full(folder, monkeypatch):
    noise = [random.Random(number).randbytes(300).hex() for number in range(5)]
    for number, text in enumerate(noise[:4]):
        remember(number, text)
        os.utime(remembered_values._file(number), ns=(number, number))
    sizes = sum(file.stat().st_size for file in folder.iterdir())
    assert recalled(0) == noise[0]  # and is used by that
    monkeypatch.setattr(remembered_values, "MOST", sizes * 9 // 8)
    remember(
        4, noise[4]
    )  # of five of about one size, three fit into three quarters of four and a half
    assert [recalled(number) is not None for number in range(5)] == [True, False, False, True, True]
    assert sum(file.stat().st_size for file in folder.iterdir()) < sizes


def test_processes_that_write_the_same_value_do_not_disturb_each_other(folder):
    code = (
        "from tiltmeter.data.files.remembered_values import recalled, remember\n"
        "for n in range(200):\n"
        "    remember('key', ['x' * 5000])\n"
        "    assert recalled('key') == ['x' * 5000]\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert len(list(folder.iterdir())) == 1
    # In a process of its own, as other tests may have left other packages in this one's path.
    again = code.splitlines()[0] + "\nassert recalled('key') == ['x' * 5000]"
    subprocess.run([sys.executable, "-c", again], check=True)


def test_a_stamp_changes_with_the_content_whatever_the_time_is_set_to(tmp_path, monkeypatch):
    file = tmp_path / "weights"
    file.write_bytes(b"one")
    assert stamp([file]) is None  # it may change again within the same tick
    monkeypatch.setattr(remembered_values, "RECENT", 0)
    before = stamp([file])
    assert before == stamp([file]) != stamp([file, file])
    times = file.stat()
    file.write_bytes(b"two")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert file.stat().st_mtime_ns == times.st_mtime_ns
    assert stamp([file]) != before
    assert stamp([file, tmp_path / "nothing"]) is None
