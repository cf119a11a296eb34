"""Who may see a survey's pages, and as whom."""

from support.survey.browsing import agree, rows
from tiltmeter.survey.schema import Person, PlatformIdentity, StudyRow
from tiltmeter.survey.web.invitations import Invitation, link_key, signed_token


def test_one_platform_id_is_one_person_and_stays_out_of_everything_else(visit, store):
    survey = visit()
    for _ in range(2):
        agree(survey.browser(), "/?PROLIFIC_PID=5f1a&SESSION_ID=s")
    assert len(rows(store, Person)) == 1
    assert "5f1a" not in rows(store, Person)[0].pseudonym
    assert rows(store, PlatformIdentity)[0].raw == {"PROLIFIC_PID": "5f1a", "SESSION_ID": "s"}


def test_another_id_in_the_same_browser_is_another_person(visit, store):
    browser = visit().browser()
    for pid in ("a", "b"):
        agree(browser, f"/?PROLIFIC_PID={pid}")
    assert len(rows(store, Person)) == 2


def test_signed_links_only(visit, store):
    survey = visit(signed=True)
    assert survey.browser().get("/?PROLIFIC_PID=5f1a").status_code == 400
    key = link_key(rows(store, StudyRow)[0].salt)
    token = signed_token(key, Invitation("warmth", "link", {"pid": "one"}))
    assert agree(survey.browser(), f"/?invitation={token}").status_code == 200
    assert survey.browser().get(f"/?invitation={token[:-2]}").status_code == 400
    other = signed_token(key, Invitation("another", "link", {"pid": "one"}))
    assert survey.browser().get(f"/?invitation={other}").status_code == 400
