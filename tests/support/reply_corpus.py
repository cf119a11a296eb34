"""The replies of docs/replies with what a careful reader takes from each, and what the rules read.

In `tests`, `python -m support.reply_corpus` writes the tables of docs/explanation/reading-replies.md again.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tiltmeter.core.model.conversations import Finish, Reply
from tiltmeter.scoring.reply_scores import Read, read_answer
from tiltmeter.scoring.stated_answers.stated import stated
from tiltmeter.scoring.written_answers import contained, first_word, lettered

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "explanation" / "reading-replies.md"
LANGUAGES = {"en": "English", "de": "German", "fr": "French", "es": "Spanish", "zh": "Chinese"}
OUTCOMES = ("ambiguous", "refused", "unread", "cut", "empty")
BEGIN, END = "<!-- begin table {} -->\n", "<!-- end table {} -->"


@dataclass(frozen=True)
class Row:
    language: str
    kind: str
    options: tuple[str, ...]
    reply: str
    means: str
    """An option, or one of OUTCOMES."""
    finish: Finish = "stop"
    held_out: bool = False


def corpus() -> Iterator[Row]:
    for language in LANGUAGES:
        for line in (DOCS / "replies" / f"{language}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            yield Row(language, **row | {"options": tuple(row["options"])})


def strict(reply: str, options: Sequence[str], **more: object) -> object:
    """`word`, or `letter` where options have letters."""
    letters = [option[:3] for option in options]
    if all(letter[0] + letter[-1] == "()" for letter in letters):
        return lettered(reply, letters, **more)
    return first_word(reply, options, **more)


READERS: dict[str, Read] = {"stated": stated, "word or letter": strict, "contains": contained}


def read(row: Row, reader: Read) -> str:
    """What a reader takes from a reply, in the words of `Row.means`."""
    answer = read_answer(reader, Reply(row.reply, row.finish), row.options)
    if answer.kind == "option":
        return row.options[answer.option]
    return {"off_list": "unread"}.get(answer.kind, answer.kind)


def verdict(row: Row, said: str) -> str:
    """How what was read compares with the careful reader: a column of the first table."""
    if said not in row.options:
        return said
    return "right option" if said == row.means else "wrong option"


def confusion(rows: Sequence[Row], reader: Read) -> str:
    """Careful reader × what the rule reads."""
    columns = ("right option", "wrong option", *OUTCOMES)
    counts = Counter(
        ("an option" if row.means in row.options else row.means, verdict(row, read(row, reader)))
        for row in rows
    )
    return table(
        ("careful reader", *columns),
        [
            (means, *(counts[means, column] or "" for column in columns))
            for means in ("an option", *OUTCOMES)
        ],
    )


def by_kind(rows: Sequence[Row]) -> str:
    """How many of each kind each rule reads as the careful reader does, and how many as a wrong option."""
    lines = []
    for kind in dict.fromkeys(row.kind for row in rows):
        some = [row for row in rows if row.kind == kind]
        lines.append((kind, len(some), *(_hits(some, reader) for reader in READERS.values())))
    lines.append(("all", len(rows), *(_hits(rows, reader) for reader in READERS.values())))
    return table(("kind", "replies", *READERS), lines)


def by_language(rows: Sequence[Row]) -> str:
    return table(
        ("language", "replies", *READERS),
        [
            (name, len(some), *(_hits(some, reader) for reader in READERS.values()))
            for language, name in LANGUAGES.items()
            for some in [[row for row in rows if row.language == language]]
        ],
    )


def _hits(rows: Sequence[Row], reader: Read) -> str:
    said = [(row, read(row, reader)) for row in rows]
    wrong = sum(verdict(row, text) == "wrong option" for row, text in said)
    return f"{sum(text == row.means for row, text in said)}" + (
        f" ({wrong} wrong)" if wrong else ""
    )


def table(head: Sequence[str], lines: Sequence[Sequence[object]]) -> str:
    rows = [head, ["---", *["---:"] * (len(head) - 1)], *lines]
    return "".join(f"| {' | '.join(map(str, row))} |\n" for row in rows)


def tables() -> dict[str, str]:
    """The tables of the page by name."""
    rows = [*corpus()]
    first, later = ([row for row in rows if row.held_out is held] for held in (False, True))
    return {
        "stated": confusion(rows, stated),
        "word or letter": confusion(rows, strict),
        "kinds": by_kind(rows),
        "languages": by_language(rows),
        "first": by_kind(first),
        "later": by_kind(later),
    }


def filled(page: str) -> str:
    """The page with every table as it is computed."""
    for name, text in tables().items():
        begin, end = BEGIN.format(name), END.format(name)
        head, rest = page.split(begin)
        page = head + begin + text + end + rest.split(end)[1]
    return page


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")
