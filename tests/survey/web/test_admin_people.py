"""The page of a study's people: who sees which ids, what is noted, what is downloaded and erased."""

import csv
import io
import zipfile

import pytest

from support.survey import forms
from support.survey.accounts import an_account, with_session
from support.survey.browsing import rows
from support.survey.paid import RAW, a_paid_study, leave
from tiltmeter.survey.accounts import audit_log
from tiltmeter.survey.schema import AuditEntry, Person
from tiltmeter.survey.web.app import survey_app

PEOPLE = "/admin/studies/1/people"


@pytest.fixture
def study(store):
    number, people = a_paid_study(store)
    return survey_app(store, number), people


@pytest.fixture
def ann(store, study):
    return with_session(study[0], store, an_account(store, "ann", "researcher"))


@pytest.fixture
def root(store, study):
    return with_session(study[0], store, an_account(store, "root", "admin"))


def noted(store):
    return [(line.actor, line.action, line.detail) for line in store.read(audit_log)]


def test_researchers_see_everybody_by_random_id(ann, store, study):
    browser, csrf = ann
    page = browser.get(PEOPLE).text
    assert all(person in page for person in study[1].values())
    assert RAW not in page and "session_" not in page and "Erase a person" not in page
    for cell in ("screened out", "withdrew", "straight_line", "2.00", "1.00", "15.0"):
        assert f">{cell}<" in page
    table = browser.get(f"{PEOPLE}/table")
    assert table.headers["content-disposition"] == 'attachment; filename="warmth-people.csv"'
    assert RAW not in table.text and len(table.text.splitlines()) == 8
    for path in (PEOPLE, f"{PEOPLE}/table", f"{PEOPLE}/lists", f"{PEOPLE}/erase"):
        fields = {"csrf": csrf, "id": f"{RAW}slow", "kind": "platform", "sure": "yes"}
        assert browser.post(path, data=fields).status_code == 403
    assert len(rows(store, Person)) == 7 and not any("ids" in line[1] for line in noted(store))


def test_the_study_page_counts_outcomes_and_leads_to_people(ann):
    page = ann[0].get("/admin/studies/1").text
    cells = " ".join(page.replace("<", " <").split())
    for name, count in (("Finished", 4), ("Screened out", 1), ("Withdrew", 1), ("Under way", 1)):
        assert f"<dt>{name} </dt> <dd>{count} </dd>" in cells
    assert f'href="{PEOPLE}"' in page and "11.14 GBP in all" in page


def test_administrators_see_ids_when_they_ask_and_it_is_noted(root, store):
    browser, csrf = root
    page = browser.get(PEOPLE)
    assert RAW not in page.text and "Show the ids" in page.text
    shown = browser.post(PEOPLE, data={"csrf": csrf})
    assert f"{RAW}slow<" in shown.text and shown.headers["cache-control"] == "no-store"
    table = browser.post(f"{PEOPLE}/table", data={"csrf": csrf}).text
    ids = {row["id"] for row in csv.DictReader(io.StringIO(table))}
    assert f"{RAW}gone" in ids
    assert noted(store)[:2] == [
        ("root", "show platform ids", "warmth (download: 6)"),
        ("root", "show platform ids", "warmth (page: 6)"),
    ]
    for path in (PEOPLE, f"{PEOPLE}/table", f"{PEOPLE}/lists", f"{PEOPLE}/erase"):
        assert browser.post(path, data={"csrf": "forged"}).status_code == 403
    assert len([line for line in noted(store) if line[1] == "show platform ids"]) == 2


def test_lists_are_those_of_the_command_line(root, store):
    browser, csrf = root
    fields = {"csrf": csrf, "propose": ["straight_line"]}
    reply = browser.post(f"{PEOPLE}/lists", data=fields)
    packed = zipfile.ZipFile(io.BytesIO(reply.content))
    texts = {name.split("/")[1]: packed.read(name).decode() for name in packed.namelist()}
    assert {*texts} == {
        "prolific-approve.txt", "prolific-partial.csv", "prolific-bonus.csv", "prolific-reject.csv",
    }  # fmt: skip
    assert texts["prolific-bonus.csv"] == f"{RAW}slower,1.00\n"
    assert f"{RAW}flat" in texts["prolific-reject.csv"]
    assert f"{RAW}flat" not in texts["prolific-approve.txt"]
    assert noted(store)[0] == ("root", "show platform ids", "warmth (lists: 6)")
    wrong = browser.post(f"{PEOPLE}/lists", data=fields | {"propose": ["../x"]})
    assert wrong.status_code == 400 and "No mark named" in wrong.text


def test_a_person_is_erased_by_either_id_and_leaves_no_trace(root, store, study, tmp_path):
    browser, csrf = root
    fields = {"csrf": csrf, "id": f" {RAW}slow ", "kind": "platform"}
    page = browser.post(f"{PEOPLE}/erase", data=fields)
    assert page.status_code == 422 and "tick the box first" in page.text
    wrong = fields | {"sure": "yes", "id": f"{RAW}nobody"}
    page = browser.post(f"{PEOPLE}/erase", data=wrong)
    assert page.status_code == 422 and "Nobody in this study has this id" in page.text
    assert f"{RAW}nobody" not in page.text and len(rows(store, Person)) == 7
    page = browser.post(f"{PEOPLE}/erase", data=fields | {"sure": "yes"})
    assert page.status_code == 200 and study[1]["slow"] not in page.text
    other = {"id": study[1]["flat"], "kind": "random", "sure": "yes"}
    browser.post(f"{PEOPLE}/erase", data=fields | other)
    assert len(rows(store, Person)) == 5
    for file in tmp_path.glob("survey.db*"):
        content = file.read_bytes()
        for gone in (f'{RAW}slow"', f'{RAW}flat"', study[1]["slow"], study[1]["flat"]):
            assert gone.encode() not in content
    assert noted(store)[0] == ("root", "erase one person", "warmth")
    assert not any(RAW in line.detail for line in rows(store, AuditEntry))


def test_a_study_without_people_or_pay(store, visit):
    app = visit().app
    browser, _ = with_session(app, store, an_account(store, "root", "admin"))
    page = browser.get(PEOPLE).text
    assert "Nobody has come yet." in page and "Lists for the panel" not in page


def test_an_id_from_an_address_is_shown_as_text_and_in_no_list(root, store):
    browser, csrf = root
    hostile = '"><script>alert(1)</script>\nme,100.00'
    person = forms.someone(store, 1, hostile)
    leave(store, person, "finished")
    page = browser.post(PEOPLE, data={"csrf": csrf}).text
    assert "&lt;script&gt;alert(1)" in page and "<script>alert" not in page
    packed = zipfile.ZipFile(
        io.BytesIO(browser.post(f"{PEOPLE}/lists", data={"csrf": csrf}).content)
    )
    assert not any(b"me,100.00" in packed.read(name) for name in packed.namelist())
