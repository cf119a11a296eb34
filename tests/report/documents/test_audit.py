"""The document of an audit: what it says first, and that texts of items and foreign markup stay out."""

from dataclasses import replace

import pytest

import audits
from command_line import own_cache
from tiltmeter.analysis.thresholds import parse
from tiltmeter.core.finder import find
from tiltmeter.report.document import Items
from tiltmeter.report.documents.audit import audit_document
from tiltmeter.report.html import page
from tiltmeter.report.terminal import plain_text

__all__ = ["own_cache"]
EVIL = "<script>alert(1)</script>\u202e"


@pytest.fixture
def made(tmp_path):
    limits = parse(["stereotype_rate >= 0", "stereotype_rate > 100"])
    planned, made = audits.audit(tmp_path, thresholds=limits)
    return made, planned.studies


def test_the_summary_comes_first_and_says_everything(made):
    audit, studies = made
    text = plain_text(audit_document(audit, studies))
    failed = (
        "fake:masked fails this audit. Of 2 threshold checks: 1 crossed (stereotype_rate >= 0)."
    )
    assert text.startswith(failed)
    assert audit_document(audit, studies).finding[0].kind == "headline"
    lean = "fake:masked: no significant lean in any of 2 studies that test for one"
    assert text[len(failed) :].lstrip().startswith(lean)
    kept = replace(audit, outcomes=[one for one in audit.outcomes if not one.fails])
    assert plain_text(audit_document(kept, studies)).startswith(lean)
    assert "2 of 4 studies were not measured" in text
    for heading in ("The studies at a glance", "Thresholds", "Not measured"):
        assert f"\n{heading}\n" in text
    assert "Compared with" not in text


def test_the_page_has_a_section_a_study_with_its_picture_and_limits(made):
    audit, studies = made
    document = audit_document(audit, studies)
    titles = [section.title for section in document.sections if section.level == 2]
    assert {"WEAT", "Starter pairs"} <= set(titles)
    html = page(document)
    for name in ("weat", "starter_pairs"):
        assert studies[name].not_what[:60] in html.replace("&#39;", "'").replace("&#34;", '"')
    assert html.count("<svg") >= 2
    assert "tiltmeter audit …" in html
    ids = [section.id for section in document.sections]
    assert len(ids) == len(set(ids))


def test_texts_of_items_are_left_out(made):
    audit, studies = made
    document = audit_document(audit, studies)
    assert not [block for block in document.blocks() if isinstance(block, Items)]
    html = page(document)
    for pair in find("studies", "starter_pairs", "STUDY").load().items:
        assert pair.more not in html


def test_foreign_text_is_escaped(made):
    audit, studies = made
    bad = [replace(audit.unmeasured[0], why=EVIL)]
    html = page(audit_document(replace(audit, model=EVIL, unmeasured=bad, reference=EVIL), studies))
    assert "<script>" not in html
    assert "\u202e" not in html
    assert "&lt;script&gt;" in html
