"""A user's own names of columns."""

import json

import pytest

import tiltmeter as tm
from tiltmeter.run.files.folder import read

ROWS = [("he ran", "she ran", "gender"), ("the old man", "the young man", "age")]
HEAD = ("stereotype", "anti", "kind")
MAP = ("--map", "sent_more=stereotype", "--map", "sent_less=anti", "--map", "bias_type=kind")


@pytest.fixture
def file(tmp_path):
    def made(name):
        if name.endswith(".jsonl"):
            text = "\n".join(json.dumps(dict(zip(HEAD, row, strict=True))) for row in ROWS)
        else:
            mark = "\t" if name.endswith(".tsv") else ";"
            text = "\n".join(mark.join(row) for row in [HEAD, *ROWS])
        (tmp_path / name).write_text(text + "\n")
        return tmp_path / name

    return made


@pytest.mark.parametrize("name", ["p.csv", "p.tsv", "p.jsonl"])
def test_columns_of_any_table_can_be_named(tilt, file, name):
    code, out, err = tilt("run", "pairs", "fake:masked", "--data", file(name), *MAP, "--json")
    assert code == 0, err
    made = json.loads(out)
    assert {e["groups"]["bias_type"] for e in made["estimates"] if "bias_type" in e["groups"]} == {
        "gender", "age",
    }  # fmt: skip
    told = "sent_more=stereotype, sent_less=anti, bias_type=kind"
    assert made["card"]["data"]["columns"] == told
    assert "--map sent_more=stereotype --map sent_less=anti" in made["card"]["command"]


def test_a_column_that_has_the_field_s_name_already_is_left_out(tilt, tmp_path):
    (tmp_path / "p.csv").write_text("sent_more,sent_less,mine\nhe ran,she ran,she sat\n")
    args = ("--data", "p.csv", "--map", "sent_more=mine", "--json")
    code, _, err = tilt("run", "pairs", "fake:masked", *args)
    assert code == 0, err
    (folder,) = (tmp_path / "runs").iterdir()
    assert read(folder).records[0].texts["more"] == "she sat"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ("--map", "sent_more=nope"),
            "no column named 'nope' for sent_more (found: 'stereotype', 'anti', 'kind')",
        ),
        ((), "name yours with --map sent_more=stereotype --map sent_less=anti"),
        (("--map", "sent_mor=anti"), "no field named 'sent_mor' is read; the fields are sent_more"),
        (("--map", "sent_more=anti", "--map", "sent_more=kind"), "given twice for 'sent_more'"),
        (("--map", "sent_more=anti", "--map", "sent_less=anti"), "'anti' for two fields"),
        (("--map", "sent_more"), "is not FIELD=COLUMN; write --map sent_more=stereotype"),
        (("--map", "sent_more="), "is not FIELD=COLUMN"),
    ],
)
def test_mistakes_are_named(tilt, file, words, says):
    code, _, err = tilt("run", "pairs", "fake:masked", "--data", file("p.csv"), *words)
    assert code == 2
    assert says in " ".join(err.split())


def test_only_tables_of_the_user_s_have_their_columns_named(tilt, tmp_path):
    code, _, err = tilt("run", "starter_pairs", "random", "--map", "sent_more=a")
    assert (code, "--map is for a file of yours" in err) == (2, True)
    (tmp_path / "w.json").write_text(
        '{"targ1": {"category": "A", "examples": ["rose", "lily"]},'
        '"targ2": {"category": "B", "examples": ["ant", "bee"]},'
        '"attr1": {"category": "C", "examples": ["love", "joy"]},'
        '"attr2": {"category": "D", "examples": ["hate", "war"]}}'
    )
    code, _, err = tilt("run", "weat", "fake:vectors", "--data", "w.json", "--map", "a=b")
    assert "--map is for tables" in err, err


def test_python_and_sweeps_name_columns_too(tilt, file, tmp_path):
    columns = {"sent_more": "stereotype", "sent_less": "anti"}
    result = tm.run("pairs", "fake:masked", data=file("p.csv"), columns=columns)
    assert len(result.records) == 2
    assert "columns={'sent_more': 'stereotype', 'sent_less': 'anti'}" in result.card.command
    (tmp_path / "s.toml").write_text(
        '[[study]]\nname = "pairs"\ndata = "p.csv"\n'
        'map = {sent_more = "stereotype", sent_less = "anti"}\n[[model]]\nname = "fake:masked"\n'
    )
    code, out, err = tilt("run", "s.toml", "--json")
    assert code == 0, err
    assert json.loads(out)["cells"][0]["state"] == "done"
