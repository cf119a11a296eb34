r"""Writes a document's tables as files: CSV and JSON with raw values, Markdown and LaTeX for readers."""

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping
from typing import Literal, TypeAlias

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted, json_text, spreadsheet_text, visible
from tiltmeter.report.columns import bold_cells, indented_rows
from tiltmeter.report.document import Column, Document, Table, Value
from tiltmeter.report.latex.tables import one_file
from tiltmeter.report.text import anchor

Format: TypeAlias = Literal["csv", "json", "markdown", "latex"]
_LABEL = re.compile(r"^\\label\{(.+)\}$", re.MULTILINE)
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#~])")


def files(document: Document, kind: Format) -> dict[str, str]:
    r"""The contents of table files by file name: one CSV for each table, or one file with all tables.

    >>> files(Document("t", "", [], []), "json")
    {'tables.json': '{}\n'}
    """
    tables = _named(document)
    if kind == "csv":
        return {f"{name}.csv": as_csv(table) for name, table in tables.items()}
    if kind == "json":
        contents = {name: {"title": t.title, "rows": as_rows(t)} for name, t in tables.items()}
        return {"tables.json": json_text(contents) + "\n"}
    if kind == "markdown":
        return {"tables.md": "\n".join(map(as_markdown, tables.values()))}
    return {"tables.tex": _own_labels(one_file([*tables.values()]))}


def _own_labels(latex: str) -> str:
    """The LaTeX with numbers after labels that occur several times."""
    seen: Counter[str] = Counter()

    def numbered(label: re.Match[str]) -> str:
        seen[label[1]] += 1
        return label[0] if seen[label[1]] == 1 else rf"\label{{{label[1]}:{seen[label[1]]}}}"

    return _LABEL.sub(numbered, latex)


def as_csv(table: Table) -> str:
    """The table as CSV with raw values; text that a spreadsheet would execute is escaped.

    >>> print(as_csv(Table("t", [Column("", ["=1", "b"], name="of"), Column("n", [1, None])])), end="")
    of,n
    '=1,1
    b,
    """
    out = io.StringIO()
    columns = file_columns(table)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(spreadsheet_text(name) for name in columns)
    for row in zip(*(c.values for c in columns.values()), strict=True):
        writer.writerow(spreadsheet_text(v) if isinstance(v, str) else v for v in row)
    return out.getvalue()


def as_text(document: Document, kind: Format) -> str:
    """All tables of a document as one text.

    Raises:
        BadInput: They are several, and of the kinds only CSV holds one.
    """
    texts = [*files(document, kind).values()]
    if len(texts) > 1:
        raise BadInput(
            f"a CSV file holds one table, and these runs are of {counted(len(texts), 'studies')}",
            "name --rows and --columns that they share, or write .xlsx or .json",
        )
    return texts[0]


def as_rows(table: Table) -> list[dict[str, Value]]:
    """The rows of a table as objects with raw values.

    >>> as_rows(Table("t", [Column("", ["a"], name="of"), Column("n", [1])]))
    [{'of': 'a', 'n': 1}]
    """
    columns = file_columns(table)
    rows = zip(*(c.values for c in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def as_markdown(table: Table) -> str:
    r"""The table as a pipe table in Markdown under its title, with the columns of the page.

    >>> print(as_markdown(Table("Rates", [Column("", ["a|b"], number=False), Column("n", [12])])))
    **Rates**
    <BLANKLINE>
    |  | n |
    | --- | ---: |
    | a\|b | 12 |
    <BLANKLINE>
    """
    columns = table.kept("page")
    rows = [[markdown_text(c.heading) for c in columns]]
    for i, row in enumerate(indented_rows(table, columns)):
        cells = zip(map(markdown_text, row), bold_cells(columns, i), strict=True)
        below = [
            f"<br>{markdown_text(c.below[i])}" if c.below and c.below[i] else "" for c in columns
        ]
        shown = [f"**{cell}**" if cell and bold else cell for cell, bold in cells]
        rows.append([first + second for first, second in zip(shown, below, strict=True)])
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"| {' | '.join('---:' if c.number else '---' for c in columns)} |")
    notes = [f"{markdown_text(note)}\n" for note in (*table.notes, *table.file_notes)]
    return "\n".join(
        [f"**{markdown_text(table.title)}**\n", *lines, *(["", *notes] if notes else [""])]
    )


def _named(document: Document) -> dict[str, Table]:
    """The tables of a document by unique names."""
    by_name: dict[str, Table] = {}
    for table in document.tables():
        name = anchor(table.name or table.title or "table")
        same = sum(other == name or other.startswith(f"{name}-") for other in by_name)
        by_name[f"{name}-{same + 1}" if name in by_name else name] = table
    return by_name


def file_columns(table: Table) -> Mapping[str, Column]:
    """The columns that a table has in files, by unique names."""
    by_name: dict[str, Column] = {}
    for column in table.columns:
        name = column.name or column.title or "items"
        if column.in_files:
            by_name[f"{name} {len(by_name) + 1}" if name in by_name else name] = column
    return by_name


def markdown_text(text: str) -> str:
    r"""The text escaped so that Markdown shows it as it is.

    >>> print(markdown_text("a_b <i>"))
    a\_b \<i\>
    """
    return _MARKDOWN.sub(r"\\\1", visible(text))
