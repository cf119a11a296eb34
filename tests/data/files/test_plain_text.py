"""Encodings of text files."""

import json

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
