"""Sentences of an audit."""

from dataclasses import replace
from pathlib import Path

import pytest

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.results import Card, Result
from tiltmeter.derived.audits.audit_findings import finding_of, ranked
from tiltmeter.derived.audits.model_audit import Audit, StudyChange
from tiltmeter.derived.audits.thresholds import Outcome, parsed
from tiltmeter.report.documents.audit_words import name_of, said_of_tests, summary

MEANING = Meaning(sides=("kind", "unkind"), neutral_is="no preference")


def found(label, value, p, mde=None):
    e = Estimate("rate", value, value - 5, value + 5, p, 80, 50, "%", mde=mde, meaning=MEANING)
    card = Card("s", "1", {"name": "m"}, {"name": "d"}, "r", "paper", "", 0, "", {})
    return finding_of(label, f"{label}: of something", Path(label), Result(card, (), [e]))


def audit(*findings, **other):
    return Audit("m", "quick", "Quick", ranked(findings), (), **other)


def said(made):
    return [text.text for text in summary(made)]


def test_what_leans_what_does_not_and_what_could_have_been_found():
    first, lean, level = said(audit(found("A", 70.0, 0.001), found("B", 51.0, 0.6, mde=9.0)))
    assert first == (
        "m: a significant lean in 1 of 2 studies that test for one, after adjusting for 2 tests."
    )
    assert lean.startswith("A: m: rate is 70.0\u00a0% over 80 items")
    assert level.startswith("No significant lean in 1 study: B (9.0\u00a0points). In brackets")


def test_changes_are_named_by_their_direction():
    now, before = found("A", 70.0, 0.001), found("A", 60.0, 0.001)
    moved = Estimate("d", 10.0, 5.0, 15.0, 0.01, 80, 0, "percentage points")
    change = StudyChange("A", "A: x", [moved], moved, (), now.lead, before.lead, 0.01, 0.02)
    *_, last = said(audit(now, reference="other", changes=[change]))
    assert last == "Compared with other: significantly farther from neutral in A (of 1 study)."
    cost = replace(change, now=replace(now.lead, meaning=Meaning(better="higher")))
    *_, last = said(audit(now, reference="other", changes=[cost]))
    assert last == "Compared with other: significantly better in A (of 1 study)."


@pytest.mark.parametrize(
    ("many", "words"),
    [
        (1, "The threshold is kept."),
        (2, "Both thresholds are kept."),
        (3, "All 3 thresholds are kept."),
    ],
)
def test_thresholds_that_are_kept_are_counted(many, words):
    kept = Outcome(parsed("rate > 90"), "passed", "m", "A", 70.0)
    assert words in said(audit(found("A", 70.0, 0.001), outcomes=[kept] * many))


def test_a_study_that_was_run_twice_is_told_apart_by_its_options():
    (one,) = ranked([found("A (rule aul)", 50.0, 0.9)])
    assert name_of(one).endswith("(rule aul)")


def test_tests_are_counted_again_where_items_of_one_source_count_as_one():
    def effect(kind, value, p, name="effect", **meaning):
        return Estimate(name, value, value - 0.5, value + 0.5, p, 80, 0, "", groups={"kind": kind},
                        p_adjusted=p, meaning=Meaning(**meaning))  # fmt: skip

    estimates = [
        effect("age", 1.0, 0.01), effect("race", 0.1, 0.8),
        effect("age", 1.0, 0.2, "clustered", variant_of="effect"),
        effect("race", 0.1, 0.9, "clustered", variant_of="effect"),
    ]  # fmt: skip
    card = Card("s", "1", {"name": "m"}, {"name": "d"}, "r", "paper", "", 0, "", {})
    (one,) = ranked([finding_of("A", "A", Path("A"), Result(card, (), estimates))])
    assert said_of_tests(one) == (
        "effect is significant in 1 of 2 tests (p < .05 after Holm’s adjustment). The largest of these is "
        "1.00 (95\u00a0% interval 0.500 to 1.50), of age. But items from one source are not independent: "
        "allowing for that, it is significant in 0 of 2."
    )
    assert one.verdict == "uncertain"
