"""The cache and the user's folder of data sets."""

import os
import sys
from pathlib import Path

import pytest

from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.data.downloads import places


def test_the_cache_is_made_where_the_variable_says(monkeypatch, tmp_path):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "a" / "b"))
    assert places.cache() == tmp_path / "a" / "b"
    assert (tmp_path / "a" / "b").is_dir()
    assert places.cache() == tmp_path / "a" / "b"


@pytest.mark.skipif(sys.platform != "linux", reason="the XDG variable is one of Linux")
def test_without_the_variable_it_is_the_users_cache_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("TILTMETER_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert places.cache() == tmp_path / "tiltmeter"


def test_a_relative_cache_folder_becomes_absolute(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TILTMETER_CACHE", "here")
    assert places.cache() == tmp_path / "here"


@pytest.mark.parametrize("below", ["", "deeper/still"])
def test_a_file_in_place_of_the_cache(monkeypatch, tmp_path, below):
    file = tmp_path / "file"
    file.write_text("not a folder")
    monkeypatch.setenv("TILTMETER_CACHE", str(file / below))
    with pytest.raises(BadInput, match=r"a file is in its place; set TILTMETER_CACHE"):
        places.cache()
    assert file.read_text() == "not a folder"


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc, where nobody can make a folder")
def test_a_cache_that_cannot_be_made(monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", "/proc/tiltmeter")
    with pytest.raises(StorageError, match=r"/proc/tiltmeter: .*cannot be made.*TILTMETER_CACHE"):
        places.cache()


def test_a_cache_that_cannot_be_written(monkeypatch, tmp_path):
    tmp_path.chmod(0o500)
    if os.access(tmp_path, os.W_OK):
        pytest.skip("this user may write everywhere")
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    with pytest.raises(StorageError, match="cannot be written"):
        places.cache()


@pytest.mark.parametrize("value", [None, ""])
def test_no_folder_given(monkeypatch, value):
    if value is None:
        monkeypatch.delenv("TILTMETER_DATA", raising=False)
    else:
        monkeypatch.setenv("TILTMETER_DATA", value)
    assert places.given() is None


def test_the_folder_given(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "sets").mkdir()
    monkeypatch.setenv("TILTMETER_DATA", "~/sets")
    assert places.given() == Path(tmp_path, "sets")


@pytest.mark.parametrize(("name", "reason"), [("no", "there is no such"), ("file", "it is a file")])
def test_what_is_given_is_no_folder(monkeypatch, tmp_path, name, reason):
    (tmp_path / "file").touch()
    monkeypatch.setenv("TILTMETER_DATA", str(tmp_path / name))
    with pytest.raises(BadInput, match=f"{name}: TILTMETER_DATA .* but {reason}.*or unset it"):
        places.given()
