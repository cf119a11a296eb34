"""--map with the meanings of values: on the command line, in Python and in a sweep."""

import json

import pytest

import tiltmeter as tm
from support.command_line import own_cache, tilt
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.files.renamed_columns import mapping_of, renamed_columns
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.pairs.pairs import read_pairs

__all__ = ["own_cache", "tilt"]
ROWS = "sent_more,sent_less,label,kind\nHe ran.,She ran.,0,g\nThe old man sat.,The young man sat.,1,age\n"
VALUES = "label:0=stereo,1=antistereo"


@pytest.fixture
def table(tmp_path):
    (tmp_path / "p.csv").write_text(ROWS)
    return tmp_path / "p.csv"


def groups(data, axis):
    return [pair.groups.get(axis) for pair in data.items]


def test_the_command_line(tilt, table, tmp_path):
    given = ("--map", f"stereo_antistereo={VALUES}", "--map", "bias_type=kind:g=gender,*=*")
    code, _, err = tilt("run", "pairs", "fake", "--data", table, *given, "--out", tmp_path / "runs")
    assert code == 0, err
    (records,) = (tmp_path / "runs").glob("*/records.parquet")
    rows = [row.cells for row in read_table(records).rows]
    assert [(row["group_direction"], row["group_bias_type"]) for row in rows] == [
        ("stereo", "gender"), ("antistereo", "age"),
    ]  # fmt: skip
    card = json.loads((records.parent / "card.json").read_text("utf-8"))
    assert card["data"]["columns"] == f"stereo_antistereo={VALUES}, bias_type=kind:g=gender,*=*"
    code, out, _ = tilt("data", "check", table, *given)
    assert code == 0 and "gender 1" in out


def test_python_and_a_sweep(tilt, table, tmp_path):
    run = tm.run("pairs", "fake", data=table, columns={"direction": VALUES})
    assert {e.groups.get("direction") for e in run.estimates} >= {"stereo", "antistereo"}
    (tmp_path / "s.toml").write_text(
        f'data = "{table}"\nmap = {{direction = "{VALUES}"}}\n'
        '[[study]]\nname = "pairs"\n[[model]]\nname = "fake"\n'
    )
    code, _, err = tilt("run", tmp_path / "s.toml", "--out", tmp_path / "sweep")
    assert code == 0, err


@pytest.mark.parametrize(
    ("given", "kinds"),
    [
        ("kind:g=gender,age=age", ["gender", "age"]), ("kind:g=gender,*=*", ["gender", "age"]),
        ("kind:g=gender,*=other", ["gender", "other"]), ("kind", ["g", "age"]),
        ('kind:"g"=gender, age = years', ["gender", "years"]),
    ],
)  # fmt: skip
def test_what_values_become(given, kinds, table):
    with renamed_columns(table, {"bias_type": given}):
        assert groups(read_pairs(table), "bias_type") == kinds


def test_a_value_that_is_not_named_is_told_with_its_line(table):
    with renamed_columns(table, {"direction": "label:0=stereo"}):
        with pytest.raises(
            BadItems, match=r"p\.csv:3: label is '1', and --map direction names only '0'"
        ):
            read_pairs(table)
        assert len(read_pairs(table, skip_invalid=True).items) == 1


@pytest.mark.parametrize(
    ("given", "says"),
    [("label:0=stereo,1", "'1' is not VALUE=MEANING"), ("label:0=a,0=b", "two meanings"),
     ("labels:0=a", "no column named 'labels'"), ("label:0=", "is not VALUE=MEANING")],
)  # fmt: skip
def test_mistakes(given, says, table):
    with renamed_columns(table, {"direction": given}), pytest.raises(BadInput, match=says):
        read_pairs(table)


def test_columns_with_colons_and_values_of_other_types():
    assert mapping_of("text", "dc:title", ["dc:title"]).values == {}
    assert mapping_of("text", "dc:title:a=b", ["dc:title"]).column == "dc:title"
    assert mapping_of("label", ":0=no", ["label"]).column == "label"
    mapping = mapping_of("label", "y:0=no,true=yes,2=maybe", ["y"])
    assert [mapping.meaning(cell) for cell in (0, 0.0, "0", True, [2, 0], None, "")] == [
        "no", "no", "no", "yes", ["maybe", "no"], None, "",
    ]  # fmt: skip
    with pytest.raises(KeyError, match="3"):
        mapping.meaning(3)
