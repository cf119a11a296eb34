"""Simulations go to the analyses of a paper by what they are, and what is lacking says how it is made."""

from dataclasses import replace
from pathlib import Path

import pytest

from support.active_runs import written
from tiltmeter.core.errors import BadInput
from tiltmeter.papers.given_folders import GivenFolder, given_folders, plan_folders, taken, why_none
from tiltmeter.papers.paper_file import AnalysisSource, Paper, PaperItem
from tiltmeter.papers.paper_plan import PaperPlan

SOURCE = AnalysisSource("s", "active_report", made_by="make them")


def folder(name, strategy=("passive",), data="calm", **settings):
    facts = {
        "data": data,
        "strategy": strategy,
        "entropy_items": "100",
        "pool_votes": "0",
        **settings,
    }
    return GivenFolder(Path(name), "active_report", facts)


def names(source, *folders):
    return [str(path) for path in taken(source, folders)]


def test_folders_have_one_of_the_values_on_every_axis():
    source = replace(SOURCE, takes={"strategy": ("daal", "bald"), "pool_votes": ("0",)})
    both = folder("a", ("passive", "daal")), folder("b", ("passive",))
    assert names(source, *both, folder("c", ("daal",), pool_votes="3")) == ["a"]
    assert names(source, replace(both[0], analysis="leak")) == []


def test_usual_values_are_preferred_for_each_data_set_of_its_own():
    source = replace(SOURCE, usual={"entropy_items": ("100",)})
    some = (
        folder("a"),
        folder("b", entropy_items="25"),
        folder("c", data="loud", entropy_items="25"),
    )
    assert names(source, *some) == ["a", "c"]


def test_folders_that_are_to_differ_differ_in_nothing_else_and_come_in_order():
    source = replace(SOURCE, differ=("pool_votes", "votes_each"))
    some = [
        folder("ten", ("daal",), pool_votes="10", votes_each="5"),
        folder("three", ("passive", "daal"), pool_votes="3", votes_each="3"),
        folder("other", pool_votes="3", votes_each="3", entropy_items="25"),
        folder("loud", data="loud", pool_votes="5"),
    ]
    assert names(source, *some) == ["three", "ten"]


def test_what_is_lacking_says_why_and_how_it_is_made():
    source = replace(SOURCE, takes={"strategy": ("daal", "bald")}, differ=("entropy_items",))
    assert why_none(source, []) == (
        "give folders of runs with --runs; such runs are made with: make them"
    )
    assert "none of the given runs has strategy daal or bald" in why_none(source, [folder("a")])
    lone = why_none(source, [folder("a", ("daal",))])
    assert "no two of the given runs on the same data differ in entropy_items alone" in lone


def test_folders_are_read_and_those_that_nothing_takes_are_refused(tmp_path):
    written(tmp_path / "runs" / "calm", {"passive": 200}, seeds=1, agreed_only=True)
    (tmp_path / "other").mkdir()
    source = replace(SOURCE, takes={"agreed_only": ("no",)})
    item = PaperItem("T1", "A table", why="none")
    paper = Paper("A paper", "somebody", (item,), analyses=(source,), name="mine")
    folders, others = given_folders(paper, [tmp_path / "runs", tmp_path / "other"])
    assert [f.path.name for f in folders] == ["calm"] and others == [tmp_path / "other"]
    assert folders[0].facts["agreed_only"] == "yes" and folders[0].facts["strategy"] == ("passive",)
    with pytest.raises(BadInput, match=r"nothing that is wanted of mine takes these runs .*calm"):
        plan_folders(PaperPlan(paper, tmp_path), [source], folders)
    plan = PaperPlan(paper, tmp_path)
    plan_folders(plan, [source], [])
    assert plan.folders == {"s": []} and "make them" in plan.lacks[0].why
