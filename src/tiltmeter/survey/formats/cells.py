"""Tables as CSV whose cells no spreadsheet takes for a formula; what is written is read back exactly."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence

from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import FORMULA

Cell = str | float | None


def guarded(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet would run it.

    >>> guarded("=1+1"), guarded("cold - warm"), guarded("'=1")
    ("'=1+1", 'cold - warm', "''=1")
    """
    return f"'{text}" if text.lstrip("'").startswith(FORMULA) else text


def plain(text: str) -> str:
    """The text as it was before `guarded`.

    >>> plain("'=1+1"), plain("'tis")
    ('=1+1', "'tis")
    """
    return text[1:] if text[:1] == "'" and text.lstrip("'").startswith(FORMULA) else text


def cell_text(value: object) -> str | None:
    """An answer as text: what is not text or a number as JSON.

    >>> cell_text(["a", "b"]), cell_text(50.0), cell_text("[1]"), cell_text(None)
    ('["a", "b"]', '50', '"[1]"', None)
    """
    if value is None:
        return None
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if _taken_for_json(value) else value
    if isinstance(value, int | float):
        return f"{value:.10g}"
    return json.dumps(value, ensure_ascii=False)


def cell_value(text: str) -> object:
    """What such a text stands for; numbers stay text, because only a question knows that it asks for one.

    >>> cell_value('["a", "b"]'), cell_value('"[1]"'), cell_value("50")
    (['a', 'b'], '[1]', '50')
    """
    if not _taken_for_json(text):
        return text
    try:
        value: object = parsed(text)
    except ValueError:
        return text
    return value


def _taken_for_json(text: str) -> bool:
    return text[:1] in {"[", "{", '"'}


def as_csv(columns: Sequence[str], rows: Iterable[Mapping[str, Cell]]) -> str:
    r"""A table with these columns; numbers stay numbers, and None is an empty cell.

    >>> as_csv(("time", "value"), [{"time": 1795427036123.0, "value": 0.1 + 0.2}])
    'time,value\n1795427036123,0.3\n'
    """
    lines = [_line(map(guarded, columns))]
    lines += (_line(_cell(row.get(name)) for name in columns) for row in rows)
    return "".join(lines)


def _line(cells: Iterable[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)  # so that a lone \r is quoted too
    return out.getvalue().removesuffix("\r\n") + "\n"


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return guarded(value)
    return f"{value:.15g}"
