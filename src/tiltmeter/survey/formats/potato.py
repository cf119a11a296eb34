"""Potato: its items (JSON lines) and its annotations, written and read back.

Annotations are the lines of `annotated_instances.jsonl`, one for each person and item:
`label_annotations` has for each question the chosen labels, the text or the number. The seconds on the page
are in `behavioral_data`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import json_line
from tiltmeter.data.files.plain_text import lines
from tiltmeter.survey.collected import Collected
from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import Form
from tiltmeter.survey.formats import item_answers as shared
from tiltmeter.survey.formats.item_answers import ItemAnswer, question_of

BEHAVIOUR, SECONDS, TIME, ROUND = "behavioral_data", "seconds", "client_time", "round"


def instances(form: Form) -> str:
    """The items as Potato reads them: `id`, `text` and the other texts."""
    rows = []
    for item in form.items:
        texts = {name: form.say(words) for name, words in item.texts.items()}
        rows.append(
            {"id": item.key, "text": texts.pop("text", " / ".join(texts.values())), **texts}
        )
    return _lines(rows)


def annotations(collected: Collected) -> str:
    """All annotations as Potato writes them."""
    form = collected.form
    rows = []
    for (person, item, number), several in shared.answers_by_annotation(collected).items():
        texts = collected.items()[item].texts
        labels = {
            answer.question: question_of(form, answer.question).potato_labels(answer.value)
            for answer in several
        }
        rows.append(
            {
                "user_id": person,
                "instance_id": item,
                "displayed_text": form.say(texts.get("text", {})),
                "label_annotations": labels,
                "span_annotations": {},
                BEHAVIOUR: {
                    SECONDS: several[0].seconds, TIME: several[0].time, ROUND: number,
                },
            }
        )  # fmt: skip
    return _lines(rows)


def _lines(rows: list[dict[str, Any]]) -> str:
    return "".join(map(json_line, rows))


def read_annotations(path: Path, form: Form, *, encoding: str = "") -> list[ItemAnswer]:
    """The answers in a file of Potato's whose schemes are this form's questions.

    Raises:
        BadInput: The file is not such a file.
        BadItems: Lines that are no answers to the form's questions.
    """
    written = [(n, line) for n, line in enumerate(lines(path, encoding), start=1) if line.strip()]
    way_out = "correct it, or leave it out"
    records = ((Problem("", way_out, file=path.name, line=n), line) for n, line in written)
    answers = shared.exported_answers(records, lambda line: _of_line(parsed(line), form))
    if not answers:
        raise BadInput("has no annotations", "give annotated_instances.jsonl", file=path.name)
    return answers


def _of_line(row: Mapping[str, Any], form: Form) -> Iterator[ItemAnswer]:
    more = row.get(BEHAVIOUR) or {}
    who = str(row.get("user_id", row.get("user", "")))
    item = str(row["instance_id"] if "instance_id" in row else row["id"])
    for name, labels in row["label_annotations"].items():
        question = question_of(form, name)
        value = question.checked(question.from_potato(labels))
        number, time = int(more.get(ROUND, FIRST)), int(more.get(TIME, 0))
        yield ItemAnswer(who, item, name, value, number, more.get(SECONDS), time)
