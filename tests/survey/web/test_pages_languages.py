"""Every page of a form with everything in it, in each language: nothing in English is left."""

import re

import pytest

from support.survey.browsing import agree, hidden_fields
from support.survey.page_list import everything_in
from support.survey.visible_texts import texts_in
from tiltmeter.survey.languages.interface_words import BUILT_IN, ENGLISH
from tiltmeter.survey.languages.language_codes import direction
from tiltmeter.survey.web.bots import fill_in, random_answers, untouched

LETTERS = {"ru": "слово", "zh": "词语", "hi": "शब्द", "ar": "كلمة"}


def answers_at_the_second_try(seed):
    """What a bot sends that leaves every page empty first, so that it sees what is said of that."""
    tried, filled = set(), random_answers(seed)

    def answers(page):
        if page.name in {*tried, ""}:
            return filled(page)
        tried.add(page.name)
        return untouched(page)

    return answers


def every_page(visit, form):
    """The HTML of every page that somebody can come to."""
    browser, replies = visit(form).browser(), []
    browser.event_hooks = {"response": [replies.append]}
    fill_in(browser, "/", answers_at_the_second_try(1))
    for path in ("/none", "/?invitation=forged", "/consent?passed=forged"):
        browser.get(path)
    for how in ("keep", "erase"):
        agree(browser)
        action, fields = hidden_fields(browser.get("/stop"))
        browser.post(action, data=fields | {"how": how})
    browser.get("/work")
    agree(browser, agreed="no")
    return [reply.text for reply in replies if not reply.is_redirect]


@pytest.mark.parametrize("language", BUILT_IN)
def test_no_english_is_left_on_any_page(visit, language):
    pages = every_page(visit, everything_in(language, LETTERS.get(language, "wort")))
    assert len(pages) > 20
    english = {w for w, text in ENGLISH.items() if BUILT_IN[language][w] != text}
    for page in pages:
        assert f'<html lang="{language}" dir="{direction(language)}">' in page
        texts = texts_in(page, language)
        left = [text for text in texts if text in {ENGLISH[word] for word in english}]
        assert not left, left
        if language in LETTERS:
            latin = [t for t in texts if re.search("[A-Za-z]", t) and "@example.org" not in t]
            assert not latin, latin
