"""Pages for people with an account in a real browser: accessible, and foreign texts stay texts."""

from functools import partial
from itertools import cycle

import pytest

from faults.hostile_pages import FOR_ACCOUNTS, made, watched
from faults.hostile_texts import by_threes, hostile_texts
from support.survey.account_pages import board_pages, researcher_pages
from support.survey.accounts import an_account
from support.survey.boards import labelled_file, made_up, predictions, scores_like
from support.survey.browsing import rows
from support.survey.page_list import everything, places, usable
from tiltmeter.core.text import visible
from tiltmeter.models.baseline import load
from tiltmeter.survey.accounts import note_action
from tiltmeter.survey.boards.board import LONGEST_NAME
from tiltmeter.survey.boards.store import BoardSettings, create_board, opened_board
from tiltmeter.survey.schema import StudyRow
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.bots import visits
from tiltmeter.survey.web.invitations import signed_links
from tiltmeter.survey.web.serving import served

pytestmark = [pytest.mark.browser, pytest.mark.slow]
DATA = made_up(12, 1)
GOOD = predictions(scores_like(DATA, 0.9, 0.5))
FAULTY = predictions({"s9": 1.0, "s00001": "x"})
TEXTS = hostile_texts()
BESIDE = """
[sampling.quotas]
"@stratum" = 2

[pay]
amount = 2.0
hourly = 90000.0

[[items]]
id = "@id"
text = "@item"
second = "@other"
"""
FORM = partial(everything, beside=BESIDE)


@pytest.fixture
def board(store, tmp_path, monkeypatch):
    """A board b, whose files are checked in this process."""
    monkeypatch.setattr("tiltmeter.survey.boards.store.within", lambda _, work, *args: work(*args))
    create_board(
        store,
        "b",
        BoardSettings(str(labelled_file(tmp_path, DATA)), per_day=1000, models=200),
        actor="x",
        baselines=[load("ideal"), load("random")],
    )
    an_account(store, "root", "admin")
    return opened_board(store, "b")


def filled_in(store, study, form, address):
    """One person of the only stratum fills in the form."""
    row = next(row for row in rows(store, StudyRow) if row.id == study)
    (link,) = signed_links(row, address, ["a"], stratum=next(iter(form.sampling.quotas))).values()
    assert [one.code for one in visits(link, 1)]


@pytest.mark.usefixtures("board")
def test_no_page_has_an_accessibility_violation(browser, store):
    """Each page is looked at twice: narrow and dark, wide and light."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    study = store.save(partial(open_study, form=FORM()))
    context = browser.new_context(bypass_csp=True)
    tab = context.new_page()
    found, seen = {}, []

    def look(names):
        for name in names:
            seen.append(name)
            for width, colors in ((360, "dark"), (1280, "light")):
                tab.set_viewport_size({"width": width, "height": 800})
                tab.emulate_media(color_scheme=colors)
                if violations := axe.run(tab).response["violations"]:
                    found[name, width] = [
                        (v["id"], [n["target"] for n in v["nodes"]][:3]) for v in violations
                    ]

    with served(survey_app(store, study)) as address:
        filled_in(store, study, FORM(), address)
        look(board_pages(tab, address, [("p.json", text) for text in (FAULTY, GOOD, GOOD)]))
        context.clear_cookies()
        look(researcher_pages(tab, address, study))
    context.close()
    assert found == {}
    assert {"faults", "receipt", "study", "links", "erase", "audit log", "not permitted"} <= {*seen}


@pytest.mark.long
@pytest.mark.usefixtures("board")
def test_texts_stay_texts_on_the_researchers_pages(browser, store):
    form_texts = usable(TEXTS)
    each = places(FORM)
    for text in TEXTS:
        store.save(partial(note_action, actor=text, action="look", detail=text))
    faults, left = [], cycle(TEXTS)
    context = browser.new_context(viewport={"width": 360, "height": 800})
    tab = watched(context, faults)
    for start in range(0, len(form_texts), each):
        some = (form_texts[start:] + form_texts)[:each]
        form = FORM(some.__getitem__)
        study = store.save(partial(open_study, form=form, name=f"{some[0]}{start}"))
        context.clear_cookies()
        with served(survey_app(store, study)) as address:
            filled_in(store, study, form, address)
            for page in researcher_pages(tab, address, study, lambda: next(left)):
                faults += [(page, one) for one in made(tab, FOR_ACCOUNTS)]
        assert faults == []
    context.close()


def test_texts_stay_texts_on_the_pages_of_leaderboards(browser, store, board, tmp_path):
    file = tmp_path / "p.json"
    names = [
        text
        for text in TEXTS
        if 0 < len(text.strip()) == len(text) <= LONGEST_NAME and visible(text) == text
    ]  # others are refused
    assert len(names) > len(TEXTS) / 2
    for number, text in enumerate(names):
        file.write_text(predictions(scores_like(DATA, 0.9, 0.5, number)), "utf-8")
        board.submit(text, text, file)
    uploads = []
    sentences = by_threes(TEXTS)
    for start in range(0, len(sentences), 19):
        name, some = TEXTS[start], sentences[start : start + 19]
        uploads += [(name, predictions(dict.fromkeys(some, 1.0))), (name, some[1])]
    faults = []
    context = browser.new_context(viewport={"width": 360, "height": 800})
    tab = watched(context, faults)
    study = store.save(partial(open_study, form=everything()))
    with served(survey_app(store, study)) as address:
        for page in board_pages(tab, address, [*uploads, ("good.json", GOOD)]):
            faults += [(page, one) for one in made(tab, FOR_ACCOUNTS)]
    context.close()
    assert faults == []
