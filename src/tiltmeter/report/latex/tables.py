r"""Writes a table as LaTeX, for \usepackage{booktabs}."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tiltmeter.core.text import raised
from tiltmeter.report.columns import column_groups, indented_rows
from tiltmeter.report.document import Column, Table
from tiltmeter.report.latex import letters
from tiltmeter.report.latex.fit import BETWEEN, TWO_SIDED, Fit, LetterSize, Part, fit
from tiltmeter.report.latex.letters import latex_text
from tiltmeter.report.text import anchor, sentence_end

AT_ONCE = 10
"""After how many tables LaTeX places all before it reads more; it holds no more than 18 at a time."""
LINE_END = r"\\{}"
"""The end of a line; without the braces, LaTeX would take a bracket after it for a length."""
_LAST_LATIN = 0x17F
_OTHER_SCRIPTS = (
    "% Letters of other scripts: read this with LuaLaTeX or XeLaTeX, and a font that has them.\n"
)
_MARKED = re.compile(r"(.*\d\)?)([*‡§]+)")
"""A number with marks behind it."""
_NUMBERED = re.compile(r"((?:Table|Figure|Section) [\w. ]+): (.+)", re.DOTALL)
_TABLE_END = r"\end{table}"


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
    columns = _as_shown(table)
    found, same = fit(columns), list[str]()
    if not found.whole:
        columns, same = _without_same(columns)
        found = fit(columns)
    said, several_parts = [*same, *table.notes, *table.file_notes], len(found.parts) > 1
    pages = []
    for part in found.parts:
        rows = part.rows_with_numbers() if several_parts else range(table.rows)
        named = part.naming(rows)
        below = said if part is found.parts[-1] else ()
        its_pages = named.pages(rows, found.size, below, has_notes=bool(said))
        pages += [(named, some) for some in its_pages]
    several, title = len(pages) > 1, table.title or raised(table.name.replace("_", " "))
    label = table.label or f"tab:{anchor(table.title or table.name)}"
    elsewhere = [f"Notes: under part {len(pages)}."] if said else []
    made = []
    for number, (part, rows) in enumerate(pages, 1):
        caption = f"{_unnumbered(title)}{f', part {number} of {len(pages)}' if several else ''}"
        made += [
            r"\begin{table}",
            r"\centering",
            *([rf"\caption{{{latex_text(caption)}}}"] if caption else []),
            rf"\label{{{label}{f'-{number}' if several else ''}}}",
            *found.size.line,
            *_tabular(part, rows, found),
            *_notes(said if number == len(pages) else elsewhere),
            _TABLE_END,
            "",
        ]
    return "\n".join(made)


def one_file(tables: Sequence[Table]) -> str:
    r"""All tables as one text; where they are many, LaTeX is made to place them from time to time.

    >>> made = one_file([Table("t", [Column("n", [1])])] * 25)
    >>> made.count(r"\begin{table}"), made.count(r"\clearpage")
    (25, 2)
    >>> one_file([Table("你好", [Column("n", [1])])]).splitlines()[0]
    '% Letters of other scripts: read this with LuaLaTeX or XeLaTeX, and a font that has them.'
    """
    made = "\n".join(map(as_latex, tables))
    needs = _OTHER_SCRIPTS if any(ord(letter) > _LAST_LATIN for letter in made) else ""
    first, *later = made.split(f"{_TABLE_END}\n")
    placed = (
        f"{_TABLE_END}\n" + ("\n\\clearpage\n" if number % AT_ONCE == 0 and text else "") + text
        for number, text in enumerate(later, 1)
    )
    return needs + first + "".join(placed)


def _as_shown(table: Table) -> list[Column]:
    """The columns with their cells as readers see them: indented, and bold in emphasized rows."""
    columns = table.kept("page")
    strong = table.strong or [False] * table.rows
    cells = [*zip(*indented_rows(table, columns), strict=True)] or [()] * len(columns)
    return [
        replace(
            column, shown=shown,
            bold=[a or b for a, b in zip(strong, column.bold or strong, strict=True)],
        )
        for column, shown in zip(columns, cells, strict=True)
    ]  # fmt: skip


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


def _tabular(part: Part, rows: Sequence[int], found: Fit) -> Iterator[str]:
    columns, broken = part
    # Ragged lines in the last cell give the usual end of a row another meaning.
    row_end = r" \tabularnewline" if broken else r" \\"
    shown = [[line + row_end for line in _row(part, row, found.size)] for row in rows]
    apart = [rf"\addlinespace[{BETWEEN}pt]"] * part.spaced
    kinds = [
        f"p{{{broken[at]:.0f}pt}}" if at in broken else "r" if c.number else "l"
        for at, c in enumerate(columns)
    ]
    headings = (
        _heading(c, broken[at] / found.size.em if at in broken else None, stacked=found.stacked)
        for at, c in enumerate(columns)
    )
    yield rf"\begin{{tabular}}{{{''.join(kinds)}}}"
    yield r"\toprule"
    yield from _groups(column_groups(columns))
    yield " & ".join(headings) + row_end
    yield r"\midrule"
    yield from [line for lines in shown for line in (*apart, *lines)][len(apart) :]
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _row(part: Part, row: int, size: LetterSize) -> Iterator[str]:
    cells = (
        _cell(c.cells[row], bold=c.bold[row], broken=at in part.broken)
        for at, c in enumerate(part.columns)
    )
    yield _begun(" & ".join(cells))
    below = [c.below[row] if c.below else "" for c in part.columns]
    if any(below):
        smaller = (rf"{{{size.below} {latex_text(text)}}}" if text else "" for text in below)
        yield _begun(" & ".join(smaller))


def _cell(text: str, *, bold: bool, broken: bool) -> str:
    """A cell; one that is broken into lines is set ragged right, so that words are not spread out.

    Marks behind a number take no room, so that the digits of a column stay under each other.
    """
    if two := TWO_SIDED.fullmatch(text):
        number, above, under, marks = two.groups()
        shown = rf"{latex_text(number)}\,$^{{+{above}}}_{{-{under}}}$"
    else:
        number, marks = marked.groups() if (marked := _MARKED.fullmatch(text)) else (text, "")
        shown = latex_text(number, breakable=broken)
    shown += rf"\rlap{{{latex_text(marks)}}}" if marks else ""
    shown = rf"\textbf{{{shown}}}" if text and bold else shown
    return rf"\raggedright {shown}" if broken and text else shown


def _without_same(columns: Sequence[Column]) -> tuple[list[Column], list[str]]:
    """The columns without those of words that are equal in all of several rows, which become notes.

    >>> said, odd = Column("rule", ["x" * 99] * 2, number=False), Column("n", [1, 2])
    >>> [c.title for c in _without_same([odd, said])[0]], _without_same([odd, said])[1][0][:9]
    (['n'], 'rule: xxx')
    """
    if all(len(c.cells) < 2 for c in columns):  # noqa: PLR2004
        return list(columns), []
    same = [c for c in columns[1:] if c.heading and not c.number and len(set(c.cells)) == 1]
    notes = [sentence_end(f"{c.heading}: {c.cells[0]}") for c in same]
    return [c for c in columns if c not in same], notes


def _begun(row: str) -> str:
    r"""The row with braces before a bracket or star, which LaTeX would read as part of the \\ before it."""
    return f"{{}}{row}" if row.startswith(("[", "*")) else row


def _heading(column: Column, room: float | None, *, stacked: bool) -> str:
    r"""The heading of a column, in lines that fit its `room`; if `stacked`, with one word on each line.

    >>> _heading(Column("mean size", [1]), None, stacked=True)
    '\\begin{tabular}[b]{@{}r@{}}mean\\\\{}size\\end{tabular}'
    """
    title = column.title
    lines = letters.lines(title, room) if room else title.split() if stacked else [title]
    if len(lines) < 2:  # noqa: PLR2004
        return latex_text(title)
    side = "r" if column.number else "l"
    shown = LINE_END.join(latex_text(line.strip()) for line in lines)
    return rf"\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{shown}\end{{tabular}}"


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
