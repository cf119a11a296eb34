"""items as a command: its output, what it takes and what it refuses."""

import json
from dataclasses import replace

import pytest

import tiltmeter as tm
from analyses.items.examples import random_runs, run, runs, written
from tiltmeter.core.errors import BadInput


def test_the_command_prints_the_finding_and_tables(tilt, tmp_path):
    code, out, err = tilt("analyse", "items", *written(random_runs(6, 60), tmp_path))
    assert code == 0, err
    assert "pairs of 6 models differ significantly" in out
    assert "Reliability of differences" in out and "Items to look at" in out
    assert "text 1" not in out
    code, out, _ = tilt(
        "analyse", "items", *written(random_runs(6, 60), tmp_path / "again"), "--json"
    )
    made = json.loads(out)
    assert code == 0 and made["estimates"][0]["name"] == "pairs_apart"


def test_thresholds_judge_its_numbers(tilt, tmp_path):
    paths = written(random_runs(6, 60), tmp_path)
    code, _, err = tilt("analyse", "items", *paths, "--fail-if", "model_reliability < 0.999")
    assert code == 3 and "model_reliability" in err


def test_one_run_and_a_run_twice_are_refused(tmp_path):
    (path,) = written([run("a", "0101")], tmp_path)
    other = written([run("b", "0101")], tmp_path / "other")
    with pytest.raises(BadInput, match="listed twice"):
        tm.analyse.items([path, path, *other])
    random = run("r", "0101")
    random = replace(random, card=replace(random.card, model={"name": "r", "kind": "baseline"}))
    with pytest.raises(BadInput, match="there is one run"):
        tm.analyse.items([path, random])


def test_runs_by_different_rules_are_refused_with_the_reason():
    with pytest.raises(BadInput, match="different rules, whose numbers do not mean the same"):
        tm.analyse.items([run("a", "01"), run("b", "01", rule="pll_shared")])


def test_a_measure_without_items_says_which_there_are():
    with pytest.raises(BadInput, match="no number 'accuracy' over all items"):
        tm.analyse.items(runs(), measure="accuracy")
    with pytest.raises(BadInput, match="all items belong to one cluster"):
        tm.analyse.items(runs(cluster=lambda _: "one"))


def test_items_that_some_runs_lack_are_counted_and_named():
    made = tm.analyse.items([run("a", "0101"), run("b", "01?1"), run("c", "11")])
    (note, *_) = made.card.notes
    assert note.text == (
        "Over the 2 items that all runs answer, of 4 that some do; c answers the fewest (2)."
    )


def test_few_and_related_models_and_other_settings_are_noted():
    some = [run(name, sides, settings={"x": name}) for name, sides in
            (("bert-a", "010011"), ("bert-b", "011011"), ("gpt2", "111011"))]  # fmt: skip
    notes = " ".join(note.text for note in tm.analyse.items(some).card.notes)
    assert "3 models are of 2 families" in notes and "different settings" in notes
    assert "3 models say little about single items" in notes
    apart = tm.analyse.items(some, family={"bert-b": "other"})
    assert "families" not in " ".join(note.text for note in apart.card.notes)
    assert apart.card.settings["family of bert-b"] == "other"


def test_several_runs_of_one_model_have_the_names_of_their_folders():
    made = tm.analyse.items([run("a", "0101"), run("a", "0111", seed=1), run("b", "1111")])
    assert len({e.model for e in made.estimates if e.model}) == 3


def test_the_order_of_the_runs_does_not_matter():
    some = random_runs(6, 40)
    one, other = (tm.analyse.items(order) for order in (some, some[::-1]))
    numbers = [{(e.name, e.model): e.value for e in made.estimates} for made in (one, other)]
    assert numbers[0] == pytest.approx(numbers[1])
