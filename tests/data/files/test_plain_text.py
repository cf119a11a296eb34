"""Encodings of text files."""

import json
import tracemalloc
from collections import deque

import pytest

from data.files.table_files import ROWS, cells, table_text, written
from tiltmeter.core.errors import BadInput
from tiltmeter.data.files import plain_text
from tiltmeter.data.files.plain_text import lines, pieces
from tiltmeter.data.files.tables import read_table


@pytest.mark.parametrize(
    "encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le-bom", "utf-16-be-bom"]
)
@pytest.mark.parametrize("kind", ["csv", "jsonl", "json"])
def test_byte_order_marks(encoding, kind, tmp_path):
    objects = [dict(zip(("sent_more", "sent_less"), row, strict=True)) for row in ROWS]
    text = {
        "csv": table_text(","),
        "jsonl": "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects),
        "json": json.dumps(objects, ensure_ascii=False, indent=1),
    }[kind]
    if encoding.endswith("-bom"):
        encoding, text = encoding.removesuffix("-bom"), "\ufeff" + text
    path = written(tmp_path / f"pairs.{kind}", text, encoding)
    table = read_table(path, required=("sent_more", "sent_less"))
    assert table.columns == ("sent_more", "sent_less")
    assert cells(table) == ROWS


def test_a_mark_is_dropped_when_the_encoding_is_given(tmp_path):
    path = written(tmp_path / "pairs.csv", "\ufeffsent_more,sent_less\nA b.,C d.\n")
    assert read_table(path, encoding="utf-8").columns == ("sent_more", "sent_less")


def test_a_line_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(plain_text, "LONGEST", 100)
    path = tmp_path / "a.csv"
    path.write_text("id,text\n" + "a" * 101)
    with pytest.raises(BadInput, match=r"a\.csv:2: is longer than 100 characters"):
        list(lines(path))
    assert "".join(pieces(path)) == path.read_text()


@pytest.mark.parametrize("piece", [1, 2, 3, 4, 7, 1000])
@pytest.mark.parametrize(
    ("data", "encoding", "reason", "line"),
    [
        (b"a\nb\xc3\xa4c\n\xff d", "utf-8", "byte 0xff at byte 1 of the line is not utf-8", 3),
        (b"a\n\xc3\xa4 \xe4\nb", "utf-8", "byte 0xe4 at byte 4 of the line is not utf-8", 2),
        (b"a\nbc\xe2\x82", "utf-8", "byte 0xe2 at byte 3 of the line is not utf-8", 2),
        (b"\xef\xbb\xbfab\xff", "", "byte 0xff at byte 6 of the line is not utf-8-sig", 1),
        (b"a\n\x83", "shift_jis", "byte 0x83 at byte 1 of the line is not shift_jis", 2),
    ],
)
def test_a_byte_is_named_however_a_file_is_cut(
    piece, data, encoding, reason, line, tmp_path, monkeypatch
):
    """The place is that in the file, also where a character or a line lies in two pieces."""
    monkeypatch.setattr(plain_text, "PIECE", piece)
    path = tmp_path / "a.csv"
    path.write_bytes(data)
    with pytest.raises(BadInput) as error:
        list(lines(path, encoding))
    assert (error.value.problem.line, error.value.problem.reason) == (line, reason)


def test_a_byte_is_named_without_the_whole_file_in_memory(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"plain text\n" * 3_000_000 + b"na\xefve")
    tracemalloc.start()
    try:
        with pytest.raises(
            BadInput, match=r"a\.csv:3000001: byte 0xef at byte 3 .*cp1252.*na\u00efve"
        ):
            deque(pieces(path), maxlen=0)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
