"""Files of scores: as the authors publish them, and tables."""

from math import log

import numpy as np
import pytest

from support import published
from tiltmeter.api.results import RunResult
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.published import published as printed
from tiltmeter.run.measuring.imported_scores import import_scores
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions
from tiltmeter.studies.gest.sentences import load
from tiltmeter.studies.gest.stored_scores import stored_scores
from tiltmeter.studies.gest.study import STUDY


def imported(path, **options):
    options = RunOptions(**options)
    return RunResult(import_scores(STUDY, path, options, Logged(), name="m", command=""), STUDY)


def authors_file(folder, template, scores):
    path = folder / f"model_template-{template}.txt"
    path.write_text("\n".join(map(str, scores)))
    return path


def test_files_of_the_authors_are_read_together_and_to_base_10(tmp_path):
    n = len(load(settings={"templates": "3"}).items)
    first = authors_file(tmp_path, 0, np.full(n, 1.0))
    authors_file(tmp_path, 1, np.full(n, 3.0))
    items, records = stored_scores(first, None, settings={"templates": "3,4"})
    assert [record.item for record in records][:3] == ["1/3", "1/4", "2/3"]
    assert [record.scores["masculine"] for record in records][:2] == pytest.approx(
        [log(10), 3 * log(10)]
    )
    assert "model_template-1.txt, SHA-256" in items.about["scores"]
    _, ten = stored_scores(first, None, settings={"templates": "3,4", "logarithm": "10"})
    assert [record.scores["masculine"] for record in ten][:2] == pytest.approx([1, 3])


def test_files_that_do_not_fit_the_sentences_are_refused(tmp_path):
    path = authors_file(tmp_path, 0, [0.5, "nan", 0.25])
    with pytest.raises(BadInput, match=r"has 3 scores, and gest has 3,565 sentences"):
        stored_scores(path, None, settings={"templates": "3"})
    mine = tmp_path / "mine.csv"
    mine.write_text("sentence,stereotype\nI wept.,1\nI lead.,13\nI led.,13\n")
    data = load(mine, settings={"templates": "3"})
    with pytest.raises(BadItems, match=r"model_template-0\.txt:2: is 'nan', not a finite number"):
        stored_scores(path, data, settings={"templates": "3"})
    items, _ = stored_scores(path, data, settings={"templates": "3"}, skip_invalid=True)
    assert [item.id for item in items.items] == ["1/3", "3/3"]
    with pytest.raises(BadInput, match=r"model_template-1\.txt.*is not here.*--set templates="):
        stored_scores(path, data, settings={"templates": "3,4"})


def test_a_table_of_ones_own(tmp_path):
    mine, scores = tmp_path / "mine.csv", tmp_path / "scores.csv"
    mine.write_text("sentence,stereotype\nI wept.,1\nI lead.,13\n")
    settings = {"templates": "3"}
    data = load(mine, settings=settings)
    scores.write_text("id,male,female\n1/3,-3,-1\n2/3,-1,-2\n")
    _, records = stored_scores(scores, data, settings=settings)
    assert [dict(record.scores) for record in records] == [
        {"masculine": -2, "male": -3, "female": -1, "of_men": 0},
        {"masculine": 1, "male": -1, "female": -2, "of_men": 1},
    ]
    scores.write_text("id,masculine\n1/3,0.5\n")
    with pytest.raises(BadItems, match="1 of 2 items has no score, the first '2/3'"):
        stored_scores(scores, data, settings=settings)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("id,masculine\n1/3,1\n1/3,2\n", r"scores\.csv:3: id '1/3' has a second score"),
        ("id,masculine\n1/3,1\n9/3,2\n", r"scores\.csv:3: id '9/3' is no item"),
        ("id,masculine\n1/3,much\n", r"scores\.csv:2: its score is 'much', not a number"),
        ("id,male\n1/3,1\n", r"scores\.csv: has no scores; name the columns masculine"),
    ],
)
def test_tables_that_cannot_be_used(text, says, tmp_path):
    mine, scores = tmp_path / "mine.csv", tmp_path / "scores.csv"
    mine.write_text("sentence,stereotype\nI wept.,1\n")
    scores.write_text(text)
    data = load(mine, settings={"templates": "3"})
    with pytest.raises((BadInput, BadItems), match=says):
        stored_scores(scores, data, settings={"templates": "3"})


def test_every_printed_rate_of_bert_comes_out():
    path = published.need("gest/predictions/english_mlm/bert-base-uncased_template-0.txt")
    run = imported(path, convention="pikuliak2024", rule="pll_differing_joint")
    rates = {tuple(e.groups.values()): e for e in run.estimates if e.name == "masculine_rate"}
    table = [n for n in printed("pikuliak2024_rates").numbers if n.model == "bert-base-uncased"]
    assert len(table) == 64
    for number in table:
        ours = rates[tuple(number.groups.values())]
        assert number.equals(ours.value)
        assert (ours.low, ours.high) == pytest.approx(number.interval, abs=0.0151)
    ratios = imported(path, rule="pll_differing_joint").estimate("g_s")
    assert ratios.value == pytest.approx(run.estimate("g_s").value ** log(10))
