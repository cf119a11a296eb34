"""Tables of every kind give the same rows, with the line an editor shows."""

import gzip
import json

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from data.files.table_files import ROWS, cells, quoted, table_text, written
from tiltmeter.core.errors import BadInput
from tiltmeter.data.files.tables import read_table


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", ["pairs.csv", "pairs.tsv", "pairs.txt"])
def test_delimiters_and_line_ends(delimiter, end, name, tmp_path):
    path = written(tmp_path / name, table_text(delimiter, end))
    table = read_table(path, required=("sent_more", "sent_less"))
    rows = list(table.rows)
    assert [row.line for row in rows] == [2, 3, 5]
    assert [(r.cells["sent_more"], r.cells["sent_less"]) for r in rows] == ROWS
    expected = {"pairs.csv": ",", "pairs.tsv": "\t"}.get(name, delimiter)
    assert len(table.notes) == (delimiter != expected)


def test_tabs_in_a_csv_are_noted(tmp_path):
    path = written(tmp_path / "pairs.csv", table_text("\t"))
    assert read_table(path).notes == ["pairs.csv is separated by tabs, not commas."]


def test_a_header_that_is_repeated_is_no_row(tmp_path):
    path = written(tmp_path / "pairs.csv", table_text(",") + table_text(","))
    rows = list(read_table(path).rows)
    (problem,) = [row.problem for row in rows if row.problem]
    assert (len(rows), problem.line) == (7, 6) and "the header is repeated" in problem.reason
    path = written(tmp_path / "texts.csv", "text\none\ntext\n")
    assert [row.problem for row in read_table(path).rows] == [None, None]


def test_a_header_that_is_too_long_is_refused(tmp_path):
    path = written(tmp_path / "a.csv", f"id,{'x' * 200_000}\n1,2\n")
    with pytest.raises(BadInput, match=r"a\.csv:1: a cell from here on is longer"):
        read_table(path)


@pytest.mark.parametrize("name", ["mine.csv", "mine.jsonl"])
def test_a_comment_in_the_first_line_is_called_one(name, tmp_path):
    (tmp_path / name).write_text(
        "# pairs, of mine\nsent_more,sent_less\nHe ran.,She ran.\n", "utf-8"
    )
    with pytest.raises(BadInput, match="comment") as why:
        read_table(tmp_path / name, required=["sent_more"])
    assert "put a header line before it" not in str(why.value)


def test_a_name_of_a_column_may_begin_like_a_comment(tmp_path):
    (tmp_path / "mine.csv").write_text("#id,text\n1,He ran.\n", "utf-8")
    assert read_table(tmp_path / "mine.csv").columns == ("#id", "text")


def test_a_link_to_nothing_is_named(tmp_path):
    (tmp_path / "a.csv").symlink_to("gone.csv")
    with pytest.raises(BadInput, match=r"a\.csv: is a link to 'gone\.csv', which is not there"):
        read_table(tmp_path / "a.csv")


def test_commas_in_sentences_do_not_make_a_delimiter(tmp_path):
    text = "sent_more\tsent_less, as we say, here\tx,y,z\nA b.\tC d.\t1\n"
    table = read_table(written(tmp_path / "a.csv", text), required=("sent_more",))
    assert table.columns == ("sent_more", "sent_less, as we say, here", "x,y,z")


def test_lines_of_json_objects_in_a_list(tmp_path):
    text = '[ {"a": 1},\n\n {"a": 2}, {"a": 3}\n,\n{"a":\n4} ]\n'
    rows = list(read_table(written(tmp_path / "a.json", text)).rows)
    assert [(row.line, row.cells["a"]) for row in rows] == [(1, 1), (3, 2), (3, 3), (5, 4)]


@pytest.mark.parametrize("text", ['[{"a": 1},]', '[{"a": 1}] {"a": 2}', '[,{"a": 1}]', '[{"a": 1}'])
def test_broken_lists(text, tmp_path):
    with pytest.raises(BadInput, match=r"broken JSON|after the list's end"):
        list(read_table(written(tmp_path / "a.json", text)).rows)


@pytest.mark.parametrize(("name", "text"), [("a.jsonl", '{"x": "1"}\n'), ("a.csv", "x\n1\n")])
def test_a_compressed_table_is_the_table(tmp_path, name, text):
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    assert [row.cells for row in read_table(path).rows] == [{"x": "1"}]


def test_one_object_a_line_in_json_is_noted(tmp_path):
    table = read_table(written(tmp_path / "a.json", '\n{"a": 1}\n\n{"a": 2}\n'))
    assert [row.line for row in table.rows] == [2, 4]
    assert table.notes == ["a.json contains one object per line (JSONL)."]


def test_columns_of_jsonl_are_those_of_all_objects(tmp_path):
    table = read_table(written(tmp_path / "a.jsonl", '{"a": 1}\n{"b": 2}\n'), required=("b",))
    assert table.columns == ("a", "b")


def test_blank_lines_do_not_shift_line_numbers(tmp_path):
    text = "\n\nsent_more,sent_less\n\nA b.,C d.\n\n\nE f.,G h.\n"
    table = read_table(written(tmp_path / "a.csv", text), required=("sent_more",))
    assert [row.line for row in table.rows] == [5, 8]


def test_rows_of_the_wrong_width_have_no_cells(tmp_path):
    text = "a,b\n1\n1,2,\n1,2,3\n1,2\n"
    rows = list(read_table(written(tmp_path / "a.csv", text)).rows)
    assert [row.line for row in rows if row.problem] == [2, 4]
    assert [dict(row.cells) for row in rows] == [{}, {"a": "1", "b": "2"}, {}, {"a": "1", "b": "2"}]


def test_unicode_separators_end_no_line(tmp_path):
    text = "a,b\nx\u2028y,z\x85w\nv,u\n"
    rows = list(read_table(written(tmp_path / "a.csv", text)).rows)
    assert [(row.line, row.cells["a"]) for row in rows] == [(2, "x\u2028y"), (3, "v")]


def test_parquet_rows_are_numbered_across_batches(tmp_path):
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"a": list(range(20_000))}), path, row_group_size=7_000)
    assert all(row.line == row.cells["a"] + 1 for row in read_table(path).rows)


def test_parquet_is_known_by_its_content(tmp_path):
    path = tmp_path / "pairs.data"
    parquet.write_table(pa.table({"a": ["x"]}), path)
    assert [row.cells for row in read_table(path).rows] == [{"a": "x"}]


def test_parquet_with_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "a.parquet"
    broken = pa.array([b"fine", b"\xff"], pa.binary()).view(pa.string())
    parquet.write_table(pa.table({"a": broken}), path)
    with pytest.raises(BadInput, match=r"a.parquet:1: cannot be read on"):
        list(read_table(path).rows)


def test_a_misspelt_column_is_corrected_on_the_side_that_the_user_wrote(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,tone\n1,2\n", "utf-8")
    with pytest.raises(BadInput, match=r"no column named ton .*; did you mean 'tone'\?$"):
        read_table(path, required=["ton"], named=["ton"])
    with pytest.raises(BadInput, match=r"; found 'tone'; did you mean 'ton'\?$"):
        read_table(path, required=["ton"])


def test_a_near_miss_of_a_known_column_is_noted(tmp_path):
    path = written(tmp_path / "a.csv", "sent_more,bias_typ,zebra\nA b.,age,1\n")
    table = read_table(path, required=("sent_more",), known=("bias_type", "id"))
    assert table.notes == ["The column 'bias_typ' is not read; did you mean 'bias_type'?"]


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5), st.sampled_from(",\t;"))
def test_any_text_survives_any_format(tmp_path, pairs, delimiter):
    body = "".join(f"{quoted(a)}{delimiter}{quoted(b)}\r\n" for a, b in pairs)
    columns = {"sent_more": [a for a, _ in pairs], "sent_less": [b for _, b in pairs]}
    objects = [{"sent_more": a, "sent_less": b} for a, b in pairs]
    head = f"sent_more{delimiter}sent_less\r\n"
    files = [
        written(tmp_path / "a.csv", head + body),
        written(tmp_path / "a.jsonl", "".join(json.dumps(one) + "\n" for one in objects)),
        written(
            tmp_path / "b.jsonl", "\n".join(json.dumps(o, ensure_ascii=False) for o in objects)
        ),
        written(tmp_path / "a.json", json.dumps(objects, indent=2)),
    ]
    parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    for path in (*files, tmp_path / "a.parquet"):
        assert cells(read_table(path, required=("sent_more", "sent_less"))) == pairs


@settings(
    deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.binary(max_size=200), st.sampled_from(["csv", "tsv", "json", "jsonl", "parquet"]))
def test_any_bytes_are_read_or_refused(tmp_path, data, suffix):
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(data)
    named = path.name
    try:
        list(read_table(path).rows)
    except BadInput as error:
        named = error.problem.file
    assert named == path.name


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        (pa.timestamp("us"), 2**62),
        (pa.timestamp("us", tz="Nowhere/At all"), 5),
        (pa.date32(), 2**31 - 1),
        (pa.date64(), 2**62),
    ],
    ids=str,
)
def test_times_that_no_calendar_has_do_not_matter_where_nobody_reads_them(tmp_path, kind, number):
    path = tmp_path / "pairs.parquet"
    when = pa.array([number, 1], type=kind)
    parquet.write_table(pa.table({"text": ["a", "b"], "when": when}), path)
    assert [row.cells["text"] for row in read_table(path).rows] == ["a", "b"]
