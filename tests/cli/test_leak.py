"""leak as a user types it: four runs, one page; a survey's ratings, a monolingual model, refusals."""

import csv
import json
import re

import pytest

from leakage_runs import GROUPS, TEMPLATES, write_ratings, write_run

LANGUAGES = ("en", "ru", "zh", "hi")


@pytest.fixture
def people(tmp_path):
    return write_ratings(tmp_path / "ratings.csv", unknown=[("hi", "veteran")])


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Folders of runs of one model, by language."""
    folder = tmp_path_factory.mktemp("runs")
    return {language: write_run(folder / language, language) for language in LANGUAGES}


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_four_languages_end_in_one_page(tilt, tmp_path, runs, people):
    given = ("leak", *runs.values(), "--people", people, "--placebos", "2")
    code, out, err = tilt(*given, "--figures", "svg")
    assert (code, err) == (0, "fitting 4 languages\n")
    assert "12 flows between languages" in " ".join(out.split())
    folder = tmp_path / out.rpartition("all: ")[2].strip()
    assert {p.name for p in folder.iterdir()} == {
        "leak.json", "flows.csv", "leaked_traits.csv", "people.csv", "report.html", "flows.svg",
    }  # fmt: skip
    flows = rows_of(folder / "flows.csv")
    assert [(r["target"], r["source"]) for r in flows[:5]] == [
        ("en", "en"), ("en", "ru"), ("en", "zh"), ("en", "hi"), ("ru", "en"),
    ]  # fmt: skip
    assert {r["p_holm"] for r in flows if r["source"] == r["target"]} == {""}
    assert all(float(r["low"]) < float(r["coefficient"]) < float(r["high"]) for r in flows)
    value = json.loads((folder / "leak.json").read_text("utf-8"))
    assert [len(t["groups"]) for t in value["targets"]] == [len(GROUPS) - 1] * 4
    judged = {t["group"]: t["target_judgment"] for t in rows_of(folder / "leaked_traits.csv")
              if t["target"] == "hi"}  # fmt: skip
    assert judged["veteran"] == "no judgment" and set(judged.values()) == {
        "no judgment",
        "not held",
    }
    page = (folder / "report.html").read_text("utf-8")
    assert "<script" not in page and "Leakage of stereotypes between languages" in page
    assert len(ids := re.findall(r' id="([^"]+)"', page)) == len(set(ids))
    assert tilt("figure", folder)[1].startswith("flows ")
    assert tilt("figure", folder, "--kind", "flows", "--to", "f.svg", "--width", "column")[0] == 0
    again = tilt(*given, "--json")[1]
    assert json.loads(again)["targets"] == value["targets"]


@pytest.mark.slow
def test_the_road_from_four_commands_to_one_page(tilt, tmp_path, people):
    for language in LANGUAGES:
        chosen = (
            "--set",
            f"groups={', '.join(GROUPS)}",
            "--set",
            f"templates={TEMPLATES[language]}",
        )
        command = ("run", "group_traits", "fake:masked", "--data", f"leakage_{language}", *chosen)
        assert tilt(*command)[0] == 0
    folders = sorted((tmp_path / "runs").iterdir())
    code, out, _ = tilt("leak", *folders, "--people", people, "--placebos", "2")
    assert code == 0
    page = tmp_path / out.rpartition("all: ")[2].strip() / "report.html"
    assert all(
        name in page.read_text("utf-8") for name in ("English", "Russian", "Chinese", "Hindi")
    )


def test_monolingual_models_conventions_and_files_of_ratings(tilt, tmp_path, runs):
    two = [runs["en"], runs["ru"]]
    alone = write_run(tmp_path / "alone", "ru", model="other")
    files = []
    for language in ("en", "ru"):
        path = write_ratings(tmp_path / f"{language}.csv", languages=[language])
        files += ["--people", f"{language}={path}"]
    code, out, _ = tilt("leak", *two, *files, "--monolingual", alone, "--placebos", "0", "--json")
    assert code == 0
    english, russian = json.loads(out)["targets"]
    assert english["covariate"] is None and russian["covariate"]["source"] == "monolingual"
    assert all(f["change"]["low"] <= f["change"]["difference"] for f in russian["flows"])
    polarity = tmp_path / "polarity.csv"
    polarity.write_text("trait,polarity\nreligious,negative\n", "utf-8")
    code, out, err = tilt("leak", *two, *files, "--convention", "cao2023_code", "--polarity", polarity,
                          "--json")  # fmt: skip
    assert code == 0 and "The runs were made under the convention paper" in err
    value = json.loads(out)
    assert value["settings"]["factor"] == 100
    assert {f["adjusted_p"] for t in value["targets"] for f in t["flows"]} == {None}
    code, out, _ = tilt(
        "leak",
        *two,
        *files,
        "--unit",
        "pairs",
        "--missing",
        "available",
        "--placebos",
        "0",
        "--format",
        "csv",
    )
    assert code == 0 and out.startswith("source,target,")


def test_what_is_refused(tilt, tmp_path, runs, people):
    english, russian = runs["en"], runs["ru"]
    story = write_run(tmp_path / "story", "ru", study="story_choice")
    for words, why in (
        ([english, english], "its language is en, as that of"),
        ([english, story], "these are runs of different studies: group_traits, story_choice"),
        ([english, "--monolingual", russian], "its language is ru, in which there is no run"),
        ([english, "--convention", "none"], "No convention of leakage named 'none'"),
        ([english, "--people", "ru=a.csv", "--people", "ru=b.csv"], "is a second file for it"),
        ([english, "--people", people, "--people", f"ru={people}"], "does not say its language"),
        (
            [english, "--min-raters", "6"],
            "0 groups and 12 traits have scores and enough ratings in en",
        ),
        ([english, "--people", f"sw={people}"], "the runs are in en, and people rated in sw"),
    ):
        given = words if "--people" in words else [*words, "--people", people]
        code, _, err = tilt("leak", *given)
        assert code == 2 and why in " ".join(err.split())
    plain = tmp_path / "plain.csv"
    plain.write_text("annotator,group,pair,rating\na,woman,cold - warm,1\n", "utf-8")
    code, _, err = tilt("leak", english, "--people", plain)
    assert code == 2 and "the column 'language' is missing" in err
