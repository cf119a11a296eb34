"""tiltmeter survey pay: what people are owed by outcome, and the lists with which panels pay them."""

import csv
import json

import pytest

from support.survey.paid import RAW, a_paid_study
from tiltmeter.survey.accounts import audit_log
from tiltmeter.survey.store import SurveyStore


@pytest.fixture
def study(tmp_path):
    with SurveyStore(tmp_path / "survey.db") as store:
        return a_paid_study(store)[1]


@pytest.mark.usefixtures("study")
def test_pay_is_summed_up_by_outcome(tilt):
    # 600, 900, 600 and 600 s for 2.00: 12, 8, 12 and 12 an hour; 1.00 is missing to 12 an hour.
    code, out, err = tilt("survey", "pay")
    assert code == 0, err
    said = " ".join(out.split())
    assert "median 12.00 GBP; nine of ten earned more than 9.20 (n = 4)." in said
    assert "Bonuses that raise pay to 12.00 GBP an hour: 1.00 GBP in all." in said
    lines = [line.split() for line in out.splitlines()]
    for row in (
        "finished 4 2.00 8.00 1.00 9.00", "screened out 1 0.14 0.14 0.00 0.14",
        "withdrew 1 2.00 2.00 0.00 2.00", "all 6 10.14 1.00 11.14",
    ):  # fmt: skip
        assert row.split() in lines


@pytest.mark.usefixtures("study")
def test_json_has_money_as_decimal_texts(tilt):
    report = json.loads(tilt("survey", "pay", "--json", "--hourly", "24")[1])
    assert (report["target"], report["total"], report["bonuses"]) == ("24.00", "20.14", "10.00")
    assert sum(float(person["bonus"]) for person in report["people"]) == 10
    assert {person["outcome"] for person in report["people"]} == {
        "finished", "screened_out", "withdrew",
    }  # fmt: skip


def test_people_can_be_left_out_by_mark_or_list(tilt, tmp_path, study):
    out = tilt("survey", "pay", "--without", "straight_line")[1]
    assert "Left out: 1 of 6 people; all together are owed 11.14 GBP." in out
    (tmp_path / "some.csv").write_text(f"person\n{study['slow']}\n")
    report = json.loads(tilt("survey", "pay", "--participants", "some.csv", "--json")[1])
    assert (report["total"], report["left_out"], report["total_of_all"]) == ("2.00", 5, "11.14")
    code, _, err = tilt("survey", "pay", "--without", "straight_lines")
    assert code == 2 and "No mark named 'straight_lines'. Did you mean 'straight_line'?" in err


@pytest.mark.usefixtures("study")
def test_lists_are_private_files_that_sum_up_to_what_is_owed(tilt, tmp_path):
    code, out, err = tilt("survey", "pay", "--lists", "lists", "--propose-reject", "straight_line")
    assert code == 0, err
    text = {file.name: file.read_text("utf-8") for file in (tmp_path / "lists").iterdir()}
    assert sorted(text["prolific-approve.txt"].splitlines()) == sorted(
        f"{RAW}{name}" for name in ("slow", "slower", "gone")
    )
    assert text["prolific-bonus.csv"] == f"{RAW}slower,1.00\n"
    assert text["prolific-partial.csv"] == f"{RAW}out,0.14\n"
    (proposed,) = csv.DictReader(text["prolific-reject.csv"].splitlines())
    assert (proposed["id"], proposed["submission"]) == (f"{RAW}flat", "session_flat")
    assert proposed["why"] == "Flagged by the study’s checks: straight line."
    assert {file.stat().st_mode & 0o777 for file in (tmp_path / "lists").iterdir()} == {0o600}
    # 6.00 and 1.00 and 0.14 in lists, 2.00 proposed, 2.00 without an id: 11.14
    assert "prolific-approve.txt: 3 people, 6.00 GBP." in out
    assert "1 person, 2.00 GBP: proposed for rejection and in no list of payments" in out
    assert "1 person, 2.00 GBP: in no list, because no usable id of a platform is stored" in out
    code, _, err = tilt("survey", "pay", "--lists", "lists")
    assert code == 2 and "this file exists; give --overwrite" in err
    assert tilt("survey", "pay", "--lists", "lists", "--overwrite")[0] == 0
    assert len((tmp_path / "lists" / "prolific-approve.txt").read_text().splitlines()) == 4
    with SurveyStore(tmp_path / "survey.db") as store:
        line = store.read(audit_log)[0]
    assert (line.action, line.detail) == ("show platform ids", "warmth (survey pay: 6)")


@pytest.mark.usefixtures("study")
def test_options_of_lists_need_a_folder(tilt):
    code, _, err = tilt("survey", "pay", "--propose-reject", "speed")
    assert code == 2 and "name a folder with --lists" in err


def test_without_anybody_to_pay_it_says_that_no_list_is_written(tilt, tmp_path):
    assert tilt("survey", "bots", "group_traits", "--count", "1", "--database", "bots.db")[0] == 0
    code, _, err = tilt("survey", "pay", "--database", "bots.db", "--lists", "lists")
    assert code == 0 and "No list is written" in err and not (tmp_path / "lists").exists()
