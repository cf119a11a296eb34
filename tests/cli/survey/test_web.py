"""tiltmeter survey link and bots; `serve` is tested as a process in tests/survey/web/test_serving.py."""

from urllib.parse import parse_qs, urlsplit

import polars as pl

from support.survey import forms
from tiltmeter.survey.schema import StudyRow
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.web.invitations import link_key, read_token


def test_bots_answer_a_form_and_the_answers_can_be_exported(tilt, tmp_path):
    code, out, _ = tilt("survey", "bots", "label_text", "--count", "2", "--database", "bots.db")
    assert code == 0 and out.startswith("2 bots, ") and "pages: 2 finished" in out
    code, _, err = tilt("survey", "export", "--database", "bots.db", "--out", "without")
    assert code == 0 and "Left out: 2 bots (--bots keeps them, marked)" in err
    assert not (tmp_path / "without" / "answers.csv").exists()
    assert tilt("survey", "export", "--database", "bots.db", "--bots")[0] == 0
    answers, people = (
        pl.read_csv(tmp_path / "export" / f"{n}.csv") for n in ("answers", "participants")
    )
    assert answers["marks"].str.split(" ").list.contains("bot").all()
    assert people["bot"].to_list() == ["yes", "yes"]
    out = tilt("survey", "status", "--database", "bots.db")[1]
    assert "people: nobody yet" in out and "answers: 0" in out and "not counted: 2 bots" in out
    assert tilt("survey", "erase", "--database", "bots.db", "--bots")[1] == "2 bots erased\n"
    code, _, err = tilt("survey", "erase", "--database", "bots.db", "--bots", "--identities")
    assert code == 2 and "--identities and --bots" in err


def test_bots_without_a_database_leave_nothing(tilt, tmp_path):
    assert tilt("survey", "bots", "label_text", "--count", "1")[0] == 0
    assert [*tmp_path.iterdir()] == []


def test_an_address_where_nothing_is_served_is_named(tilt):
    code, _, err = tilt("survey", "bots", "http://127.0.0.1:9/", "--count", "1")
    assert code == 2 and "cannot be reached" in err and "tiltmeter survey serve" in err


def test_links_are_signed_for_each_person(tilt, tmp_path):
    with SurveyStore(tmp_path / "survey.db") as store:
        forms.a_study(store, forms.a_form())
        salt = store.read(lambda session: session.get_one(StudyRow, 1)).salt
    said = ("--person", "ann", "--person", "ben", "--address", "https://s.test/")
    code, out, _ = tilt("survey", "link", *said, "--stratum", "women")
    lines = out.split()
    assert code == 0 and len(lines) == 2
    assert all(line.startswith("https://s.test/?invitation=") for line in lines)
    token = parse_qs(urlsplit(lines[0]).query)["invitation"][0]
    found = read_token(link_key(salt), token)
    assert (found.study, found.ids, found.stratum) == ("warmth", {"pid": "ann"}, "women")


def test_a_database_that_does_not_exist_is_named(tilt):
    code, _, err = tilt("survey", "link")
    assert code == 2 and "survey.db: no survey database of this name" in err
