"""Label Studio: its labelling set-up, and its JSON of tasks with annotations, written and read back.

Each result has the person in its `meta`, because Label Studio refuses annotations that are `completed_by`
somebody who has no account there; it keeps results as they are. The seconds on the page are `lead_time`.
Choices and scales become Choices, sliders Number, and texts TextArea, one for each text of a pair or triple.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import json_text
from tiltmeter.data.files.plain_text import lines
from tiltmeter.survey.collected import Collected
from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import Form
from tiltmeter.survey.form_file import needed_texts
from tiltmeter.survey.form_pages import Page
from tiltmeter.survey.form_reading import Words
from tiltmeter.survey.formats import item_answers as shared
from tiltmeter.survey.formats.item_answers import ItemAnswer, question_of
from tiltmeter.survey.keys import date_of
from tiltmeter.survey.order.form_order import place_names, with_names
from tiltmeter.survey.question import ITEM, FormQuestion, Value

PERSON, ROUND = "person", "round"
"""In `meta` of a result: the random id of who answered; 2 where the item was asked a second time."""
KEY = "item"
"""In the data of a task: the item's key."""
MILLI = 1000


def set_up(form: Form) -> str:
    """The XML that a Label Studio project for this form needs."""
    shown = _text_names(form)
    elements = [
        f"  <Text name={quoteattr(name)} value={quoteattr('$' + text)}/>"
        for text, name in shown.items()
    ]
    to = next(iter(shown.values()))
    for name, question in shared.item_questions(form).values():
        say = partial(_say, form, form.page(name))
        title = say(question.text).replace(ITEM, "…") or question.name
        elements.append(f"  <Header value={quoteattr(title)}/>")
        elements += question.label_studio_controls(quoteattr(to), say)
    return "\n".join(["<View>", *elements, "</View>", ""])


def _text_names(form: Form) -> dict[str, str]:
    """By text that pages show: its name in the set-up, where no question and no other text may have it."""
    taken = {*shared.item_questions(form)}
    names: dict[str, str] = {}
    for text in needed_texts(form) or (KEY,):
        names[text] = text
        while names[text] in taken:
            names[text] += "_text"
        taken.add(names[text])
    return names


def _say(form: Form, page: Page | None, words: Words) -> str:
    """A text of a page, with the places of the item's texts as in the form."""
    return with_names(form.say(words), place_names(page) if page else {})


def tasks(collected: Collected) -> str:
    """The JSON of all items with their annotations, which Label Studio imports."""
    form, items = collected.form, collected.items()
    to = next(iter(_text_names(form).values()))
    kinds = {name: question for name, (_, question) in shared.item_questions(form).items()}
    of_item: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for (person, key, again), several in shared.answers_by_annotation(collected).items():
        of_item[key].append(_annotation(person, again, several, kinds, to))
    task_list = []
    for number, (key, item) in enumerate(items.items(), start=1):
        data = {name: form.say(words) for name, words in item.texts.items()}
        task_list.append({"id": number, "data": {**data, KEY: key}, "annotations": of_item[key]})
    return json_text(task_list) + "\n"


def _annotation(
    person: str, number: int, several: list[ItemAnswer], kinds: Mapping[str, FormQuestion], to: str
) -> dict[str, Any]:
    about = {PERSON: person, ROUND: number}
    results = [
        {"from_name": name, "to_name": to, "type": kind, "value": {key: value}, "meta": about}
        for answer in several
        for name, kind, key, value in kinds[answer.question].label_studio_results(answer.value)
    ]
    seconds = [answer.seconds for answer in several if answer.seconds is not None]
    last = max(answer.time for answer in several)
    return {
        "lead_time": sum(dict.fromkeys(seconds)) if seconds else None,
        "created_at": date_of(last).isoformat(),
        "result": [{"id": f"{place}", **result} for place, result in enumerate(results, start=1)],
    }


def read_tasks(path: Path, form: Form, *, encoding: str = "") -> list[ItemAnswer]:
    """The answers in a Label Studio export (JSON) whose `from_name`s are this form's questions.

    Raises:
        BadInput: The file is not such an export.
        BadItems: Annotations that are no answers to the form's questions.
    """
    try:
        table = parsed("".join(lines(path, encoding)))
    except ValueError as error:
        raise BadInput(f"is not JSON: {error}", "export as JSON", file=path.name) from None
    if not isinstance(table, list) or not all(isinstance(task, dict) for task in table):
        raise BadInput("is not a list of tasks", "export as JSON", file=path.name)
    places = (f"task {task.get('id', number)}: " for number, task in enumerate(table, start=1))
    problems = (Problem(place, "correct it, or leave it out", file=path.name) for place in places)
    return shared.exported_answers(zip(problems, table, strict=True), partial(_of_task, form=form))


def _of_task(task: Mapping[str, Any], form: Form) -> Iterator[ItemAnswer]:
    key = str(task["data"].get(KEY, task.get("id", "")))
    for annotation in task.get("annotations", []):
        if annotation.get("was_cancelled"):
            continue
        metas = (result.get("meta") or {} for result in annotation["result"])
        about: Mapping[str, Any] = next((meta for meta in metas if PERSON in meta), {})
        who = about.get(PERSON, annotation.get("completed_by", ""))
        who = who.get("email") or who.get("id") if isinstance(who, dict) else who
        seconds = annotation.get("lead_time")
        created = annotation.get("created_at")
        time = round(datetime.fromisoformat(created).timestamp() * MILLI) if created else 0
        number = int(about.get(ROUND, FIRST))
        for question, value in _values(annotation["result"], form):
            yield ItemAnswer(str(who), key, question, value, number, seconds, time)


def _values(results: list[Mapping[str, Any]], form: Form) -> Iterator[tuple[str, Value]]:
    """Questions and answers of one annotation; texts of a pair or triple are put together."""
    known = shared.item_questions(form)
    written: dict[str, dict[str, str]] = defaultdict(dict)
    for result in results:
        name, value = str(result["from_name"]), result["value"]
        base, _, part = name.rpartition(".")
        if name not in known and base in known:
            written[base][part] = value["text"][0]
            continue
        question = question_of(form, name)
        raw: object = next(
            (value[k] for k in ("number", "rating", "choices", "text") if k in value), None
        )
        yield name, question.checked(question.from_label_studio(raw))
    for name, texts in written.items():
        yield name, known[name][1].checked(texts)
