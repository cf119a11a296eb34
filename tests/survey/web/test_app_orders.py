"""Random orders on the pages: who answers by meaning stores the same whatever was shown where."""

import json
import re
from collections import Counter
from functools import partial
from html import unescape

from support.survey.forms import a_form
from tiltmeter.survey.collected import collect
from tiltmeter.survey.form_file import read_form, with_items
from tiltmeter.survey.formats.tables import answers as answer_table
from tiltmeter.survey.keys import new_key
from tiltmeter.survey.web.app import survey_app
from tiltmeter.survey.web.bots import FormPage, fill_in, untouched

ORDER = """[order]
pages = "random"
rows = "random"
poles = "by slider"
options = "random"
"""
MORE = """
[[pages]]
name = "more"
part = "item"
show = ["text"]

[[pages.questions]]
name = "known"
kind = "choice"
text = "Do you know one?"
options = ["yes", "no", { value = "none", text = "I cannot say", stays = true }]

[[pages.questions]]
name = "how"
kind = "scale"
text = "How well?"
when = { known = "yes" }
options = ["little", "some", "much"]
"""
MORE = MORE.replace(
    '["yes", "no", {', '[{ value = "yes", text = "Yes" }, { value = "no", text = "No" }, {'
)
WORDS = {"cold - warm": "warm", "poor - wealthy": "poor", "weak - strong": "strong"}
"""The end that this person is always near to."""


def by_meaning(page: FormPage) -> dict[str, str]:
    """What a person sends who knows what each question means to them, and reads what stands where."""
    filled = untouched(page)
    for part in page.text.split("<fieldset")[1:]:
        name = re.search(r'data-question="([^"]*)"', part)[1]
        number = re.search(r'name="k(\d+)"', part)[1]
        if name in WORDS:
            # "warm (100) – cold (0)": the number that stands beside the word, less ten.
            ends = re.search(r'aria-label="(.*?) \((\d+)\) – (.*?) \((\d+)\)"', part)
            numbers = {ends[1]: int(ends[2]), ends[3]: int(ends[4])}
            at = numbers[WORDS[name]]
            filled[f"q{number}"] = str(abs(at - 10))
        else:
            filled[f"q{number}"] = {"known": "yes", "how": "much"}[name]
    return filled


def values(visit_):
    collected = visit_.store.read(partial(collect, study=visit_.study))
    return {(r.person, r.item, r.question): r.value for r in collected.responses}, collected


def test_a_person_who_answers_by_meaning_stores_the_same_in_every_order(visit):
    form = a_form(2, top=ORDER, rest=MORE)
    survey = visit(form)
    pages = []

    def noted(page):
        pages.append(page.text)
        return by_meaning(page)

    assert all(fill_in(survey.browser(), "/", noted).code for _ in range(6))
    stored, collected = values(survey)
    wanted = {
        "cold - warm": 90,
        "poor - wealthy": 10,
        "weak - strong": 90,
        "known": "yes",
        "how": "much",
    }
    assert len(stored) == 6 * 2 * 5
    assert all(value == wanted[question] for (_, _, question), value in stored.items())
    orders = {
        tuple(re.findall('data-question="([^"]*)"', page)) for page in pages if "cold" in page
    }
    assert len(orders) > 1
    shown = [r.shown for r in collected.responses]
    assert Counter(s.swapped for s in shown) == {True: 24, False: 24, None: 12}
    assert Counter(s.row for s in shown) == {1: 12, 2: 12, 3: 12, None: 24}
    assert Counter(s.page for s in shown if s.options or s.row) == {1: 24, 2: 24}
    assert {s.options[2] for s in shown if s.options} == {"none"}


def test_what_is_stored_with_an_answer_is_what_the_page_showed(visit):
    survey = visit(a_form(1, top=ORDER))
    for _ in range(4):
        rows = []

        def noted(page, rows=rows):
            rows += re.findall(
                r'data-question="([^"]*)".*?class="left"[^>]*>(.*?)<', page.text, re.DOTALL
            )
            return by_meaning(page)

        before = {person for person, _, _ in values(survey)[0]}
        fill_in(survey.browser(), "/", noted)
        _, collected = values(survey)
        mine = {r.question: r.shown for r in collected.responses if r.person not in before}
        assert [mine[name].row for name, _ in rows] == [1, 2, 3]
        for name, left in rows:
            assert mine[name].swapped == (left == name.split(" - ")[1])


def test_the_same_person_sees_the_same_on_another_device_and_after_a_restart(visit):
    survey = visit(a_form(2, top=ORDER, rest=MORE))
    one, other = survey.browser(), survey.browser()
    start = "/?PROLIFIC_PID=5f0c0a0000000000000000aa"
    shown = [begin(browser, start) for browser in (one, other)]
    survey.app = survey_app(survey.store, survey.study)
    shown.append(begin(survey.browser(), start))
    orders = {
        (tuple(re.findall('data-question="([^"]*)"', s)), *re.findall('class="left".*', s))
        for s in shown
    }
    assert len(orders) == 1


def begin(browser, start):
    reply = browser.get(start)
    for _ in range(3):
        page = FormPage(reply.text)
        if page.name:
            break
        reply = (
            browser.post(page.action, data=untouched(page))
            if page.action
            else browser.get(page.link)
        )
    return reply.text


def replies(folder):
    rows = "\n".join(
        f"{n},ask {n},{'good' if n % 2 else 'bad'},{'bad' if n % 2 else 'good'}" for n in range(4)
    )
    (folder / "items.csv").write_text(f"id,request,reply_1,reply_2\n{rows}\n", "utf-8")
    return with_items(read_form("compare_replies"), folder / "items.csv")


def prefers_good(page: FormPage) -> dict[str, str]:
    """Choose the reply that says "good", by its label on the page."""
    filled = untouched(page)
    if page.name != "compare":
        return filled
    shown = re.findall(
        r'<span class="label">(reply \d)</span>.*?<blockquote[^>]*>(.*?)<', page.text
    )
    assert [label for label, _ in shown] == ["reply 1", "reply 2"]
    good = next((label for label, text in shown if text == "good"), "reply 1")
    for number, name in enumerate(("better", "stereotype")):
        options = re.findall(
            rf'name="q{number}" value="(\w+)".*?<span>(.*?)</span>', page.text, re.DOTALL
        )
        assert [text for _, text in options[:2]] == ["Reply 1", "Reply 2"], name
        filled[f"q{number}"] = next(value for value, text in options if text.lower() == good)
    return filled


def test_a_reply_is_stored_by_its_name_in_the_table_whichever_came_first(visit, tmp_path):
    survey = visit(replies(tmp_path))
    for _ in range(2):
        fill_in(survey.browser(), "/", prefers_good)
    stored, collected = values(survey)
    wanted = {"0": "second", "1": "first", "2": "second", "3": "first"}
    real = {at: value for at, value in stored.items() if at[1] in wanted}
    assert len(real) == 2 * 4 * 2
    assert all(value == wanted[item] for (_, item, _), value in real.items())
    firsts = Counter((r.item, r.shown.texts[0]) for r in collected.responses if r.item in wanted)
    assert set(firsts.values()) == {
        2
    }  # of two people who judge an item, each sees another reply first


def test_answers_of_the_client_script_have_their_order_too(visit):
    survey = visit(a_form(1, top=ORDER))
    browser = survey.browser()
    page = begin(browser, "/")
    token = re.search(r'name="csrf" value="([^"]*)"', page)[1]
    assignment = int(re.search(r'data-assignment="(\d+)"', page)[1])
    sent = {
        "key": new_key(), "page": "rate", "question": "cold - warm", "value": 70, "time": 1,
        "assignment": assignment, "supersedes": None,
    }  # fmt: skip
    reply = browser.post("/api/answers", json={"answers": [sent]}, headers={"x-csrf-token": token})
    assert reply.is_success
    (response,) = values(survey)[1].responses
    order = re.findall('data-question="([^"]*)"', page)
    assert response.shown.row == order.index("cold - warm") + 1
    assert response.shown.swapped is not None
    refused = browser.post(
        "/api/answers", json={"answers": [{**sent, "key": new_key(), "shown": {"row": 3}}]},
        headers={"x-csrf-token": token},
    )  # fmt: skip
    assert refused.is_client_error  # the server knows what it showed


def test_the_export_says_in_plain_columns_what_was_shown_where(visit, tmp_path):
    survey = visit(replies(tmp_path))
    fill_in(survey.browser(), "/", prefers_good)
    _, rows = answer_table(values(survey)[1])
    rows = [row for row in rows if row["question"] == "better" and row["round"] == 1]
    assert [row["item_place"] for row in rows] == [1, 2, 3, 4]
    assert {row["row_place"] for row in rows} == {row["swapped"] for row in rows} == {None}
    assert all(sorted(json.loads(row["texts_order"])) == ["reply_1", "reply_2"] for row in rows)


def test_missing_answers_are_shown_again_in_the_same_order(visit):
    survey = visit(a_form(1, top=ORDER))
    browser = survey.browser()
    page = begin(browser, "/")
    again = browser.post(FormPage(page).action, data=untouched(FormPage(page)))
    assert again.status_code == 422
    order = [re.findall('class="left"[^>]*>(.*?)<', unescape(text)) for text in (page, again.text)]
    assert order[0] == order[1]
