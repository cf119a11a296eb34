r"""A table as LaTeX, for \usepackage{booktabs}."""

import re
from collections.abc import Sequence
from itertools import takewhile

from tiltmeter.core.text import visible
from tiltmeter.report.column_groups import column_groups
from tiltmeter.report.document import Column, Table
from tiltmeter.report.table_rows import bold_cells, indented_rows
from tiltmeter.report.text import anchor

LETTERS = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "−": "$-$", "×": r"$\times$",
    "–": "--", "—": "---", "…": r"\ldots{}", "’": "'", "“": "``", "”": "''", "\u00a0": "~",
    "●": r"$\bullet$", "○": r"$\circ$", "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\to$",
    "≤": r"$\leq$", "≥": r"$\geq$", "τ": r"$\tau$", "κ": r"$\kappa$", "ρ": r"$\rho$", "·": r"$\cdot$",
    "α": r"$\alpha$", "Δ": r"$\Delta$", "π": r"$\pi$", "σ": r"$\sigma$", "±": r"$\pm$", "′": "$'$",
    "≠": r"$\neq$", "√": r"$\surd$", "∞": r"$\infty$", "←": r"$\leftarrow$",
    "✓": r"$\surd$", "✗": r"$\times$",
}  # fmt: skip
"""Characters that mean something else to LaTeX, or that its usual fonts lack."""
TEXT_WIDTH = 345
"""Points between the margins of LaTeX's article class."""
SIZES = (("", 6, 5.0), (r"\footnotesize", 3, 4.3), (r"\scriptsize", 2, 3.7))
"""Sizes of letters, the gap at each side of a column and the mean width of a letter, in points."""
LINE_END = r"\\{}"
"""The end of a line; without the braces a bracket after it would be taken for a length."""
_RAISED = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


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
    size, parts = _parts(columns)
    several = len(parts) > 1
    said = f"tab:{anchor(table.title or table.name)}"
    notes = [
        rf"\par\smallskip{{\footnotesize {_latex(note)}}}"
        for note in (*table.notes, *table.file_notes)
    ]
    made = []
    for number, part in enumerate(parts, 1):
        caption = f"{table.title}{f', part {number} of {len(parts)}' if several else ''}"
        made += [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{_latex(caption)}}}",
            rf"\label{{{said}{f'-{number}' if several else ''}}}",
            *size,
            *_tabular(table, part, stacked=several),
            *(notes if number == len(parts) else []),
            r"\end{table}",
            "",
        ]
    return "\n".join(made)


def _tabular(table: Table, columns: Sequence[Column], *, stacked: bool) -> list[str]:
    strong = table.strong or [False] * table.rows
    body = [
        _begun(" & ".join(
            rf"\textbf{{{_latex(cell)}}}" if cell and (bold or one) else _latex(cell)
            for cell, one in zip(row, bold_cells(columns, i), strict=True)
        )) + r" \\"
        for i, (row, bold) in enumerate(zip(indented_rows(table, columns), strong, strict=True))
    ]  # fmt: skip
    return [
        rf"\begin{{tabular}}{{{''.join('r' if c.number else 'l' for c in columns)}}}",
        r"\toprule",
        *_groups(column_groups(columns)),
        " & ".join(_heading(c.title, stacked=stacked) for c in columns) + r" \\",
        r"\midrule", *body, r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip


def _begun(row: str) -> str:
    """A row whose bracket or star is not taken for a part of the line end before it."""
    return f"{{}}{row}" if row.startswith(("[", "*")) else row


def _parts(columns: Sequence[Column]) -> tuple[list[str], list[list[Column]]]:
    r"""The size of the letters, and the columns in as many parts as a page's text needs beside each other.

    Every part begins with the columns that name the rows; an interval stays with its value. Headings of
    several parts are stacked. A table with columns of words is not parted.

    >>> name, ends = Column("model", ["x" * 30], number=False), Column("interval", ["y" * 40])
    >>> size, parts = _parts([name, ends])
    >>> size, len(parts)
    (['\\footnotesize\\setlength{\\tabcolsep}{3pt}'], 1)
    >>> [len(part) for part in _parts([name, ends, ends])[1]]
    [2, 2]
    >>> [len(part) for part in _parts([name, ends, name])[1]]
    [3]
    """
    for size, gap, letter in SIZES:
        if _width(columns, gap, letter) <= TEXT_WIDTH:
            return _size(size, gap), [list(columns)]
    size, gap, letter = SIZES[-1]
    names = list(takewhile(lambda c: not c.number, columns))
    if not all(c.number for c in columns[len(names) :]):
        return _size(size, gap), [list(columns)]
    parts = [names]
    for beside in _kept_together(columns[len(names) :]):
        together = [*parts[-1], *beside]
        wide = _width(together, gap, letter, stacked=True) > TEXT_WIDTH
        parts = (
            [*parts, [*names, *beside]] if wide and parts[-1] != names else [*parts[:-1], together]
        )
    return _size(size, gap), parts


def _kept_together(columns: Sequence[Column]) -> list[list[Column]]:
    """Each column with those after it that are only read beside it."""
    found: list[list[Column]] = []
    for column in columns:
        if found and not column.in_files:
            found[-1].append(column)
        else:
            found.append([column])
    return found


def _width(columns: Sequence[Column], gap: int, letter: float, *, stacked: bool = False) -> float:
    letters = sum(
        max(map(len, (*(c.title.split() if stacked else [c.title]), *c.cells)), default=0)
        for c in columns
    )
    return letters * letter + 2 * gap * len(columns)


def _heading(title: str, *, stacked: bool) -> str:
    r"""The heading of a column, a word a line where it is stacked.

    >>> _heading("cold – warm", stacked=True)
    '\\shortstack[r]{cold\\\\{}--\\\\{}warm}'
    """
    words = title.split()
    if not stacked or len(words) < 2:  # noqa: PLR2004
        return _latex(title)
    return rf"\shortstack[r]{{{LINE_END.join(map(_latex, words))}}}"


def _size(size: str, gap: int) -> list[str]:
    return [rf"{size}\setlength{{\tabcolsep}}{{{gap}pt}}"] if size else []


def _groups(groups: Sequence[tuple[str, int]]) -> list[str]:
    r"""The line of headings over columns, and a rule under each.

    >>> _groups([("", 1), ("dev", 2)])
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


def _latex(text: str) -> str:
    shown = "".join(LETTERS.get(char, char) for char in visible(text))
    return _RAISED.sub(lambda found: f"$^{{{found[0].translate(_LOWERED)}}}$", shown)
