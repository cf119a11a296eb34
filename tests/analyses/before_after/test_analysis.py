"""before-after, from run folders and by running both models: numbers, sentences, what is refused."""

import csv
import json
from pathlib import Path

import pytest

import tiltmeter as tm
from report.documents.changed import pairs, text, triples

STUDIES = "starter_pairs,perplexity"
SMALL = ("--data", "perplexity=starter_text", "--set", "perplexity.sentences=20")


def numbers(result):
    """The estimates over all items, by name and by whether they are before, after, or changes."""
    return {
        (e.name, "change" if e.meaning.difference_of else e.groups.get("state", "after")): e
        for e in result.estimates
        if not e.groups.keys() - {"state"}
    }


@pytest.fixture
def ran(tilt):
    code, said, told = tilt(
        "analyse", "before-after", "fake:masked", "fake:level", "--studies", STUDIES, *SMALL
    )
    assert code == 0, told
    return said


def folders(tmp_path, start):
    return sorted(p for p in (tmp_path / "runs").iterdir() if p.name.startswith(start))


def test_both_models_are_run_and_compared(ran, tmp_path):
    text = " ".join(ran.split())
    assert "fake:level compared with fake:masked: closer to neutral in starter_pairs" in text
    assert "Cost: pseudo-perplexity −99" in text
    assert max(map(len, ran.splitlines()[:-2])) <= 80
    assert len(folders(tmp_path, "starter_pairs")) == len(folders(tmp_path, "perplexity")) == 2
    (made,) = folders(tmp_path, "before_after")
    table = "starter_pairs-stereotype_rate-pll_shared.csv"
    assert sorted(p.name for p in made.iterdir()) == [
        "card.json", "cost.csv", "estimates.json", "records.parquet", "report.html", table,
    ]  # fmt: skip
    values = numbers(tm.load(made))
    before, after = (values["stereotype_rate", state].value for state in ("before", "after"))
    change = values["stereotype_rate_difference", "change"]
    assert (change.verdict, after) == ("closer", 50)
    assert change.value == pytest.approx(50 - before)
    ratio = values["perplexity_ratio", "change"]
    costs = [values["perplexity", state].value for state in ("after", "before")]
    assert ratio.value == pytest.approx(costs[0] / costs[1])
    rows = list(csv.DictReader((made / table).read_text("utf-8").splitlines()))
    assert len(rows) == 10 and rows[0]["items"] == "all"
    assert float(rows[0]["stereotype_rate_before"]) == before


@pytest.mark.usefixtures("ran")
def test_finished_runs_give_the_same(tilt, tmp_path):
    runs = [*folders(tmp_path, "starter_pairs"), *folders(tmp_path, "perplexity")]
    (first,) = folders(tmp_path, "before_after")
    known = json.loads((first / "estimates.json").read_text("utf-8"))
    before = [p for p in runs if "masked" in p.name]
    after = [p for p in runs if "level" in p.name]
    for given in ([*before, *after], [*before, *(w for p in after for w in ("--after", p))]):
        code, said, told = tilt("analyse", "before-after", *given, "--json", "--t-test")
        assert code == 0, told
        found = json.loads(said)
        tested = [e for e in found["estimates"] if e["name"] == "elsafoury2023_t"]
        assert [e["n"] for e in tested] == [9, 0]
        rest = [e["value"] for e in found["estimates"] if e not in tested]
        assert rest == [e["value"] for e in known]
        assert found["card"]["subtitle"] == "fake:masked → fake:level"
    code, said, _ = tilt(
        "analyse", "before-after", *after, *before, "--json"
    )  # what comes first is before
    assert json.loads(said)["card"]["settings"]["before"] == "fake:level"


def test_a_study_that_a_model_cannot_answer_is_told(tilt):
    code, said, told = tilt(
        "analyse", "before-after", "fake:causal", "fake:causal", "--studies", "starter_pairs,weat"
    )
    assert code == 2 and "given twice" in told
    code, said, told = tilt(
        "analyse", "before-after", "fake:causal", "fake", "--studies", "starter_pairs,group_traits",
        "--rule", "group_traits=set", "--json",
    )  # fmt: skip
    assert code == 0, told
    card = json.loads(said)["card"]
    (missing,) = [v["lines"] for v in card["views"] if v.get("title") == "Not compared"]
    assert missing[0].startswith("group_traits: ")
    assert "fake:causal cannot be scored by 'set'" in missing[0]
    assert {source["rule"] for source in card["sources"]} == {"log_likelihood"}  # of both


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("fake", "--studies", "starter_pairs"), "needs two models"),
        (("fake", "fake:masked", "--studies", "starter_pears"), "Did you mean"),
        (("fake", "fake:masked", "--studies", ","), "--studies is empty"),
        (("fake", "fake:masked", "--studies", "weat", "--data", "sos=x"), "STUDY=DATA"),
        (("fake", "fake:masked", "--studies", "sos", "--set", "article=a"), "STUDY.NAME=VALUE"),
        (("fake", "fake:masked", "--studies", "sos", "--set", "sos.artikle=a"), "artikle"),
        (("fake", "ensemble:fake+fake:masked", "--studies", "sos"), "is an ensemble"),
        (
            ("fake:causal", "fake:masked", "--studies", "starter_pairs"),
            "cannot measure both models",
        ),
        (("runs/a", "runs/b"), "there is no such folder"),
        (("runs/a", "--data", "sos=x"), "--data only applies with --studies"),
    ],
)
def test_what_cannot_be_done(tilt, words, why):
    code, _, told = tilt("analyse", "before-after", *words)
    assert code == 2
    assert why in " ".join(told.split())


@pytest.mark.usefixtures("ran")
def test_runs_that_do_not_belong_together(tilt, tmp_path):
    (made,) = folders(tmp_path, "before_after")
    one, other = folders(tmp_path, "starter_pairs")
    code, _, told = tilt("analyse", "before-after", one, one)
    assert code == 2 and "listed twice" in told
    code, _, told = tilt("analyse", "before-after", one, made)
    assert code == 2 and "no study was run before and after" in told
    assert tilt("run", "starter_pairs", "fake:level", "--rule", "pll_all", "--out", "more")[0] == 0
    (all_,) = Path("more").iterdir()
    masked = next(p for p in (one, other) if "masked" in p.name)
    code, _, told = tilt("analyse", "before-after", masked, all_)
    assert code == 2
    assert "rule pll_shared before, pll_all after" in " ".join(told.split())


def test_a_threshold_is_about_the_model_after(tilt, ran, tmp_path):
    assert ran
    runs = [*folders(tmp_path, "starter_pairs")]
    masked, level = sorted(runs, key=lambda p: "level" in p.name)
    for words, code in (
        (("stereotype_rate > 49",), 3), (("starter_pairs/stereotype_rate > 51",), 0),
        (("stereotype_rate:bias_type=age > 49",), 3), (("closer_studies < 1",), 0),
        (("stereotype_rate:state=before > 49",), 0),
    ):  # fmt: skip
        assert tilt("analyse", "before-after", masked, level, "--fail-if", *words)[0] == code, words


def test_a_sample_of_the_items(tilt):
    words = ("analyse", "before-after", "fake:masked", "fake:level", "--studies", "starter_pairs")
    code, said, _ = tilt(*words, "--limit", "20", "--json")
    assert code == 0
    assert {e["n"] for e in json.loads(said)["estimates"] if not e["groups"]} == {1, 20}
    assert tilt("analyse", "before-after", "runs/a", "--limit", "20")[0] == 2


def compared(before, after, **options):
    """Results of a model before and after, compared in memory."""
    return tm.analyse.before_after([*before, *after], **options)


def finding(result):
    return [paragraph.text for paragraph in result.card.finding]


def shown(result, name):
    """The columns of a table of the document, by name."""
    table = next(t for t in result.document().tables() if t.name == name)
    return table, {c.name or c.title: c for c in table.columns}


RATE = "crows_pairs-stereotype_rate-pll_shared"


def test_the_finding_says_what_the_numbers_say():
    before = pairs("base", [1] * 20 + [-1] * 2)
    after = pairs("done", [1] * 10 + [-1] * 12, mitigation="inlp", **{"mitigation of": "gender"})
    result = compared([before], [after])
    head, cost = finding(result)
    assert head == (
        "done (inlp of gender) compared with base: closer to neutral in crows_pairs. Significant change "
        "(p = 0.00195)."
    )
    assert cost.startswith("The cost is not known")
    (lines,) = [
        v.lines for v in result.card.views if v.kind == "text_lines" and v.title == "crows_pairs"
    ]
    assert lines[0] == (
        "Over all items: 90.9\u00a0% before, 45.5\u00a0% after, closer to no preference (50), on the other "
        "side; significant change (p = 0.00195)."
    )
    assert result.headline.value == 1


def test_several_studies_are_counted():
    before = [pairs("base", [1] * 9 + [-1]), triples("base", [1, 1, 1, -1, 1, 1] * 3)]
    after = [pairs("done", [1] * 8 + [-1] * 2), triples("done", [1, 1, 1, 1, 1, 1] * 3)]
    head, cost = finding(compared(before, after))
    assert head.startswith(
        "done compared with base: closer to neutral in 1 of 2 studies, farther in 1."
    )
    assert "No significant change in any of them." in head
    assert cost.startswith("Cost: lms")


def test_a_cost_that_is_not_significant_is_neither_better_nor_worse():
    sides = [1, 1, 1, -1, 1, 1] * 3
    result = compared([triples("base", sides)], [triples("done", [1, 2, *sides[2:]])])
    table, columns = shown(result, "cost")
    lms = list(columns["measure"].values).index("lms")
    assert columns["change"].values[lms] < 0
    assert columns["verdict"].cells[lms] == "" == columns["verdict"].tones[lms]
    assert not table.strong[lms]
    assert "no significant change (p = " in finding(result)[-1]


def test_a_significant_cost_is_worse_and_said_so():
    result = compared([text("base", 2.0)], [text("done", 2.1)])
    table, columns = shown(result, "cost")
    assert list(columns["verdict"].cells) == ["worse", "worse"] == list(columns["verdict"].tones)
    assert all(table.strong)
    assert "pseudo-perplexity +10.5\u00a0%" in finding(result)[-1]
    assert ", significant change (p = " in finding(result)[-1]
    _, better = shown(compared([text("base", 2.0)], [text("done", 1.9)]), "cost")
    assert set(better["verdict"].tones) == {"better"}


def test_a_picture_for_each_measure_and_names_that_are_escaped():
    kinds = ["<b>", "<b>", "y", "y"]
    before = [pairs("base", [1, 1, -1, 1], kinds=kinds), text("base", 2.0)]
    odd = "<script>\x1b[31m"
    after = [pairs(odd, [1, -1, -1, -1], kinds=kinds), text(odd, 2.2)]
    result = compared(before, after, t_test=True)
    (picture,) = result.document().pictures()
    assert picture.name == RATE
    assert picture.wide.count('class="row"') == 3 == picture.narrow.count('class="row"')
    assert "No mark is filled: none is significant (p < .05" in picture.caption
    page = result.page()
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert "&lt;b&gt;" in page and "\x1b" not in page and "elsafoury2023" in page
