"""Tests of --placebo: which kinds a study has, and what is refused."""

from pathlib import Path

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.core.measures import ARM, EDITED
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.run_options import RunOptions


def items(study: str, **options: object) -> list[object]:
    loaded = load_items(find("studies", study, "STUDY"), RunOptions(**options), Logged())
    return list(loaded.items)


def test_a_study_without_an_irrelevant_arm_refuses_a_placebo():
    with pytest.raises(BadInput, match="starter_pairs has no irrelevant arm"):
        items("starter_pairs", placebo="edits")


@pytest.mark.parametrize("given", ["names", "nowhere.csv", "edit"])
def test_a_placebo_that_a_study_does_not_have_is_refused_with_those_that_it_has(given: str):
    with pytest.raises(BadInput, match=r"has no such placebo; give edits or a file of yours"):
        items("counterfactual", placebo=given)


def test_a_limit_is_about_the_items_of_the_study():
    made = items("counterfactual", placebo="edits", limit=10)
    assert [item.groups[ARM] for item in made].count("group") == 10
    assert {item.groups[EDITED] for item in made[10:]} <= {i.groups[EDITED] for i in made[:10]}


def test_the_encoding_is_that_of_the_placebos_file(tmp_path: Path):
    from tiltmeter.run.planning.option_effects import check_effect

    file = tmp_path / "mine.csv"
    file.write_text("id,text\n0-Muslim,Jedes «Wort» über Muslims.\n", encoding="cp1252")
    options = RunOptions(placebo=str(file), encoding="cp1252")
    check_effect(find("studies", "counterfactual", "STUDY"), options)
    made = items("counterfactual", placebo=str(file), encoding="cp1252")
    assert made[-1].after == "Jedes «Wort» über Muslims."
