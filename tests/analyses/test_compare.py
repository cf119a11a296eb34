"""compare: what it says of results on the same items, as a command, a folder and a function."""

import csv
import json
import re
from pathlib import Path

import pytest

import tiltmeter as tm
from tiltmeter.core.errors import BadInput
from tiltmeter.derived.comparisons.compare import compare_all
from tiltmeter.run.files import folder as folders


@pytest.fixture
def runs(tilt):
    """Three models on the built-in pairs, with the folder of their comparison."""
    code, printed, _ = tilt("run", "starter_pairs", "fake:masked", "fake:causal", "fake:level")
    assert code == 0
    (made,) = Path("runs").glob("compare-*")
    results = [
        Path(line.split(": ")[1]) for line in printed.splitlines() if ": runs/starter" in line
    ]
    return made, results, printed


def test_differences_of_values_are_values_of_differences(runs):
    made, named, _ = runs
    rates = [tm.load(run).headline.value for run in named]
    result = folders.read(made)
    pairs = [(0, 1), (0, 2), (1, 2)]
    overall = [
        e for e in result.estimates if e.name == "stereotype_rate_difference" and not e.groups
    ]
    assert [e.value for e in overall] == pytest.approx([rates[i] - rates[j] for i, j in pairs])
    assert [*result.estimates[:-1]] == compare_all([folders.read(run) for run in named]).estimates
    count = result.estimates[-1]
    tested = [e for e in result.estimates if e.meaning.difference_of and e.significant is not None]
    assert (count.name, count.n) == ("significant_differences", len(tested))
    assert count.value == sum(e.significant for e in tested)


def test_command_function_and_folder_say_the_same(runs, tilt):
    made, named, printed = runs
    code, again, _ = tilt("compare", *named)
    finding = printed[printed.index("No two of 3 models ") :].split("page:")[0]
    assert code == 0 and again.split("page:")[0] == finding
    assert tilt("report", made)[1].split("page:")[0] == finding
    saved, computed = tm.load(made), tm.compare(named)
    assert [*computed.estimates] == [*saved.estimates] == [*tm.compare(*named).estimates]
    assert [r.folder for r in saved.runs] == [run.absolute() for run in named]


def test_its_folder_passes_through_the_other_commands(runs, tilt):
    made, named, _ = runs
    table = tilt("table", made, "--format", "csv")[1].splitlines()
    assert "fake:masked − fake:causal" in table[0]
    pictures = tilt("figure", made)[1]
    assert "compared-1" in pictures and "models" in pictures
    assert tilt("report", made, "--figures", "svg")[0] == 0 and (made / "models.svg").is_file()
    assert tilt("export", made, "all.csv", "--what", "estimates")[0] == 0
    rows = list(csv.DictReader((made / "differences.csv").read_text("utf-8").splitlines()))
    assert len(rows) == len(folders.read(made).estimates) - 1
    listed = tilt("compare", *named, "--format", "csv")[1].splitlines()
    assert len(listed) == len(rows) + 1
    (object_of,) = [json.loads(tilt("compare", *named, "--json")[1])]
    assert len(object_of["card"]["cards"]) == len(named) + 1
    crossed = tilt("compare", *named, "--fail-if", "significant_differences >= 0")
    assert crossed[0] == 3 and "significant_differences >= 0" in crossed[2]


def test_runs_that_lie_elsewhere_are_kept_with_it(runs, tilt):
    made, named, _ = runs
    assert [*made.glob("*/card.json")] == []  # the runs are beside it
    assert tilt("compare", *named, "--out", "far")[0] == 0
    (far,) = Path("far").iterdir()
    assert {path.parent.name for path in far.glob("*/card.json")} == {run.name for run in named}
    assert tm.load(far).plots == tm.load(made).plots


def test_a_comparison_whose_runs_are_gone_is_still_shown(runs, tilt):
    made, named, _ = runs
    for run in named:
        (run / "card.json").unlink()
    code, printed, _ = tilt("report", made)
    assert code == 0 and printed.startswith("No two of 3 models differ significantly")
    assert re.search(r"fake:masked − fake:causal −[\d.]+\spoints", printed)


def test_what_cannot_be_compared_is_refused(runs, tilt):
    _, named, _ = runs
    for words, why in (
        ([named[0]], "1 run is given, and a comparison needs two or more; give another run of "),
        ([named[0], named[0]], "it is listed twice"),
    ):
        code, _, err = tilt("compare", *words)
        assert code == 2 and why in " ".join(err.split())
    pairs = tm.run("starter_pairs", "fake:masked")
    Path("own.csv").write_text("sent_more,sent_less\nShe ran.,He ran.\n", "utf-8")
    other = tm.run("pairs", "fake:causal", data="own.csv")
    with pytest.raises(BadInput, match="of 2 studies: starter_pairs and pairs"):
        tm.compare(pairs, other)
