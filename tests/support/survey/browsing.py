"""What the tests of a survey's pages do in a browser."""

import json
import re

from sqlalchemy import select

from tiltmeter.survey.form_file import form_of
from tiltmeter.survey.keys import new_key
from tiltmeter.survey.web.bots import FormPage
from tiltmeter.survey.web.sessions import COOKIE, csrf_token

TEXTS = """
name = "texts"
title = "Texts"
consent = "Do you agree?"

[[pages]]
name = "write"
part = "item"
show = ["text"]

[[pages.questions]]
kind = "choice"
name = "gate"
text = "Write about {item}?"
options = ["yes", "no"]

[[pages.questions]]
kind = "text"
name = "words"
text = "What about {item}?"
when = { gate = "yes" }
"""


def texts(*items):
    listed = "".join(
        f"\n[[items]]\nid = \"i{n}\"\ntext = '''{text}'''\n" for n, text in enumerate(items)
    )
    return form_of(TEXTS + listed)


def agree(browser, start="/", agreed="yes"):
    """Go through the first pages and agree."""
    page = FormPage(browser.get(start).text)
    page = page if page.action else FormPage(browser.get(page.link).text)
    fields = {f.name: f.attributes.get("value", "") for f in page.fields}
    if page.action == "/screening":
        chosen = {f.name: f.attributes["value"] for f in reversed(page.fields) if f.name[0] == "q"}
        page = FormPage(browser.post(page.action, data=fields | chosen).text)
        fields = {f.name: f.attributes.get("value", "") for f in page.fields}
    return browser.post("/consent", data=fields | {"agree": agreed})


def hidden_fields(reply):
    page = FormPage(reply.text)
    return page.action, {
        f.name: f.attributes.get("value", "")
        for f in page.fields
        if f.attributes.get("type") == "hidden"
    }


def rows(store, table):
    return store.read(lambda session: list(session.scalars(select(table))))


def sent(reply, value=60, **changed):
    """A body for /api/answers, for the first question of a page."""
    at = re.search(r'data-page="(.+?)" data-assignment="(.*?)"', reply.text)
    question = re.search(r'data-question="(.+?)"', reply.text)[1]
    answer = {
        "key": new_key(), "page": at[1], "question": question, "value": value, "time": 1,
        "assignment": int(at[2]) if at[2] else None,
    }  # fmt: skip
    return {"answers": [answer | changed]}


def post(browser, body, token=None):
    token = csrf_token(browser.cookies[COOKIE]) if token is None else token
    return browser.post("/api/answers", content=json.dumps(body), headers={"x-csrf-token": token})
