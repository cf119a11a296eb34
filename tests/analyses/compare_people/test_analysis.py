"""compare-people: runs and tables beside people, what is said, shown and kept, and what is refused."""

import csv
import json
import re

import numpy as np
import pytest

import tiltmeter as tm
from tiltmeter.run.files import folder as folders
from tiltmeter.run.files.folder_names import file_stem

GROUPS = ("sailors", "bakers", "pianists", "farmers")
PAIRS = tuple(f"low{i} - high{i}" for i in range(6))


@pytest.fixture
def files(tmp_path):
    """A matrix, single ratings with a column about annotators, and their means as JSON."""
    rng = np.random.default_rng(0)
    truth = rng.uniform(20, 80, size=(len(GROUPS), len(PAIRS)))
    matrix = ["group,pair,value"]
    raw = ["annotator,group,pair,rating,region"]
    table = {}
    for g, group in enumerate(GROUPS):
        for p, pair in enumerate(PAIRS):
            matrix.append(f"{group},{pair},{truth[g, p] - 50:.3f}")
            ratings = np.clip(truth[g, p] + rng.normal(scale=10, size=8), 0, 100).round()
            table.setdefault(group, {})[pair] = f"{ratings.mean()}"
            raw += [
                f"a{i},{group},{pair},{r:g},{'north' if i < 4 else 'south'}"
                for i, r in enumerate(ratings)
            ]
    for name, text in (
        ("mine.csv", "\n".join(matrix)),
        ("people.csv", "\n".join(raw)),
        ("means.json", json.dumps(table)),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def in_file(folder, name):
    return [*csv.DictReader((folder / f"{name}.csv").read_text("utf-8").splitlines())]


def lines(made):
    """What the page says was left out, reversed or renamed."""
    return [line for view in made["card"]["views"] for line in view.get("lines", ())]


@pytest.mark.parametrize("column", ["gender/sex", "..", "возраст"])
def test_a_column_of_any_name_names_its_tables(tilt, files, column):
    people = files / "people.csv"
    people.write_text(people.read_text("utf-8").replace("region", column, 1), "utf-8")
    code, _, err = tilt(
        "analyse", "compare-people", "mine.csv", "--people", "people.csv", "--by", column
    )
    assert (code, err) == (0, "")
    (folder,) = (files / "runs").iterdir()
    assert (folder / f"by_{file_stem(column)}.csv").is_file()


def test_a_table_beside_people(tilt, files, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    words = (
        "analyse",
        "compare-people",
        "mine.csv",
        "--people",
        "people.csv",
        "--by",
        "region",
        "--all",
    )
    code, out, err = tilt(*words)
    assert (code, err) == (0, "")
    assert "mine and the people agree with τ = 0." in out
    assert "with the people of each region" in out
    assert "no templates to choose from" in " ".join(out.split())
    (folder,) = (files / "runs").iterdir()
    assert {p.name for p in folder.iterdir()} == {
        "by_region.csv", "card.json", "ceiling.csv", "cells.csv", "estimates.json", "groups.csv",
        "groups_by_region.csv", "overall.csv", "records.parquet", "report.html",
    }  # fmt: skip
    rows = in_file(folder, "groups")
    assert {row["group"] for row in rows} == set(GROUPS)
    taus = [float(row["kendall_tau"]) for row in rows]
    assert taus == sorted(taus, reverse=True)
    assert all(float(row["kendall_tau_split_half"]) > 0 for row in rows)
    text = (folder / "report.html").read_text("utf-8")
    assert "<script" not in text
    assert "By who was asked" in text


def test_other_commands_take_its_folder(tilt, files):
    words = ("analyse", "compare-people", "mine.csv", "--people", "people.csv")
    printed = tilt(*words)[1]
    (folder,) = (files / "runs").iterdir()
    assert tilt("report", folder)[1].split("page:")[0] == printed.split("page:")[0]
    tau = tm.load(folder).headline
    assert (tau.name, tau.groups) == ("kendall_tau", {})
    code, table, _ = tilt("table", folder, "--rows", "group", "--format", "csv")
    assert code == 0 and "sailors" in table
    assert tilt("export", folder, "cells.csv")[0] == 0
    assert "profile-bakers" in tilt("figure", folder)[1]
    assert tilt(*words, "--fail-if", "kendall_tau < 1")[0] == 3
    assert tilt(*words, "--k", 2, "--fail-if", "precision_at_2 < 0")[0] == 0
    assert "Did you mean 'kendall_tau'" in tilt(*words, "--fail-if", "kendal_tau < 0")[2]


def test_python_takes_results(tilt, files):
    settings = "templates=The [group] is [trait].;All [group] are [trait]."
    words = (
        "run",
        "group_traits",
        "fake:masked",
        "--set",
        settings,
        "--set",
        "groups=woman,man,teenager",
    )
    assert tilt(*words)[0] == 0
    (run,) = (files / "runs").iterdir()
    pairs = {record.groups["pair"] for record in folders.read(run).records}
    rows = [
        f"{group},{pair},{i}" for group in ("man", "woman") for i, pair in enumerate(sorted(pairs))
    ]
    (files / "said.csv").write_text("\n".join(["group,pair,value", *rows]), encoding="utf-8")
    options = {"people": files / "said.csv", "pilot": ()}
    given = [tm.analyse.compare_people(one, **options) for one in (run, tm.load(run))]
    assert given[0].headline.value == given[1].headline.value
    assert given[0].headline.model == "fake:masked"


def test_several_columns_and_crossed_ones(tilt, files, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    text = (files / "people.csv").read_text("utf-8").splitlines()
    ages = [f"{line},{'old' if int(line[1:].split(',')[0]) % 2 else 'young'}" for line in text[1:]]
    (files / "aged.csv").write_text("\n".join([f"{text[0]},age", *ages]), encoding="utf-8")
    words = (
        "analyse",
        "compare-people",
        "mine.csv",
        "--people",
        "aged.csv",
        "--by",
        "region",
        "--by",
        "age,region",
    )
    code, out, err = tilt(*words, "--all")
    assert (code, err) == (0, "")
    assert "with the people of each region" in out
    assert "with the people of each age × region" in out
    assert re.search(r"old +north +0\.\d\d +2 ", out)
    code, out, _ = tilt(*words, "--json")
    slices = [
        {"region": "north"}, {"region": "south"},
        {"age": "old", "region": "north"}, {"age": "old", "region": "south"},
        {"age": "young", "region": "north"}, {"age": "young", "region": "south"},
    ]  # fmt: skip
    taus = [e["groups"] for e in json.loads(out)["estimates"] if e["name"] == "kendall_tau"]
    assert [groups for groups in taus if groups and "group" not in groups] == slices
    assert all({"group": group, **at} in taus for group in GROUPS for at in slices)


def test_pictures(tilt, files):
    words = ("analyse", "compare-people", "mine.csv", "--people", "people.csv", "--figures", "svg")
    assert tilt(*words)[0] == 0
    (folder,) = (files / "runs").iterdir()
    names = {file.name for file in folder.glob("*.svg")}
    assert "groups.svg" in names
    assert sum(name.startswith("profile-") for name in names) == len(GROUPS)


@pytest.mark.usefixtures("files")
def test_a_profile_is_printed_when_asked_for(tilt, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    words = ("analyse", "compare-people", "mine.csv", "--people", "people.csv", "--by", "region")
    code, out, _ = tilt(*words, "--k", "2", "--group", "Bakers")
    assert code == 0
    assert "bakers: top 2 (nearest to the right trait), bottom 2 (nearest to the left)" in out
    assert "sailors: top 2" not in out
    code, _, err = tilt(*words, "--group", "bakerss")
    assert (code, "Did you mean 'bakers'?" in err) == (2, True)


def test_a_neutral_value_of_the_matrix_turns_pairs_and_is_kept(tilt, files):
    rows = [
        line.rsplit(",", 1) for line in (files / "mine.csv").read_text("utf-8").splitlines()[1:]
    ]
    shifted = [f"{cell},{float(value) + 50}" for cell, value in rows]
    turned = [
        f"{cell.replace('low0 - high0', 'high0 - low0')},{50 + (-1 if 'low0' in cell else 1) * float(v)}"
        for cell, v in rows
    ]
    for name, lines in (("shifted.csv", shifted), ("turned.csv", turned)):
        (files / name).write_text("\n".join(["group,pair,value", *lines]), encoding="utf-8")
    values = []
    for name in ("shifted.csv", "turned.csv"):
        code, out, _ = tilt(
            "analyse", "compare-people", name, "--people", "means.json", "--middle", 50, "--json"
        )
        assert code == 0
        made = json.loads(out)
        assert made["card"]["sources"][0]["neutral value"] == "50"
        values.append([e["value"] for e in made["estimates"]])
    assert values[0] == pytest.approx(values[1])


def test_json_and_the_same_twice(tilt, files):
    words = ("analyse", "compare-people", "mine.csv", "--people", "people.csv", "--json")
    code, out, _ = tilt(*words)
    assert code == 0
    made = json.loads(out)
    assert made["card"]["data"]["annotators"] == 8
    names = {e["name"] for e in made["estimates"] if not e["groups"]}
    assert {"kendall_tau", "mean_kendall_tau", "precision_at_3", "own_less_other_groups",
            "kendall_tau_split_half", "kendall_tau_reachable"} <= names  # fmt: skip
    assert "pilot_kendall_tau" not in names
    assert json.loads(tilt(*words)[1])["estimates"] == made["estimates"]
    assert len([*(files / "runs").iterdir()]) == 1


def test_means_turned_pairs_and_aliases(tilt, files):
    text = (files / "mine.csv").read_text("utf-8")
    rows = [line.rsplit(",", 1) for line in text.replace("sailors", "crews").splitlines()[1:]]
    turned = [
        f"{cell.replace('low0 - high0', 'high0 - low0')},"
        f"{-float(v) if 'low0' in cell else float(v)}"
        for cell, v in rows
    ]
    (files / "turned.csv").write_text("\n".join(["group,pair,value", *turned]), encoding="utf-8")
    words = ("--people", "means.json", "--json")
    code, out, _ = tilt(
        "analyse", "compare-people", "turned.csv", *words, "--alias", "crews=sailors"
    )
    assert code == 0
    made = json.loads(out)
    assert lines(made) == [
        "Reversed, as people have them the other way round: low0 - high0.",
        "Other names in the table of people: crews = sailors; high0 - low0 = low0 - high0.",
    ]
    plain = json.loads(tilt("analyse", "compare-people", "mine.csv", *words)[1])
    assert [e["value"] for e in made["estimates"]] == [e["value"] for e in plain["estimates"]]
    lacks = json.loads(tilt("analyse", "compare-people", "turned.csv", *words)[1])
    assert lines(lacks)[:2] == [
        "People were not asked about 1 group: crews.",
        "turned does not have 1 group: sailors.",
    ]


def test_several_matrices(tilt, files):
    text = (files / "mine.csv").read_text("utf-8").splitlines()
    rng = np.random.default_rng(1)
    noisy = [text[0], *(f"{line.rsplit(',', 1)[0]},{rng.normal():.3f}" for line in text[1:])]
    (files / "noise.csv").write_text("\n".join(noisy), encoding="utf-8")
    code, out, _ = tilt(
        "analyse", "compare-people", "mine.csv", "noise.csv", "--people", "people.csv", "--json"
    )
    assert code == 0
    estimates = json.loads(out)["estimates"]
    compared = {e["name"]: e for e in estimates}
    assert compared["kendall_tau_difference"]["groups"] == {"first": "mine", "second": "noise"}
    assert compared["kendall_tau_difference"]["value"] > 0
    assert compared["kendall_tau_between"]["groups"] == {"first": "mine", "second": "noise"}
    assert (estimates[0]["name"], estimates[0]["value"], estimates[0]["n"]) == (
        "aligned_matrices",
        1,
        2,
    )
    taus = [e["groups"] for e in estimates if e["name"] == "mean_kendall_tau"]
    assert taus == [{"matrix": "mine"}, {"matrix": "noise"}]
    (folder,) = (files / "runs").iterdir()
    assert {row["matrix"] for row in in_file(folder, "groups")} == {"mine", "noise"}
    assert "The matrices compared" in (folder / "report.html").read_text("utf-8")


def test_a_run_with_a_pilot(tilt, tmp_path):
    """Templates of a made-up model are chosen on one group and reported on the others."""
    settings = "templates=The [group] is [trait].;All [group] are [trait].;[group] are [trait]."
    groups = "groups=woman,man,teenager,veteran"
    code, _, err = tilt(
        "run", "group_traits", "fake:masked", "--set", settings, "--set", groups, "--json"
    )
    assert code == 0, err
    (run,) = (tmp_path / "runs").iterdir()
    result = folders.read(run)
    pairs = dict.fromkeys(record.groups["pair"] for record in result.records)
    rng = np.random.default_rng(0)
    raw = {
        f"a{i}": {
            group: {pair: int(rng.integers(0, 101)) for pair in pairs}
            for group in ("women", "men", "teenagers", "farmers")
        }
        for i in range(6)
    }
    (tmp_path / "raw.json").write_text(json.dumps(raw), encoding="utf-8")
    code, out, err = tilt(
        "analyse",
        "compare-people",
        run,
        "--people",
        "raw.json",
        "--pilot",
        "woman",
        "--out",
        "aligned",
        "--json",
    )
    assert code == 0, err
    made = json.loads(out)
    (folder,) = (tmp_path / "aligned").iterdir()
    assert [(row["group"], row["people"]) for row in in_file(folder, "pilot")] == [("women", "5.0")]
    estimates = made["estimates"]
    assert [e["value"] for e in estimates if e["name"] == "tried_templates"] == [6]
    groups = [e["groups"] for e in estimates if e["name"] == "kendall_tau"]
    assert [at["group"] for at in groups if [*at] == ["group"]] == ["men", "teenagers"]
    assert len([at for at in groups if [*at] == ["template"]]) == 3
    assert [e["groups"] for e in estimates if e["groups"].get("templates")] == [
        {"templates": "all"}
    ] * 4
    assert lines(made)[:2] == [
        "People were not asked about 1 group: veteran.",
        "fake:masked does not have 1 group: farmers.",
    ]
    said = " ".join(text["text"] for text in made["card"]["finding"])
    assert "on 1 pilot group (women; 5 people each, drawn at random)" in said
    assert "These groups are left out of all other results" in said
    assert "the mean over all 3 templates has τ = " in said
    result = tm.analyse.compare_people(run, people="raw.json", pilot=["woman"], with_pilot=True)
    reported = [e for e in result.estimates if e.name == "kendall_tau"]
    assert [e.groups["group"] for e in reported if [*e.groups] == ["group"]] == [
        "women", "men", "teenagers",
    ]  # fmt: skip
    assert [e.n for e in reported if not e.groups] == [3 * len(pairs)]
    said = " ".join(text.text for text in result.card.finding)
    assert "These groups are in all results" in said
    assert "On the same groups, the mean over all 3 templates" in said


def test_what_people_write_does_nothing_on_the_page(tilt, files):
    for name in ("mine.csv", "people.csv"):
        text = (files / name).read_text("utf-8")
        hostile = text.replace("sailors", "<script>alert(1)</script>").replace(
            "low0", "<b>low0</b>"
        )
        (files / name).write_text(hostile, encoding="utf-8")
    assert tilt("analyse", "compare-people", "mine.csv", "--people", "people.csv")[0] == 0
    (folder,) = (files / "runs").iterdir()
    page = (folder / "report.html").read_text("utf-8")
    assert "<script" not in page
    assert "<b>low0" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["absent.csv"], "no such file"),
        (["mine.csv", "mine.csv"], "listed twice"),
        (["mine.csv", "--people", "us_stereotype"], "Did you mean 'us_stereotypes'"),
        (["mine.csv", "--people", "absent.json"], "no such file"),
        (["mine.csv", "--people", "runs"], "is a folder without an export"),
        (["mine.csv", "--people", "people.csv", "--scale", "1/7"], "'1/7' is not a scale"),
        (["mine.csv", "--people", "people.csv", "--scale", "1:7"], "is not on the scale 1 to 7"),
        (["mine.csv", "--people", "means.json", "--scale", "1:7"], "is not on the scale 1 to 7"),
        (["mine.csv", "--people", "mine.csv"], "is not on the scale 0 to 100"),
        (["mine.csv", "--people", "people.csv", "--by", "age"], "No column about annotators"),
        (["mine.csv", "--people", "means.json", "--by", "region"], "has only means"),
        (["mine.csv", "--people", "people.csv", "--by", "region,"], "--by is empty"),
        (["mine.csv", "--people", "people.csv", "--by", "region", "--by", "region"], "given twice"),
        (["mine.csv", "--people", "people.csv", "--by", "region,region"], "names a column twice"),
        (["mine.csv", "--people", "people.csv", "--middle", "nan"], "must be a number"),
        (["mine.csv", "--people", "people.csv", "--middle", "inf"], "must be a number"),
        (["mine.csv", "--people", "people.csv", "--middle", "1e308"], "is far from its values"),
        (["mine.csv", "--people", "people.csv", "--middle", "900"], "is far from its values"),
        (["mine.csv", "--people", "people.csv", "--pilot", "sailors"], "no templates"),
        (["mine.csv", "--people", "people.csv", "--pilot", " "], "--pilot is empty"),
        (["mine.csv", "--people", "people.csv", "--alias", "sailors"], "is not NAME=NAME"),
        (
            ["mine.csv", "--people", "people.csv", "--alias", "nosuch=x"],
            "--alias 'nosuch=x': neither is",
        ),
        (["mine.csv", "--people", "other.json"], "no group in common"),
    ],
)
def test_bad_input(tilt, files, words, said):
    (files / "runs").mkdir()
    (files / "other.json").write_text('{"clowns": {"low0 - high0": 5}}', encoding="utf-8")
    code, out, err = tilt("analyse", "compare-people", *words)
    assert code == 2
    assert said in err
    assert out == ""
    assert not list((files / "runs").iterdir())


def test_two_pairs_of_traits_are_too_few_but_no_error(tilt, files):
    lines = [f"{group},{pair},{i}" for i, group in enumerate(GROUPS) for pair in PAIRS[:2]]
    (files / "two.csv").write_text("\n".join(["group,pair,value", *lines]), encoding="utf-8")
    code, out, err = tilt("analyse", "compare-people", "mine.csv", "--people", "two.csv")
    assert (code, err) == (0, "")
    assert "6 pairs of traits are needed, and groups have at most 2" in " ".join(out.split())


def test_a_row_without_a_name(tilt, files):
    (files / "unnamed.csv").write_text("group,pair,value\n,low0 - high0,1\n", encoding="utf-8")
    code, _, err = tilt("analyse", "compare-people", "unnamed.csv", "--people", "people.csv")
    assert code == 2
    assert "unnamed.csv: a row has no group, or no pair of traits; write its name" in err
