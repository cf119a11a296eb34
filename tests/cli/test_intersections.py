"""`tiltmeter intersections` on runs of a made-up model, with lists of the user's own."""

import csv
import json

import pytest

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
    code, out, _ = tilt("intersections", both, "--findings", "found.toml", "--json")
    assert code == 0
    one = json.loads(out)
    code, out, _ = tilt("intersections", crossed, single, "--findings", "found.toml", "--json")
    assert code == 0
    two = json.loads(out)
    assert one["groups"] == {"single": 4, "crossed": 8, "in both orders": 8, "templates": 3}
    for key in ("groups", "domains", "findings", "dominance"):
        assert one[key] == two[key]
    assert [e["value"] for e in one["estimates"]] == pytest.approx(
        [e["value"] for e in two["estimates"]]
    )
    assert one["cards"][0]["settings"]["cross"] == "both"
    (agreement, _) = one["findings"]["agreement"]
    assert agreement["groups"] == ["baking tall person", "tall baker"]
    assert (agreement["cells"], agreement["true"]) == (
        2 * 6,
        2 * 3,
    )  # mood has four traits, pace two


def test_the_page_the_tables_and_the_terminal(tilt, run, tmp_path):
    folder = run("both")
    code, out, _ = tilt("intersections", folder, "--out", tmp_path / "there", "--top", 3)
    assert code == 0
    assert "8 intersectional groups, made of 4 single groups, in 3 templates." in out
    assert "No agreement with those that the paper's text names" in " ".join(out.split())
    (made,) = (tmp_path / "there").iterdir()
    files = {file.name for file in made.iterdir()}
    assert files == {
        "report.html",
        "intersections.json",
        "emergent.csv",
        "order.csv",
        "domains.csv",
    }
    page = (made / "report.html").read_text("utf-8")
    assert "height &lt;b&gt;" in page and "<b>" not in page
    with (made / "emergent.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8 * 8
    top = max(rows, key=lambda row: float(row["above"]))
    value = json.loads((made / "intersections.json").read_text("utf-8"))
    best = value["emergent"]["above"]["rows"][0]
    assert (best["crossed"], best["trait"]) == (top["crossed"], top["trait"])
    assert best["by"] == float(top["above"])
    assert len(value["emergent"]["above"]["rows"]) <= 3
    assert page == (made / "report.html").read_text("utf-8")


def test_the_same_twice(tilt, run, tmp_path):
    folder = run("both")
    pages = []
    for out in ("one", "two"):
        assert tilt("intersections", folder, "--out", tmp_path / out)[0] == 0
        (made,) = (tmp_path / out).iterdir()
        pages.append([file.read_bytes() for file in sorted(made.iterdir())])
    assert pages[0] == pages[1]


def test_poles_are_another_comparison(tilt, run):
    folder = run("both")
    taus = []
    for traits in ("pairs", "poles"):
        _, out, _ = tilt("intersections", folder, "--traits", traits, "--json")
        taus.append([e["value"] for e in json.loads(out)["estimates"]])
    assert taus[0] != taus[1]


def test_one_template_gives_no_test_and_says_so(tilt, run):
    folder = run("both", "--set", "templates=That [group] is [trait].")
    code, out, _ = tilt("intersections", folder, "--findings", "found.toml")
    assert code == 0
    assert "No test: the spread cannot be estimated from one template" in " ".join(out.split())
    assert "false-discovery" not in out
    code, out, _ = tilt("intersections", folder, "--findings", "found.toml", "--json")
    value = json.loads(out)
    assert value["emergent"]["above"]["sure"] is None
    assert [a["told_by"] for a in value["findings"]["agreement"]] == ["above both components"]


def test_what_cannot_be_compared_is_told(tilt, run, tmp_path):
    single = run("no")
    code, _, said = tilt("intersections", single)
    assert code == 2
    assert "there are no intersectional groups; run it with --set cross=both" in " ".join(
        said.split()
    )
    code, _, said = tilt("intersections", tmp_path)
    assert code == 2
    assert "has no card.json" in said
    both = run("both")
    (tmp_path / "found.toml").write_text(FINDINGS.replace("slow", "slwo"), "utf-8")
    code, _, said = tilt("intersections", both, "--findings", "found.toml")
    assert code == 2
    assert "No trait named 'slwo'. Did you mean 'slow'" in " ".join(said.split())
    code, _, said = tilt("intersections", both, "--findings", "fuond.toml")
    assert code == 2
    assert "did you mean found.toml" in " ".join(said.split())


def test_a_run_of_another_study(tilt, tmp_path):
    assert (
        tilt("run", "starter_pairs", "fake:masked", "--out", tmp_path / "pairs", "--json")[0] == 0
    )
    (folder,) = (tmp_path / "pairs").iterdir()
    code, _, said = tilt("intersections", folder)
    assert code == 2
    assert "this run of starter_pairs has no matrix" in " ".join(said.split())
