"""The document of an analysis."""

from tiltmeter.core.results import Card, Note, Paragraph, Result
from tiltmeter.core.views import TextLines
from tiltmeter.report.documents.analysis import analysis_document


def test_the_finding_the_views_and_what_they_rest_on():
    card = Card(
        "mine", "1", {}, {"name": "", "sha256": ""}, title="Mine", finding=[Paragraph("So.")],
        views=[TextLines("Said", ("a", "b"))], notes=[Note("data", "One was left out.")],
    )  # fmt: skip
    document = analysis_document(Result(card, [], []))
    titles = [section.title for section in document.sections]
    assert (document.title, document.finding[0].text) == ("Mine", "So.")
    assert titles == [
        "Said", "Notes", "", "All numbers", "How it was computed", "How to repeat it",
    ]  # fmt: skip
    assert document.files == ["card.json", "estimates.json", "records.parquet"]
