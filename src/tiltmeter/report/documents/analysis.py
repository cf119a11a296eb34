"""The document of an analysis: the finding, a section for each title among its views, and the method.

Everything is read from the result's card, so a folder can be shown without the analysis that made it.
"""

from collections.abc import Callable

from tiltmeter.core.results import Card, Result
from tiltmeter.core.views import NumberTable, PrintedCells
from tiltmeter.report import document as doc
from tiltmeter.report.documents.conditions import intervals_and_tests
from tiltmeter.report.documents.estimate_tables import full_table
from tiltmeter.report.documents.view_builders import DocumentPart, Showing, built, leading_pictures
from tiltmeter.report.documents.views.view_files import file_names

FILES = ("card.json", "estimates.json", "records.parquet")
"""The files beside the page of every result."""
MOST_ESTIMATES = 2_000
"""The maximum number of estimates in the page's table of all numbers."""
SAID_ELSEWHERE = ("warning", "notes")
"""Facts about the data that the document shows in other places."""


def analysis_document(
    result: Result,
    *,
    show_text: bool = True,
    of_run: Callable[[Result], doc.Document] | None = None,
) -> doc.Document:
    """The document of an analysis or of a collection of runs.

    Args:
        result: The analysis, with its runs where it is a collection.
        show_text: Whether tables of records show their texts.
        of_run: Makes the document of one run, for views that show parts of it; None leaves those views out.
    """
    card = result.card
    sections = built([result], card.views, Showing(show_text=show_text, of_run=of_run))
    return doc.Document(
        card.title, card.subtitle, [doc.Text(paragraph.text, paragraph.kind) for paragraph in card.finding],
        [
            *(section for part, section in sections if part is not DocumentPart.LEADING),
            *([doc.Section("notes", "Notes", [doc.Lines([note.text for note in card.notes], on=doc.BOTH)])]
              if card.notes else []),
            doc.Section("in-short", "", [doc.Facts(_conditions(result))], on=doc.TERMINAL),
            doc.Section(
                "estimates", "All numbers",
                [full_table(result.estimates, card.labels, most=MOST_ESTIMATES)], on=doc.PAGE,
            ),
            doc.Section("method", "How it was computed", _method(result), on=doc.PAGE),
            doc.Section("repeat", "How to repeat it", _repeat(card), on=doc.PAGE),
        ],
        meaning=card.means, limits=card.limits, warning=str(card.data.get("warning") or ""),
        leading=leading_pictures(sections),
        # The tables and figures of a paper stand in its own order.
        begins_with_picture=not any(isinstance(view, PrintedCells) for view in card.views),
        files=[*FILES, *file_names(result)],
    )  # fmt: skip


def _conditions(result: Result) -> dict[str, str]:
    """Facts for the terminal: intervals and tests, what bold means, and what the result does not show."""
    card = result.card
    return {
        **intervals_and_tests(result.estimates),
        "Bold": "significant (p < .05, and the interval excludes the neutral value)"
        if any(e.significant for e in result.estimates)
        and not any(isinstance(v, NumberTable) and v.strong for v in card.views) else "",
        "What this does not show": card.limits,
    }  # fmt: skip


def _method(result: Result) -> list[doc.Block]:
    texts = [text for text in result.card.method.split("\n\n") if text]
    return [*map(doc.Text, texts), doc.Facts(intervals_and_tests(result.estimates))]


def _repeat(card: Card) -> list[doc.Block]:
    data = {k: v for k, v in card.data.items() if k not in SAID_ELSEWHERE}
    facts = {
        "model": {"name": card.model_name} if card.model else None, "convention": card.convention,
        **card.settings, "seed": card.seed, "data": data, "versions": dict(card.versions),
    }  # fmt: skip
    blocks: list[doc.Block] = [doc.Code(card.command)] if card.command else []
    return [*blocks, doc.Facts(facts), *(doc.Facts(dict(source)) for source in card.sources)]
