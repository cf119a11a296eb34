"""Chapter 6 of Sotnikova 2023: from its printed curves, from data sets, and from simulations."""

import csv
import re
from pathlib import Path

import pytest

from support.active_runs import written
from support.vote_tables import write_mhs, write_wikipedia
from tiltmeter.papers.given_folders import given_folders, taken
from tiltmeter.papers.paper_file import read_paper
from tiltmeter.run.files.folder import read


@pytest.fixture
def simulations(tmp_path):
    """Folders of made-up runs, of which each belongs to other figures."""
    scales = {"passive": 200, "entropy": 300, "daal": 100}
    made = {
        "base": {"entropy_items": 100, "pool_votes": 0},
        "budget": {"entropy_items": 25, "pool_votes": 0},
        "few": {"entropy_items": 100, "pool_votes": 3, "votes_each": 3},
        "agreed": {"entropy_items": 100, "pool_votes": 0, "agreed_only": True},
    }
    for name, settings in made.items():
        written(tmp_path / name / "calm", scales, seeds=2, **{"agreed_only": False, **settings})
    written(
        tmp_path / "majority" / "calm", {"passive_batched": 90, "passive_majority": 300}, seeds=2,
        agreed_only=False, entropy_items=100, pool_votes=0,
    )  # fmt: skip
    return [f"--runs={tmp_path / name}" for name in (*made, "majority")]


def lines_of(page, figure):
    """The labels of the lines of a figure's pictures, in the wide layout, and the panels' headings."""
    section = page.rpartition(f"{figure}: ")[2].partition("</section>")[0]
    wide = re.findall(r"<title>([^<]*): from [^<]*</title>", section)
    return {*wide}


def test_simulations_go_to_the_figures_where_they_belong(simulations):
    paper = read_paper("sotnikova2023_active")
    folders, others = given_folders(paper, [Path(word.partition("=")[2]) for word in simulations])
    assert not others
    used = {
        source.name: {path.parent.name for path in taken(source, folders)}
        for source in paper.analyses
        if source.takes_folders
    }
    assert used == {
        "ratios": {"base", "few"}, "simulations": {"base"}, "budgets": {"base", "budget"},
        "votes_each": {"base", "few"}, "agreed": {"base", "agreed"}, "majority": {"majority"},
    }  # fmt: skip


def test_settings_share_a_picture_and_can_be_told_apart(tilt, tmp_path, simulations):
    tables = ("--select", "F6.4,F6.9 b", "--out", tmp_path / "paper")
    code, _, err = tilt("replicate", "sotnikova2023_active", *simulations, *tables)
    assert code == 0, err
    page = (tmp_path / "paper" / "report.html").read_text("utf-8")
    assert lines_of(page, "Figure 6.4") == {"DAAL, 25 items for f_ent", "DAAL, 100 items for f_ent"}
    items = ("all items", "agreed items")
    both = {f"{name}, {some}" for name in ("Passive", "Entropy") for some in items}
    assert lines_of(page, "Figure 6.9 b") == both


def test_what_is_not_there_says_how_it_is_made(tilt, tmp_path):
    tables = "F6.4,F6.10,T6.2"
    code, out, err = tilt(
        "replicate", "sotnikova2023_active", "--select", tables, "--out", tmp_path / "p"
    )
    assert code == 0, err
    words = " ".join(out.split())
    assert (
        "give folders of runs with --runs; such runs are made with: tiltmeter active simulate"
        in words
    )
    assert "> 1.28 = > 1.28" in words.replace("\u00a0", " ")
    with (tmp_path / "p" / "T6.2.csv").open(encoding="utf-8", newline="") as file:
        cells = {(r["data"], r["baseline"]): r for r in csv.DictReader(file)}
    assert float(cells["genocide", "entropy"]["value"]) == pytest.approx(1965 / 1537)
    assert {key for key, r in cells.items() if r["compared"] == "equal"} == {
        ("genocide", "entropy"), ("toxicity", "entropy_batched"), ("toxicity5", "entropy_batched"),
    }  # fmt: skip


def test_ones_own_simulations_on_the_papers_sets_fill_its_table(tilt, tmp_path):
    for name, settings in (
        ("mhs_respect", {"pool_votes": 0}),
        ("wikipedia_talk_toxicity", {"pool_votes": 5}),
    ):
        scales = {"passive": 200, "passive_batched": 300, "daal": 100}
        written(tmp_path / "runs" / name, scales, seeds=2, agreed_only=False, **settings)
    code, _, err = tilt(
        "replicate", "sotnikova2023_active", "--select", "T6.2", "--runs", tmp_path / "runs", "--out",
        tmp_path / "p",
    )  # fmt: skip
    assert code == 0, err
    with (tmp_path / "p" / "T6.2.csv").open(encoding="utf-8", newline="") as file:
        cells = {(r["data"], r["baseline"]): r for r in csv.DictReader(file)}
    ours = {key for key, r in cells.items() if r["value"]}
    assert {("respect", "passive_batched"), ("toxicity5", "passive")} <= ours
    assert ("toxicity", "passive") not in ours and ("average", "passive") not in ours
    assert float(cells["respect", "passive"]["value"]) != pytest.approx(1126 / 894, abs=0.01)


def test_the_papers_sets_are_described_from_files_of_the_user(tilt, tmp_path):
    write_mhs(tmp_path)
    write_wikipedia(tmp_path)
    code, _, err = tilt(
        "replicate", "sotnikova2023_active", "--select", "T6.1,F6.16,F6.17", "--out", tmp_path / "p",
        f"--data=mhs={tmp_path / 'mhs' / 'measuring-hate-speech.parquet'}",
        f"--data=wikipedia_talk_toxicity={tmp_path / 'wikipedia_talk_toxicity'}",
    )  # fmt: skip
    assert code == 0, err
    with (tmp_path / "p" / "T6.1.csv").open(encoding="utf-8", newline="") as file:
        cells = {(r["data"], r["measure"]): float(r["value"]) for r in csv.DictReader(file)}
    assert len(cells) == 20
    assert cells["respect", "items"] == sum(n % 6 >= 2 for n in range(1, 40))  # 3 to 6 votes
    assert (cells["toxicity", "votes_per_item"], cells["toxicity5", "votes_per_item"]) == (10, 5)
    counts = {e.name: e.value for e in read(tmp_path / "p").estimates if not e.groups}
    assert counts["published_numbers"] == 20 and counts["not_computable"] == 0
