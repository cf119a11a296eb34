"""What a named output may replace, and what it never touches."""

import os
from pathlib import Path

import pytest

from tiltmeter.core.errors import BadInput, StorageError
from tiltmeter.run.files.output_files import (
    OURS,
    check_new_file,
    write_bytes,
    write_private,
    write_text,
)

PAGE = "<!doctype html>\n<html>" + OURS.decode()


def test_a_device_is_left_as_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, "/dev/null"):
        with pytest.raises(BadInput, match="not a regular file; name another file"):
            write_text(tmp_path / path, "x")
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("name", "there", "new"),
    [
        ("notes.txt", "Call the dentist.\n", PAGE),
        ("page.html", "<!doctype html>\n<title>Mine</title>", PAGE),
        ("data.csv", "sent_more,sent_less\n", "model,value\n"),
        ("settings.json", '{"editor": 1}', '{"intrasentence": []}'),
        ("picture.png", b"\x89PNG\r\n", b"%PDF-1.7"),
        ("book.xlsx", b"PK\x03\x04", "a,b\n"),
    ],
)
def test_a_file_of_another_kind_is_kept(tmp_path, name, there, new):
    as_bytes = [text if isinstance(text, bytes) else text.encode() for text in (there, new)]
    (tmp_path / name).write_bytes(as_bytes[0])
    with pytest.raises(BadInput, match="name another file, or remove this one first"):
        write_bytes(tmp_path / name, as_bytes[1])
    assert (tmp_path / name).read_bytes() == as_bytes[0]


@pytest.mark.parametrize(
    ("there", "new"),
    [
        ("model,value\na,1\n", "model,value,p\n"),
        (PAGE + "old", PAGE + "new"),
        ('{\n  "a": 1}', '{"a": 2}'),
        ("", "anything"),
    ],
)
def test_a_file_of_the_same_kind_is_replaced(tmp_path, there, new):
    (tmp_path / "f").write_text(there)
    write_text(tmp_path / "f", new)
    assert (tmp_path / "f").read_text() == new


def test_a_file_that_was_read_is_written_back_whatever_it_holds(tmp_path):
    (tmp_path / "README.md").write_text("# Mine\n")
    write_text(tmp_path / "README.md", "---\ntags: []\n---\n# Mine\n", same_kind=False)
    assert (tmp_path / "README.md").read_text().startswith("---")
    with pytest.raises(BadInput, match="not a regular file"):
        write_text(Path("/dev/null"), "x", same_kind=False)


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path):
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    write_text(tmp_path / "link.csv", "a,b\n")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "a,b\n"


def test_files_of_a_finished_result_are_kept(tmp_path):
    run = {"records.parquet": "r", "matrix.csv": "m", "report.html": PAGE}
    for name, text in {
        **run,
        "card.json": '{"files": {"records.parquet": "", "matrix.csv": ""}}',
    }.items():
        (tmp_path / name).write_text(text)
    for name in ("card.json", "records.parquet", "matrix.csv"):
        with pytest.raises(BadInput, match="belongs to a finished result; name another file"):
            write_text(tmp_path / name, "r")
    write_text(tmp_path / "report.html", PAGE + "again")
    write_text(tmp_path / "further.csv", "a\n")


def test_names_that_no_system_takes_are_explained(tmp_path):
    with pytest.raises(StorageError, match="File name too long; name another file"):
        write_text(tmp_path / ("x" * 300), "x")
    with pytest.raises(StorageError, match="null"):
        write_text(tmp_path / "a\0b", "x")


def test_a_private_file_is_its_owners_and_replaced_only_if_asked(tmp_path):
    path = tmp_path / "folder" / "people.csv"
    old = os.umask(0)
    try:
        write_private(path, "ann")
    finally:
        os.umask(old)
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("ann", 0o600)
    path.chmod(0o644)
    for refused in (lambda: write_private(path, "ben"), lambda: check_new_file(path)):
        with pytest.raises(BadInput, match="this file exists; give --overwrite"):
            refused()
    assert path.read_text() == "ann"
    write_private(path, "ben", overwrite=True)
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("ben", 0o600)
    with pytest.raises(BadInput, match="this is a folder"):
        write_private(tmp_path, "x", overwrite=True)
