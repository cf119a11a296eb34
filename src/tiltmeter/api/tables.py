"""The public function that puts the numbers of several runs into one table, and what it returns."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tiltmeter.api.python_words import errors_for_python
from tiltmeter.api.results import RunResult
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Result
from tiltmeter.core.text import counted
from tiltmeter.data.published import published as published_table
from tiltmeter.derived.run_tables.printed_numbers import printed_numbers
from tiltmeter.derived.run_tables.run_table import RunTable, run_tables
from tiltmeter.derived.sources import in_listed_order, read_results
from tiltmeter.report.document import Document
from tiltmeter.report.documents.run_tables.run_table_notes import Intervals
from tiltmeter.report.documents.run_tables.run_table_page import run_table_document
from tiltmeter.report.fragment import fragment
from tiltmeter.report.rows import data_frame, to_pandas
from tiltmeter.report.tables import as_rows, as_text
from tiltmeter.report.terminal import plain_text

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

Run = str | Path | RunResult | Result


@dataclass(frozen=True, slots=True, repr=False)
class RunTables:
    """A table over several runs, or one for each study, in the formats of `tiltmeter table`.

    >>> import tiltmeter as tm
    >>> made = tm.table(tm.run("starter_pairs", "fake:masked"), rows="model", columns="study")
    >>> made.to_polars()["starter_pairs"].round(2).to_list()
    [45.19]
    >>> "booktabs" in made.to_latex() or "toprule" in made.to_latex()
    True
    """

    tables: Sequence[RunTable]
    """Which estimate is in which cell."""
    intervals: Intervals | None
    """Where intervals are shown; None decides by the number of columns."""
    sources: Sequence[str]
    """The papers that printed numbers come from."""

    def document(self) -> Document:
        """What the terminal and a notebook show."""
        return run_table_document(self.tables, intervals=self.intervals, sources=self.sources)

    def to_polars(self) -> "pl.DataFrame":
        """The table with raw numbers: a column each for values, the ends of intervals and p.

        Raises:
            BadInput: There are several tables, one for each study.
        """
        documents = [*self.document().tables()]
        if len(documents) > 1:
            raise BadInput(
                f"these are {counted(len(documents), 'tables')}, one for each study",
                "name rows and columns that they share, as rows=['model'], columns=['study']",
            )
        return data_frame(as_rows(documents[0]))

    def to_pandas(self) -> "pd.DataFrame":
        """The table with raw numbers as a pandas table; see `to_polars`.

        Raises:
            Unavailable: pandas is not installed.
        """
        return to_pandas(self.to_polars())

    def to_latex(self) -> str:
        r"""LaTeX for \usepackage{booktabs}, with the notes under each table."""
        return as_text(self.document(), "latex")

    def to_markdown(self) -> str:
        """Markdown, with the notes under each table."""
        return as_text(self.document(), "markdown")

    def __repr__(self) -> str:
        return plain_text(self.document()).strip("\n")

    def _repr_html_(self) -> str:
        return fragment(self.document(), tables=len(self.tables))


@errors_for_python()
def table(
    *runs: Run | Sequence[Run],
    rows: str | Sequence[str] = (),
    columns: str | Sequence[str] = (),
    measures: str | Sequence[str] = (),
    published: str | Sequence[str] = (),
    intervals: Intervals | None = None,
) -> RunTables:
    """Put the numbers of several runs into one table, as `tiltmeter table` does.

    >>> import tiltmeter as tm
    >>> runs = [tm.run("starter_pairs", model) for model in ("fake:masked", "fake:causal")]
    >>> tm.table(runs).to_polars().columns[:4]
    ['bias_type', 'n', 'fake:masked', 'fake:masked low']

    Args:
        *runs: Results or run folders of any studies; several, or one list.
        rows: What the rows are: model, data, study, rule, convention, measure, category, or an axis of the
            items such as "bias_type"; several are nested. () chooses what readers of such results expect.
        columns: What the columns are, as `rows`.
        measures: Which measures; () is each study's main one, or those that are read together.
        published: Names of papers' tables whose numbers stand beside yours.
        intervals: Where each number's interval stands; None decides by the number of columns.

    Raises:
        BadInput: A folder holds no run, two runs have a number for one cell, or no number has such rows and
            columns.
        UnknownName: No run has such a row, column or measure, or no paper such a table.
    """
    several = [run for given in runs for run in ([given] if isinstance(given, Run) else given)]
    bare = [run.result if isinstance(run, RunResult) else run for run in several]
    if not bare:
        raise BadInput("table needs at least one run", "give results or run folders")
    named, _ = read_results(bare)
    if not any(isinstance(run, Result) for run in bare):
        named = in_listed_order(named)
    results = [result for _, result in named]
    names = _names(published)
    made = run_tables(
        results, rows=_names(rows), columns=_names(columns), measures=_names(measures),
        printed=printed_numbers(names, results),
    )  # fmt: skip
    return RunTables(made, intervals, [f"{name}: {published_table(name).source}" for name in names])


def _names(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)
