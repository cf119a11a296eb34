"""Files from elsewhere become the results that the command line makes of them."""

import json
from pathlib import Path

import pytest

import tiltmeter as tm
from support.command_line import own_cache, tilt
from tiltmeter.core.errors import BadInput

__all__ = ["own_cache", "tilt"]

HEAD = "id,sent_more,sent_less,sent_more_score,sent_less_score\n"


@pytest.fixture
def scores(tmp_path):
    """Scores of two pairs: the first is higher for the more stereotyping sentence, the second lower."""
    rows = "a,Old men forget.,Young men forget.,-9.5,-11\nb,Old men sing.,Young men sing.,-8,-7.5\n"
    (tmp_path / "scores.csv").write_text(HEAD + rows)
    return tmp_path / "scores.csv"


def test_results_are_those_of_the_command_line(tilt, scores):
    assert tilt("import", scores, "--name", "mine", "--out", "cli")[0] == 0
    (theirs,) = Path("cli").iterdir()
    [ours] = tm.import_(scores, name="mine", out="api")
    assert ours.folder == Path("api", theirs.name)
    names = ("estimates.json", "records.parquet")
    assert [(ours.folder / n).read_bytes() for n in names] == [
        (theirs / n).read_bytes() for n in names
    ]
    cards = [
        json.loads((folder / "card.json").read_text("utf-8")) for folder in (ours.folder, theirs)
    ]
    assert cards[0]["model"] == cards[1]["model"]
    assert cards[0]["command"] == "tiltmeter.import_('PATH/TO/scores.csv', name='mine')"


def test_several_files_are_named_in_order_and_nothing_is_written(scores, tmp_path):
    lower = scores.with_name("losses.csv")
    lower.write_text(scores.read_text())
    before = {*tmp_path.iterdir()}
    made = tm.import_(scores, str(lower), name=["first", "second"], study="pairs")
    assert [each.card.model_name for each in made] == ["first", "second"]
    [as_losses] = tm.import_(lower, lower_is_better=True)
    assert as_losses.records[0].scores == {"more": 9.5, "less": 11.0}
    assert [each.headline.value for each in (*made, as_losses)] == [50.0, 50.0, 50.0]
    assert {*tmp_path.iterdir()} == before


def test_a_run_is_read_again_and_keeps_how_it_was_read(tmp_path):
    written = tm.run("prompts", "fake:causal", rule="word", out=tmp_path)
    [again] = tm.import_(written.folder, rule="contains")
    assert again.card.rule == "contains" and len(again.records) == len(written.records)


def test_errors_name_arguments(scores):
    with pytest.raises(BadInput, match="cluster has no effect on scores and replies"):
        tm.import_(scores, cluster="topic")
    with pytest.raises(BadInput, match=r"files: 1, names: 2; give one name a file"):
        tm.import_(scores, name=["a", "b"])
    with pytest.raises(TypeError, match="Did you mean 'study'"):
        tm.import_(scores, studdy="pairs")
