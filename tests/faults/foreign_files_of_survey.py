"""Readers of files that surveys take."""

from pathlib import Path
from typing import Any

from faults.foreign_files import Reader, json_of
from tiltmeter.survey.boards.receipts import read_receipt
from tiltmeter.survey.form_file import form_of, form_text, read_form, with_items
from tiltmeter.survey.formats.item_answers import read_answers
from tiltmeter.survey.formats.label_studio import read_tasks
from tiltmeter.survey.formats.potato import read_annotations

FORM = """
name = "warmth"
title = "How are groups seen?"
consent = "Do you agree?"
languages = ["en"]
[sampling]
each = 2
votes = 3
[[pages]]
name = "rate"
part = "item"
show = ["text"]
[[pages.questions]]
kind = "slider"
low = 0
high = 100
text = "How are {item} seen?"
rows = [{ name = "cold - warm", left = "cold", right = "warm" }]
[[pages.questions]]
name = "why"
kind = "text"
text = "Why?"
required = false
[pay]
amount = 2.0
hourly = 12.0
[[items]]
id = "g0"
text = "group 0"
[[items]]
id = "g1"
text = "group 1"
"""
RECEIPT = {
    "board": "b", "submitter": "ann", "model": "m", "digest": "00", "scores": {"lms": 85.8}, "moved": True,
    "at": "2026-01-02T00:00:00+00:00", "signature": "ab",
}  # fmt: skip
TASKS = [
    {"id": 1, "data": {"key": "g0"}, "annotations": [
        {"completed_by": {"email": "a@b"}, "lead_time": 3.5, "created_at": "2026-01-02T00:00:00Z",
         "result": [{"from_name": "cold - warm", "value": {"number": 20}}]},
    ]}
]  # fmt: skip
POTATO = {"user_id": "u", "instance_id": "g0", "label_annotations": {"why": {"text_box": "so"}}}
ROW_OF_ANSWERS = "person,item,question,value,round,seconds,client_time\n"


def _form() -> Any:
    return form_of(FORM)


def _receipt(path: Path) -> Any:
    return read_receipt(path.read_bytes().decode("utf-8", "replace"))


READERS = (
    Reader("form", "form.toml", FORM, read_form),
    Reader("form with translations", "t.toml", form_text("label_text"), read_form),
    Reader("items of a form", "i.csv", "id,text,kind,common\na,one,real,1\nb,two,test,0\n",
           lambda path: with_items(_form(), path)),
    Reader("answers of people", "a.csv", f"{ROW_OF_ANSWERS}p,g0,cold - warm,20,1,2.5,1700000000000\n",
           lambda path: read_answers(path, _form())),
    Reader("an export of Label Studio", "l.json", json_of(TASKS), lambda path: read_tasks(path, _form())),
    Reader("annotations of Potato", "p.jsonl", json_of(POTATO) + "\n",
           lambda path: read_annotations(path, _form())),
    Reader("receipt", "r.json", json_of(RECEIPT), _receipt),
)  # fmt: skip
