"""What an item of a paper names, and whether it can occur."""

import pytest

from papers.starter_paper import STARTER, write
from support.command_line import own_cache, tilt

__all__ = ["own_cache", "tilt"]


@pytest.mark.parametrize(("old", "new", "says"), [
    ('rows = ["bias_type"]', 'rows = ["bias_typ"]', "no number has the axis 'bias_typ'; did you mean"),
    ('"stereotype_rate"', '"stereotype_rat"', "no number has the measure 'stereotype_rat'; did you mean"),
    ('name = "T1"', 'name = "T1"\nwhere = {bias_tipe = ["age"]}', "'bias_tipe'; did you mean 'bias_type'?"),
    ('name = "T1"', 'name = "T1"\nwhere = {bias_type = ["gendre"]}', "did you mean 'gender'?"),
])  # fmt: skip
def test_a_misspelt_name_is_found_before_anything_is_run(tilt, tmp_path, old, new, says):
    words = ("replicate", write(tmp_path, STARTER.replace(old, new)), "--models", "fake:masked")
    code, out, err = tilt(*words, "--out", tmp_path / "paper")
    assert (code, out) == (2, "") and says in " ".join(err.split()), err
    assert not [*(tmp_path / "paper").glob("*/card.json")]
    assert tilt(*words, "--plan")[0] == 2


def test_a_mistake_that_shows_in_the_results_alone_costs_its_table_only(tilt, tmp_path):
    text = STARTER.replace('measures = ["stereotype_rate"]', 'measures = ["qqqq"]')
    words = ("replicate", write(tmp_path, text), "--models", "fake:masked", "--select", "T1,F1")
    code, out, err = tilt(*words, "--out", tmp_path / "paper")
    assert code == 2 and "T1: no result has the measure 'qqqq'" in err
    assert "This table could not be made: T1: no result has the measure 'qqqq'" in " ".join(
        out.split()
    )
    page = (tmp_path / "paper" / "report.html").read_text("utf-8")
    assert "This table could not be made" in page and "How surely" in page
