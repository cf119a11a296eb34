"""The picture of an audit's leans: a row a study, with its reason where it has no number."""

from dataclasses import replace

from report.made_audits import document, found, small
from tiltmeter.core.estimates import Estimate
from tiltmeter.derived.audits.audit_findings import finding_of, ranked
from tiltmeter.report.html import page


def glance(*findings):
    (picture,) = document(small(*findings)).leading
    return picture


def test_a_row_a_study_and_only_leans_are_filled():
    picture = glance(found("A", 80.0, 0.001, ("x", "y")), found("B", 51.0, 0.8))
    assert picture.wide.count('class="row"') == 2
    assert picture.wide.count('class="point clear"') == 1
    assert "towards y" in picture.wide
    assert "A filled mark is a significant lean" in picture.caption
    assert "Answered" not in picture.caption


def test_the_caption_names_only_marks_that_are_there():
    assert "All marks are hollow" in glance(found("B", 51.0, 0.8)).caption
    assert "All marks are filled" in glance(found("A", 80.0, 0.001)).caption


def test_an_unanswered_study_says_why_and_what_share_was_answered():
    one = found("A", 51.0, 0.8)
    counts = {"replies": 60, "answered": 6, "refused": 54, "total": 60, "scored": 60}
    card = replace(one.result.card, counts=counts)
    finding = finding_of("A", "A: of things", one.folder, replace(one.result, card=card))
    audit = small(finding)
    audit = replace(audit, findings=ranked(audit.findings, 0.8))
    (picture,) = document(replace(audit)).leading
    assert (
        "unanswered: 10.0 % of replies are answers" in picture.wide
        and "<circle" not in picture.wide
    )
    assert "Answered: the share of the model’s replies that are answers" in picture.caption


def test_of_many_tests_the_farthest_is_drawn():
    tests = [
        Estimate("effect", value, value - 0.3, value + 0.3, p, 16, 0.0, "", groups={"test": name})
        for name, value, p in (("x", 0.2, 0.4), ("y", -1.4, 0.001))
    ]
    base = found("A", 50.0, 0.5)
    finding = finding_of("A", "A: of things", base.folder, replace(base.result, estimates=tests))
    picture = glance(finding)
    assert (
        "farthest of 2 tests" in picture.wide and "−1.40" in picture.wide and "n 16" in picture.wide
    )


def test_the_page_shows_it_under_the_headline():
    made = page(document(small(found("A", 80.0, 0.001))))
    headline, picture = made.index('class="headline"'), made.index("<figure>")
    assert headline < picture < made.index("What it means")
