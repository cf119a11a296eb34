"""What the page over a folder knows of its results; copies and damaged ones are left out."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from support.view_pages import compare, content, hostile
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Result
from tiltmeter.report.view import view_files
from tiltmeter.report.view.view_files import ViewFiles
from tiltmeter.report.view.viewed_results import ViewedResult, model_labels, results_of
from tiltmeter.run.files import folder as folders


def test_results_and_their_numbers_are_in_the_index(page):
    index = content(page, "index")
    results = {r["key"]: place for place, r in enumerate(index["results"])}
    assert (
        len(results) == 2 + 1 + 2 + 3 + 1
    )  # pairs, traits, audits and their runs, hostile; no copy
    place = results["pairs-fake"]
    facts = index["results"][place]
    assert (facts["study"], facts["model"], facts["items"]) == ("starter_pairs", "fake:masked", 270)
    items = content(page, "items-pairs-fake")  # which says how its scores are read
    assert items["counts"]["stereotype_rate"] == {"reads": ["more", "less"], "where": {}}
    assert items["views"][0]["titles"][0] == "more stereotyping sentence"
    cell = facts["cell"]
    assert (facts["run"], cell["measure"], cell["n"], cell["sure"]) == (
        True, "Stereotype rate", 270, False,
    )  # fmt: skip
    assert cell["at"] == pytest.approx([45.185, 39.4, 51.1, 50], abs=0.1)
    assert not next(r for r in index["results"] if r["key"] == "audit-0")["run"]
    assert facts["page"] == "../../view0/%3Cb%3Eruns/pairs-fake/report.html"
    (main,) = [row for row in index["numbers"] if row[0] == place and row[8]]
    assert index["measures"][main[1]] == ["stereotype_rate", "Stereotype rate"]
    assert main[3:] == ["45.2\xa0%", "39.4 to 51.1", "0.128", 270, 0, 1]


def test_a_damaged_result_is_left_out_with_a_note(tmp_path):
    folders.write(hostile(), tmp_path / "a", page="")
    folders.write(hostile(), tmp_path / "b", page="")
    (tmp_path / "b" / "estimates.json").write_text("[]")
    files = ViewFiles([tmp_path], compare)
    assert [v.key for v in files.found[0]] == ["a"]
    assert "estimates.json was changed" in files.found[1][0]
    with pytest.raises(BadInput, match="no such folder"):
        ViewFiles([tmp_path / "nowhere"], compare).names  # noqa: B018


def test_of_very_many_results_the_page_has_main_numbers_and_links(monkeypatch, tmp_path):
    monkeypatch.setattr(view_files, "PARTS_UP_TO", 2)
    for number in range(3):
        made = hostile()
        card = replace(made.card, model={"name": f"model {number}", "fingerprint": str(number)})
        folders.write(replace(made, card=card), tmp_path / "runs" / str(number), page="page")
    files = ViewFiles([tmp_path / "runs"], compare, to=tmp_path / "view")
    assert files.is_slim
    page = files.write_page(tmp_path / "view", files.names)
    assert [file.name for file in (page.parent / "data").iterdir()] == ["index.js"]
    index = content(page, "index")
    assert (index["slim"], index["parts"], len(index["numbers"])) == (True, False, 3)
    assert {r["page"] for r in index["results"]} == {f"../runs/{n}/report.html" for n in range(3)}
    assert all(not groups for _, groups in index["subsets"])
    served = ViewFiles([tmp_path / "runs"], compare, served=True)
    assert json.loads(served.data("index")["index"])["parts"]
    assert {"leaderboard", "board-0", "result-0", "items-2"} <= {*served.names}
    whole = ViewFiles([tmp_path / "runs"], compare, everything=True)
    assert "result-0" in whole.names
    assert not whole.is_slim


def test_models_that_share_a_name_are_told_apart_by_their_references():
    viewed = [
        ViewedResult(host, Path(host), Result(card, (), ()))
        for host in ("one", "two")
        for card in [replace(hostile().card, model={
            "name": "llama", "fingerprint": host, "reference": f"chat:http://{host}:1#llama"})]
    ]  # fmt: skip
    assert model_labels(viewed) == ["llama at one:1", "llama at two:1"]
    assert model_labels(viewed[:1]) == ["llama"]


def test_files_beside_runs_are_left_out_with_a_note(tmp_path):
    folders.write(hostile(), tmp_path / "a", page="")
    for name in ("cells.json", "mine.txt"):  # the first is ours: a sweep keeps it beside its runs
        (tmp_path / name).write_text("{}")
    viewed, notes = results_of(*sorted(tmp_path.iterdir()))
    assert len(viewed) == 1
    assert notes == ["mine.txt is a file, not a folder of runs: left out."]
