"""A user's own names of columns wherever a table of items or scores is read; `run` has tests of its own."""

import json

import pytest

from support.command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]
MAP = ("--map", "sent_more=stereotype", "--map", "sent_less=anti", "--map", "bias_type=kind")
ROWS = "stereotype,anti,kind\nHe ran.,She ran.,gender\nThe old man sat.,The young man sat.,age\n"


@pytest.fixture
def table(tmp_path):
    (tmp_path / "p.csv").write_text(ROWS)
    return tmp_path / "p.csv"


def test_check_takes_them(tilt, table):
    code, out, err = tilt("data", "check", table, *MAP)
    assert (code, "2 pairs can be scored (bias_type: gender 1, age 1)" in " ".join(out.split())) == (
        0, True,
    ), err  # fmt: skip
    code, _, err = tilt("data", "check", table, *MAP, "--study", "stereoset")
    assert code == 2
    assert tilt("data", "check", table)[0] == 2


def test_data_check_takes_them(tilt, table):
    code, out, err = tilt("data", "describe", table, *MAP, "--json")
    assert code == 0, err
    assert "'p.csv'" in err or "p.csv" in out
    assert {"gender", "age"} <= set(json.dumps(json.loads(out)).replace('"', " ").split())


def test_check_of_triples(tilt, tmp_path):
    names = (
        "id",
        "task",
        "context",
        "target",
        "bias_type",
        "stereotype",
        "anti_stereotype",
        "unrelated",
    )
    mine = ["id", "task", "story", "target", "bias_type", "typical", "untypical", "odd"]
    row = ["1", "intersentence", "My aunt is a nurse.", "nurse", "profession", "She is kind.", "He is rude.",
           "The car is red."]  # fmt: skip
    (tmp_path / "t.csv").write_text(",".join(mine) + "\n" + ",".join(row) + "\n")
    words = [w for a, b in zip(names, mine, strict=True) if a != b for w in ("--map", f"{a}={b}")]
    code, out, err = tilt("data", "check", "t.csv", *words)
    assert (code, "1 triple can be scored" in out) == (0, True), err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--map", "sent_more=nope"), "no column named 'nope'"),
        ((*MAP, "--map", "bias=kind"), "'kind' for two fields"),
        (("--map", "sent_more=stereotype", "--map", "sent_less=anti", "--map", "bias=kind"),
         "no field named 'bias' is read"),
    ],
)  # fmt: skip
def test_mistakes_are_told(tilt, table, words, says):
    for command in (("data", "check"), ("data", "describe")):
        code, _, err = tilt(*command, table, *words)
        assert (code, says in err) == (2, True), err


def test_only_a_file_has_columns(tilt):
    code, _, err = tilt("data", "check", "starter_pairs", *MAP)
    assert (code, "--map is for a file of yours" in err) == (2, True)


def test_scores_made_elsewhere(tilt, tmp_path):
    (tmp_path / "s.csv").write_text(
        "stereotype,anti,a,b\nHe ran.,She ran.,-3,-4\nThe old man sat.,The young man sat.,-5,-2\n"
    )
    words = ("--map", "sent_more=stereotype", "--map", "sent_less=anti", "--map", "sent_more_score=a",
             "--map", "sent_less_score=b")  # fmt: skip
    code, out, err = tilt("import", "--study", "pairs", "s.csv", *words, "--json")
    assert code == 0, err
    made = json.loads(out)
    assert made["estimates"][0]["value"] == 50
    assert made["card"]["data"]["columns"].endswith("sent_less_score=b")
    assert tilt("import", "--study", "pairs", "s.csv")[0] == 2


def test_scores_matched_to_data_rename_only_the_scores(tilt, tmp_path):
    (tmp_path / "s.csv").write_text("nr,a,b\n0,-3,-4\n1,-5,-2\n")
    (tmp_path / "d.csv").write_text(
        "id,sent_more,sent_less\n0,He ran.,She ran.\n1,He sat.,She sat.\n"
    )
    words = ("--map", "id=nr", "--map", "sent_more_score=a", "--map", "sent_less_score=b")
    code, _, err = tilt("import", "--study", "pairs", "s.csv", "--data", "d.csv", *words)
    assert code == 0, err


def test_the_profile_of_an_audit(tilt, table):
    lines = ["[[study]]", 'name = "pairs"', f'data = "{table}"',
             'map = {sent_more = "stereotype", sent_less = "anti"}']  # fmt: skip
    (table.parent / "mine.toml").write_text("\n".join(lines) + "\n")
    code, out, err = tilt("audit", "fake:masked", "--profile", "mine.toml", "--json")
    assert code == 0, err
    assert "pairs" in out
