"""Tables as LaTeX."""

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from report import blocks
from report.test_tables import GROUPED, of
from tiltmeter.report import tables
from tiltmeter.report.document import Column, Table
from tiltmeter.report.latex.fit import TEXT_WIDTH, column_width, fit
from tiltmeter.report.latex.tables import as_latex


def test_latex_escapes_what_would_act_and_marks_what_is_significant():
    text = as_latex(blocks.table())
    assert r"\textbf{70.0}" in text
    assert r"\textbf{52.0}" not in text
    assert re.search(r"\\begin{tabular}{p{\d+pt}rrrl}", text)
    assert "61.0 to 79.0" in text
    odd = as_latex(Table("t", [Column("a_b", [r"\input{x}%$#&~^{}", "p = 2.3×10⁻⁹"])]))
    assert r"\textbackslash{}input\{x\}\%\$\#\&\textasciitilde{}\textasciicircum{}\{\}" in odd
    assert r"2.3$\times$10$^{-9}$" in odd
    assert r"\input" not in odd
    greek = as_latex(Table("α ± κ", [Column("✓", ["Δ"])]))
    assert greek.isascii() and r"\caption{$\alpha$ $\pm$ $\kappa$}" in greek


def test_latex_has_a_line_over_columns_that_belong_together():
    lines = as_latex(GROUPED).splitlines()
    at = lines.index(r"\toprule") + 1
    assert lines[at : at + 3] == [
        r" & \multicolumn{2}{c}{type\_1} & \multicolumn{1}{c}{type\_2} \\",
        r"\cmidrule(lr){2-3} \cmidrule(lr){4-4}",
        r"model & dev & test & dev \\",
    ]
    assert "multicolumn" not in as_latex(blocks.table())


def wide(models):
    numbers = [Column("interval", ["[47.4, 58.6]"], number=True) for _ in range(models)]
    return Table(f"Rates of {models} models", [Column("", ["physical-appearance"]), *numbers])


def test_a_latex_row_may_begin_with_a_bracket():
    # which would else be the length of the space after the row before it
    rows = Column("", ["a", "[group] are [trait]."], number=False)
    assert "\n{}[group] are [trait]. & 2" in as_latex(Table("t", [rows, Column("n", [1, 2])]))


def test_words_of_a_latex_table_that_is_too_wide_are_broken_into_lines():
    words = Column("sentence", ["a rather long sentence " * 4, "short"], number=False)
    rule = Column("rule", ["a rule with a long name"] * 2, number=False)
    text = as_latex(Table("t", [words, Column("n", [1, 2]), rule, words]))
    first, second = re.findall(r"p\{(\d+)pt\}", text)
    assert first == second
    assert text.count(r"\raggedright a rather") == 2
    assert "rule: a rule with a long name." in text.split(r"\end{tabular}")[1]


def test_a_latex_table_that_is_too_wide_comes_in_parts():
    pairs = [
        column
        for i in range(9)
        for column in (
            Column(f"m{i}", ["52.0"]), Column("interval", ["[47.4, 58.6]"], in_files=False)
        )
    ]  # fmt: skip
    table = Table("Rates", [Column("type", ["age"], number=False), *pairs], notes=["A note."])
    parts = as_latex(table).split(r"\end{table}")[:-1]
    assert [f"part {i} of 2}}" in part for i, part in enumerate(parts, 1)] == [True] * 2
    heads = [next(x for x in part.splitlines() if x.startswith("type &")) for part in parts]
    assert all(
        re.match(r"type & m\d & interval", head) and head.endswith(r"interval \\") for head in heads
    )
    assert sum(head.count("interval") for head in heads) == 9
    assert [part.count("A note.") for part in parts] == [0, 1]
    assert [part.count(r"\label{tab:rates-") for part in parts] == [1, 1]


needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")


def complaints(folder: Path, body: str) -> list[str]:
    """What LaTeX says of tables that leave the page; it must read the text to its end."""
    preamble = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n"
    (folder / "a.tex").write_text(f"{preamble}{body}\n\\end{{document}}", "utf-8")
    command = ["pdflatex", "-halt-on-error", "a.tex"]
    made = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return re.findall("(?:Overfull|LaTeX Warning: Float).*", made.stdout)


@needs_latex
@pytest.mark.parametrize(("models", "size"), [(4, ""), (5, "footnotesize"), (6, "scriptsize")])
def test_a_latex_table_stays_within_the_text(tmp_path, models, size):
    body = as_latex(wide(models))
    found = [name for name in ("footnotesize", "scriptsize") if f"\\{name}\\" in body]
    assert found == [size] * bool(size)
    assert complaints(tmp_path, body) == []


@needs_latex
def test_a_latex_table_of_long_words_stays_within_the_text(tmp_path):
    words = Column("sentence", ["a rather long sentence " * 4, "short"], number=False)
    body = as_latex(Table("t", [words, Column("n", [1, 2]), words]))
    assert complaints(tmp_path, body) == []


@needs_latex
def test_latex_compiles(tmp_path):
    body = tables.files(of(blocks.table(notes=()), GROUPED), "latex")["tables.tex"]
    assert complaints(tmp_path, body) == []


def any_table(seed: int) -> Table:
    """A table of columns of numbers and words, short and long, with notes."""
    drawn = random.Random(seed)
    words = ["all", "significant", "models/bert-base_uncased", "two-sided", "p", "=", "0.05"]
    words += ["pll_differing_joint", "of", "R&D"]

    def text(most):
        return " ".join(drawn.choice(words) for _ in range(drawn.randint(0, most)))

    rows = drawn.choice([1, 3, 30, 90])

    def column(number):
        shown = [f"{drawn.uniform(-100, 100):.1f} %" if number else text(9) for _ in range(rows)]
        below = ["[−47.4, −38.6]"] * rows if number and drawn.random() < 0.4 else ()
        bold = [drawn.random() < 0.3 for _ in range(rows)]
        return Column(text(2), shown, shown=shown, number=number, below=below, bold=bold)

    kinds = [False] * drawn.randint(1, 3) + [
        drawn.random() < 0.7 for _ in range(drawn.randint(1, 20))
    ]
    notes = [text(40) for _ in range(drawn.randint(0, 8))]
    return Table(text(5), [*map(column, kinds)], notes=notes, name="t")


@needs_latex
def test_any_tables_stay_on_their_pages_and_many_are_read(tmp_path):
    body = tables.files(of(*map(any_table, range(40))), "latex")["tables.tex"]
    assert body.count(r"\begin{table}") > 60
    assert complaints(tmp_path, body) == []


@pytest.mark.parametrize("seed", range(40))
def test_columns_beside_each_other_fit_the_text_and_each_is_in_one_part(seed):
    columns = any_table(seed).columns
    found = fit(columns)
    names = found.parts[0].columns[0]
    for part in found.parts:
        widths = [
            part.broken.get(i) or column_width(c, found.size, stacked=found.stacked)
            for i, c in enumerate(part.columns)
        ]
        assert sum(widths) + 2 * found.size.gap * len(widths) <= TEXT_WIDTH + 1e-6
        assert part.columns[0] is names
    placed = [id(c) for part in found.parts for c in part.columns]
    assert {*placed} == {*map(id, columns)}


def test_a_latex_table_longer_than_a_page_comes_in_parts():
    names = [f"r{i}" for i in range(101)]
    table = Table("", [Column("", names, number=False), Column("n", range(101))], name="by_group")
    made = as_latex(table)
    captions = [line for line in made.splitlines() if r"\caption" in line]
    assert captions == [rf"\caption{{By group, part {i} of 3}}" for i in (1, 2, 3)]
    assert [part.count(" & r") + part.count("\nr") for part in made.split(r"\midrule")[1:]] == [
        40,
        40,
        21,
    ]
    assert r"\caption" not in as_latex(Table("", [Column("n", [1])]))


def test_headings_of_a_table_that_fits_only_with_stacked_ones_are_stacked():
    columns = [Column("votes", ["1"], number=False)]
    columns += [Column(f"passive learning with {n} votes on an item", [0.5]) for n in range(8)]
    made = as_latex(Table("Curves", columns))
    assert made.count(r"\begin{table}") == 1
    assert made.count(r"\begin{tabular}[b]{@{}r@{}}passive\\") == 8


def test_long_texts_of_a_long_table_are_broken_and_their_pages_have_fewer_rows():
    texts = [f"{'word ' * 40}{i}" for i in range(80)]
    short, long = Column("n", range(80)), Column("text", texts, number=False)
    made = as_latex(Table("T", [Column("who", [*"ab"] * 40, number=False), long, short]))
    pages = [part.count(r"word") // 40 for part in made.split(r"\end{tabular}")[:-1]]
    assert sum(pages) == 80 and max(pages) < 40
    assert made.count("p{") == len(pages)
    assert as_latex(Table("T", [short])).count(r"\end{tabular}") == 2


def test_tables_of_one_title_have_labels_of_their_own():
    same = [Table("Curves", [Column("", ["a"], number=False), Column("n", [n])]) for n in (1, 2, 3)]
    made = tables.files(of(*same), "latex")["tables.tex"]
    assert re.findall(r"label{(.*)}", made) == ["tab:curves", "tab:curves:2", "tab:curves:3"]


def test_options_keep_their_hyphens_and_dashes_stay():
    made = as_latex(Table("add --models – or not", [Column("", ["a"], number=False)]))
    assert r"\caption{add -{}-models -- or not}" in made


def with_intervals(models=3, studies=5):
    """A main table: models in rows, studies in columns, the parts of one under its name, intervals below."""
    names = Column("model", [f"model-{i}" for i in range(models)], number=False)
    whole = [
        Column(f"Study-{i} (%)", [50.0] * models, shown=["50.0", "100.0*", "7.0‡"],
               below=["[47.4, 58.6]"] * models)
        for i in range(studies)
    ]  # fmt: skip
    parts = [
        Column(f"{part} (SD)", [0.1] * models, below=[""] * models, group="SEAT")
        for part in ("gender", "race", "religion")
    ]
    return Table(
        "Measures of studies by model", [names, *whole, *parts],
        notes=["* significantly different from 50 (p < .05)."],
        file_notes=["In brackets: 95 % intervals (Wilson)."],
    )  # fmt: skip


def test_the_main_table_is_one_table_with_intervals_in_small_letters_below():
    made = as_latex(with_intervals())
    assert made.count(r"\begin{table}") == 1
    lines = made.splitlines()
    first = lines.index(r"\midrule") + 1
    assert lines[first].startswith("model-0 & 50.0 & 50.0 &")
    assert lines[first + 1].startswith(
        r" & {\scriptsize [47.4, 58.6]} & {\scriptsize [47.4, 58.6]} &"
    )
    assert lines[first + 2] == r"\addlinespace[2pt]"
    assert made.count(r"\addlinespace") == 2
    assert r"100.0\rlap{*}" in made and r"7.0\rlap{\textdaggerdbl{}}" in made
    assert r"\multicolumn{3}{c}{SEAT}" in made
    legend = made.split(r"\end{tabular}")[-1]
    assert legend.index("* significantly different") < legend.index("In brackets: 95 ")


def test_an_uneven_margin_has_its_ends_above_each_other():
    made = as_latex(Table("t", [Column("rate", [49.3], shown=["49.3 (+3.9 −3.8)*"])]))
    assert r"49.3\,$^{+3.9}_{-3.8}$\rlap{*}" in made


def test_a_part_of_a_table_leaves_out_rows_without_numbers():
    names = Column("category", ["all", "age", "race"], number=False)
    first = [Column(f"m{i}", ["9" * 36, "9" * 36, ""]) for i in range(2)]
    last = Column("seat", ["", "", "0" * 38])
    parts = as_latex(Table("t", [names, *first, last])).split(r"\midrule")
    assert ["race" in part for part in parts[1:]] == [False, True]
    assert ["age" in part for part in parts[1:]] == [True, False]


@needs_latex
@pytest.mark.parametrize("columns", [5, 6])
def test_the_main_table_stays_within_the_text(tmp_path, columns):
    assert complaints(tmp_path, as_latex(with_intervals(studies=columns))) == []
