"""leak as a user types it, and its sentences: four runs, one page; ratings of a survey's, refusals."""

import csv
import json
import re
from dataclasses import replace

import pytest

import tiltmeter as tm
from leakage_runs import GROUPS, TEMPLATES, write_ratings, write_run
from tiltmeter.analyses.leak import ANALYSIS, words
from tiltmeter.analysis.leakage.flows import (
    COEFFICIENT,
    CORRECTED,
    OF_TARGET,
    PLACEBO,
    PLACEBO_SIGNIFICANT,
    FlowOptions,
    judged,
)
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.results import Card, Inference, Record
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page

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


def only(estimates, name, **groups):
    (value,) = [e["value"] for e in estimates if e["name"] == name and e["groups"] == groups]
    return value


def test_four_languages_end_in_one_page(tilt, tmp_path, runs, people):
    given = ("leak", *runs.values(), "--people", people, "--placebos", "2")
    code, out, err = tilt(*given, "--figures", "svg")
    assert (code, err) == (0, "fitting 4 languages\n")
    assert "12 flows between languages" in " ".join(out.split())
    folder = tmp_path / out.rpartition("all: ")[2].strip()
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


def test_one_language_has_flows_into_it_and_no_picture_where_none_is_significant(
    tilt, tmp_path, runs, people
):
    code, out, _ = tilt(
        "leak", runs["en"], "--people", people, "--placebos", "0", "--figures", "svg"
    )
    assert code == 0
    assert "fake: none of 3 flows from other countries into English is solid." in out
    assert "between languages" not in out
    folder = tmp_path / out.rpartition("all: ")[2].strip()
    assert not [*folder.glob("*.svg")] and tilt("figure", folder)[:2] == (0, "")


def test_python_does_the_same_and_thresholds_judge_it(tilt, tmp_path, runs, people):
    two = [tm.load(runs[language]) for language in ("en", "ru")]
    result = tm.leak(two, people={"": people}, placebos=0)
    given = ("leak", runs["en"], runs["ru"], "--people", people, "--placebos", "0")
    code, out, err = tilt(*given, "--fail-if", "solid_flows < 1", "--json")
    assert code == 3 and "solid_flows < 1" in err
    assert [e["value"] for e in json.loads(out)["estimates"]] == [e.value for e in result.estimates]
    assert result.headline.name == "solid_flows" and result.headline.value == 0
    alone = write_run(tmp_path / "alone", "ru", model="other")
    more = tm.leak(two, people={"": people}, placebos=0, monolingual=[tm.load(alone)])
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
    code, out, _ = tilt("leak", *two, *files, "--monolingual", alone, "--placebos", "0")
    assert code == 0 and "With monolingual models" in out
    folder = tmp_path / out.rpartition("all: ")[2].strip()
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
    code, out, err = tilt("leak", *two, *files, "--convention", "cao2023_code", "--polarity", polarity,
                          "--json")  # fmt: skip
    assert code == 0 and "The runs were made under the convention paper" in err
    result = json.loads(out)
    assert result["card"]["settings"]["paper's scale"] == "scores times 100"
    assert not any(e.get("p_adjusted") for e in result["estimates"])
    pairs = ("--unit", "pairs", "--missing", "available", "--placebos", "0", "--format", "csv")
    code, out, _ = tilt("leak", *two, *files, *pairs)
    assert code == 0 and out.startswith("source,target,")


def test_the_scale_chooses_what_tables_show_and_changes_no_number(tilt, tmp_path, runs, people):
    given = ("leak", runs["en"], runs["ru"], "--people", people, "--placebos", "0", "--scale")
    tables = []
    for scale, measure in (("standardised", "coefficient"), ("paper", "coefficient_raw")):
        code, *_ = tilt(*given, scale, "--out", tmp_path / scale)
        (folder,) = (tmp_path / scale).iterdir()
        rows = rows_of(folder / "flows.csv")
        assert code == 0 and [*rows[0]][2] == f"{measure}_verdict"
        tables.append([(r["coefficient"], r["coefficient_raw"], r["coefficient_p"]) for r in rows])
    assert tables[0] == tables[1]


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
        code, _, err = tilt("leak", *named)
        assert code == 2 and why in " ".join(err.split())
    plain = tmp_path / "plain.csv"
    plain.write_text("annotator,group,pair,rating\na,woman,cold - warm,1\n", "utf-8")
    code, _, err = tilt("leak", english, "--people", plain)
    assert code == 2 and "the column 'language' is missing" in err


SURE = Inference(0.1, 0.3, p=0.005)


def flow(source, target, value=0.2, inference=SURE, corrected=None, **more):
    """A coefficient, with the lower end of the corrected one where there is one."""
    groups = {"source": source, "target": target}
    of_corrected = (None, Inference(None, None)) if corrected is None else (
        corrected + 0.1, Inference(corrected, corrected + 0.2)
    )  # fmt: skip
    return [
        COEFFICIENT.at(value, inference, groups=groups, **more),
        CORRECTED.at(*of_corrected, groups=groups),
    ]


def placebo(source, target, mean, share):
    groups = {"source": source, "target": target}
    return [PLACEBO.at(mean, groups=groups), PLACEBO_SIGNIFICANT.at(share, groups=groups)]


def said(*flows, missing="complete", adjust=True, records=(), languages=("ru", "en")):
    """The sentences about these flows, with verdicts as the analysis gives them."""
    card = Card("leak", "1", {"name": "fake"}, {"name": "d"}, settings={"missing": missing})
    estimates = judged(
        [e for some in flows for e in some], FlowOptions(missing=missing, adjust=adjust)
    )
    estimates += [OF_TARGET[0].at(5, groups={"target": code}) for code in languages]
    return [p.text for p in words(Numbers(card, estimates, records))]


UNSURE = Inference(-0.1, 0.3, p=0.9)
OTHERS = (
    *[flow("ru", "en", 0.1, UNSURE)],
    flow("ru", "ru", 0.1, UNSURE),
    flow("en", "en", 0.1, UNSURE),
)


def test_solid_and_not_solid_flows_in_words():
    solid = said(flow("en", "ru", corrected=0.2), *OTHERS)
    assert solid[0] == (
        "fake: 1 of 2 flows between languages is solid: English to Russian (standardised coefficient 0.20, "
        "corrected 0.30, p = 0.0100)."
    )
    assert solid[2].startswith("No other coefficient of another country is significant")
    weak = said(flow("en", "ru", corrected=-0.01), *OTHERS)
    assert weak[0] == "fake: none of 2 flows between languages is solid."
    assert "1 flow is significant (p < .05 after Holm’s adjustment), but may be" in weak[2]
    plain = said(flow("en", "ru"), *OTHERS, adjust=False)
    assert (
        "1 flow is significant (p < .05, not adjusted), without correction for the raters"
        in plain[2]
    )
    tried = said(flow("en", "ru"), placebo("en", "ru", 0.12, 30.0), *OTHERS)
    assert (
        "are 0.12 to 0.12 there on average, and significant in 30 to 30\u00a0% of draws"
        in tried[-1]
    )


def test_the_four_strongest_flows_are_named():
    flows = [
        flow(source, target, value, Inference(0.01, 0.9, p=1e-9), corrected=0.1)
        for value, (source, target) in zip(
            (0.1, 0.2, 0.3, 0.4, 0.5), (("en", "ru"), ("zh", "ru"), ("hi", "ru"), ("ru", "en"), ("zh", "en")),
            strict=True,
        )
    ]  # fmt: skip
    headline = said(*flows)[0]
    assert "5 of 5 flows between languages are solid: Chinese to English" in headline
    assert headline.endswith("; and 1 more.") and "English to Russian" not in headline


def test_the_languages_own_countries_and_leaked_traits_in_words():
    own = said(flow("ru", "ru", 0.4), flow("en", "en", 0.1, UNSURE), flow("en", "ru", 0.1, UNSURE))
    assert own[-1].endswith(
        "explain the scores significantly (standardised coefficient) in Russian (0.40)."
    )
    records = [
        Record(str(i), scores, {"polarity": polarity}, kind="leaked_trait")
        for i, (polarity, scores) in enumerate(
            [
                ("positive", {"target_mean": 0.0}),
                ("non-polar", {"target_mean": 1.0}),
                ("negative", {}),
            ]
        )
    ]
    assert said(*OTHERS, records=records)[-1].endswith(
        "its strongest: 2 (1 positive, 0 negative, 1 non-polar). Of 1 more, the target’s people were not "
        "asked."
    )


def test_countries_taken_by_themselves_are_no_leaks():
    alone = said(flow("en", "ru", corrected=0.2), *OTHERS, missing="available")
    assert alone[0].startswith("fake: 1 of 2 coefficients of other countries are significant, each")
    assert not any("solid" in text.lower() for text in alone)


def test_one_language_and_no_other_country():
    one = said(flow("en", "ru", corrected=0.2), flow("ru", "ru"), languages=["ru"])
    assert one[0].startswith(
        "fake: 1 of 1 flow from other countries into Russian is solid: English to"
    )
    assert (
        said(flow("ru", "ru"), languages=["ru"])[0]
        == "fake: there are no ratings of another country."
    )


def test_hostile_names_stay_text(runs, people):
    name = "<b>x</b>\x1b[31m"
    run = tm.load(runs["en"]).result
    hostile = replace(run, card=replace(run.card, model={**run.card.model, "name": name}))
    result = tm.leak([hostile], people={"": people}, placebos=0).result
    text = page(run_document(result))
    assert "<b>x" not in text and "\x1b" not in text and "&lt;b&gt;x" in text


def test_every_number_that_it_reports_is_declared(runs, people):
    result = tm.leak([runs["en"]], people={"": people}, placebos=2)
    assert {e.name for e in result.estimates} <= {q.name for q in ANALYSIS.quantities}


def test_a_result_without_a_matrix_is_refused_for_what_it_is(tilt, runs, people):
    code, out, _ = tilt("leak", runs["en"], runs["ru"], "--people", people, "--placebos", "0")
    assert code == 0
    code, _, err = tilt("leak", out.rpartition("all: ")[2].strip(), "--people", people)
    assert code == 2
    text = " ".join(err.split())
    assert "no scores by group and trait: it is Leakage of stereotypes between languages" in text
    assert "language of this run" not in text
