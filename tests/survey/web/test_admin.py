"""The researchers' pages about studies: what they show, what is downloaded, and what they change."""

import csv
import io
import re
import zipfile
from functools import partial
from urllib.parse import parse_qs, urlsplit

import pytest

from support.survey import forms
from support.survey.accounts import an_account, with_session
from support.survey.browsing import agree, hidden_fields, rows
from survey.web.test_app_security import Tags
from tiltmeter.survey.accounts import audit_log
from tiltmeter.survey.collected import collect
from tiltmeter.survey.formats.answer_files import export_files
from tiltmeter.survey.formats.cells import plain
from tiltmeter.survey.leaving import finish
from tiltmeter.survey.marking import mark_study
from tiltmeter.survey.schema import PlatformIdentity, StudyRow
from tiltmeter.survey.studies import close_study, open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.invitations import link_key, read_token

QUOTAS = "each = 2\nvotes = 3\n[sampling.quotas]\nwomen = 2\nmen = 1"
RAW = "5f1a9c0e"


@pytest.fixture
def study(store):
    """A study with quotas and pay, two people who have finished, and one who works."""
    form = forms.a_form(2, sampling=QUOTAS, rest="[pay]\namount = 2.00\nhourly = 12.00\n")
    number = forms.a_study(store, form)
    for at, stratum in enumerate(("women", "men", "women")):
        person = forms.someone(store, number, f"{RAW}{at}", stratum=stratum)
        if at < 2:
            forms.fill_in(store, form, person, seconds=120 * (at + 1))
            store.save(partial(finish, person=person, form=form))
    return number


@pytest.fixture
def ann(store, study):
    """A researcher's browser, and the token of its forms."""
    app = survey_app(store, study)
    return with_session(app, store, an_account(store, "ann", "researcher"))


@pytest.fixture
def root(store, study):
    return with_session(survey_app(store, study), store, an_account(store, "root", "admin"))


def test_the_pages_count_people_places_marks_and_pay(ann):
    browser, _ = ann
    listed = browser.get("/admin").text
    assert '<a href="/admin/studies/1">warmth</a>' in listed
    page = browser.get("/admin/studies/1").text
    cells = " ".join(page.replace("<", " <").split())
    for name, count in (("Began", 3), ("Finished", 2), ("Withdrew", 0), ("Answers", 12)):
        assert f"<dt>{name} </dt> <dd>{count} </dd>" in cells
    assert "women (of 2)" in page and "men (of 1)" in page
    assert "Items that still lack people: 2 of 2 (3 people per item are wanted)" in page
    items = page[page.index("People per item") : page.index("<h2>Checks</h2>")]
    assert items.count('<td class="number">2</td>') == 2  # finished, for each item
    assert "straight_line" in page and "2 of 2" in page  # all ratings are 60
    # 2 pages of 120 s are 240 s for 2.00, that is 30 an hour; the other is 15 an hour.
    assert "a median of 22.50 USD an hour, 10th percentile 16.50 USD an hour (n = 2)" in page
    assert RAW not in page


def test_the_export_is_that_of_the_command_line(ann, store, study):
    browser, csrf = ann
    for kind in ("csv", "label-studio", "potato"):
        reply = browser.post("/admin/studies/1/export", data={"csrf": csrf, "format": kind})
        assert reply.headers["content-disposition"] == 'attachment; filename="warmth.zip"'
        packed = zipfile.ZipFile(io.BytesIO(reply.content))
        found = {name: packed.read(name).decode() for name in packed.namelist()}
        store.save(partial(mark_study, study=study))
        expected = export_files(store.read(partial(collect, study=study)), kind)
        assert found == {f"warmth/{name}": text for name, text in expected.items()}
    wrong = browser.post("/admin/studies/1/export", data={"csrf": csrf, "format": "../x"})
    assert wrong.status_code == 400 and "No format named" in wrong.text
    for name, title in (("data-statement", "Data statement"), ("datasheet", "Datasheet")):
        reply = browser.get(f"/admin/studies/1/documents/{name}")
        assert reply.text.startswith(f"# {title}: warmth")
        assert f"warmth-{name}.md" in reply.headers["content-disposition"]
    assert browser.get("/admin/studies/1/documents/..%2fx").status_code in {400, 404}


def test_links_are_signed_and_their_table_holds_no_formulas(ann, store):
    browser, csrf = ann
    fields = {
        "csrf": csrf, "address": "https://s.test", "people": "ann\r\n\r\n=cmd()\r\n<b>",
        "stratum": "men", "language": "en",
    }  # fmt: skip
    page = browser.post("/admin/studies/1/links", data=fields).text
    assert "&lt;b&gt;" in page and "<b>" not in page
    table = browser.post("/admin/studies/1/links", data=fields | {"as": "csv"}).text
    found = list(csv.DictReader(io.StringIO(table)))
    assert [row["id"] for row in found] == ["ann", "'=cmd()", "<b>"]
    key = link_key(rows(store, StudyRow)[0].salt)
    for row in found:
        token = parse_qs(urlsplit(row["link"]).query)["invitation"][0]
        invited = read_token(key, token)
        assert (invited.ids, invited.stratum) == ({"pid": plain(row["id"])}, "men")
    for wrong in ({"people": " \n"}, {"address": "javascript:alert(1)"}):
        assert browser.post("/admin/studies/1/links", data=fields | wrong).status_code == 400


def test_a_study_is_closed_and_reopened_and_both_are_noted(ann, store):
    browser, csrf = ann
    page = browser.post("/admin/studies/1/close", data={"csrf": csrf}).text
    assert "Reopen the study" in page and "Signed links" not in page
    assert rows(store, StudyRow)[0].closed
    browser.post("/admin/studies/1/reopen", data={"csrf": csrf})
    assert rows(store, StudyRow)[0].closed is None
    noted = [(line.actor, line.action, line.detail) for line in store.read(audit_log)]
    assert noted[:2] == [("ann", "reopen study", "warmth"), ("ann", "close study", "warmth")]


def test_platform_ids_are_erased_once_the_name_is_typed(root, store, tmp_path):
    browser, csrf = root
    browser.post("/admin/studies/1/close", data={"csrf": csrf})
    assert "3 platform ids are stored" in browser.get("/admin/studies/1/erase").text
    wrong = browser.post("/admin/studies/1/erase", data={"csrf": csrf, "name": "warm"})
    assert wrong.status_code == 400 and len(rows(store, PlatformIdentity)) == 3
    page = browser.post("/admin/studies/1/erase", data={"csrf": csrf, "name": "warmth"}).text
    assert "cannot be reopened" in page
    assert rows(store, PlatformIdentity) == []
    assert RAW.encode() not in (tmp_path / "survey.db").read_bytes()
    assert browser.post("/admin/studies/1/reopen", data={"csrf": csrf}).status_code == 400
    assert store.read(audit_log)[0].detail == "warmth (3)"


@pytest.mark.parametrize("path", ["/admin/studies/2", "/admin/studies/99999999999999999999"])
def test_a_study_that_there_is_not_is_named(ann, path):
    reply = ann[0].get(path)
    assert reply.status_code == 400 and "There is no such study" in reply.text


@pytest.mark.parametrize("name", ['"><script>alert(1)</script>', "<img src=x onerror=alert(1)>"])
def test_names_are_shown_as_text(store, name):
    form = forms.a_form(2)
    study = store.save(partial(open_study, form=form, name=name))
    store.save(partial(close_study, study=study, actor=name))
    app = survey_app(store, study)
    browser, csrf = with_session(app, store, an_account(store, "root", "admin"))
    one = f"/admin/studies/{study}"
    pages = [browser.get(path) for path in ("/admin", one, f"{one}/erase", "/admin/audit")]
    for page in pages:
        tags = Tags(page.text)
        assert not {"script", "img"} & tags.names
        assert not [a for a in tags.attributes if a.startswith(("on", "style"))]
        assert name not in page.text and "&lt;" in page.text
    reply = browser.post(f"{one}/export", data={"csrf": csrf})
    kept = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
    assert reply.headers["content-disposition"] == f'attachment; filename="{kept}.zip"'


def test_nobody_sees_the_answers_of_another(visit, store):
    survey = visit(forms.a_form(2, sampling="each = 2"))
    browsers = [survey.browser(), survey.browser()]
    actions = []
    for browser, value in zip(browsers, ("13.5", "77.25"), strict=True):
        action, fields = hidden_fields(agree(browser))
        actions.append(action)
        browser.post(action, data=fields | {"q0": value, "q1": value, "q2": value})
    one, other = browsers
    assert "13.5" in one.get(actions[0]).text
    annotator, _ = with_session(survey.app, store, an_account(store, "ben", "annotator"))
    for path in (*actions, "/work", "/done", "/account", "/admin", "/admin/studies/1"):
        assert "77.25" not in one.get(path).text
        assert "13.5" not in other.get(path).text
        assert not {"13.5", "77.25"} & set(annotator.get(path).text.split('"'))


def test_no_names_passwords_or_tokens_in_the_log(ann, caplog, monkeypatch):
    caplog.set_level("DEBUG")
    browser, csrf = ann
    monkeypatch.setattr(
        "tiltmeter.survey.web.admin.signed_links",
        lambda *_, **__: (_ for _ in ()).throw(ValueError("secretid")),
    )
    fields = {"csrf": csrf, "people": "secretid", "address": "https://s.test"}
    assert browser.post("/admin/studies/1/links", data=fields).status_code == 500
    browser.get("/login?next=/secretid")
    browser.post("/login", data={"csrf": csrf, "name": "secretname", "password": "secretword"})
    ours = [r.getMessage() for r in caplog.records if not r.name.startswith(("httpx", "httpcore"))]
    text = "\n".join(ours)
    assert "POST /admin: ValueError" in text
    assert "secret" not in text and csrf not in text
