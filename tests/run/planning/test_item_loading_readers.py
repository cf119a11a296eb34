"""Which studies read a file, and what is said of a file that another study reads."""

import pytest

from tiltmeter.core.errors import BadInput
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.item_loading import all_studies, load_items, readers_of
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.run_options import RunOptions

TRIPLES = (
    "context,stereotype,anti_stereotype,unrelated,target,domain\n"
    "The nurse was BLANK.,calm,loud,purple,nurse,work\n"
)


def test_all_studies_come_in_the_order_of_their_names():
    names = [study.name for study in all_studies()]
    assert names == sorted(names)
    assert {"pairs", "weat"} <= set(names)


def test_only_the_studies_asked_about_are_named(tmp_path):
    (tmp_path / "t.csv").write_text(TRIPLES)
    pairs, stereoset = study_named("pairs"), study_named("stereoset")
    assert readers_of(tmp_path / "t.csv", "", [pairs, stereoset]) == [stereoset]
    assert readers_of(tmp_path / "none.csv") == []


def test_a_file_of_another_study_is_refused_by_name(tmp_path):
    (tmp_path / "t.csv").write_text(TRIPLES)
    with pytest.raises(BadInput) as refused:
        load_items(study_named("pairs"), RunOptions(data=tmp_path / "t.csv"), Logged())
    message = str(refused.value)
    assert message.startswith("t.csv: pairs cannot read this file (no columns named sent_more")
    assert "it has the layout of stereoset and stereoset_pairs; run one of these" in message


def test_a_file_that_no_study_recognises_keeps_its_own_error(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(BadInput, match=r"^t\.csv:1: no columns named sent_more"):
        load_items(study_named("pairs"), RunOptions(data=tmp_path / "t.csv"), Logged())
