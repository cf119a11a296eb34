"""tiltmeter survey account: passwords come from a terminal, a variable or a pipe, never as an argument."""

import io
import json
import sys

import pytest

from tiltmeter.survey.accounts import credentials, is_password
from tiltmeter.survey.store import SurveyStore

LONG = "correct horse battery staple"


@pytest.fixture
def piped(monkeypatch):
    def given(text):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text))

    return given


def test_accounts_from_the_command_line(tilt, tmp_path, monkeypatch, piped):
    piped(f"{LONG}\n")
    code, out, err = tilt("survey", "account", "add", "Root", "--role", "admin")
    assert (code, out) == (0, "root can sign in as admin\n"), err
    monkeypatch.setenv("TILTMETER_PASSWORD", LONG)
    assert tilt("survey", "account", "add", "ann", "--role", "annotator")[0] == 0
    assert tilt("survey", "account", "role", "ann", "researcher")[0] == 0
    listed = json.loads(tilt("survey", "account", "list", "--json")[1])
    assert listed == {
        "accounts": [{"name": "ann", "role": "researcher"}, {"name": "root", "role": "admin"}]
    }
    monkeypatch.setenv("TILTMETER_PASSWORD", "another password")
    assert tilt("survey", "account", "password", "root")[0] == 0
    with SurveyStore(tmp_path / "survey.db") as store:
        stored = store.read(lambda session: credentials(session, "root"))[1]
    assert is_password("another password", stored)
    assert tilt("survey", "account", "remove", "ann")[0] == 0
    assert tilt("survey", "account", "list")[1] == "root  admin\n"


def test_what_is_wrong_is_said(tilt, tmp_path, piped):
    piped("short\n")
    code, _, err = tilt("survey", "account", "add", "ann", "--role", "admin")
    assert code == 2 and "a password has 12 to 1,000 characters" in err
    assert not (tmp_path / "survey.db").exists()
    assert tilt("survey", "account", "list")[0] == 2
    assert tilt("survey", "account", "add", "ann", "--role", "owner")[0] == 2
    assert tilt("survey", "account", "add", "a b", "--role", "admin")[0] == 2
