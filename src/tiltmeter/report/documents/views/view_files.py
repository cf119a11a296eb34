"""The CSV files of a result: one table for each view that has rows, whether or not the view is shown."""

from collections.abc import Callable, Mapping

from tiltmeter.core import comparison_views, views
from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import View
from tiltmeter.report import document as doc
from tiltmeter.report.documents.estimate_tables import full_table
from tiltmeter.report.documents.views.equivalence_table import equivalence_of
from tiltmeter.report.documents.views.number_table import number_file
from tiltmeter.report.documents.views.printed_cells import cells_file
from tiltmeter.report.documents.views.record_table import record_file, records_of


def analysis_files(result: Result, *, show_text: bool = True) -> Mapping[str, doc.Table]:
    """All tables that have rows, by the name of their CSV file, whether or not their views are shown."""
    made = {
        name: FILES[type(view)](result, view, show_text=show_text)
        for name, view in _file_views(result.card).items()
    }
    return {name: table for name, table in made.items() if table.rows}


def file_names(result: Result) -> list[str]:
    """The names of the CSV files that have rows.

    Tables of records, which can be long, are not made for this.
    """
    return [
        f"{name}.csv"
        for name, view in _file_views(result.card).items()
        if (
            any(records_of(result, view))
            if isinstance(view, views.RecordTable)
            else FILES[type(view)](result, view, show_text=True).rows
        )
    ]


def _file_views(card: Card) -> dict[str, View]:
    """The views that have a CSV file, by its name; if several have the same name, the last counts."""
    named = ((getattr(view, "name", ""), view) for view in card.views if type(view) in FILES)
    return {name: view for name, view in named if name}


FILES: Mapping[type[View], Callable[..., doc.Table]] = {
    views.NumberTable: lambda result, view, **_: number_file(result, view),
    views.RecordTable: lambda result, view, show_text: record_file(
        result, view, show_text=show_text
    ),
    views.PrintedCells: lambda result, view, **_: cells_file(result, view),
    comparison_views.EquivalenceTable: lambda result, view, **_: equivalence_of(result, view),
    comparison_views.ComparedRuns: lambda result, *_, **__: full_table(
        [e for e in result.estimates if e.model], result.card.labels
    ),
}
"""For each kind of view, a function of result, view and `show_text` that makes the table of its file."""
