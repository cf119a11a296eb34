"""The CSV files of a result: a table for each view that has one, whatever the terminal and the page show."""

from collections.abc import Callable, Mapping

from tiltmeter.core import analysis_views as views
from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import View
from tiltmeter.report import document as doc
from tiltmeter.report.documents.estimate_tables import full_table
from tiltmeter.report.documents.views.number_table import number_file
from tiltmeter.report.documents.views.printed_cells import cells_file
from tiltmeter.report.documents.views.record_table import record_file, records_of


def analysis_files(result: Result, *, show_text: bool = True) -> Mapping[str, doc.Table]:
    """Every table by the name of its CSV, whatever the terminal and the page show."""
    made = {
        name: FILES[type(view)](result, view, show_text=show_text)
        for name, view in _file_views(result.card).items()
    }
    return {name: table for name, table in made.items() if table.rows}


def file_names(result: Result) -> list[str]:
    """The names of the CSV files that have a row; without making the tables of many records."""
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
    """The views that have a CSV, by its name; of one name the last."""
    named = ((getattr(view, "name", ""), view) for view in card.views if type(view) in FILES)
    return {name: view for name, view in named if name}


FILES: Mapping[type[View], Callable[..., doc.Table]] = {
    views.NumberTable: lambda result, view, **_: number_file(result, view),
    views.RecordTable: lambda result, view, show_text: record_file(
        result, view, show_text=show_text
    ),
    views.PrintedCells: lambda result, view, **_: cells_file(result, view),
    views.ComparedRuns: lambda result, *_, **__: full_table(
        [e for e in result.estimates if e.model], result.card.labels
    ),
}
"""What makes the table of a result, a view and `show_text`, by the kind of view."""
