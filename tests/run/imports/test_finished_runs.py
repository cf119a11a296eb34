"""Finished runs: parts joined equal the run over the whole table, and replies are read again."""

import json
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

import tiltmeter as tm
from tiltmeter.run.files.folder import read

HEAD = "id,sent_more,sent_less,bias_type,template,cluster,group_town"
WORDS = ("old", "young", "tall", "short", "quiet", "loud", "kind")
SIZES = (14, 25, 9)


def row(i):
    a, b = WORDS[i % 7], WORDS[(i // 7 + i + 1) % 7]
    kind = ("age", "gender", "race")[i % 3]
    return f"p{i},The {a} man of {i} sat.,The {b} man of {i} ran.,{kind},t{i % 4},w{i % 11},town {i % 43}"


def joined():
    """The folder of the joined run, in that of --out."""
    (folder,) = Path("merged").iterdir()
    return folder


@pytest.fixture
def tables(tmp_path):
    """A table, and the same rows as three tables."""
    rows = [row(i) for i in range(sum(SIZES))]
    parts = {"all.csv": rows}
    for number, size in enumerate(SIZES):
        start = sum(SIZES[:number])
        parts[f"part{number}.csv"] = rows[start : start + size]
    for name, some in parts.items():
        (tmp_path / name).write_text("\n".join([HEAD, *some]) + "\n")
    return [f"part{number}.csv" for number in range(len(SIZES))]


@pytest.fixture
def run(tilt, tmp_path):
    """Run the study of pairs on a table; the folder, relative."""

    def made(table, *options, model="fake:masked"):
        code, _, err = tilt("run", "pairs", model, "--data", table, "--json", *options,
                              "--out", f"of-{table}-{model[5:]}{''.join(options)}")  # fmt: skip
        assert code == 0, err
        (folder,) = (tmp_path / f"of-{table}-{model[5:]}{''.join(options)}").iterdir()
        return folder.relative_to(tmp_path)

    return made


def test_a_merged_run_equals_the_run_over_all(tilt, run, tables):
    whole = read(run("all.csv"))
    parts = [run(table) for table in tables]
    code, out, err = tilt("import", *parts, "--out", "merged", "--json", "--jsonl")
    assert code == 0, err
    found = read(joined())
    assert list(found.records) == list(whole.records)
    assert found.estimates == whole.estimates
    assert any(e.interval and e.groups for e in found.estimates)
    a, b = found.card, whole.card
    assert (a.counts, a.notes, a.method, a.measures, a.views) == (
        b.counts, b.notes, b.method, b.measures, b.views,
    )  # fmt: skip
    assert a.model == b.model
    assert any(note.kind == "axes" for note in a.notes)
    assert len((joined() / "records.jsonl").read_text().splitlines()) == sum(SIZES)
    assert json.loads(out)["card"]["data"]["items"] == sum(SIZES)


def test_the_card_names_the_parts(tilt, run, tables, tmp_path):
    parts = [run(table) for table in tables]
    assert tilt("import", *parts[:2], tmp_path / parts[2], "--out", "merged")[0] == 0
    card = read(joined()).card
    made_of = card.data["parts"]
    assert [p["folder"] for p in made_of] == [*map(str, parts[:2]), f"PATH/TO/{parts[2].name}"]
    assert [p["sha256"] for p in made_of] == [read(p).card.data["sha256"] for p in parts]
    assert [p["scored"] for p in made_of] == [*SIZES]
    assert card.data["name"] == "part0.csv + part1.csv + part2.csv"
    assert "part1.csv" in (joined() / "report.html").read_text()
    assert tilt("report", joined())[0] == 0


def test_what_parts_left_out_is_added_up(tilt, run, tables, tmp_path):
    for name, at in (("all.csv", 3), ("part0.csv", 3)):
        lines = (tmp_path / name).read_text().splitlines()
        lines[at] = "p2,,The man ran.,race,t2,w2,town 2"
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    whole = read(run("all.csv", "--skip-invalid"))
    parts = [run(table, "--skip-invalid") for table in tables]
    assert tilt("import", *parts, "--out", "merged")[0] == 0
    found = read(joined())
    assert found.card.counts == whole.card.counts
    assert found.card.counts["invalid"] == 1
    assert [*found.card.invalid] == [
        text.replace("all.csv", "part0.csv") for text in whole.card.invalid
    ]
    assert found.estimates == whole.estimates
    (own,) = (n.text for n in found.card.notes if "left out" in n.text)
    assert own.startswith(f"{parts[0].name}: 1 row left out")


def test_scores_that_depend_on_other_items_are_not_merged(tilt, run, tables):
    parts = [run(table, "--rule", "ranked", model="random") for table in tables]
    code, _, err = tilt("import", *parts, "--out", "merged")
    assert (code, "scores by ranked depend on the other items" in err) == (2, True)


def test_a_merged_run_can_be_compared_with_the_run_over_all(tilt, run, tables):
    whole, parts = run("all.csv"), [run(table) for table in tables]
    assert tilt("import", *parts, "--out", "merged")[0] == 0
    code, out, err = tilt("compare", whole, joined(), "--json")
    assert code == 0, err
    differences = [e for e in json.loads(out)["estimates"] if e["name"].endswith("difference")]
    assert {e["value"] for e in differences} == {0}


@pytest.mark.parametrize(
    ("options", "model", "says"),
    [
        (("--rule", "aul"), "fake:masked", "its rule differs from that of"),
        (("--seed", "3"), "fake:masked", "its seed differs"),
        (("--ties", "loss"), "fake:masked", "its policy for ties differs"),
        ((), "fake:causal", "its model differs"),
        (("--limit", "5"), "fake:masked", "it has only a part of its data (sample: 5 of 25"),
    ],
)
def test_parts_made_in_other_ways_are_refused(tilt, run, tables, tmp_path, options, model, says):
    parts = [run(tables[0]), run(tables[1], *options, model=model)]
    code, _, err = tilt("import", *parts, "--out", "merged")
    assert (code, says in err, str(parts[1]) in err) == (2, True, True)
    assert not (tmp_path / "merged").exists()


def test_shared_items_are_named(tilt, run, tables, tmp_path):
    lines = (tmp_path / "part1.csv").read_text().splitlines()
    (tmp_path / "part1.csv").write_text("\n".join([*lines, row(2), row(5), row(3), row(0)]) + "\n")
    parts = [run(table) for table in tables[:2]]
    code, _, err = tilt("import", *parts, "--out", "merged")
    assert code == 2
    assert f"4 in all: 'p2' in {parts[0]} and {parts[1]}; 'p5' in " in err
    assert "'p3'" in err
    assert "'p0'" not in err
    assert "add an id column before you split" in err


def test_damaged_and_repeated_folders_are_refused(tilt, run, tables, tmp_path):
    parts = [run(table) for table in tables[:2]]
    again = tmp_path / parts[0]
    assert "it is listed twice" in tilt("import", parts[0], again, "--out", "m")[2]
    assert read(parts[0])
    (parts[1] / "records.parquet").write_bytes(b"PAR1")
    code, _, err = tilt("import", *parts, "--out", "m")
    assert (code, "records.parquet was changed after the run" in err) == (2, True)
    (parts[1] / "card.json").unlink()
    assert "the run did not finish" in tilt("import", *parts, "--out", "m")[2]
    assert not list((tmp_path / "m").glob("*"))


def test_another_version_of_the_study_is_refused(tilt, run, tables):
    parts = [run(table) for table in tables[:2]]
    for part in parts:
        card = json.loads((part / "card.json").read_text())
        (part / "card.json").write_text(json.dumps(card | {"study_version": "0"}))
    code, _, err = tilt("import", *parts, "--out", "m")
    assert (code, "made by version 0 of pairs" in err) == (2, True)


def edited(folder, *, table=None, card=None):
    """Change a run's records or card, with checksums that fit."""
    records, seal = folder / "records.parquet", folder / "card.json"
    if table:
        parquet.write_table(table(parquet.read_table(records)), records)
    found = json.loads(seal.read_text("utf-8"))
    found["files"][records.name] = sha256(records.read_bytes()).hexdigest()
    (card or (lambda _: None))(found)
    seal.write_text(json.dumps(found), "utf-8")


def scores_as_text(table):
    at = table.schema.get_field_index("score_more")
    return table.set_column(at, "score_more", table["score_more"].cast(pa.string()))


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        ({"table": lambda t: t.slice(0, 5)}, "records.parquet has 5 records, and card.json says 25"),
        ({"table": lambda t: t.slice(0, 0)}, "records.parquet has 0 records"),
        ({"table": scores_as_text}, "the column 'score_more' is string, not double"),
        ({"card": lambda c: c["counts"].update(scored=10**9)}, "card.json says 1000000000"),
        ({"card": lambda c: c["data"].update(items="\x1b[2J")}, "data.items is not a number of items"),
        ({"card": lambda c: c["data"].update(items=-1)}, "data.items is not a number of items"),
    ],
)  # fmt: skip
def test_edited_parts_are_refused_though_their_checksums_fit(tilt, run, tables, edit, says):
    parts = [run(table) for table in tables[:2]]
    edited(parts[1], **edit)
    code, _, err = tilt("import", *parts, "--out", "merged")
    assert code == 2
    assert says in " ".join(err.split())


def test_a_run_is_read_again_and_compared(tilt, tmp_path):
    assert tilt("run", "prompts", "fake:causal", "--rule", "word")[0] == 0
    (run,) = (tmp_path / "runs").iterdir()
    code, out, err = tilt("import", run, "--rule", "contains")
    assert code == 0, err
    assert "replies, " in out and "read differently by rules word and contains" in " ".join(
        out.split()
    )
    assert len([*(tmp_path / "runs").iterdir()]) == 2
    other = next(folder for folder in (tmp_path / "runs").iterdir() if folder != run)
    code, out, err = tilt("compare", run, other, "--json")
    assert code == 0, err
    code, out, err = tilt(
        "import", run, "--rule", "contains", "--json", "--fail-if", "accuracy >= 0"
    )
    assert code == 3 and json.loads(out)["card"]["rule"] == "contains"


def test_a_run_is_not_replaced_by_its_own_replies(tilt, tmp_path):
    assert tilt("run", "prompts", "fake:causal", "--rule", "word")[0] == 0
    (run,) = (tmp_path / "runs").iterdir()
    card = (run / "card.json").read_bytes()
    code, _, err = tilt("import", run)
    assert code == 2 and "the result would replace the run" in err
    assert (run / "card.json").read_bytes() == card
    assert tilt("import", run, "--out", tmp_path / "others")[0] == 0
    again = tm.reread(run, rule="contains")
    assert again.card.rule == "contains" and again.card.command.startswith("tiltmeter.reread(")


def test_several_runs_are_read_again_by_one_rule_and_compared(tilt, tmp_path):
    for seed in (0, 1):
        words = ("run", "prompts", "fake:causal", "--rule", "word", "--seed", seed, "--out", "two")
        assert tilt(*words)[0] == 0
    runs = sorted((tmp_path / "two").glob("prompts-*"))
    code, out, err = tilt("import", *runs, "--rule", "contains", "--json")
    assert code == 0, err
    assert any(e["name"].endswith("_difference") for e in json.loads(out)["estimates"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--name", "mine"), "--name has no effect on finished runs"),
        (("--seed", "3"), "--seed has no effect on finished runs"),
        (("--data", "x.csv"), "--data has no effect on runs that are joined"),
    ],
)
def test_options_of_other_inputs_are_refused(tilt, run, tables, words, message):
    parts = [run(table) for table in tables[:2]]
    code, _, err = tilt("import", *parts, *words)
    assert (code, message in err) == (2, True)
