"""tiltmeter survey people and erase: who it was, joined with the panel's data, and gone when erased."""

import csv
import json
import re
from functools import partial

import pytest

from support.survey import forms
from support.survey.paid import RAW, a_paid_study
from tiltmeter.survey.accounts import COMMAND_LINE, audit_log
from tiltmeter.survey.leaving import finish
from tiltmeter.survey.store import SurveyStore

PANEL = f"""Submission id,Participant id,Status,Started at,Age,Sex
s1,{RAW}slow,APPROVED,2026-01-01,31,Female
s2,{RAW}slower,AWAITING REVIEW,2026-01-01,DATA_EXPIRED,CONSENT_REVOKED
s3,{RAW}out,RETURNED,2026-01-01,44,Male
s4,{RAW}never,RETURNED,2026-01-01,50,Male
"""


@pytest.fixture
def study(tmp_path):
    with SurveyStore(tmp_path / "survey.db") as store:
        return a_paid_study(store)[1]


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def test_the_table_names_everybody_and_is_for_its_owner(tilt, tmp_path, study):
    code, out, err = tilt("survey", "people")
    assert code == 0, err
    path = tmp_path / "people.csv"
    assert path.stat().st_mode & 0o777 == 0o600
    rows = {row["id"].removeprefix(RAW): row for row in table(path)}
    assert {*rows} == {"slow", "slower", "flat", "out", "gone", "here", ""}
    slower = rows["slower"]
    assert slower["person"] == study["slower"]
    assert (slower["platform"], slower["submission"]) == ("prolific", "session_slower")
    assert (slower["outcome"], slower["minutes"], slower["answers"]) == ("finished", "15", "6")
    assert (slower["amount"], slower["bonus"]) == ("2.00", "1.00") and len(slower["code"]) == 8
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", slower["ended"])
    assert rows["flat"]["marks"] == "straight_line" and rows["flat"]["checks_failed"] == "0"
    gone = rows["gone"]
    assert (gone["outcome"], gone["answers"], gone["marks"], gone["amount"]) == (
        "withdrew", "0", "", "2.00",
    )  # fmt: skip
    assert (rows["here"]["outcome"], rows["here"]["amount"]) == ("under way", "")
    lines = [line.split() for line in out.splitlines()]
    for row in ("warmth: 7 people", "4 finished", "1 screened out", "1 withdrew", "1 under way"):
        assert row.split() in lines
    assert f"{RAW}flat finished 10.0 straight_line 2.00 0.00".split() in lines


def test_an_id_with_a_line_break_is_one_row(tilt, tmp_path):
    """Otherwise somebody could write a row of another person into the table."""
    with SurveyStore(tmp_path / "survey.db") as store:
        study = forms.a_study(store, forms.a_form(2))
        forms.someone(store, study, platform="link", ids={"pid": "me\nother finished"})
    code, out, err = tilt("survey", "people")
    assert code == 0, err
    assert any(line.startswith("me other finished") for line in out.splitlines())


def test_it_is_not_written_over_unasked_and_noted(tilt, tmp_path, study):
    (tmp_path / "people.csv").write_text("mine")
    code, _, err = tilt("survey", "people")
    assert code == 2 and "people.csv: this file exists; give --overwrite" in err
    assert (tmp_path / "people.csv").read_text() == "mine"
    assert tilt("survey", "people", "--overwrite")[0] == 0
    assert (tmp_path / "people.csv").stat().st_mode & 0o777 == 0o600
    found = json.loads(tilt("survey", "people", "--json")[1])
    assert found["outcomes"] == {"finished": 4, "screened out": 1, "withdrew": 1, "under way": 1}
    assert {person["person"] for person in found["people"]} >= {*study.values()}
    with SurveyStore(tmp_path / "survey.db") as store:
        noted = [(line.actor, line.action, line.detail) for line in store.read(audit_log)]
    assert noted == [(COMMAND_LINE, "show platform ids", "warmth (survey people: 6)")] * 2


def test_the_panels_data_are_joined_by_id(tilt, tmp_path, study):
    (tmp_path / "panel.csv").write_text(PANEL)
    code, out, err = tilt("survey", "people", "--panel", "panel.csv", "--demographics", "about.csv")
    assert code == 0, err
    rows = {row["id"].removeprefix(RAW): row for row in table(tmp_path / "people.csv")}
    assert (rows["slow"]["panel_status"], rows["slow"]["Age"]) == ("APPROVED", "31")
    assert (rows["slower"]["Age"], rows["slower"]["Sex"]) == ("", "")
    assert (rows["flat"]["panel_status"], rows["flat"]["Age"]) == ("", "")
    assert "joined with the panel: 3 people" in out
    assert "in the study and not in the panel's file: 3" in out
    assert f"in the panel's file and not in the study: 1 ({RAW}never)" in out
    assert "without an id of the platform: 1 person" in out
    assert "2 answers read as missing" in err
    about = table(tmp_path / "about.csv")
    assert {row["person"]: row["Age"] for row in about} == {
        study["slow"]: "31", study["slower"]: "", study["flat"]: "", study["nobody"]: "",
    }  # fmt: skip
    text = (tmp_path / "about.csv").read_text()
    assert RAW not in text and "APPROVED" not in text and "session" not in text
    assert (tmp_path / "about.csv").stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("study")
def test_the_column_of_ids_can_be_named(tilt, tmp_path):
    (tmp_path / "panel.csv").write_text(PANEL.replace("Participant id", "who"))
    code, _, err = tilt("survey", "people", "--panel", "panel.csv")
    assert code == 2 and "no column of the panel’s ids" in err
    assert not (tmp_path / "people.csv").exists()
    out = tilt("survey", "people", "--panel", "panel.csv", "--id", "who")[1]
    assert "joined with the panel: 3 people" in out
    code, _, err = tilt("survey", "people", "--demographics", "about.csv", "--to", "p.csv")
    assert code == 2 and "give it with --panel" in err


def test_a_platform_id_that_was_erased_is_nowhere(tilt, tmp_path, study):
    code, _, err = tilt("survey", "erase", "--platform-id", f"{RAW}never")
    assert code == 2 and "nobody in this study has this id on a platform" in err
    code, out, err = tilt("survey", "erase", "--platform-id", f"{RAW}slow")
    assert (code, out) == (0, "1 person and 6 answers erased\n"), err
    for file in tmp_path.glob("survey.db*"):
        content = file.read_bytes()
        assert f'{RAW}slow"'.encode() not in content and b'session_slow"' not in content
        assert study["slow"].encode() not in content
    assert f"{RAW}slower".encode() in (tmp_path / "survey.db").read_bytes()
    tilt("survey", "export")
    assert study["slow"] not in (tmp_path / "export" / "answers.csv").read_text()
    assert tilt("survey", "erase", "--platform-id", f"{RAW}slow")[0] == 2
    with SurveyStore(tmp_path / "survey.db") as store:
        assert not any(RAW in line.detail for line in store.read(audit_log))


def test_one_of_many_is_erased_without_a_trace(tilt, tmp_path):
    with SurveyStore(tmp_path / "survey.db") as store:
        number = forms.a_study(store, forms.a_form(2))
        for n in range(400):
            forms.someone(store, number, f"{RAW}{n:03}" * 5)
    for n in (0, 17, 399):
        assert tilt("survey", "erase", "--platform-id", f"{RAW}{n:03}" * 5)[0] == 0
    content = b"".join(file.read_bytes() for file in tmp_path.glob("survey.db*"))
    assert not any(f"{RAW}{n:03}".encode() in content for n in (0, 17, 399))
    assert content.count(f"{RAW}001".encode()) == 5


def test_one_person_or_all_identities_can_be_erased(tilt, tmp_path):
    form = forms.a_form(3, rest="[repeat]\nitems = 1\n")
    with SurveyStore(tmp_path / "survey.db") as store:
        study = forms.a_study(store, form)
        people = [forms.someone(store, study, f"{RAW}{number}") for number in range(2)]
        for person in people:
            forms.fill_in(store, form, person, lambda _, q: float(len(q.name)))
            store.save(partial(finish, person=person, form=form))
    assert tilt("survey", "erase")[0] == 2
    code, _, err = tilt("survey", "erase", "--person", f"{RAW}0")
    assert code == 2 and "give a person's id as in exports" in err
    code, out, _ = tilt("survey", "erase", "--person", people[0])
    assert (code, out) == (0, "1 person and 12 answers erased\n")
    assert "people erased: 1" in tilt("survey", "status")[1]
    assert tilt("survey", "erase", "--person", people[0])[0] == 2
    _, out, _ = tilt("survey", "erase", "--identities", "--close")
    assert out == "1 platform id erased\n"
    with SurveyStore(tmp_path / "survey.db") as store:
        noted = [(line.actor, line.action, line.detail) for line in store.read(audit_log)]
    assert noted[1:] == [
        (COMMAND_LINE, "close study", "warmth"), (COMMAND_LINE, "erase one person", "warmth"),
    ]  # fmt: skip
    assert "warmth: closed" in tilt("survey", "status")[1]
    _, out, _ = tilt("survey", "people")
    assert f"{people[1][:7]}…  finished" in out  # the random id, where there is none of a platform
    assert RAW.encode() not in (tmp_path / "survey.db").read_bytes()
    assert tilt("survey", "export")[0] == 0
    assert {row["person"] for row in table(tmp_path / "export" / "answers.csv")} == {people[1]}
