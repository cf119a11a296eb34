"""What a form lacks in each language; what the researcher is reminded of, and people are not."""

from dataclasses import replace

from tiltmeter.survey.form_file import form_of, read_form
from tiltmeter.survey.languages.form_languages import (
    language_reports,
    unread_languages,
    unread_note,
)
from tiltmeter.survey.languages.interface_words import BUILT_IN, ENGLISH


def test_built_in_forms_lack_nothing():
    for name in ("group_traits", "familiar_groups", "label_text"):
        reports = language_reports(read_form(name))
        assert [report.gaps() for report in reports] == [[]] * len(reports)


def test_missing_words_are_counted_and_the_first_named():
    form = replace(read_form("label_text"), languages=("en", "fi"), items=())
    english, finnish = language_reports(form)
    assert english.gaps() == []
    (gap,) = finnish.gaps()
    n = len(ENGLISH)
    assert gap == (
        f"{n - 1} of {n} words of buttons and notes are missing and shown in English: "
        f"page_of, continue, back, agree, decline and {n - 6} more"
    )


def test_only_languages_with_unread_built_in_words_are_named():
    form = read_form("group_traits")
    assert unread_languages(form) == ["ru", "zh", "hi"]
    assert "ru, zh, hi" in unread_note(form) and 'words_read = ["ru"]' in unread_note(form)
    assert unread_languages(replace(form, words_read=("ru", "hi"))) == ["zh"]
    assert unread_languages(replace(form, words={"ru": BUILT_IN["ru"]})) == ["zh", "hi"]
    assert (
        unread_note(form_of(form.text.replace('version = "1"', 'words_read = ["ru", "zh", "hi"]')))
        == ""
    )


def test_texts_of_items_in_fewer_languages_and_names_in_place_of_labels_are_counted():
    text = """
name = "f"
title = { en = "t", ar = "ت" }
consent = { en = "c", ar = "ك" }
languages = ["en", "ar"]
[[pages]]
name = "p"
part = "item"
show = ["text", "reply"]
labels = { text = { en = "Text", ar = "نص" } }
questions = [{ name = "q", kind = "text", text = { en = "?", ar = "؟" } }]
"""
    for number in range(7):
        text += f'\n[[items]]\nid = "i{number}"\nreply = "…"\ntext = {{ en = "a" }}\n'
    english, arabic = language_reports(form_of(text))
    assert english.gaps() == []
    texts, labels = arabic.gaps()
    assert texts.startswith(
        "texts of items are missing (7) and shown in another language: i0: text,"
    )
    assert texts.endswith("i4: text and 2 more")
    assert labels == "labels of texts are missing and their names shown: p: reply"
