"""Files of pairs become pairs: ids, groups, directions, notes; and names become files."""

import hashlib
import json

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.data.downloads.sources import choose
from tiltmeter.data.pairs.pairs import load_pairs, read_pairs
from tiltmeter.data.pairs.row_reading import Layout
from tiltmeter.data.pairs.sentences import normal, problem_with

HEAD = "sent_more,sent_less"


@pytest.fixture
def write(tmp_path):
    def write(text, name="pairs.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return path

    return write


def test_the_least_file(write):
    path = write(f"{HEAD}\nShe sang.,He sang.\nAnn sat.,Ben sat.\n")
    data = read_pairs(path)
    assert [(p.id, p.more, p.less, p.where) for p in data.items] == [
        ("0", "She sang.", "He sang.", "pairs.csv:2"),
        ("1", "Ann sat.", "Ben sat.", "pairs.csv:3"),
    ]
    assert [dict(p.groups) for p in data.items] == [{"check": "passed"}] * 2
    assert data.name == "pairs.csv"
    assert data.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert not data.notes
    assert not data.invalid


def test_spaces_at_the_ends_are_kept_where_they_are_wanted(write):
    path = write(f"id,{HEAD}\na, She sang. ,He sang.\n")
    assert read_pairs(path).items[0].more == "She sang."
    kept = read_pairs(path, keeps_spaces=True)
    assert (kept.items[0].more, kept.items[0].less) == (" She sang. ", "He sang.")
    assert [n.kind for n in kept.notes if "kept" in n.text] == ["oddity"]


def test_ids_and_groups(write):
    data = read_pairs(
        write(
            f"id,{HEAD},direction,bias_type,occupation,group_region,group_check,note\n"
            "a, She sang. ,He sang.,antistereo,gender,singer,north,mine,x\n"
            "b,Ann sat.,Ben sat.,stereo,,,south,,\n"
        )
    )
    first, second = data.items
    assert (first.id, first.more) == ("a", "She sang.")
    assert (first.first, first.second) == ("He sang.", "She sang.")
    assert dict(first.groups) == {
        "direction": "antistereo",
        "bias_type": "gender",
        "occupation": "singer",
        "region": "north",
        "check": "passed",
    }
    assert dict(second.groups) == {"direction": "stereo", "region": "south", "check": "passed"}
    assert data.about == {"direction": "antistereo 1, stereo 1", "bias_type": "gender 1"}
    assert "Spaces at the ends of 1 sentence were removed." in map(str, data.notes)
    assert "1 pair has no bias_type." in map(str, data.notes)


def test_the_unnamed_first_column_is_the_id_and_no_other(write):
    assert [p.id for p in read_pairs(write(f",{HEAD}\n7,A b.,C d.\n9,E f.,G h.\n")).items] == [
        "7",
        "9",
    ]
    assert [p.id for p in read_pairs(write(f"{HEAD},\nA b.,C d.,\nE f.,G h.,\n")).items] == [
        "0",
        "1",
    ]


def test_whole_numbers_are_the_same_id_in_every_format(tmp_path):
    rows = [{"id": 3, "sent_more": "A b.", "sent_less": "C d."}]
    jsonl, table = tmp_path / "a.jsonl", tmp_path / "a.parquet"
    jsonl.write_text(json.dumps(rows[0]))
    parquet.write_table(
        pa.table({"id": [3.0], "sent_more": ["A b."], "sent_less": ["C d."]}), table
    )
    assert read_pairs(jsonl).items[0].id == read_pairs(table).items[0].id == "3"


def test_duplicate_pairs_are_kept_and_noted(write):
    data = read_pairs(write(f"{HEAD}\nA b.,C d.\nE f.,G h.\nA b.,C d.\n"))
    assert len(data.items) == 3
    assert "1 pair is listed more than once, and each copy counts (ids 0, 2)." in map(
        str, data.notes
    )


def test_two_spellings_of_a_category_are_noted(write):
    data = read_pairs(write(f"{HEAD},bias_type\nA b.,C d.,Age\nE f.,G h.,age\n"))
    assert "bias_type has 'Age' and 'age': they are reported separately." in map(str, data.notes)


def test_text_is_not_changed_inside(write):
    odd = "Zoe\u0308  \u00a0sat — “here”…"
    (pair,) = read_pairs(write(f"{HEAD}\n  {odd}\t,Zoe sat.\n")).items
    assert pair.more == odd


def test_a_mended_file_gives_what_skipping_gives(write):
    bad = read_pairs(write(f"id,{HEAD}\na,A b.,C d.\nb,,x y\nc,E f.,G h.\n"), skip_invalid=True)
    good = read_pairs(write(f"id,{HEAD}\na,A b.,C d.\nc,E f.,G h.\n"))
    assert [(p.id, p.more, p.less) for p in bad.items] == [
        (p.id, p.more, p.less) for p in good.items
    ]
    (problem,) = bad.invalid
    assert (problem.item, problem.line, problem.field) == ("b", 3, "sent_more")


def test_an_encoding_is_used(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_bytes(f"{HEAD}\nDe reünie begon.,Het feest begon.\n".encode("mac_roman"))
    with pytest.raises(BadInput, match="--encoding mac_roman"):
        read_pairs(path)
    assert read_pairs(path, encoding="mac_roman").items[0].more == "De reünie begon."


def test_another_layout(write):
    layout = Layout(more="a", less="b", direction=("way",), ids=("key",), cluster="who")
    path = write("key,a,b,way,who\nk,A b.,C d.,antistereo,w1\n")
    (pair,) = read_pairs(path, layout=layout).items
    assert (pair.id, pair.more, pair.cluster) == ("k", "A b.", "w1")
    assert pair.groups["direction"] == "antistereo"


def test_names_and_files(write, tmp_path, monkeypatch):
    path = write(f"{HEAD}\nA b.,C d.\n", "mine.csv")
    monkeypatch.chdir(tmp_path)
    assert choose(None, "crows_pairs", ("crows_pairs",)) == "crows_pairs"
    assert choose("crows_pairs", "", ("crows_pairs",)) == "crows_pairs"
    assert choose(str(path), "", ()) == path
    assert choose(path, "", ()) == path
    assert len(load_pairs("mine.csv", "").items) == 1
    with pytest.raises(BadInput, match=r"no data of its own; name your file with --data PATH"):
        choose(None, "", ())
    with pytest.raises(BadInput, match=r"did you mean crows_pairs.*data sets: crows_pairs"):
        choose("crow_pairs", "", ("crows_pairs", "winobias"))
    with pytest.raises(BadInput, match=r"did you mean mine.csv"):
        choose("mine", "", ())
    with pytest.raises(BadInput, match=r"does not read the data set 'winogender'"):
        choose("winogender", "crows_pairs", ("crows_pairs",))
    with pytest.raises(BadInput, match=r"no such file; did you mean mine.csv"):
        load_pairs("mime.csv", "")
    (tmp_path / "link").symlink_to("gone.csv")
    with pytest.raises(BadInput, match=r"link: is a link to 'gone\.csv', which is not there"):
        load_pairs("link", "")


def test_a_file_is_no_published_set_and_stops_at_bad_rows(write):
    with pytest.raises(BadItems, match=r"pairs.csv:2: sent_less is empty"):
        load_pairs(write(f"{HEAD}\nA b.,\n"), "crows_pairs")


SENTENCES = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffd"),
    min_size=2,
    max_size=40,
)


@settings(
    deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=4))
def test_the_same_pairs_from_every_format(tmp_path, pairs):
    assume(all(problem_with(text, Problem("")) is None for both in pairs for text in both))
    assume(all(normal(more) != normal(less) for more, less in pairs))

    def quoted(text):
        return '"' + text.replace('"', '""') + '"'

    rows = [{"sent_more": more, "sent_less": less} for more, less in pairs]
    lines = [HEAD, *(",".join(map(quoted, both)) for both in pairs)]
    (tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8", newline="")
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    for suffix in ("csv", "jsonl", "parquet"):
        data = read_pairs(tmp_path / f"a.{suffix}")
        assert [(p.more, p.less) for p in data.items] == [
            (more.strip(), less.strip()) for more, less in pairs
        ]


CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.none())
)
ROWS = st.fixed_dictionaries(
    {"sent_more": CELLS}, optional={"sent_less": CELLS, "id": CELLS, "direction": CELLS}
)


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(ROWS, min_size=1, max_size=5))
def test_any_objects_are_pairs_or_problems(tmp_path, rows):
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    try:
        data = read_pairs(path, skip_invalid=True)
    except BadInput:
        return
    left_out = {problem.line for problem in data.invalid}
    assert len(data.items) + len(left_out) == len(rows)
    assert len({pair.id for pair in data.items}) == len(data.items)


def test_a_cluster_column_is_read(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text("sent_more,sent_less,cluster\nhe is a,she is a,t1\nhe is b,she is b,t1\n")
    data = read_pairs(path)
    assert [pair.cluster for pair in data.items] == ["t1", "t1"]
    assert data.clusters == "cluster"
    path.write_text("sent_more,sent_less\nhe is a,she is a\n")
    assert read_pairs(path).clusters == ""
