"""Compressed files of every kind are read in a stream, and refused where they unpack to too much."""

import bz2
import gzip
import io
import lzma
import tarfile
import tracemalloc
import zipfile
from functools import partial

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.data.files import unpacking
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.unpacking import (
    ALWAYS,
    SETTING,
    most_unpacked,
    opened,
    opened_member,
    packing_of,
    tar_members,
)

QUICK = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 2**23}]
"""As fast as can be, but with the dictionary of the usual preset, for which unpacking takes memory."""
PACKERS = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": partial(lzma.compress, filters=QUICK)}
BLOCK = b"A" * 99 + b"\n"
BOMB = BLOCK * (2 * ALWAYS // len(BLOCK))
"""Twice what is always allowed, and less than a hundredth of it when packed."""
REFUSED = rf"unpacks to more than 16 MB from .*; if you trust .*, set {SETTING} to a larger size"


@pytest.fixture(scope="module", params=PACKERS)
def bomb(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("bombs") / f"bomb.txt{request.param}"
    path.write_bytes(PACKERS[request.param](BOMB))
    return path


def length(path):
    with opened(path, packing_of(path)) as file:
        return sum(map(len, iter(lambda: file.read(2**16), b"")))


def test_a_stream_stops_where_it_becomes_too_much(bomb):
    tracemalloc.start()
    with pytest.raises(BadInput, match=REFUSED):
        length(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < ALWAYS  # of which liblzma has 8 MB for its dictionary


def test_the_setting_allows_more_or_less(bomb, monkeypatch):
    monkeypatch.setenv(SETTING, "33MB")
    assert length(bomb) == len(BOMB)
    monkeypatch.setenv(SETTING, "1 kB")
    with pytest.raises(BadInput, match="unpacks to more than 1 kB"):
        length(bomb)


@pytest.mark.parametrize("size", ["much", "-1", "1PB"])
def test_a_setting_that_is_no_size_is_refused(size, monkeypatch):
    monkeypatch.setenv(SETTING, size)
    with pytest.raises(BadInput, match="write a size, such as 20GB"):
        most_unpacked(1)


@pytest.mark.parametrize("packing", PACKERS)
def test_damaged_content_is_an_end_of_file_in_every_packing(tmp_path, packing):
    whole = PACKERS[packing](bytes(range(256)) * 999)
    for name, content in {"cut": whole[:-9], "changed": whole[:9] + b"\0\1\2" + whole[12:]}.items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(EOFError):
            length(path)


def test_what_is_less_than_a_hundred_times_its_size_is_read(tmp_path, monkeypatch):
    """The limit follows from the size on the disk, not from a fixed number."""
    monkeypatch.setattr(unpacking, "ALWAYS", 1_000)
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(bytes(range(256)) * 10))  # 2,560 bytes from some 300
    assert length(path) == 2_560


def test_tables_and_texts_that_users_give_are_limited(tmp_path):
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(BOMB))
    with pytest.raises(BadInput, match=REFUSED):
        sum(1 for _ in lines(path))


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_tar_archives_are_limited_also_in_what_is_skipped(tmp_path, mode):
    path = tmp_path / "a.tar"
    preset = {"preset": 0} if mode == "w:xz" else {}
    with tarfile.open(path, mode, **preset) as roll:
        for name, content in {"bomb": BOMB, "wanted": b"x"}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            roll.addfile(member, io.BytesIO(content))
    with pytest.raises(BadInput, match=REFUSED), tar_members(path) as roll:
        [member.name for member in roll]


def test_members_of_zip_archives_are_limited_before_they_are_opened(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", BOMB)
    with (
        zipfile.ZipFile(tmp_path / "a.zip") as archive,
        pytest.raises(BadInput, match=rf"a\.zip: bomb {REFUSED}"),
    ):
        opened_member(archive, archive.getinfo("bomb"))
