"""leak as a user types it: four runs, one page; ratings of a survey’s, refusals."""

import json
import re

import pytest

import tiltmeter as tm
from analyses.leak.examples import LANGUAGES, rows_of
from support.leakage_runs import GROUPS, TEMPLATES, write_ratings, write_run
from tiltmeter.analyses.leak.analysis import ANALYSIS


def only(estimates, name, **groups):
    (value,) = [e["value"] for e in estimates if e["name"] == name and e["groups"] == groups]
    return value


def test_four_languages_end_in_one_page(tilt, tmp_path, runs, people):
    given = ("analyse", "leak", *runs.values(), "--people", people, "--placebos", "2")
    code, out, err = tilt(*given, "--figures", "svg")
    assert (code, err) == (0, "fitting 4 languages\n")
    assert "12 flows between languages" in " ".join(out.split())
    folder = tmp_path / out.rpartition("folder: ")[2].strip()
    assert {p.name for p in folder.iterdir()} > {
        "card.json", "flows.csv", "trait_counts.csv", "leaked_traits.csv", "people.csv", "people_means.csv",
        "targets.csv", "report.html", "flows.svg",
    }  # fmt: skip
    flows = rows_of(folder / "flows.csv")
    assert [(r["target"], r["source"]) for r in flows[:5]] == [
        ("en", "en"), ("en", "ru"), ("en", "zh"), ("en", "hi"), ("ru", "en"),
    ]  # fmt: skip
    own = [r["coefficient_p_adjusted"] for r in flows if r["source"] == r["target"]]
    assert own == [""] * 4
    assert all(
        float(r[f"{scale}_low"]) < float(r[scale]) < float(r[f"{scale}_high"])
        for r in flows
        for scale in ("coefficient", "coefficient_raw")
    )
    assert {r["groups"] for r in rows_of(folder / "targets.csv")} == {f"{len(GROUPS) - 1}.0"}
    into_hindi = [r for r in rows_of(folder / "leaked_traits.csv") if r["target"] == "hi"]
    assert {bool(r["target_mean"]) for r in into_hindi if r["group"] == "veteran"} == {False}
    assert {bool(r["target_mean"]) for r in into_hindi if r["group"] != "veteran"} == {True}
    html = (folder / "report.html").read_text("utf-8")
    assert "<script" not in html and "Leakage of stereotypes between languages" in html
    assert "no judgment" in html
    assert len(ids := re.findall(r' id="([^"]+)"', html)) == len(set(ids))
    assert tilt("figure", folder)[1].startswith("flows ")
    assert tilt("figure", folder, "--kind", "flows", "--to", "f.svg", "--width", "column")[0] == 0
    again = json.loads(tilt(*given, "--json")[1])
    assert [e["value"] for e in again["estimates"]] == [e.value for e in tm.load(folder).estimates]


def test_python_does_the_same_and_thresholds_judge_it(tilt, tmp_path, runs, people):
    two = [tm.load(runs[language]) for language in ("en", "ru")]
    result = tm.analyse.leak(two, people={"": people}, placebos=0)
    given = ("analyse", "leak", runs["en"], runs["ru"], "--people", people, "--placebos", "0")
    code, out, err = tilt(*given, "--fail-if", "solid_flows < 1", "--json")
    assert code == 3 and "solid_flows < 1" in err
    assert [e["value"] for e in json.loads(out)["estimates"]] == [e.value for e in result.estimates]
    assert result.headline.name == "solid_flows" and result.headline.value == 0
    alone = write_run(tmp_path / "alone", "ru", model="other")
    more = tm.analyse.leak(two, people={"": people}, placebos=0, monolingual=[tm.load(alone)])
    (row,) = [e for e in more.estimates if e.groups == {"monolingual": "other", "target": "ru"}
              and e.name == "coefficient"]  # fmt: skip
    assert row.p_adjusted is None
    assert more.card.command.endswith("placebos=0, monolingual=[result])")


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
    code, out, _ = tilt("analyse", "leak", *folders, "--people", people, "--placebos", "2")
    assert code == 0
    page = tmp_path / out.rpartition("folder: ")[2].strip() / "report.html"
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
    code, out, _ = tilt("analyse", "leak", *two, *files, "--monolingual", alone, "--placebos", "0")
    assert code == 0 and "With monolingual models" in out
    folder = tmp_path / out.rpartition("folder: ")[2].strip()
    (covariate,) = rows_of(folder / "monolingual.csv")
    assert (covariate["target"], covariate["monolingual"]) == ("ru", "other")
    changes = rows_of(folder / "covariate.csv")
    assert [(r["source"], r["target"]) for r in changes] == [("en", "ru"), ("ru", "ru")]
    for row in changes:
        without, among, change = (
            float(row[n]) for n in ("without_covariate", "coefficient", "covariate_change")
        )
        assert change == pytest.approx(without - among, abs=1e-3)
        assert float(row["covariate_change_low"]) <= change <= float(row["covariate_change_high"])
    polarity = tmp_path / "polarity.csv"
    polarity.write_text("trait,polarity\nreligious,negative\n", "utf-8")
    code, out, err = tilt("analyse", "leak", *two, *files, "--convention", "cao2023_code",
                          "--polarity", polarity, "--json")  # fmt: skip
    assert code == 0 and "The runs were made under the convention paper" in err
    result = json.loads(out)
    assert result["card"]["settings"]["paper's scale"] == "scores times 100"
    assert not any(e.get("p_adjusted") for e in result["estimates"])
    pairs = ("--unit", "pairs", "--unrated", "available", "--placebos", "0", "--format", "csv")
    code, out, _ = tilt("analyse", "leak", *two, *files, *pairs)
    assert code == 0 and out.startswith("source,target,")


def test_people_can_be_left_out_and_flows_are_given_both_ways(tilt, tmp_path, runs, people):
    two = [runs["en"], runs["ru"]]
    head, *lines = people.read_text("utf-8").splitlines()
    first = lines[0].split(",")[head.split(",").index("annotator")]
    marked = [f"{line},{'speed' if first in line.split(',') else ''}" for line in lines]
    file = tmp_path / "marked.csv"
    file.write_text("\n".join([f"{head},marks", *marked]) + "\n", "utf-8")
    given = ("analyse", "leak", *two, "--people", file, "--placebos", "0", "--json")
    code, out, err = tilt(*given, "--without", "speed")
    assert code == 0, err
    result = json.loads(out)
    (left,) = [e for e in result["estimates"] if e["name"] == "people_left_out"]
    assert left["value"] == 1
    flow = {"source": "ru", "target": "en"}
    both = [only(result["estimates"], "coefficient", **flow, answers=a) for a in ("kept", "all")]
    assert both[0] == only(result["estimates"], "coefficient", **flow) != both[1]
    whole = json.loads(tilt(*given)[1])["estimates"]
    assert both[1] == only(whole, "coefficient", **flow)
    code, _, err = tilt("analyse", "leak", *two, "--without", "speed")
    assert code == 2 and "choose among ratings of yours; give them with --people" in err


def test_what_is_refused(tilt, tmp_path, runs, people):
    english, russian = runs["en"], runs["ru"]
    story = write_run(tmp_path / "story", "ru", study="story_choice")
    for given, why in (
        ([english, english], "its language is en, as that of"),
        ([english, story], "these are runs of different studies: group_traits, story_choice"),
        ([english, "--monolingual", russian], "its language is ru, in which there is no run"),
        ([english, "--convention", "none"], "No convention of leakage named 'none'"),
        ([english, "--people", "ru=a.csv", "--people", "ru=b.csv"], "is a second file of ru"),
        ([english, "--people", people, "--people", f"ru={people}"], "does not say its language"),
        (
            [english, "--min-raters", "6"],
            "0 groups and 12 traits have scores and enough ratings in en",
        ),
        ([english, "--people", f"sw={people}"], "the runs are in en, and people rated in sw"),
    ):
        named = given if "--people" in given else [*given, "--people", people]
        code, _, err = tilt("analyse", "leak", *named)
        assert code == 2 and why in " ".join(err.split())
    plain = tmp_path / "plain.csv"
    plain.write_text("annotator,group,pair,rating\na,woman,cold - warm,1\n", "utf-8")
    code, _, err = tilt("analyse", "leak", english, "--people", plain)
    assert code == 2 and "the column 'language' is missing" in err


def test_every_number_that_it_reports_is_declared(runs, people):
    result = tm.analyse.leak([runs["en"]], people={"": people}, placebos=2)
    assert {e.name for e in result.estimates} <= {q.name for q in ANALYSIS.quantities}


def test_a_result_without_a_matrix_is_refused_for_what_it_is(tilt, runs, people):
    code, out, _ = tilt(
        "analyse", "leak", runs["en"], runs["ru"], "--people", people, "--placebos", "0"
    )
    assert code == 0
    code, _, err = tilt(
        "analyse", "leak", out.rpartition("folder: ")[2].strip(), "--people", people
    )
    assert code == 2
    text = " ".join(err.split())
    assert "no scores by group and trait: it is Leakage of stereotypes between languages" in text
    assert "language of this run" not in text
