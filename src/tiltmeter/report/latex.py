r"""Writes a table as LaTeX, for \usepackage{booktabs}."""

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from math import ceil
from typing import NamedTuple

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
    "†": r"\textdagger{}", "‡": r"\textdaggerdbl{}", "✓": r"$\surd$", "✗": r"$\times$", "∏": r"$\prod$",
    "§": r"\S{}", "\0": "{}",
}  # fmt: skip
"""LaTeX for characters that have a special meaning there or that its usual fonts lack."""
TEXT_WIDTH = 345
"""The width of the text in LaTeX's article class, in points."""


class LetterSize(NamedTuple):
    """A size of letters, with widths in points."""

    command: str
    """What sets it; "" for the size of the text."""
    gap: float
    """At each side of a column."""
    letter: float
    """The mean width of a letter."""
    below: str
    """What sets the size of second lines of cells, which are intervals."""
    letter_below: float

    @property
    def line(self) -> list[str]:
        """The line of LaTeX that sets it; [] for the size of the text."""
        return [rf"{self.command}\setlength{{\tabcolsep}}{{{self.gap}pt}}"] if self.command else []


SIZES = (
    LetterSize("", 6, 5.0, r"\footnotesize", 3.8),
    LetterSize(r"\footnotesize", 3, 4.3, r"\scriptsize", 3.5),
    LetterSize(r"\scriptsize", 2, 3.7, r"\tiny", 2.9),
)
"""The sizes to try in turn."""
SMALLEST = SIZES[-1]
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
_MARKED = re.compile(r"(.*\d\)?)([*‡§]+)")
"""A number with marks behind it."""
_TWO_SIDED = re.compile(r"(.*\d) \(\+([\d.,]+) −([\d.,]+)\)([*‡§]*)")
"""A number with the distances to the two ends of its interval, which stand above each other in LaTeX."""
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
    fit = _fit(columns)
    parts = [
        (part, rows)
        for part in fit.parts
        for rows in _pages(
            part, _rows_with_numbers(part) if len(fit.parts) > 1 else range(table.rows)
        )
    ]
    several, title = len(parts) > 1, table.title or raised(table.name.replace("_", " "))
    label = table.label or f"tab:{anchor(table.title or table.name)}"
    notes = _notes([*same, *table.notes, *table.file_notes])
    made = []
    for number, (part, rows) in enumerate(parts, 1):
        caption = f"{_unnumbered(title)}{f', part {number} of {len(parts)}' if several else ''}"
        made += [
            r"\begin{table}",
            r"\centering",
            *([rf"\caption{{{latex_text(caption)}}}"] if caption else []),
            rf"\label{{{label}{f'-{number}' if several else ''}}}",
            *fit.size.line,
            *_tabular(table, part, rows, fit),
            *(notes if number == len(parts) else []),
            r"\end{table}",
            "",
        ]
    return "\n".join(made)


def _notes(notes: Sequence[str]) -> list[str]:
    """The notes as a block under the table, each on a line of its own; [] for none."""
    if not notes:
        return []
    lines = [rf"{latex_text(note)}\par" for note in notes]
    begin = r"\par\smallskip\begin{minipage}{\linewidth}\footnotesize\raggedright"
    return [begin, *lines, r"\end{minipage}"]


def _unnumbered(title: str) -> str:
    """The title with a number such as "Table 2" moved to its end, since LaTeX numbers tables itself.

    >>> _unnumbered("Table 2: Rates"), _unnumbered("Rates")
    ('Rates (Table 2)', 'Rates')
    """
    return _NUMBERED.sub(r"\2 (\1)", title)


def _tabular(
    table: Table, columns: Sequence[Column], rows: Sequence[int], fit: "_Fit"
) -> list[str]:
    strong = table.strong or [False] * table.rows
    broken = _broken(columns)
    body = [
        [
            _begun(" & ".join(
                _cell(cell, bold=bold or cell_bold, broken=at in broken)
                for at, (cell, cell_bold) in enumerate(zip(row, bold_cells(columns, i), strict=True))
            )) + r" \\",
            *_second_line(columns, i, fit.size),
        ]
        for i, (row, bold) in enumerate(zip(indented_rows(table, columns), strong, strict=True))
    ]  # fmt: skip
    shown = [body[row] for row in rows]
    # Without some room between them, an interval seems to belong to the number under it as well.
    apart = [r"\addlinespace[2pt]"] if any(len(lines) > 1 for lines in shown) else []
    spaced = [line for lines in shown for line in (*apart, *lines)][len(apart) :]
    kinds = [
        f"p{{{broken[at]:.0f}pt}}" if at in broken else "r" if c.number else "l"
        for at, c in enumerate(columns)
    ]
    return [
        rf"\begin{{tabular}}{{{''.join(kinds)}}}",
        r"\toprule",
        *_groups(column_groups(columns)),
        " & ".join(_heading(c.title, stacked=fit.stacked) for c in columns) + r" \\",
        r"\midrule", *spaced, r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip


def _second_line(columns: Sequence[Column], row: int, size: LetterSize) -> list[str]:
    """The line with the second lines of a row's cells, in smaller letters; [] where there are none."""
    texts = [c.below[row] if c.below else "" for c in columns]
    if not any(texts):
        return []
    cells = [rf"{{{size.below} {latex_text(text)}}}" if text else "" for text in texts]
    return [_begun(" & ".join(cells)) + r" \\"]


def _cell(text: str, *, bold: bool, broken: bool) -> str:
    """A cell; one that is broken into lines is set ragged right, so that words are not spread out.

    Marks behind a number take no room, so that the digits of a column stay under each other.
    """
    if two := _TWO_SIDED.fullmatch(text):
        number, above, under, marks = two.groups()
        shown = rf"{latex_text(number)}\,$^{{+{above}}}_{{-{under}}}$"
    else:
        number, marks = marked.groups() if (marked := _MARKED.fullmatch(text)) else (text, "")
        shown = latex_text(number)
    shown += rf"\rlap{{{latex_text(marks)}}}" if marks else ""
    shown = rf"\textbf{{{shown}}}" if text and bold else shown
    return rf"{{\raggedright {shown}\par}}" if broken and text else shown


def _without_same(columns: Sequence[Column]) -> tuple[list[Column], list[str]]:
    """The columns of a table without those of words that are equal in all rows, which become notes.

    A table that is not too wide keeps all columns.

    >>> said, odd = Column("rule", ["x" * 99] * 2, number=False), Column("n", [1, 2])
    >>> [c.title for c in _without_same([odd, said])[0]], _without_same([odd, said])[1][0][:9]
    (['n'], 'rule: xxx')
    """
    if _fits(columns) or all(len(c.cells) < 2 for c in columns):  # noqa: PLR2004
        return list(columns), []
    same = [c for c in columns[1:] if c.heading and not c.number and len(set(c.cells)) == 1]
    notes = [sentence_end(f"{c.heading}: {c.cells[0]}") for c in same]
    return [c for c in columns if c not in same], notes


def _broken(columns: Sequence[Column]) -> dict[int, float]:
    """The places of columns of words that must be broken into lines, with their widths in points."""
    if _fits(columns):
        return {}
    gap = SMALLEST.gap
    longest = {i: max(map(len, (c.title, *c.cells))) for i, c in enumerate(columns) if not c.number}
    long = {i: min(letters, WIDEST) for i, letters in longest.items() if letters > SHORT}
    others = [c for i, c in enumerate(columns) if i not in long]
    room = 0.97 * TEXT_WIDTH - _width(others, SMALLEST) - 2 * gap * len(long)
    whole = sum(long.values())
    return {i: max(NARROWEST, room * letters / whole) for i, letters in long.items()}


def _rows_with_numbers(columns: Sequence[Column]) -> Sequence[int]:
    """The rows in which some of these columns has a number.

    All rows where several columns name them, since an outer name is shown only in the first of its rows.
    """
    rows = range(len(columns[0].values))
    names = list(takewhile(lambda c: not c.number, columns))
    if len(names) != 1:
        return rows
    cells = [c.cells for c in columns[1:]]
    return [row for row in rows if any(of[row] for of in cells)] or rows


def _pages(columns: Sequence[Column], rows: Sequence[int]) -> list[Sequence[int]]:
    """The rows that fit on each page, counting the lines into which cells are broken.

    >>> _pages([Column("n", list(range(50)))], range(50))
    [range(0, 40), range(40, 50)]
    """
    broken, letter = _broken(columns), UNFILLED * SMALLEST.letter
    starts, lines = [0], 0
    for at_row, i in enumerate(rows):
        lengths = {at: len(columns[at].cells[i]) * letter for at in broken}
        high = max([1, *(ceil(length / broken[at]) for at, length in lengths.items())])
        high += any(c.below and c.below[i] for c in columns)
        lines += high
        if lines > PAGE_LINES and at_row > starts[-1]:
            starts.append(at_row)
            lines = high
    return [rows[a:b] for a, b in pairwise([*starts, max(len(rows), 1)])]


def _begun(row: str) -> str:
    r"""The row with braces before a bracket or star, which LaTeX would read as part of the \\ before it."""
    return f"{{}}{row}" if row.startswith(("[", "*")) else row


class _Fit(NamedTuple):
    """How a table fits the width of a page."""

    size: LetterSize
    stacked: bool
    """Whether the headings of columns have one word on each line."""
    parts: Sequence[Sequence[Column]]


def _fit(columns: Sequence[Column]) -> _Fit:
    r"""The largest letters with which the columns fit, or as many parts as the smallest ones need.

    Every part begins with the columns that name the rows; an interval stays with its value. A table with
    columns of words behind its numbers is not split.

    >>> name, ends = Column("model", ["x" * 30], number=False), Column("interval", ["y" * 40])
    >>> fit = _fit([name, ends])
    >>> fit.size.command, fit.stacked, len(fit.parts)
    ('\\footnotesize', False, 1)
    >>> [len(part) for part in _fit([name, ends, ends]).parts]
    [2, 2]
    >>> [len(part) for part in _fit([name, ends, name]).parts]
    [3]
    >>> _fit([name, *[Column("a heading of words", ["1"])] * 8]).stacked
    True
    """
    for size in SIZES:
        for stacked in (False, True) if size.command else (False,):
            if _width(columns, size, stacked=stacked) <= TEXT_WIDTH:
                return _Fit(size, stacked, [list(columns)])
    names = list(takewhile(lambda c: not c.number, columns))
    if not all(c.number for c in columns[len(names) :]):
        return _Fit(SMALLEST, not _broken(columns), [list(columns)])
    parts = [names]
    for beside in _kept_together(columns[len(names) :]):
        together = [*parts[-1], *beside]
        wide = _width(together, SMALLEST, stacked=True) > TEXT_WIDTH
        parts = (
            [*parts, [*names, *beside]] if wide and parts[-1] != names else [*parts[:-1], together]
        )
    return _Fit(SMALLEST, True, parts)  # noqa: FBT003


def _kept_together(columns: Sequence[Column]) -> list[list[Column]]:
    """The columns in groups: each with those after it that only make sense beside it, such as intervals."""
    together: list[list[Column]] = []
    for column in columns:
        if together and not column.in_files:
            together[-1].append(column)
        else:
            together.append([column])
    return together


def _fits(columns: Sequence[Column]) -> bool:
    """Whether the smallest letters are enough, so that nothing has to be broken into lines."""
    return any(
        _width(columns, SMALLEST, stacked=stacked) <= TEXT_WIDTH for stacked in (False, True)
    )


def _width(columns: Sequence[Column], size: LetterSize, *, stacked: bool = False) -> float:
    """The width of a table in points; a heading over several columns may be wider than these."""
    widths = [_column_width(c, size, stacked=stacked) + 2 * size.gap for c in columns]
    over, first = 0.0, 0
    for group, count in column_groups(columns):
        room = sum(widths[first : first + count]) - 2 * size.gap
        over += max(0.0, len(group) * size.letter - room)
        first += count
    return sum(widths) + over


def _seen(cell: str) -> str:
    """The letters of a cell that stand beside each other."""
    two = _TWO_SIDED.fullmatch(cell)
    return f"{two[1]} +{max(two[2], two[3], key=len)}" if two else cell


def _column_width(column: Column, size: LetterSize, *, stacked: bool) -> float:
    heading = column.title.split() if stacked else [column.title]
    longest = max(map(len, (*heading, *map(_seen, column.cells))), default=0)
    return max(longest * size.letter, max(map(len, column.below), default=0) * size.letter_below)


def _heading(title: str, *, stacked: bool) -> str:
    r"""The heading of a column; a stacked one has one word on each line.

    >>> _heading("mean size", stacked=True)
    '\\begin{tabular}[b]{@{}r@{}}mean\\\\{}size\\end{tabular}'
    """
    words = title.split()
    if not stacked or len(words) < 2:  # noqa: PLR2004
        return latex_text(title)
    lines = LINE_END.join(map(latex_text, words))
    return rf"\begin{{tabular}}[b]{{@{{}}r@{{}}}}{lines}\end{{tabular}}"


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
