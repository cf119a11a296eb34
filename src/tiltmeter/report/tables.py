r"""A document's tables as files: CSV and JSON with raw values, Markdown and LaTeX as they are read."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from tiltmeter.core.text import json_text, spreadsheet_text, visible
from tiltmeter.report.column_groups import column_groups
from tiltmeter.report.document import Column, Document, Table, Value
from tiltmeter.report.text import anchor

Format: TypeAlias = Literal["csv", "json", "markdown", "latex"]
LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "−": "$-$", "×": r"$\times$",
    "–": "--", "—": "---", "…": r"\ldots{}", "’": "'", "“": "``", "”": "''", "\u00a0": "~",
    "●": r"$\bullet$", "○": r"$\circ$", "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\to$",
    "≤": r"$\leq$", "≥": r"$\geq$", "τ": r"$\tau$", "κ": r"$\kappa$", "ρ": r"$\rho$", "·": r"$\cdot$",
}  # fmt: skip
"""Characters that mean something else to LaTeX, or that its usual fonts lack."""
LATEX_TEXT_WIDTH = 345
"""Points between the margins of LaTeX's article class."""
LATEX_SIZES = (("", 6, 5.0), (r"\footnotesize", 3, 4.3), (r"\scriptsize", 2, 3.7))
"""Sizes of letters, the gap at each side of a column and the mean width of a letter, in points."""
_RAISED = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#~])")


def files(document: Document, kind: Format) -> dict[str, str]:
    r"""All tables of a document: one CSV a table, or all in one file, by the name of the file.

    >>> files(Document("t", "", [], []), "json")
    {'tables.json': '{}\n'}
    """
    named = _named(document)
    if kind == "csv":
        return {f"{name}.csv": as_csv(table) for name, table in named.items()}
    if kind == "json":
        found = {name: {"title": t.title, "rows": as_rows(t)} for name, t in named.items()}
        return {"tables.json": json_text(found) + "\n"}
    write, end = (as_markdown, "md") if kind == "markdown" else (as_latex, "tex")
    return {f"tables.{end}": "\n".join(write(table) for table in named.values())}


def as_csv(table: Table) -> str:
    """Raw values under the columns' names; text that a spreadsheet would run is escaped.

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
        writer.writerow(map(_raw, row))
    return out.getvalue()


def as_rows(table: Table) -> list[dict[str, Value]]:
    """One object a row, with raw values.

    >>> as_rows(Table("t", [Column("", ["a"], name="of"), Column("n", [1])]))
    [{'of': 'a', 'n': 1}]
    """
    columns = file_columns(table)
    rows = zip(*(c.values for c in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def as_markdown(table: Table) -> str:
    r"""A pipe table under its title, as the page has it.

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
    for i, row in enumerate(_rows(table, columns)):
        cells = zip(map(markdown_text, row), _bold(columns, i), strict=True)
        rows.append([f"**{cell}**" if cell and bold else cell for cell, bold in cells])
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"| {' | '.join('---:' if c.number else '---' for c in columns)} |")
    notes = [f"{markdown_text(note)}\n" for note in (*table.notes, *table.file_notes)]
    return "\n".join(
        [f"**{markdown_text(table.title)}**\n", *lines, *(["", *notes] if notes else [""])]
    )


def as_latex(table: Table) -> str:
    r"""A table for \usepackage{booktabs}, numbers to the right, notes under it.

    >>> print(as_latex(Table("A & B", [Column("", ["x_1"], number=False), Column("%", [5])])))
    \begin{table}
    \centering
    \caption{A \& B}
    \label{tab:a-b}
    \begin{tabular}{lr}
    \toprule
     & \% \\
    \midrule
    x\_1 & 5 \\
    \bottomrule
    \end{tabular}
    \end{table}
    <BLANKLINE>
    """
    columns = table.kept("page")
    strong = table.strong or [False] * table.rows
    body = [
        " & ".join(
            rf"\textbf{{{_latex(cell)}}}" if cell and (bold or one) else _latex(cell)
            for cell, one in zip(row, _bold(columns, i), strict=True)
        ) + r" \\"
        for i, (row, bold) in enumerate(zip(_rows(table, columns), strong, strict=True))
    ]  # fmt: skip
    notes = [
        rf"\par\smallskip{{\footnotesize {_latex(note)}}}"
        for note in (*table.notes, *table.file_notes)
    ]
    return "\n".join([
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_latex(table.title)}}}",
        rf"\label{{tab:{anchor(table.title or table.name)}}}",
        *_latex_size(columns),
        rf"\begin{{tabular}}{{{''.join('r' if c.number else 'l' for c in columns)}}}",
        r"\toprule",
        *_latex_groups(column_groups(columns)),
        " & ".join(_latex(c.title) for c in columns) + r" \\",
        r"\midrule", *body, r"\bottomrule", r"\end{tabular}", *notes, r"\end{table}", "",
    ])  # fmt: skip


def _latex_size(columns: Sequence[Column]) -> list[str]:
    r"""Smaller letters and gaps, where the table is otherwise wider than the text of a page.

    >>> _latex_size([Column("model", ["x" * 30], number=False), Column("interval", ["y" * 40])])
    ['\\footnotesize\\setlength{\\tabcolsep}{3pt}']
    """
    letters = sum(max(map(len, (c.title, *c.cells))) for c in columns)
    fitting = (
        (size, gap)
        for size, gap, letter in LATEX_SIZES
        if letters * letter + 2 * gap * len(columns) <= LATEX_TEXT_WIDTH
    )
    size, gap = next(fitting, LATEX_SIZES[-1][:2])
    return [rf"{size}\setlength{{\tabcolsep}}{{{gap}pt}}"] if size else []


def _latex_groups(groups: Sequence[tuple[str, int]]) -> list[str]:
    r"""The line of headings over columns, and a rule under each.

    >>> _latex_groups([("", 1), ("dev", 2)])
    [' & \\multicolumn{2}{c}{dev} \\\\', '\\cmidrule(lr){2-3}']
    """
    if not groups:
        return []
    cells, rules, first = [], [], 1
    for text, width in groups:
        if text:
            cells.append(rf"\multicolumn{{{width}}}{{c}}{{{_latex(text)}}}")
            rules.append(rf"\cmidrule(lr){{{first}-{first + width - 1}}}")
        else:
            cells += [""] * width
        first += width
    return [" & ".join(cells) + r" \\", " ".join(rules)]


def _named(document: Document) -> dict[str, Table]:
    """Every table by a name of its own."""
    found: dict[str, Table] = {}
    for table in document.tables():
        name = anchor(table.name or table.title or "table")
        same = sum(other == name or other.startswith(f"{name}-") for other in found)
        found[f"{name}-{same + 1}" if name in found else name] = table
    return found


def file_columns(table: Table) -> Mapping[str, Column]:
    """The columns of a file by their names; no two share one."""
    found: dict[str, Column] = {}
    for column in table.columns:
        name = column.name or column.title or "items"
        if column.in_files:
            found[f"{name} {len(found) + 1}" if name in found else name] = column
    return found


def _rows(table: Table, columns: Sequence[Column]) -> Iterator[list[str]]:
    depths = table.depths or [0] * table.rows
    for row, depth in zip(zip(*(c.cells for c in columns), strict=True), depths, strict=True):
        yield ["\u00a0\u00a0" * depth + row[0], *row[1:]]


def _raw(value: Value) -> Value:
    return spreadsheet_text(value) if isinstance(value, str) else value


def markdown_text(text: str) -> str:
    r"""Text that Markdown shows as it is.

    >>> print(markdown_text("a_b <i>"))
    a\_b \<i\>
    """
    return _MARKDOWN.sub(r"\\\1", visible(text))


def _latex(text: str) -> str:
    shown = "".join(LATEX.get(char, char) for char in visible(text))
    return _RAISED.sub(lambda found: f"$^{{{found[0].translate(_LOWERED)}}}$", shown)


def _bold(columns: Sequence[Column], row: int) -> list[bool]:
    """Which cells of a row stand out."""
    return [bool(c.bold) and c.bold[row] for c in columns]
