"""Reading archives that people hand in."""

import io
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput
from tiltmeter.data.downloads.archives import is_archive, safe, unpack

PART = st.sampled_from(["a", "b.csv", "..", ".", "", "...", "c d", "..a"])


@given(st.lists(PART, min_size=1, max_size=6), st.booleans())
def test_what_is_safe_stays_below(parts, absolute):
    """Walking the name step by step never leaves the folder, or the name is refused."""
    name = ("/" if absolute else "") + "/".join(parts)
    depth = 0
    lowest = 0
    for part in parts:
        depth += {"..": -1, ".": 0, "": 0}.get(part, 1)
        lowest = min(lowest, depth)
    try:
        safe(name)
    except BadInput:
        assert ".." in parts or PurePosixPath(name).is_absolute()
    else:
        assert lowest == 0
        assert not name.startswith("/")


@pytest.mark.parametrize("name", ["C:/x", "C:x", "a\\..\\..\\x", "\\\\host\\share\\x", "/", ".."])
def test_names_of_windows_and_roots(name):
    with pytest.raises(BadInput, match="outside its folder"):
        safe(name)


def make_zip(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def make_tar(path: Path, files: dict[str, bytes], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


@pytest.mark.parametrize("mode", ["zip", "w", "w:gz", "w:bz2", "w:xz"])
def test_files_of_the_wanted_sizes(tmp_path, mode):
    files = {"a/one": b"1", "two": b"22", "a/b/three": b"333", "other": b"44"}
    make = make_zip if mode == "zip" else lambda p, f: make_tar(p, f, mode)
    archive = make(tmp_path / "archive", files)
    assert is_archive(archive)
    (tmp_path / "to").mkdir()
    found = unpack(archive, tmp_path / "to", sizes={2, 3})
    assert sorted(path.read_bytes() for path in found) == [b"22", b"333", b"44"]
    assert {path.parent for path in found} == {tmp_path / "to"}


@pytest.mark.parametrize("make", [make_zip, make_tar])
@pytest.mark.parametrize("name", ["../x", "/x", "a/../../x"])
def test_an_escape_is_refused(tmp_path, make, name):
    archive = make(tmp_path / "archive", {name: b"1"})
    (tmp_path / "to").mkdir()
    with pytest.raises(BadInput, match="outside its folder"):
        unpack(archive, tmp_path / "to", sizes={1})
    assert list((tmp_path / "to").iterdir()) == []


def test_links_in_a_tar_are_not_followed(tmp_path):
    with tarfile.open(tmp_path / "archive.tar", "w") as archive:
        link = tarfile.TarInfo("passwd")
        link.type = tarfile.SYMTYPE
        link.linkname = "/etc/passwd"
        archive.addfile(link)
    (tmp_path / "to").mkdir()
    assert unpack(tmp_path / "archive.tar", tmp_path / "to", sizes=range(100_000)) == []


def test_a_damaged_zip(tmp_path):
    archive = make_zip(tmp_path / "archive.zip", {"a": b"1234567890"})
    archive.write_bytes(archive.read_bytes().replace(b"1234567890", b"1234567899"))
    (tmp_path / "to").mkdir()
    with pytest.raises(BadInput, match=r"archive.zip: the archive is damaged"):
        unpack(archive, tmp_path / "to", sizes={10})


@pytest.mark.parametrize("content", [b"", b"id,sent_more,sent_less\n", bytes(10)])
def test_other_files_are_no_archives(tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    assert not is_archive(tmp_path / "file")
