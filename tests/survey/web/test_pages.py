"""Pages in the languages of a form: which language they are in, and what they say in it."""

import re
from dataclasses import replace

import pytest

from support.survey.browsing import agree, hidden_fields, rows
from tiltmeter.survey.form_file import form_of, with_items
from tiltmeter.survey.schema import Answer

THREE = """
name = "three"
title = { en = "Groups", ar = "المجموعات", pt-BR = "Grupos" }
consent = { en = "Agree?", ar = "موافق؟", pt-BR = "Concorda?" }
warning = { en = "Beware", ar = "تنبيه", pt-BR = "Atenção" }
languages = ["en", "ar", "pt-BR"]
words = { pt-BR = { name = "Brasileiro", continue = "Avançar" } }
[[pages]]
name = "p"
part = "item"
show = ["text"]
[[pages.questions]]
name = "q"
kind = "slider"
low = 0
high = 100
left = { en = "cold", ar = "بارد", pt-BR = "frio" }
right = { en = "warm", ar = "دافئ", pt-BR = "quente" }
[[items]]
id = "one"
text = { en = "anglers", ar = "الصيادون", pt-BR = "pescadores" }
"""


def test_a_form_names_its_languages_and_words_itself(visit):
    browser = visit(form_of(THREE)).browser()
    page = browser.get("/", headers={"accept-language": "fr, pt-PT;q=0.9, en;q=0.8"}).text
    assert '<html lang="pt-BR" dir="ltr">' in page and ">Avançar</a>" in page
    assert 'lang="pt-BR" hreflang="pt-BR" dir="ltr" aria-current="true">Brasileiro</a>' in page
    assert 'lang="ar" hreflang="ar" dir="rtl">العربية</a>' in page
    assert '<html lang="ar" dir="rtl">' in browser.get("/?lang=ar").text


def test_problems_are_said_in_the_language_of_whoever_takes_part(visit):
    survey = visit(form_of(THREE))
    browser = survey.browser()
    english = {"accept-language": "en"}
    for path in ("/?invitation=forged", "/consent?passed=forged"):
        reply = browser.get(path, headers={"accept-language": "ar"})
        assert reply.status_code == 400 and "هذا الرابط غير صالح" in reply.text
    assert "This link is not valid" in browser.get("/?invitation=x", headers=english).text
    agree(browser, "/?lang=ar")
    assert "الصفحة غير موجودة" in browser.get("/none", headers=english).text
    _, fields = hidden_fields(browser.get("/work"))
    reply = browser.post("/page/none", data=fields, headers=english)
    assert reply.status_code == 400 and "يُرجى إعادة تحميل الصفحة" in reply.text


def test_a_text_in_another_language_or_direction_is_marked(visit):
    text = THREE.replace(
        'text = { en = "anglers", ar = "الصيادون", pt-BR = "pescadores" }',
        'text = { en = "<anglers>" }',
    )
    text = text.replace(
        "left = {",
        'text = { en = "Are {item}?", ar = "هل {item}؟", pt-BR = "São {item}?" }\nleft = {',
    )
    seen = {}
    for language in ("en", "ar", "pt-BR"):
        browser = visit(form_of(text.replace("three", f"in {language}"))).browser()
        agree(browser, f"/?lang={language}")
        seen[language] = browser.get("/work").text
    assert '<blockquote class="stimulus">&lt;anglers&gt;</blockquote>' in seen["en"]
    assert "Are &lt;anglers&gt;?" in seen["en"]
    english = 'lang="en" dir="ltr">&lt;anglers&gt;<'
    for language in ("ar", "pt-BR"):
        assert f'<blockquote class="stimulus" {english}/blockquote>' in seen[language]
    assert f"هل <bdi {english}/bdi>؟" in seen["ar"]
    assert f"São <bdi {english}/bdi>?" in seen["pt-BR"]


def test_a_text_whose_language_is_not_known_keeps_its_direction(visit, tmp_path):
    """A column of a table is shown to everybody."""
    (tmp_path / "items.csv").write_text("text\nanglers\nالصيادون\n", "utf-8")
    form = with_items(form_of(THREE), tmp_path / "items.csv")
    seen = []
    for name, language in (("first", "ar"), ("second", "en")):
        study = visit(replace(form, name=name))
        agree(browser := study.browser(), f"/?lang={language}")
        action, fields = hidden_fields(browser.get("/work"))
        pages = [browser.get("/work").text, browser.post(action, data=fields | {"q0": "1"}).text]
        seen.append({*re.findall('<blockquote class="stimulus"([^>]*)>([^<]+)<', " ".join(pages))})
    assert seen == [
        {(' dir="ltr"', "anglers"), ("", "الصيادون")},
        {("", "anglers"), (' dir="rtl"', "الصيادون")},
    ]


@pytest.mark.parametrize("typed", ["42.5", "٤٢٫٥", "४२.५", "42,5", "\u200f42.5 "])
def test_a_number_may_be_typed_in_any_digits(visit, store, typed):
    browser = visit(form_of(THREE)).browser()
    action, fields = hidden_fields(agree(browser, "/?lang=ar"))
    browser.post(action, data=fields | {"q0": typed})
    assert [row.value for row in rows(store, Answer)] == [42.5]
