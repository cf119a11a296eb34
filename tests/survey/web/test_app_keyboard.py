"""Every built-in form, in each language, on a phone and on a desk, with the keyboard only."""

import asyncio
import os
import re
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from support.browsers import LAUNCH, playwright
from support.survey.browsing import rows
from support.survey.forms import filled
from support.survey.keyboard import KeyboardPerson
from tiltmeter.survey.form_file import built_in, form_of, form_text
from tiltmeter.survey.people_answers import current_answers
from tiltmeter.survey.schema import PlatformIdentity, UnlinkedAnswers
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.serving import served

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WIDTHS = (360, 1280)
TOGETHER = 4
"""People who take part at a time."""
PICTURES = os.environ.get("TILTMETER_PICTURES")
"""A folder for pictures of the pages, to look at; none are made without it."""


def shortened(name):
    """A built-in form with two items a person in place of four: pages of every kind, in half the time."""
    return form_of(re.sub(r"each = \d+", "each = 2", form_text(name)))


async def walk(contexts, address, name, language, width):
    """One person, in a browser that forgot the one before."""
    context = await contexts.get()
    try:
        page = await context.new_page()
        await page.set_viewport_size({"width": width, "height": 800})
        person = KeyboardPerson(page, language, width)

        async def picture(tab, number):
            if PICTURES:
                path = Path(PICTURES) / f"{name}-{language}-{width}-{number:02}.png"
                await tab.screenshot(path=path, full_page=True)

        await person.fill_in(f"{address}/?pid={language}", picture)
        return person
    finally:  # a browser that is not given back would be waited for by the next tests
        for tab in context.pages:
            await tab.close()
        await context.clear_cookies()
        await contexts.put(context)


async def together(walks):
    """People side by side; each waits for a browser. Where one fails, the others are ended."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(each) for each in walks]
    return [task.result() for task in tasks]


@pytest.fixture(scope="module")
def loop():
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def contexts(loop):
    """A few browsers side by side."""
    api = playwright("async_api")

    async def opened():
        started = await api.async_playwright().start()
        made, free = await started.chromium.launch(**LAUNCH), asyncio.Queue()
        for _ in range(TOGETHER):
            free.put_nowait(await made.new_context(locale="en"))
        return started, made, free

    started, made, free = loop.run(opened())
    yield free
    loop.run(made.close())
    loop.run(started.stop())


@pytest.mark.parametrize("each", [4, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", built_in())
def test_a_form_is_filled_in_with_the_keyboard_and_stored_as_typed(
    name, each, store, loop, contexts, tmp_path
):
    """Every language on every width, or one language on each width, other ones for each form."""
    form = filled(shortened(name), tmp_path)
    studies = [store.save(partial(open_study, form=form, name=f"{name} {w}")) for w in WIDTHS]
    with (
        served(survey_app(store, studies[0])) as narrow,
        served(survey_app(store, studies[1])) as wide,
    ):
        turned = (*form.languages[1:], *form.languages[:1])
        pairs = [
            (where, language)
            for *where, languages in zip(
                (narrow, wide), WIDTHS, (form.languages, turned), strict=True
            )
            for language in languages
        ]
        first = built_in().index(name) % min(each, len(pairs))
        people = loop.run(together(
            walk(contexts, address, name, language, width)
            for (address, width), language in pairs[first::each]
        ))  # fmt: skip
    assert [person.faults for person in people] == [[]] * len(people)
    assert len({person.code for person in people}) == len(people)  # nobody can pass theirs on
    who = store.read(lambda session: [*session.scalars(select(PlatformIdentity))])
    stored = [
        (row.raw["pid"], store.read(partial(current_answers, person=row.person_id))) for row in who
    ]
    assert sorted(stored, key=str) == sorted(((p.language, p.typed) for p in people), key=str)
    assert all(person.typed for person in people)
    apart = [row.answers for row in rows(store, UnlinkedAnswers)]
    assert sorted(apart, key=str) == sorted((p.apart for p in people if p.apart), key=str)
