"""A study as tables: ratings for `compare-people`, every answer, every mark, demographics."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from tiltmeter.data.people.ratings import COLUMNS, SCALE_COLUMNS
from tiltmeter.survey.collected import Collected, Response
from tiltmeter.survey.flow import FIRST, REPEAT
from tiltmeter.survey.form import DEMOGRAPHICS_PAGE
from tiltmeter.survey.form_file import OWN
from tiltmeter.survey.formats.cells import Cell, as_csv, cell_text, cell_value
from tiltmeter.survey.order.person_order import Shown
from tiltmeter.survey.question import RatingQuestion

SHOWN = ("item_place", "page_place", "row_place", "swapped", "texts_order", "options_order")
"""Columns that say where and how a question was shown: places from 1, lists in order; empty where fixed."""
ANSWERS = (
    "person", "language", "stratum", "item", "round", "state", "page", "question", "kind", "value",
    "client_time", "server_time", "seconds", "marks", "key",
    *SHOWN,
)  # fmt: skip
MARKS = ("person", "item", "round", "check", "rule", "value", "flagged", "detail")
PAGES = ("person", "item", "round", "screen", "seconds", "hidden")
STUDY = ("name", "opened", "closed", "erased")
ATTENTION = "attention"
"""The kind of a question with an expected answer: none that analyses compare."""
MARK = "mark_"
"""Before the name of a check: a column of the ratings that is 1 where it is flagged."""


def files(collected: Collected) -> dict[str, str]:
    """Every table as CSV, by file name; those without rows are left out."""
    return {name: as_csv(*table) for name, table in _tables(collected).items() if table[1]}


def tables_without_rows(collected: Collected) -> list[str]:
    """The names of the files that `files` leaves out; an earlier export may have them."""
    return [name for name, (_, rows) in _tables(collected).items() if not rows]


def _tables(collected: Collected) -> "dict[str, tuple[Sequence[str], Rows]]":
    return {
        "study.csv": study(collected),
        "items.csv": items(collected),
        "participants.csv": participants(collected),
        "consents.csv": consents(collected),
        "written.csv": written_items(collected),
        "ratings.csv": ratings(collected),
        "repeated-ratings.csv": ratings(collected, number=REPEAT),
        "answers.csv": answers(collected),
        "pages.csv": pages(collected),
        "marks.csv": marks(collected),
        "demographics.csv": demographics(collected),
    }


Rows = list[dict[str, Cell]]


def study(collected: Collected) -> tuple[Sequence[str], Rows]:
    """When the study was opened and closed, and of how many people everything was erased."""
    closed = None if collected.closed is None else float(collected.closed)
    cells = (collected.name, float(collected.opened), closed, float(collected.erased))
    return STUDY, [dict(zip(STUDY, cells, strict=True))]


def items(collected: Collected) -> tuple[Sequence[str], Rows]:
    """The real items as `with_items` reads them; a text that differs by language has a column for each."""
    rows: Rows = []
    languages = collected.form.languages
    for item in collected.form.items:
        if item.kind != "real":
            continue
        row: dict[str, Cell] = {
            "id": item.key, "common": "yes" if item.common else None, "stratum": item.stratum or None
        }  # fmt: skip
        for name, words in item.texts.items():
            if len(set(words.values())) == 1 and {*words} == {*languages}:
                row[name] = next(iter(words.values()))
            else:
                row |= {f"{name}_{code}": words[code] for code in languages if code in words}
        rows.append(row)
    given = {name for row in rows for name, cell in row.items() if cell is not None}
    texts = dict.fromkeys(name for row in rows for name in row if name not in OWN)
    return (*(name for name in OWN if name in given), *texts), rows


def participants(collected: Collected) -> tuple[Sequence[str], Rows]:
    """Who takes part, by random id; without completion codes, which panels keep beside their own ids."""
    columns: tuple[str, ...] = ("person", "language", "stratum", "outcome")
    rows: list[tuple[Cell, ...]]
    rows = [(p.id, p.language, p.stratum, p.outcome) for p in collected.people]
    if any(p.bot for p in collected.people):
        columns = (*columns, "bot")
        rows = [
            (*row, "yes" if p.bot else None) for row, p in zip(rows, collected.people, strict=True)
        ]
    return columns, [dict(zip(columns, row, strict=True)) for row in rows]


def consents(collected: Collected) -> tuple[Sequence[str], Rows]:
    """What everybody agreed to, in which language and on which day."""
    columns = ("person", "date", "language", "form_sha256", "linked")
    rows = [
        (a.person, a.date, a.language, a.form_sha256, "yes" if a.linked else "no")
        for a in collected.consents
    ]
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
            | {name: cell_text(person.about.get(name)) for name in about}
            | {f"{MARK}{check}": float(check in flags) for check in checks}
        )
    further = ("language", "stratum", "state", *about, *(f"{MARK}{check}" for check in checks))
    return (*COLUMNS, *SCALE_COLUMNS, *further), rows


def _rating(response: Response, slider: RatingQuestion) -> dict[str, Cell]:
    value = response.value
    rating: Cell = float(value) if isinstance(value, int | float) else str(value)  # OPTED_OUT
    cells = (response.person, response.item, response.question, rating, slider.low, slider.high)
    return dict(zip((*COLUMNS, *SCALE_COLUMNS), cells, strict=True))


def answers(collected: Collected) -> tuple[Sequence[str], Rows]:
    """Every current answer, and the checks that flagged its item or person."""
    people = {person.id: person for person in collected.people}
    kinds = {
        (page, question.name): ATTENTION if question.is_test else question.kind
        for page, question in collected.form.questions
    }
    seconds = collected.seconds()
    rows: Rows = []
    for response in collected.responses:
        person = people[response.person]
        cells: tuple[Cell, ...] = (
            response.person, person.language, person.stratum, response.item, float(response.round),
            response.state, response.page, response.question,
            kinds.get((response.page, response.question), "choice"), cell_text(response.value),
            float(response.client_time), float(response.server_time),
            seconds.get((response.person, response.assignment, response.page)),
            " ".join(sorted(collected.flags(response))), response.key, *_shown(response.shown),
        )  # fmt: skip
        rows.append(dict(zip(ANSWERS, cells, strict=True)))
    return ANSWERS, rows


def _shown(shown: Shown) -> tuple[Cell, ...]:
    """The cells of SHOWN."""
    swapped = None if shown.swapped is None else "yes" if shown.swapped else "no"
    return (
        shown.item, shown.page, shown.row, swapped,
        *(cell_text([*listed]) if listed else None for listed in (shown.texts, shown.options)),
    )  # fmt: skip


def shown_in(row: Mapping[str, str]) -> Shown:
    """What the cells of SHOWN in a row of `answers` say; a column that is missing says nothing.

    >>> shown_in({"item_place": "2", "swapped": "no", "options_order": '["b", "a"]'})
    Shown(item=2, page=None, row=None, swapped=False, texts=(), options=('b', 'a'))
    """
    cells = {name: row.get(name, "") for name in SHOWN}
    item, page, slider = (int(cells[name]) if cells[name] else None for name in SHOWN[:3])
    return Shown(
        item,
        page,
        slider,
        {"yes": True, "no": False}.get(cells["swapped"]),
        _names(cells["texts_order"]),
        _names(cells["options_order"]),
    )


def _names(cell: str) -> tuple[str, ...]:
    listed = cell_value(cell)
    return tuple(map(str, listed)) if isinstance(listed, list) else ()


def pages(collected: Collected) -> tuple[Sequence[str], Rows]:
    """How long every screen was shown that was submitted, and how long of this its tab was hidden."""
    given = {r.assignment: (r.item, r.round) for r in collected.responses if r.assignment}
    rows: Rows = []
    for page in sorted(collected.pages, key=lambda page: page.person):
        item, number = given.get(page.assignment or 0, ("", FIRST))
        if page.assignment and not item:
            continue  # its answers were withdrawn
        screen = page.screen.removesuffix(f".{page.assignment}") if page.assignment else page.screen
        cells = (page.person, item, float(number), screen, page.seconds, page.hidden)
        rows.append(dict(zip(PAGES, cells, strict=True)))
    return PAGES, rows


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
    rows = [
        {name: cell_text(given.get(name)) for name in names} for given in collected.demographics
    ]
    return names, [dict(row) for row in rows]


# ---- What people wrote


def written_items(collected: Collected) -> tuple[Sequence[str], Rows]:
    """What people wrote, such as pairs and triples, as the table of items that forms for validating it take.

    Which columns it has, and in which order its texts are, says the kind of the question.
    """
    questions = {q.name: q for page in collected.form.part("item") for q in page.questions}
    abouts = {
        item.key: {name: next(iter(words.values()), "") for name, words in item.texts.items()}
        | {"stratum": item.stratum}
        for item in collected.form.items
    }
    pages: dict[tuple[str, str], list[Response]] = defaultdict(list)
    for response in collected.responses:
        if response.item and response.round == FIRST:
            pages[response.person, response.item].append(response)
    rows: Rows = []
    columns: dict[str, None] = {}
    for (_, key), responses in sorted(pages.items()):
        given = {answer.question: answer.value for answer in responses}
        for name, texts in given.items():
            question = questions.get(name)
            if question and question.item_columns and isinstance(texts, dict):
                item = f"w{len(rows) + 1}"
                rows.append(question.new_item(item, texts, given=given, about=abouts[key]))
                columns |= dict.fromkeys(question.item_columns)
    return tuple(columns), rows
