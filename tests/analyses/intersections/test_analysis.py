"""`tiltmeter analyse intersections` on runs of a made-up model, with lists of the user's own."""

import csv
import json
from dataclasses import replace

import pytest

from analyses.intersections.examples import CROSSED, analysed, random_scores
from tiltmeter.analyses.intersections import analysis
from tiltmeter.core.analysis import Numbers

LISTS = """
nouns = { one = "person" }
pairs = [
  { left = "slow", right = "quick", dimension = "pace" },
  { left = "gloomy", right = "cheerful", dimension = "mood" },
  { left = "shy", right = "bold", dimension = "mood" },
  { left = "untidy", right = "tidy", dimension = "order" },
]
templates = [{ text = ["The {group} is {trait}.", "That {group} is {trait}.", "One {group} is {trait}."] }]
[[groups]]
name = "baker"
domain = "trade"
one = "baker"
adjective = "baking"
[[groups]]
name = "sailor"
domain = "trade"
one = "sailor"
adjective = "sailing"
[[groups]]
name = "tall"
domain = "height <b>"
one = "tall person"
adjective = "tall"
[[groups]]
name = "short"
domain = "height <b>"
one = "short person"
adjective = "short"
"""
FINDINGS = """
[[findings]]
group = "tall baker"
dimension = "mood"
direction = "high"
[[findings]]
group = "tall baker"
trait = "slow"
"""


@pytest.fixture
def lists(tmp_path):
    path = tmp_path / "lists.toml"
    path.write_text(LISTS, "utf-8")
    (tmp_path / "found.toml").write_text(FINDINGS, "utf-8")
    return path


@pytest.fixture
def run(tilt, tmp_path, lists):
    def begin(cross, *more):
        out = tmp_path / f"runs-{cross}"
        args = ("run", "group_traits", "fake:masked", "--data", lists, "--set", f"cross={cross}")
        code, _, said = tilt(*args, "--out", out, "--json", *more)
        assert code == 0, said
        (folder,) = out.iterdir()
        return folder

    return begin


def test_one_run_or_two_say_the_same(tilt, run):
    both = run("both")
    single, crossed = run("no"), run("only")
    code, out, _ = tilt("analyse", "intersections", both, "--findings", "found.toml", "--json")
    assert code == 0
    one = json.loads(out)
    code, out, _ = tilt(
        "analyse", "intersections", crossed, single, "--findings", "found.toml", "--json"
    )
    assert code == 0
    two = json.loads(out)
    data = one["card"]["data"]
    assert (data["single groups"], data["groups in both orders"]) == (4, 8)
    values = [
        {(e["name"], *e["groups"].values()): e["value"] for e in made["estimates"]}
        for made in (one, two)
    ]
    assert values[0].keys() == values[1].keys()
    known = [key for key, value in values[0].items() if value is not None]
    assert [values[0][key] for key in known] == pytest.approx([values[1][key] for key in known])
    assert values[0]["groups",] == 8
    true = next(e for e in one["estimates"] if e["name"] == "true_cells")
    assert (true["n"], true["value"]) == (2 * 6, 2 * 3)  # mood has four traits, pace two
    (lines,) = [
        v["lines"] for v in one["card"]["views"] if v.get("lines", [""])[0].startswith("Find")
    ]
    assert lines[0].endswith("Groups: baking tall person, tall baker.")


def test_the_page_the_tables_and_the_terminal(tilt, run, tmp_path):
    folder = run("both")
    code, out, _ = tilt("analyse", "intersections", folder, "--out", tmp_path / "there", "--top", 3)
    assert code == 0
    assert "8 intersectional groups, made of 4 single groups, in 3 templates." in out
    assert "No agreement with those that the paper's text names" in " ".join(out.split())
    (made,) = (tmp_path / "there").iterdir()
    files = {file.name for file in made.iterdir()}
    assert files == {
        "report.html", "card.json", "estimates.json", "records.parquet", "emergent.csv", "order.csv",
        "domains.csv", "taus.csv", "emergent-above.csv", "emergent-below.csv",
    }  # fmt: skip
    page = (made / "report.html").read_text("utf-8")
    assert "height &lt;b&gt;" in page and "<b>" not in page
    with (made / "emergent.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8 * 8
    top = max(rows, key=lambda row: float(row["above"]))
    best, *others = csv.DictReader((made / "emergent-above.csv").read_text("utf-8").splitlines())
    assert (best["crossed"], best["trait"]) == (top["crossed"], top["trait"])
    assert best["by"] == top["above"]
    assert len(others) <= 2
    assert page == (made / "report.html").read_text("utf-8")


def test_the_same_twice(tilt, run, tmp_path):
    folder = run("both")
    pages = []
    for out in ("one", "two"):
        assert tilt("analyse", "intersections", folder, "--out", tmp_path / out)[0] == 0
        (made,) = (tmp_path / out).iterdir()
        named = [file for file in sorted(made.iterdir()) if file.suffix in {".csv", ".parquet"}]
        pages.append([file.read_bytes() for file in named])
    assert pages[0] == pages[1]


def test_poles_are_another_comparison(tilt, run):
    folder = run("both")
    taus = []
    for traits in ("pairs", "poles"):
        _, out, _ = tilt("analyse", "intersections", folder, "--traits", traits, "--json")
        taus.append([e["value"] for e in json.loads(out)["estimates"]])
    assert taus[0] != taus[1]


def test_one_template_gives_no_test_and_says_so(tilt, run):
    folder = run("both", "--set", "templates=That [group] is [trait].")
    code, out, _ = tilt("analyse", "intersections", folder, "--findings", "found.toml")
    assert code == 0
    assert "No test: the spread cannot be estimated from one template" in " ".join(out.split())
    assert "false-discovery" not in out.partition("What this")[0]
    code, out, _ = tilt("analyse", "intersections", folder, "--findings", "found.toml", "--json")
    value = json.loads(out)
    values = {(e["name"], *e["groups"].values()): e["value"] for e in value["estimates"]}
    assert values["significant_above",] is None
    assert [name[1] for name in values if name[0] == "hits"] == ["above both components"]


def test_what_cannot_be_compared_is_told(tilt, run, tmp_path):
    single = run("no")
    code, _, said = tilt("analyse", "intersections", single)
    assert code == 2
    assert "there are no intersectional groups; run it with --set cross=both" in " ".join(
        said.split()
    )
    code, _, said = tilt("analyse", "intersections", tmp_path)
    assert code == 2
    assert "has no card.json" in said
    both = run("both")
    (tmp_path / "found.toml").write_text(FINDINGS.replace("slow", "slwo"), "utf-8")
    code, _, said = tilt("analyse", "intersections", both, "--findings", "found.toml")
    assert code == 2
    assert "No trait named 'slwo'. Did you mean 'slow'" in " ".join(said.split())
    code, _, said = tilt("analyse", "intersections", both, "--findings", "fuond.toml")
    assert code == 2
    assert "did you mean found.toml" in " ".join(said.split())


def test_a_run_of_another_study(tilt, tmp_path):
    assert (
        tilt("run", "starter_pairs", "fake:masked", "--out", tmp_path / "pairs", "--json")[0] == 0
    )
    (folder,) = (tmp_path / "pairs").iterdir()
    code, _, said = tilt("analyse", "intersections", folder)
    assert code == 2
    assert "this run of starter_pairs has no matrix" in " ".join(said.split())


def test_the_finding_says_which_component_counts_more(monkeypatch):
    result = analysed(monkeypatch, random_scores(seed=2))
    order = next(e for e in result.estimates if e.name == "order_difference")
    for ends, said in (
        ((0.1, 0.1, 0.3), "named second: Kendall’s τ is 0.100 higher"),
        ((-0.2, -0.3, -0.1), "named first: Kendall’s τ is 0.200 higher"),
        ((0.1, -0.1, 0.3), "No significant difference in similarity"),
    ):
        value, low, high = ends
        changed = replace(order, value=value, low=low, high=high)
        others = [e for e in result.estimates if e is not order]
        numbers = Numbers(result.card, [changed, *others], result.records)
        assert any(said in text.text for text in analysis.words(numbers))


def test_ranked_cells_are_those_furthest_away(monkeypatch):
    result = analysed(monkeypatch, random_scores(seed=2))
    for way in ("above", "below"):
        cells_of = [r.scores[way] for r in result.records if r.kind == "cell" and way in r.scores]
        listed = [r.scores["by"] for r in result.records if r.kind == way]
        assert listed == sorted((by for by in cells_of if by > 0), reverse=True)[:50]
    groups = [r.item for r in result.records if r.kind == "group"]
    assert groups == [*CROSSED]
