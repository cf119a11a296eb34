"""Thresholds are checked against studies and their items before anything is loaded."""

import pytest

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import find
from tiltmeter.derived.audits.threshold_checks import check_declared, check_rows
from tiltmeter.derived.audits.thresholds import parse

STUDIES = {name: find("studies", name, "STUDY") for name in ("starter_pairs", "weat")}
DECLARED = {name: study.measures for name, study in STUDIES.items()}


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("starter_pair/stereotype_rate > 1", "Did you mean 'starter_pairs'"),
        ("weat/stereotype_rate > 1", "No measure named 'stereotype_rate'"),
        ("weat/effect_size:tets=weat1 > 1", "Did you mean 'test'"),
        ("stereotype_rate_difference > 1", "No measure named 'stereotype_rate_difference'"),
    ],
)
def test_what_no_study_declares(limit, message):
    with pytest.raises(UnknownName, match=message):
        check_declared(parse([limit]), DECLARED)


def test_differences_are_known_where_results_are_compared():
    check_declared(parse(["stereotype_rate_difference > 1"]), DECLARED, differences=True)


def test_a_number_that_covers_no_whole_is_refused():
    with pytest.raises(BadInput, match="not reported over all items"):
        check_declared(parse(["weat/effect_size > 1"]), DECLARED)


def test_a_value_must_be_in_the_items_of_one_of_the_studies():
    rows = [(name, s.measures, s.sample()) for name, s in STUDIES.items()]
    check_rows(parse(["stereotype_rate:bias_type=age > 1"]), rows)
    with pytest.raises(UnknownName, match="No value of bias_type named 'agee'"):
        check_rows(parse(["stereotype_rate:bias_type=agee > 1"]), rows)
