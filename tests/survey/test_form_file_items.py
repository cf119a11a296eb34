"""Items from a table take the place of the form's own."""

import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.survey.form_file import read_form, with_items


def table(tmp_path, text):
    path = tmp_path / "items.csv"
    path.write_text(text, "utf-8")
    return path


def test_a_table_gives_texts_in_the_languages_that_it_names(tmp_path):
    form = read_form("group_traits")
    path = table(
        tmp_path,
        "id,text,text_ru,common\ntall,tall people,высокие люди,yes\nshort,short people,,\n",
    )
    tall, short = with_items(form, path).items
    assert tall.common and not short.common
    assert tall.texts["text"] == {
        "ru": "высокие люди", "en": "tall people", "zh": "tall people", "hi": "tall people",
    }  # fmt: skip


def test_training_items_of_the_form_stay(tmp_path):
    form = with_items(read_form("label_text"), table(tmp_path, "text\none\ntwo\n"))
    assert [(item.key, item.kind) for item in form.items] == [
        ("easy", "training"), ("1", "real"), ("2", "real"),
    ]  # fmt: skip


def test_what_is_missing_is_named_by_line(tmp_path):
    form = read_form("validate_pairs")
    with pytest.raises(BadInput, match="sentence_2"):
        with_items(form, table(tmp_path, "id,sentence_1\na,x\n"))
    path = table(tmp_path, "id,sentence_1,sentence_2\na,x,y\na,x,z\nb,x,\n")
    with pytest.raises(BadItems) as raised:
        with_items(form, path)
    assert [str(problem) for problem in raised.value.problems] == [
        "items.csv:3: the id 'a' occurs twice; correct the row, or remove it",
        "items.csv:4: sentence_2 is empty; correct the row, or remove it",
    ]
    path = table(tmp_path, "id,text,kind,common\na,x,trianing,yes\nb,y,,maybe\nc,z,test,no\n")
    with pytest.raises(BadItems) as raised:
        with_items(read_form("label_text"), path)
    assert [problem.reason for problem in raised.value.problems] == [
        "kind is 'trianing'",
        "common is 'maybe'",
    ]


def test_a_table_for_several_languages_needs_a_column_in_one_of_them(tmp_path):
    form = read_form("group_traits")
    (tmp_path / "items.csv").write_text("id,text_ru,txt\na,люди,x\n", "utf-8")
    (*_, item) = with_items(form, tmp_path / "items.csv").items
    assert item.texts["text"] == {"ru": "люди"}
    (tmp_path / "items.csv").write_text("id,txt\na,x\n", "utf-8")
    with pytest.raises(
        BadInput, match="none of the columns text, text_en, text_ru, text_zh, text_hi"
    ):
        with_items(form, tmp_path / "items.csv")
