"""200 texts that try to become more than text, at every place where a text can stand, in a real browser."""

import csv
import io
import re
from functools import partial
from urllib.parse import quote

import pytest

from faults.hostile_pages import made, watched
from faults.hostile_texts import by_threes, hostile_texts, some_or_all
from support.survey.browsing import rows, texts
from support.survey.forms import a_study, answer, someone
from support.survey.page_list import EVERYTHING, everything, participant_pages, places, usable
from tiltmeter.survey.assign import lease_items
from tiltmeter.survey.collected import collect
from tiltmeter.survey.formats import tables
from tiltmeter.survey.formats.cells import FORMULA, cell_text, plain
from tiltmeter.survey.schema import PlatformIdentity
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.serving import served

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TEXTS = hostile_texts()
FORM_TEXTS = usable(TEXTS)


@pytest.mark.parametrize(
    "form_texts",
    [
        pytest.param(by_threes(FORM_TEXTS), id="three at a place"),
        pytest.param(FORM_TEXTS, id="one at a place", marks=pytest.mark.long),
    ],
)
def test_texts_stay_texts_on_every_page_and_in_every_file(browser, store, form_texts):
    crowded = partial(everything, many=40)
    each = places(crowded)
    first = re.findall(r"@\w+", EVERYTHING).index("@choice")
    faults, left, shown = [], iter(TEXTS), []

    def written():
        shown.append(next(left, "done"))
        return shown[-1]

    context = browser.new_context(viewport={"width": 360, "height": 800}, locale="en")
    tab = watched(context, faults)
    for start in range(0, len(form_texts), each):
        some = (form_texts[start:] + form_texts)[:each]
        form = crowded(some.__getitem__)
        name = f"{some[0]}{start}"
        study = store.save(partial(open_study, form=form, name=name))
        context.clear_cookies()
        with served(survey_app(store, study)) as address:
            for page in participant_pages(tab, address, written):
                if found := made(tab):
                    faults.append((page, found))
                if page == "judge":
                    seen = tab.inner_text("main") + tab.inner_text("h1")
                    hidden = [
                        text
                        for text in some[first : first + 8]
                        if text.strip() and text not in seen
                    ]
                    faults += [
                        ("not as typed", text)
                        for text in hidden
                        if text.isascii() and "{item}" not in text
                    ]
        assert faults == []
    context.close()


@some_or_all
def test_addresses_and_ids_stay_texts(browser, store, hostile):
    study = store.save(partial(open_study, form=everything()))
    faults = []
    context = browser.new_context(locale="en")
    tab = watched(context, faults)
    with served(survey_app(store, study)) as address:
        for number, text in enumerate(hostile):
            typed = quote(text, safe="")
            path = (
                f"?PROLIFIC_PID={typed}&lang={typed}", f"?lang={typed}&passed={typed}",
                f"consent?passed={typed}&lang={typed}", f"page/{typed}", f"?invitation={typed}",
                f"feedback/{typed}",
            )[number % 6]  # fmt: skip
            tab.goto(f"{address}/{path}")
            if tab.url.startswith(address) and tab.locator("main").count():
                faults += [(path, found) for found in made(tab)]
    context.close()
    assert faults == []


def test_exports_hold_texts_that_nobody_runs(store):
    form = texts("nurses")
    study = a_study(store, form)
    typed = [text.replace("\0", "\ufffd") for text in TEXTS]
    for raw, text in zip(TEXTS, typed, strict=True):
        person = someone(store, study, raw=raw)
        (one,) = store.save(partial(lease_items, person=person, form=form))
        answer(store, form, person, one.assignment, "words", text, page="write")
    collected = store.read(lambda session: collect(session, study))
    files = tables.files(collected)
    lines = [*csv.reader(io.StringIO(files["answers.csv"], newline=""))]
    at = lines[0].index("value")
    assert {cell_text(text) for text in typed} == {plain(line[at]) for line in lines[1:]}
    assert not [line[at] for line in lines[1:] if line[at].startswith(FORMULA)]
    assert len({row.raw["PROLIFIC_PID"] for row in rows(store, PlatformIdentity)}) == len(TEXTS)
