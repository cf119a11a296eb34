r"""Writes a table as LaTeX, for \usepackage{booktabs}."""

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from math import ceil

from tiltmeter.core.text import raised, visible
from tiltmeter.report.columns import bold_cells, column_groups, indented_rows
from tiltmeter.report.document import Column, Table
from tiltmeter.report.text import anchor, sentence_end

LETTERS = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "−": "$-$", "×": r"$\times$",
    "–": "--", "—": "---", "…": r"\ldots{}", "’": "'", "“": "``", "”": "''", "\u00a0": "~",
    "●": r"$\bullet$", "○": r"$\circ$", "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\to$",
    "≤": r"$\leq$", "≥": r"$\geq$", "τ": r"$\tau$", "κ": r"$\kappa$", "ρ": r"$\rho$", "·": r"$\cdot$",
    "α": r"$\alpha$", "Δ": r"$\Delta$", "π": r"$\pi$", "σ": r"$\sigma$", "±": r"$\pm$", "′": "$'$",
    "≠": r"$\neq$", "≈": r"$\approx$", "√": r"$\surd$", "∞": r"$\infty$", "←": r"$\leftarrow$",
    "✓": r"$\surd$", "✗": r"$\times$", "∏": r"$\prod$",
    "\0": "{}",
}  # fmt: skip
"""LaTeX for characters that have a special meaning there or that its usual fonts lack."""
TEXT_WIDTH = 345
"""The width of the text in LaTeX's article class, in points."""
SIZES = (("", 6, 5.0), (r"\footnotesize", 3, 4.3), (r"\scriptsize", 2, 3.7))
"""Font sizes to try in turn: command, gap at each side of a column, and mean width of a letter, in points."""
NARROWEST, WIDEST = 42, 60
"""For columns of words that are broken into lines: their least width in points, and the number of letters
from which on a longer text gets no more room."""
UNFILLED = 1.2
"""How much more room words need when broken into lines, since they do not fill the lines to the end."""
PAGE_LINES = 40
"""How many lines of rows fit on a page; a longer table is split into parts."""
SHORT = 12
"""Columns whose texts have at most this many letters, a word or two, are not broken into lines."""
LINE_END = r"\\{}"
"""The end of a line; without the braces, LaTeX would take a bracket after it for a length."""
_RAISED = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_NUMBERED = re.compile(r"((?:Table|Figure|Section) [\w. ]+): (.+)", re.DOTALL)
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def latex_text(text: str) -> str:
    r"""The text escaped for LaTeX, whatever characters it has.

    >>> print(latex_text("R&D_1 of 50 %"))
    R\&D\_1 of 50 \%
    """
    # Two hyphens would become a dash, and those of an option are to be typed.
    shown = "".join(LETTERS.get(char, char) for char in visible(text).replace("--", "-\0-"))
    return _RAISED.sub(lambda found: f"$^{{{found[0].translate(_LOWERED)}}}$", shown)


def as_latex(table: Table) -> str:
    r"""The table in LaTeX with numbers aligned right and its notes under it.

    A table that is too large for a page gets smaller letters, lines within cells, or several parts.

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
    columns, same = _without_same(table.kept("page"))
    size, groups = _parts(columns)
    _, gap, letter = SIZES[-1]
    too_wide = _width(columns, gap, letter) > TEXT_WIDTH and not _broken(columns)
    stacked = len(groups) > 1 or too_wide
    parts = [(part, rows) for part in groups for rows in _pages(part)]
    several, title = len(parts) > 1, table.title or raised(table.name.replace("_", " "))
    label = f"tab:{anchor(table.title or table.name)}"
    notes = [
        rf"\par\smallskip{{\footnotesize {latex_text(note)}}}"
        for note in (*same, *table.notes, *table.file_notes)
    ]
    made = []
    for number, (part, rows) in enumerate(parts, 1):
        caption = f"{_unnumbered(title)}{f', part {number} of {len(parts)}' if several else ''}"
        made += [
            r"\begin{table}",
            r"\centering",
            *([rf"\caption{{{latex_text(caption)}}}"] if caption else []),
            rf"\label{{{label}{f'-{number}' if several else ''}}}",
            *size,
            *_tabular(table, part, rows, stacked=stacked),
            *(notes if number == len(parts) else []),
            r"\end{table}",
            "",
        ]
    return "\n".join(made)


def _unnumbered(title: str) -> str:
    """The title with a number such as "Table 2" moved to its end, since LaTeX numbers tables itself.

    >>> _unnumbered("Table 2: Rates"), _unnumbered("Rates")
    ('Rates (Table 2)', 'Rates')
    """
    return _NUMBERED.sub(r"\2 (\1)", title)


def _tabular(table: Table, columns: Sequence[Column], rows: range, *, stacked: bool) -> list[str]:
    strong = table.strong or [False] * table.rows
    broken = _broken(columns)
    body = [
        _begun(" & ".join(
            _cell(cell, bold=bold or cell_bold, broken=at in broken)
            for at, (cell, cell_bold) in enumerate(zip(row, bold_cells(columns, i), strict=True))
        )) + r" \\"
        for i, (row, bold) in enumerate(zip(indented_rows(table, columns), strong, strict=True))
    ]  # fmt: skip
    kinds = [
        f"p{{{broken[at]:.0f}pt}}" if at in broken else "r" if c.number else "l"
        for at, c in enumerate(columns)
    ]
    return [
        rf"\begin{{tabular}}{{{''.join(kinds)}}}",
        r"\toprule",
        *_groups(column_groups(columns)),
        " & ".join(_heading(c.title, stacked=stacked) for c in columns) + r" \\",
        r"\midrule", *body[rows.start : rows.stop], r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip


def _cell(text: str, *, bold: bool, broken: bool) -> str:
    """A cell; one that is broken into lines is set ragged right, so that words are not spread out."""
    shown = rf"\textbf{{{latex_text(text)}}}" if text and bold else latex_text(text)
    return rf"{{\raggedright {shown}\par}}" if broken and text else shown


def _without_same(columns: Sequence[Column]) -> tuple[list[Column], list[str]]:
    """The columns of a table without those of words that are equal in all rows, which become notes.

    A table that is not too wide keeps all columns.

    >>> said, odd = Column("rule", ["x" * 99] * 2, number=False), Column("n", [1, 2])
    >>> [c.title for c in _without_same([odd, said])[0]], _without_same([odd, said])[1][0][:9]
    (['n'], 'rule: xxx')
    """
    _, gap, letter = SIZES[-1]
    if _width(columns, gap, letter) <= TEXT_WIDTH or all(len(c.cells) < 2 for c in columns):  # noqa: PLR2004
        return list(columns), []
    same = [c for c in columns[1:] if c.heading and not c.number and len(set(c.cells)) == 1]
    notes = [sentence_end(f"{c.heading}: {c.cells[0]}") for c in same]
    return [c for c in columns if c not in same], notes


def _broken(columns: Sequence[Column]) -> dict[int, float]:
    """The places of columns of words that must be broken into lines, with their widths in points."""
    _, gap, letter = SIZES[-1]
    if _width(columns, gap, letter) <= TEXT_WIDTH:
        return {}
    longest = {i: max(map(len, (c.title, *c.cells))) for i, c in enumerate(columns) if not c.number}
    long = {i: min(letters, WIDEST) for i, letters in longest.items() if letters > SHORT}
    others = [c for i, c in enumerate(columns) if i not in long]
    room = 0.97 * TEXT_WIDTH - _width(others, gap, letter) - 2 * gap * len(long)
    whole = sum(long.values())
    return {i: max(NARROWEST, room * letters / whole) for i, letters in long.items()}


def _pages(columns: Sequence[Column]) -> list[range]:
    """The ranges of rows that fit on each page, counting the lines into which cells are broken.

    >>> _pages([Column("n", list(range(50)))])
    [range(0, 40), range(40, 50)]
    """
    broken, letter = _broken(columns), UNFILLED * SIZES[-1][2]
    rows = len(columns[0].cells) if columns else 0
    starts, lines = [0], 0
    for i in range(rows):
        lengths = {at: len(columns[at].cells[i]) * letter for at in broken}
        high = max([1, *(ceil(length / broken[at]) for at, length in lengths.items())])
        lines += high
        if lines > PAGE_LINES and i > starts[-1]:
            starts.append(i)
            lines = high
    return [range(a, b) for a, b in pairwise([*starts, max(rows, 1)])]


def _begun(row: str) -> str:
    r"""The row with braces before a bracket or star, which LaTeX would read as part of the \\ before it."""
    return f"{{}}{row}" if row.startswith(("[", "*")) else row


def _parts(columns: Sequence[Column]) -> tuple[list[str], list[list[Column]]]:
    r"""The font size as lines of LaTeX, and the columns in as many parts as it takes to fit the page's width.

    Every part begins with the columns that name the rows; an interval stays with its value. The headings of
    several parts are stacked. A table with columns of words behind its numbers is not split.

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
    groups = [names]
    for beside in _kept_together(columns[len(names) :]):
        together = [*groups[-1], *beside]
        wide = _width(together, gap, letter, stacked=True) > TEXT_WIDTH
        groups = (
            [*groups, [*names, *beside]]
            if wide and groups[-1] != names
            else [*groups[:-1], together]
        )
    return _size(size, gap), groups


def _kept_together(columns: Sequence[Column]) -> list[list[Column]]:
    """The columns in groups: each with those after it that only make sense beside it, such as intervals."""
    together: list[list[Column]] = []
    for column in columns:
        if together and not column.in_files:
            together[-1].append(column)
        else:
            together.append([column])
    return together


def _width(columns: Sequence[Column], gap: int, letter: float, *, stacked: bool = False) -> float:
    letters = sum(
        max(map(len, (*(c.title.split() if stacked else [c.title]), *c.cells)), default=0)
        for c in columns
    )
    return letters * letter + 2 * gap * len(columns)


def _heading(title: str, *, stacked: bool) -> str:
    r"""The heading of a column; a stacked one has one word on each line.

    >>> _heading("cold – warm", stacked=True)
    '\\shortstack[r]{cold\\\\{}--\\\\{}warm}'
    """
    words = title.split()
    if not stacked or len(words) < 2:  # noqa: PLR2004
        return latex_text(title)
    return rf"\shortstack[r]{{{LINE_END.join(map(latex_text, words))}}}"


def _size(size: str, gap: int) -> list[str]:
    return [rf"{size}\setlength{{\tabcolsep}}{{{gap}pt}}"] if size else []


def _groups(groups: Sequence[tuple[str, int]]) -> list[str]:
    r"""The line of group headings over columns, and the rules under them; [] where there are none.

    >>> _groups([("", 1), ("dev", 2)])
    [' & \\multicolumn{2}{c}{dev} \\\\', '\\cmidrule(lr){2-3}']
    """
    if not groups:
        return []
    cells, rules, first = [], [], 1
    for text, width in groups:
        if text:
            cells.append(rf"\multicolumn{{{width}}}{{c}}{{{latex_text(text)}}}")
            rules.append(rf"\cmidrule(lr){{{first}-{first + width - 1}}}")
        else:
            cells += [""] * width
        first += width
    return [" & ".join(cells) + r" \\", " ".join(rules)]
