"""Sections of the runs of an audit."""

from support import audits
from support.command_line import own_cache
from tiltmeter.report.audit_result import audit_result
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page

__all__ = ["own_cache"]


def test_the_page_has_a_section_a_study_with_its_picture_and_limits(tmp_path):
    planned, made = audits.audit(tmp_path)
    document = run_document(audit_result(made))
    titles = [section.title for section in document.sections if section.level == 2]
    assert titles.index("Not measured") < titles.index("Starter pairs") < titles.index("Data")
    assert "WEAT" in titles
    html = page(document)
    for name in ("weat", "starter_pairs"):
        not_what = planned.studies[name].not_what[:60]
        assert not_what in html.replace("&#39;", "'").replace("&#34;", '"')
    assert html.count("<svg") >= 2
    ids = [section.id for section in document.sections]
    assert len(ids) == len(set(ids))
