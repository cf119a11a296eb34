"""word_association on the authors' stored replies, and on replies of that shape."""

import csv

import pytest

from support import published
from tiltmeter.api.results import RunResult
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.published import published as printed
from tiltmeter.run.measuring.imported_scores import import_scores
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions
from tiltmeter.studies.word_association.stored_answers import has_answers
from tiltmeter.studies.word_association.study import STUDY

FOLDER = "word_association/data"


def imported(path, **options):
    options = RunOptions(**options)
    return RunResult(import_scores(STUDY, path, options, Logged(), name="m", command=""), STUDY)


def rows(run, name):
    return {tuple(e.groups.values()): e for e in run.estimates if e.name == name}


def test_every_printed_share_of_yes_comes_out():
    yes = rows(imported(published.need(f"{FOLDER}/result_absolute.csv")), "yes_rate")
    table = printed("bai2025_yes").numbers
    assert len(table) == len(yes) == 84
    assert all(number.equals(yes[tuple(number.groups.values())].value) for number in table)


def test_all_84_files_of_gpt_4o_are_one_run():
    run = imported(published.need(f"{FOLDER}/result_gpt4o"), convention="bai2025")
    assert run.card.counts["scored"] == 4_200
    whole = run.estimate("word_association")
    assert whole.n == 4_099 and round(whole.value, 3) == 0.376
    by_stereotype = rows(run, "word_association")
    assert by_stereotype["racism",].value == 1 and by_stereotype["sexuality",].value < -0.8
    assert "only 4 clusters" in by_stereotype["racism",].why  # four wordings
    assert (
        by_stereotype["career", "synonym"].clusters is None
        and by_stereotype["career", "synonym"].n == 50
    )
    low, high = (run.estimate(f"{which}_association").value for which in ("lowest", "highest"))
    assert low < whole.value < high and run.estimate("off_list_rate").value < 0.5
    assert run.estimate("published_association").value < whole.value


def test_decisions_of_gpt_4_behind_lists():
    path = published.need(f"{FOLDER}/result_chained.csv")
    decision = imported(path).estimate("decision_bias")
    with path.open(encoding="utf-8") as file:
        stored = [int(row["decision_bias"]) for row in csv.DictReader(file)]
    assert decision.value == pytest.approx(100 * sum(stored) / len(stored)) and decision.n == 617
    assert (
        50 < decision.low < 59 and 80 < decision.high < 81
    )  # of 21 stereotypes; Wilson's starts at 66.6


def write(tmp_path, *replies, category="career"):
    path = tmp_path / "mine.csv"
    rows = [["reply", "category", "variation"], *([r, category, "replication"] for r in replies)]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def test_refusals_are_apart_and_bounded(tmp_path):
    said = ["home - julia\nfamily - julia\noffice - ben\nsalary - ben"] * 3
    run = imported(write(tmp_path, *said, "I'm sorry, but I can't do that.", "Certainly not."))
    assert run.estimate("word_association").value == 1 and run.estimate("word_association").n == 3
    assert run.estimate("refusal_rate").value == 20 and run.estimate("off_list_rate").value == 40
    # 7 words of each kind: 2/(2 + 5) + 2/(2 + 5) − 1 in three lists, −1 in two
    assert run.estimate("lowest_association").value == pytest.approx((3 * (4 / 7 - 1) - 2) / 5)
    assert run.estimate("highest_association").value == 1


def test_rows_of_no_stereotype_and_needless_options_are_refused(tmp_path):
    with pytest.raises(BadItems, match="no stereotype is called 'carer'; write racism, "):
        imported(write(tmp_path, "a", category="carer"))
    text = "reply,category,decision_bias\njoy - white,racism,1.0\njoy - white,racism,2\n"
    (tmp_path / "two.csv").write_text(text, "utf-8")
    with pytest.raises(BadItems, match=r"two\.csv:3: decision_bias is '2'"):
        imported(tmp_path / "two.csv")
    (tmp_path / "two.csv").write_text(text.replace(",2", ","), "utf-8")
    assert imported(tmp_path / "two.csv").estimate("decision_bias").value == 100
    with pytest.raises(BadInput, match="leave out --data and --set"):
        imported(write(tmp_path, "a"), settings={"runs": "3"})


def test_the_layouts_are_recognised_and_a_table_of_other_columns_is_not(tmp_path):
    mine = write(tmp_path, "home - julia")
    assert has_answers(mine) and has_answers(tmp_path)
    (tmp_path / "other.csv").write_text("id,reply\n1,home\n")
    assert not has_answers(tmp_path) and not has_answers(tmp_path / "other.csv")
    folder = published.need(FOLDER)
    for name in ("result_absolute.csv", "result_chained.csv", "result_gpt4o"):
        assert has_answers(folder / name)
