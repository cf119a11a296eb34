"""Leaderboards over HTTP: scores, receipts, faults, hostile files, and who sees what."""

import csv
import json
import os
import pickle
import re
import signal
import subprocess
import sys
from functools import partial
from io import StringIO
from itertools import cycle

import httpx2
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from support import published
from support.survey.accounts import PASSWORD, a_browser, an_account, fields_of, signed_in_browser
from support.survey.boards import (
    FILES,
    REBUILT,
    labelled_file,
    learned,
    made_up,
    predictions,
    scores_like,
)
from support.survey.browsing import rows
from tiltmeter.core.errors import Unavailable
from tiltmeter.models import baseline
from tiltmeter.survey.boards.board import LARGEST
from tiltmeter.survey.boards.receipts import read_receipt, verify
from tiltmeter.survey.boards.standings import exact_scores
from tiltmeter.survey.boards.store import BoardSettings, close_board, create_board, opened_board
from tiltmeter.survey.boards.submissions import INTERRUPTED, submissions_of
from tiltmeter.survey.schema import Submission
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.web.board_pages import SLACK, board_app
from tiltmeter.survey.web.limits import Limits
from tiltmeter.survey.web.serving import served

DATA = made_up(12, 1)
GOOD = predictions(scores_like(DATA, 0.9, 0.5))


@pytest.fixture
def labels(tmp_path):
    return labelled_file(tmp_path, DATA)


@pytest.fixture
def app(store, labels, monkeypatch):
    """A board b, and accounts; files are checked in this process."""
    monkeypatch.setattr("tiltmeter.survey.boards.store.within", lambda _, work, *args: work(*args))
    settings = BoardSettings(str(labels), per_day=1000)
    create_board(store, "b", settings, actor="test", baselines=[baseline.load("ideal")])
    for name, role in (("ann", "annotator"), ("bo", "researcher"), ("root", "admin")):
        an_account(store, name, role)
    return board_app(store)


def csrf_of(browser):
    """A token of a form that every signed-in browser has."""
    return fields_of(browser.get("/account"))["csrf"]


def upload(browser, content, *, board="b", filename="p.json", **fields):
    """Submit a file through the form; gives the reply."""
    fields = {"csrf": fields.get("csrf") or csrf_of(browser), "model": "m"} | fields
    return browser.post(
        f"/board/{board}/submit", data=fields,
        files={"file": (filename, content, "application/json")}, follow_redirects=False,
    )  # fmt: skip


def shown(browser):
    """The submissions in the file of the standings."""
    file = browser.get("/board/b/files/standings.csv")
    assert file.headers["content-disposition"] == 'attachment; filename="b-standings.csv"'
    return [row for row in csv.DictReader(StringIO(file.text)) if row["kind"] == "submission"]


def test_a_submission_leads_to_its_receipt_and_to_the_standings(app, store):
    ann = signed_in_browser(app, "ann")
    assert "No submissions yet" in ann.get("/board/b").text
    reply = upload(ann, GOOD)
    assert (reply.status_code, reply.headers["location"]) == (303, "/board/b/mine/1")
    page = ann.get("/board/b/mine/1").text
    file = ann.get("/board/b/mine/1/receipt")
    assert file.headers["content-disposition"] == 'attachment; filename="b-receipt-1.json"'
    receipt = read_receipt(file.text)
    assert verify(receipt, opened_board(store, "b").key)
    assert receipt.submitter == "ann" and receipt.digest in page
    listed = [f"{receipt.scores[name]:.1f}" for name in ("icat", "lms", "ss")]
    assert all(f"{value} %" in page for value in listed)
    everybody = a_browser(app)
    (row,) = shown(everybody)
    assert (row["rank"], row["rank_low"], row["rank_high"]) == ("1", "1", "1")
    assert (row["model"], row["submitter"]) == ("m", "ann")
    assert [f"{float(row[name]):.1f}" for name in receipt.scores] == listed
    cells = re.findall(
        r"<t[dh] [^>]*>(.*?)</t[dh]>", everybody.get("/board/b").text.split("<tbody>")[1]
    )
    texts = [re.sub(r"<.*?>", "", cell) for cell in cells]
    assert texts[:2] == ["–", "ideal baseline"] and texts[2].startswith("100.0 ")
    ends = [
        f"{float(row[f'{name}_low']):.1f}–{float(row[f'{name}_high']):.1f}"
        for name in receipt.scores
    ]
    assert texts[5:] == [
        "1 1–1", f"m ann, {receipt.at.date()}",
        *(f"{value} {interval}" for value, interval in zip(listed, ends, strict=True)),
    ]  # fmt: skip
    assert "b</a>" in everybody.get("/board").text
    assert everybody.get("/", follow_redirects=False).headers["location"] == "/board"
    assert "999 of 1000 submissions left today" in ann.get("/board/b/submit").text


def test_each_name_of_a_model_is_a_row_and_there_are_only_so_many(app):
    ann, bo = (signed_in_browser(app, name) for name in ("ann", "bo"))
    names = ["m", "<b>n</b>", "o", "p", "q"]
    assert [upload(ann, GOOD, model=name).status_code for name in names] == [303] * 5
    assert upload(ann, GOOD, model="m").status_code == 303  # the row stays
    reply = upload(ann, GOOD, model="r")
    assert reply.status_code == 422 and "ann has named all 5 models" in reply.text
    assert upload(ann, GOOD, model=" ").status_code == 422
    assert upload(bo, GOOD, model="m").status_code == 303
    table = shown(bo)
    assert [(row["submitter"], row["model"]) for row in table] == [
        *(("ann", name) for name in names), ("bo", "m")
    ]  # fmt: skip
    assert {(row["rank"], row["rank_low"], row["rank_high"]) for row in table} == {("1", "1", "6")}
    assert "&lt;b&gt;n" in bo.get("/board/b").text and "<b>" not in bo.get("/board/b").text
    form = ann.get("/board/b/submit").text
    assert "5 of 5 names used" in form and '<option value="m">' in form
    assert "0 of 5 names used" not in bo.get("/board/b/submit").text
    assert ann.get("/board/b/mine").text.count("<strong>Scored</strong>\nm\n") == 2  # all are kept


def test_only_aggregates_leave_the_database(app, store):
    ann = signed_in_browser(app, "ann")
    replies = [upload(ann, GOOD), upload(ann, GOOD)]
    paths = ("/board", "/board/b", "/board/b/mine", "/board/b/mine/1", "/board/b/mine/1/receipt",
             "/board/b/mine/2", "/board/b/submit")  # fmt: skip
    text = "".join(reply.text for reply in (*replies, *map(ann.get, paths)))
    ids = {name for item in DATA.items for name in item.names}
    stored = rows(store, Submission)
    assert not any(name in text for name in ids)
    for row in stored:
        exact = [v for v in exact_scores(row.terms).values() if round(v, 1) != v]
        assert exact and not any(repr(value)[:6] in text for value in exact)
    kept = json.dumps([[row.terms, row.why] for row in stored])
    kept += "".join(row.receipt for row in rows(store, Submission))
    assert not any(name in kept for name in ids)
    assert "gold_label" not in ann.get("/board/b/files/contexts.json").text


def test_an_attacker_who_flips_single_items_over_http_learns_no_label(app, store):
    ann = signed_in_browser(app, "ann")

    csrf = csrf_of(ann)

    def answer(scores):
        reply = upload(ann, predictions(scores), csrf=csrf)
        receipt = ann.get(f"{reply.headers['location']}/receipt").json()
        newest = rows(store, Submission)[-1]
        return {"shown": receipt["scores"]["lms"], "exact": exact_scores(newest.terms)["lms"]}

    right = learned(DATA, answer)
    assert (
        float(shown(ann)[0]["lms"])
        == answer({name: 1.0 for i in DATA.items for name in i.names})["shown"]
    )
    n = len(DATA.items)
    assert abs(right["shown"] - n / 3) < 3 * (n * 2 / 9) ** 0.5
    assert right["exact"] == n  # the attack works where scores are shown as they are
    assert [row.moved for row in rows(store, Submission)].count(True) == 1


HOSTILE = {
    "hello": "neither a list of objects nor one object per line",
    pickle.dumps({"intrasentence": []}): "byte 0x80 at byte 1 of the line is not utf-8",
    b"cos\nsystem\n(S'touch hacked'\ntR.": "neither a list of objects",
    '{"intrasentence": ' + "[" * 100_000: "broken JSON (it is nested too deeply)",
    '{"intrasentence": [{"id": "s00001", "score": ' + "9" * 9999 + "}]}": "too many digits",
    '{"intrasentence": [' + "[]," * 100_000 + "[]]}": "Reading stopped after 20 problems",
    predictions({"s9": 1.0}): "contains no scores of the 12 contexts of b",
    predictions({"<script>alert(1)</script>": 1, "s00001": 2}): "&lt;script&gt;",
    predictions({"s00001": 1.0, "\u202e": 1.0}): r"id &#39;\u202e&#39; does not belong",
    predictions({"s00001": "x" * 10**6}): "x" * 70,
}


def test_faults_are_shown_without_labels_and_are_free(app, store, labels, tmp_path):
    labels.unlink()  # nobody can read them now
    before = sorted(tmp_path.iterdir())
    ann = signed_in_browser(app, "ann")
    csrf = csrf_of(ann)
    names = ("../../../tmp/x.json", "p.pkl", "/etc/passwd\x00.json")
    for (content, says), filename in zip(HOSTILE.items(), cycle(names), strict=False):
        reply = upload(ann, content, filename=filename, csrf=csrf)
        assert reply.status_code == 422 and "Not scored" in reply.text
        assert says in reply.text and "passwd" not in reply.text
        assert "<script" not in reply.text and "--skip" not in reply.text
        assert len(reply.text) < 20_000
    assert sorted(tmp_path.iterdir()) == before
    assert {row.state for row in rows(store, Submission)} == {"failed"}
    assert "1000 of 1000 submissions left" in ann.get("/board/b/submit").text
    assert ann.get("/board/b/mine").text.count("<strong>Not scored</strong>") == len(HOSTILE)
    reply = upload(ann, GOOD)
    assert reply.status_code == 422 and "the file has no faults" in reply.text
    assert str(tmp_path) not in reply.text


def test_refused_submissions_are_limited_and_scored_ones_are_not(app, store, monkeypatch):
    app = board_app(store, limits=Limits(account_refusals=2, address_refusals=3))
    ann, bo = (signed_in_browser(app, name) for name in ("ann", "bo"))
    assert [upload(ann, GOOD).status_code for _ in range(3)] == [303] * 3
    with monkeypatch.context() as patch:  # the server's fault, not the file's
        patch.setattr("tiltmeter.survey.boards.board.Board.submit", unavailable)
        assert ["try later" in upload(ann, GOOD).text for _ in range(3)] == [True] * 3
    assert [upload(ann, "hello").status_code for _ in range(2)] == [422] * 2
    reply = upload(ann, GOOD)
    assert reply.status_code == 429 and 3500 < int(reply.headers["retry-after"]) <= 3600
    assert "Too many submissions were refused. Try again in 60 minutes." in reply.text
    assert [upload(bo, "hello").status_code for _ in range(2)] == [422, 429]  # of one network
    assert len(rows(store, Submission)) == 6  # what is too much is not even looked at
    elsewhere = TestClient(app, base_url=bo.base_url, client=("203.0.113.9", 1), cookies=bo.cookies)
    assert upload(elsewhere, GOOD).status_code == 303


def unavailable(*_):
    raise Unavailable("the check ended without an answer; try later")


def test_large_files_are_refused(app, store, monkeypatch):
    ann = signed_in_browser(app, "ann")
    assert upload(ann, b" " * (LARGEST + SLACK)).status_code == 413
    monkeypatch.setattr("tiltmeter.survey.boards.board.LARGEST", 10)
    assert "the file is larger than" in upload(ann, GOOD).text
    assert ann.post("/login", data={"name": "x" * SLACK}).status_code == 413
    assert rows(store, Submission) == []


def test_who_may_do_what(app, store):
    nobody, ann, bo = a_browser(app), *(signed_in_browser(app, name) for name in ("ann", "bo"))
    for path in ("/board/b/submit", "/board/b/mine", "/board/b/mine/1", "/board/b/mine/1/receipt"):
        assert nobody.get(path).url.path == "/login"
    sent = {"file": ("p.json", GOOD)}
    assert nobody.post("/board/b/submit", files=sent, follow_redirects=False).status_code == 303
    assert ann.post("/board/b/submit", files=sent).status_code == 403  # no token of our form
    assert upload(ann, GOOD, csrf="x").status_code == 403
    assert rows(store, Submission) == []
    assert upload(ann, GOOD).status_code == 303
    assert bo.get("/board/b/mine").text.count("<li>") == 0
    for path in ("/board/b/mine/1", "/board/b/mine/1/receipt", "/board/c", "/board/c/submit",
                 "/board/b/files/labels.json", "/board/..%2f/files/x"):  # fmt: skip
        assert bo.get(path).status_code == 404, path
    assert upload(bo, GOOD, csrf=fields_of(bo.get("/board/b/submit"))["csrf"]).status_code == 303
    store.save(partial(close_board, name="b", actor="test"))
    assert "&#39;b&#39; is closed" in upload(ann, GOOD, csrf=csrf_of(ann)).text
    assert "This board is closed" in nobody.get("/board/b").text


@pytest.mark.slow
@published.needs("stereoset_predictions")
def test_the_published_files_have_the_published_scores_over_http(store):
    create_board(store, "b", BoardSettings(str(published.need(REBUILT)), per_day=3), actor="test")
    an_account(store, "ann", "annotator")
    with served(board_app(store)) as address, httpx2.Client(base_url=address, timeout=120) as ann:
        fields = fields_of(ann.get("/login"))
        ann.post("/login", data=fields | {"name": "ann", "password": PASSWORD})
        for number, (name, printed) in enumerate(FILES.items(), start=1):
            content = published.need(f"stereoset_predictions/{name}").read_bytes()
            assert upload(ann, content).status_code == 303
            exact = exact_scores(rows(store, Submission)[-1].terms)
            assert tuple(round(exact[m], 2) for m in ("lms", "ss", "icat")) == printed
            if number == 2:  # the third is worse, and not shown
                (row,) = shown(ann)
                scores = [float(row[name]) for name in ("lms", "ss", "icat")]
                assert scores == [round(value, 1) for value in printed]
        reply = upload(ann, content)
        assert reply.status_code == 422 and "has used all 3 submissions" in reply.text
        bomb = b'{"intrasentence": [' + b"[]," * (LARGEST // 3 - 20) + b"[]]}"
        reply = upload(ann, bomb)
        assert reply.status_code == 422


@pytest.mark.slow
def test_kill_9_while_scoring_uses_up_nothing(tmp_path):
    labels = labelled_file(tmp_path, DATA)
    with SurveyStore(tmp_path / "survey.db") as store:
        create_board(store, "b", BoardSettings(str(labels)), actor="test")
        account = an_account(store, "ann", "annotator")
        process = subprocess.Popen(
            [sys.executable, "-m", "tiltmeter", "survey", "serve", "--port", "0"], cwd=tmp_path,
            stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        with process, httpx2.Client(timeout=60) as ann:
            ann.base_url = re.search(r"http://[^/]+", process.stdout.readline())[0]
            fields = fields_of(ann.get("/login"))
            ann.post("/login", data=fields | {"name": "ann", "password": PASSWORD})
            killer = subprocess.Popen([sys.executable, "-c", KILLER, str(tmp_path / "survey.db"),
                                       str(process.pid)])  # fmt: skip
            with pytest.raises(httpx2.HTTPError):
                upload(ann, GOOD)
            assert killer.wait(60) == 0
        assert process.returncode == -signal.SIGKILL
        assert [row.state for row in rows(store, Submission)] == ["waiting"]
        store.save(lambda session: session.execute(update(Submission).values(until=1)).rowcount)
        found = store.read(partial(submissions_of, board=1, account=account.id))
        assert [(one.state, one.why) for one in found] == [("failed", INTERRUPTED)]
        board = opened_board(store, "b")
        assert board.state.entries_on("ann", board.now().date()) == 0


KILLER = """
import os, signal, sqlite3, sys, time
database = sqlite3.connect(sys.argv[1])
while not database.execute("SELECT 1 FROM submission WHERE state = 'waiting'").fetchone():
    time.sleep(0.005)
os.kill(int(sys.argv[2]), signal.SIGKILL)
"""
