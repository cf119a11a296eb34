"""The reference of form files lists every key, and is what the classes say."""

import re

from goldens import of_form
from tiltmeter.core.finder import find, known
from tiltmeter.core.reading.typed_values import OTHERS, fields_of
from tiltmeter.survey.form import Form
from tiltmeter.survey.question import KINDS, QUESTION, FormQuestion

HOW = "in tests: python -m goldens.of_form --write"


def test_the_page_is_what_the_classes_say():
    assert of_form.changes() == "", HOW


def test_every_key_is_explained():
    assert of_form.undescribed() == [], "write a docstring below the field"


def test_every_key_of_every_table_and_kind_is_listed():
    page = of_form.PAGE.read_text("utf-8")
    listed = {*re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)}
    kinds = [find(KINDS, name, QUESTION) for name in known(KINDS)]
    tables = [Form, FormQuestion, *kinds, *(kind for _, kind in of_form.tables(Form, ""))]
    keys = {key for table in tables for key in fields_of(table)} - {OTHERS}
    assert keys <= listed and "rows" in listed
