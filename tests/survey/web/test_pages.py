"""Pages in the languages of a form: which language they are in, and what they say in it."""

from support.survey.browsing import agree, hidden_fields
from tiltmeter.survey.form_file import form_of

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
