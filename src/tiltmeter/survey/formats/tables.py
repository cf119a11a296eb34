"""A study as tables: ratings for `compare-people`, every answer, every mark, demographics."""

import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence

from tiltmeter.core.json_text import parsed
from tiltmeter.core.text import decimal_number
from tiltmeter.data.people.ratings import COLUMNS, SCALE_COLUMNS
from tiltmeter.survey.collected import Collected, Response
from tiltmeter.survey.flow import FIRST, REPEAT
from tiltmeter.survey.form import DEMOGRAPHICS_PAGE, SurveyItem
from tiltmeter.survey.form_file import OWN
from tiltmeter.survey.formats.cells import Cell, as_csv
from tiltmeter.survey.questions import WRITTEN, FormQuestion

ANSWERS = (
    "person", "language", "stratum", "item", "round", "state", "page", "question", "kind", "value",
    "client_time", "server_time", "seconds", "marks", "key",
)  # fmt: skip
MARKS = ("person", "item", "round", "check", "rule", "value", "flagged", "detail")
PAIRS = ("id", "sentence_1", "sentence_2", "direction", "bias_type")
TRIPLES = ("id", "context", "a", "b", "c", "target", "domain")
CONTINUATIONS = ("a", "b", "c")
MARK = "mark_"
"""Before the name of a check: a column of the ratings that is 1 where it is flagged."""


def files(collected: Collected) -> dict[str, str]:
    """Every table as CSV, by file name; those without rows are left out."""
    tables = {
        "items.csv": items(collected),
        "people.csv": people(collected),
        "written.csv": written_items(collected),
        "ratings.csv": ratings(collected),
        "repeated-ratings.csv": ratings(collected, number=REPEAT),
        "answers.csv": answers(collected),
        "marks.csv": marks(collected),
        "demographics.csv": demographics(collected),
    }
    return {name: as_csv(*table) for name, table in tables.items() if table[1]}


Rows = list[dict[str, Cell]]


def items(collected: Collected) -> tuple[Sequence[str], Rows]:
    """The real items as `with_items` reads them; a text that differs by language has a column for each."""
    rows: Rows = []
    for item in collected.form.items:
        if item.kind != "real":
            continue
        row: dict[str, Cell] = {
            "id": item.key, "common": "yes" if item.common else None, "stratum": item.stratum or None
        }  # fmt: skip
        for name, words in item.texts.items():
            if len(set(words.values())) == 1:
                row[name] = next(iter(words.values()))
            else:
                row |= {f"{name}_{language}": text for language, text in words.items()}
        rows.append(row)
    given = {name for row in rows for name, cell in row.items() if cell is not None}
    texts = dict.fromkeys(name for row in rows for name in row if name not in OWN)
    return (*(name for name in OWN if name in given), *texts), rows


def people(collected: Collected) -> tuple[Sequence[str], Rows]:
    """Who takes part, and the completion code of everybody who has finished."""
    columns = ("person", "language", "stratum", "state", "code")
    rows = [(p.id, p.language, p.stratum, p.state, p.code) for p in collected.people]
    return columns, [dict(zip(columns, row, strict=True)) for row in rows]


def ratings(collected: Collected, *, number: int = FIRST) -> tuple[Sequence[str], Rows]:
    """Columns and rows of the long table that `data.people.ratings` reads, one row for each slider position.

    Each check has a column: 1 where it flagged the row's item, or the person as a whole; 0 elsewhere.
    """
    sliders = collected.form.sliders
    checks = sorted({mark.check for several in collected.marks.values() for mark in several})
    people = {person.id: person for person in collected.people}
    about = sorted({name for person in collected.people for name in person.about})
    rows: Rows = []
    for response in collected.responses:
        slider = sliders.get((response.page, response.question))
        person = people.get(response.person)
        if slider is None or person is None or response.round != number:
            continue
        flags = collected.flags(response)
        rows.append(
            _rating(response, slider)
            | {"language": person.language, "stratum": person.stratum, "state": response.state}
            | {name: text_of(person.about.get(name)) for name in about}
            | {f"{MARK}{check}": float(check in flags) for check in checks}
        )
    further = ("language", "stratum", "state", *about, *(f"{MARK}{check}" for check in checks))
    return (*COLUMNS, *SCALE_COLUMNS, *further), rows


def _rating(response: Response, slider: FormQuestion) -> dict[str, Cell]:
    value = response.value
    number = float(value) if isinstance(value, int | float) else None
    cells = (response.person, response.item, response.question, number, slider.low, slider.high)
    return dict(zip((*COLUMNS, *SCALE_COLUMNS), cells, strict=True))


def answers(collected: Collected) -> tuple[Sequence[str], Rows]:
    """Every current answer, and the checks that flagged its item or person."""
    people = {person.id: person for person in collected.people}
    kinds = {(page, question.name): question.kind for page, question in collected.form.questions}
    seconds = collected.seconds()
    rows: Rows = []
    for response in collected.responses:
        person = people[response.person]
        cells: tuple[Cell, ...] = (
            response.person, person.language, person.stratum, response.item, float(response.round),
            response.state, response.page, response.question,
            kinds.get((response.page, response.question), "choice"), text_of(response.value),
            float(response.client_time), float(response.server_time),
            seconds.get((response.person, response.assignment, response.page)),
            " ".join(sorted(collected.flags(response))), response.key,
        )  # fmt: skip
        rows.append(dict(zip(ANSWERS, cells, strict=True)))
    return ANSWERS, rows


def marks(collected: Collected) -> tuple[Sequence[str], Rows]:
    """What every check found, also where it found nothing wrong."""
    items = {r.assignment: (r.item, r.round) for r in collected.responses if r.assignment}
    rows: Rows = []
    for person, several in collected.marks.items():
        for mark in several:
            item, number = items.get(mark.assignment or 0, ("", 0))
            cells: tuple[Cell, ...] = (
                person, item, float(number) if item else None, mark.check, mark.rule, mark.value,
                float(mark.flagged), mark.detail,
            )  # fmt: skip
            rows.append(dict(zip(MARKS, cells, strict=True)))
    return MARKS, rows


def demographics(collected: Collected) -> tuple[Sequence[str], Rows]:
    """Unlinked demographics, a row a person, in random order and without ids."""
    names = tuple(
        question.name for page, question in collected.form.questions if page == DEMOGRAPHICS_PAGE
    )
    rows = [{name: text_of(given.get(name)) for name in names} for given in collected.demographics]
    return names, [dict(row) for row in rows]


def text_of(value: object) -> str | None:
    """An answer as text: what is not text or a number as JSON.

    >>> text_of(["a", "b"]), text_of(50.0), text_of("[1]"), text_of(None)
    ('["a", "b"]', '50', '"[1]"', None)
    """
    if value is None:
        return None
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if _taken_for_json(value) else value
    if isinstance(value, int | float):
        return f"{value:.10g}"
    return json.dumps(value, ensure_ascii=False)


def _taken_for_json(text: str) -> bool:
    return text[:1] in {"[", "{", '"'}


def value_of(text: str, question: FormQuestion) -> object:
    """The answer that a text of `text_of` stands for.

    >>> value_of("50", FormQuestion("warm", "slider")), value_of('"[1]"', FormQuestion("why", "text"))
    (50.0, '[1]')
    """
    if question.kind == "slider":
        number = decimal_number(text)
        return text if number is None else number
    if not _taken_for_json(text):
        return text
    try:
        value: Mapping[str, object] | list[object] | str = parsed(text)
    except ValueError:
        return text
    return value


# ---- What people wrote


def written_items(collected: Collected) -> tuple[Sequence[str], Rows]:
    """Pairs and triples that people wrote, as the table of items that the forms for validating them take.

    A pair keeps the order in which it was written, and what its writer said of it. The continuations of a
    triple come in random order under the names a, b and c, so that their place does not give them away.
    """
    kinds = {q.name: q.kind for page in collected.form.part("item") for q in page.questions}
    items = collected.items()
    pages: dict[tuple[str, str], list[Response]] = defaultdict(list)
    for response in collected.responses:
        if response.item and response.round == FIRST:
            pages[response.person, response.item].append(response)
    rows: Rows = []
    columns: Sequence[str] = PAIRS
    for (_, key), responses in sorted(pages.items()):
        given = {answer.question: answer.value for answer in responses}
        for question, texts in given.items():
            if not isinstance(texts, dict):
                continue
            name = f"w{len(rows) + 1}"
            if kinds.get(question) == "pair":
                rows.append(_pair(name, texts, given))
            elif kinds.get(question) == "triple":
                columns = TRIPLES
                rows.append(_triple(name, texts, items[key]))
    return columns, rows


def _pair(name: str, texts: Mapping[str, str], given: Mapping[str, object]) -> dict[str, Cell]:
    first, second = (texts[name_of_text] for name_of_text in WRITTEN["pair"])
    cells = (name, first, second, str(given.get("direction", "")), str(given.get("bias_type", "")))
    return dict(zip(PAIRS, cells, strict=True))


def _triple(name: str, texts: Mapping[str, str], item: SurveyItem) -> dict[str, Cell]:
    context, *rest = (texts[part] for part in WRITTEN["triple"])
    random.Random("\n".join((name, context, *rest))).shuffle(rest)  # noqa: S311 an order, no secret
    target = next(iter(item.texts.get("term", {}).values()), "")
    return dict(zip(TRIPLES, (name, context, *rest, target, item.stratum), strict=True))
