"""What a run measures on, and what is said of it."""

import pytest

from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import BadInput
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.run_options import RunOptions

ITEMS = Dataset("mine", "1", [Pair(str(i), f"he {i}", f"she {i}") for i in range(9)], "", "")


def test_items_in_memory_are_taken_as_they_are():
    assert load_items(study_named("pairs"), RunOptions(data=ITEMS), Logged()) is ITEMS


def test_a_limit_draws_a_sample_with_the_seed():
    study = study_named("starter_pairs")
    first, again, other = (
        load_items(study, RunOptions(limit=20, seed=seed), Logged()) for seed in (1, 1, 2)
    )
    assert len(first.items) == 20
    assert [i.id for i in first.items] == [i.id for i in again.items]
    assert [i.id for i in first.items] != [i.id for i in other.items]
    assert "sample" in first.about


def test_the_limit_is_of_the_part_that_was_asked_for():
    study = study_named("stereoset")
    data = study.sample()
    part = load_items(study, RunOptions(data=data, split="test", limit=2), Logged())
    whole = load_items(study, RunOptions(data=data, split="test"), Logged())
    assert len(part.items) == 2
    assert {i.id for i in part.items} < {i.id for i in whole.items}


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"nowhere\.csv"):
        load_items(study_named("pairs"), RunOptions(data=tmp_path / "nowhere.csv"), Logged())


def test_a_placebo_that_a_study_cannot_have_is_refused_before_its_data_are_looked_for(tmp_path):
    options = RunOptions(data=tmp_path / "nowhere.csv", placebo="edits")
    with pytest.raises(BadInput, match="pairs has no irrelevant arm"):
        load_items(study_named("pairs"), options, Logged())
