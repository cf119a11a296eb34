"""What is paired: the items that both scored."""

from dataclasses import replace

import pytest

from derived.comparisons.examples import named, result
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.derived.comparisons.compare import compare, compare_all
from tiltmeter.derived.comparisons.paired import between


def test_only_what_both_scored():
    a = result("A", [1, 1, -1], items=["x", "y", "z"])
    b = result("B", [-1, 1], items=["z", "x"])
    rate = named(compare(a, b), "stereotype_rate_difference")
    assert (rate.n, rate.value) == (2, 0)  # x: both more, z: both less
    assert "left out: 1 pair that A answers and B does not (y)" in rate.why


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"study": "winobias"}, "different studies"),
        ({"ties": "loss"}, "different ways to count ties"),
        ({"items": ["q"] * 3}, "no item in common"),
    ],
)
def test_what_cannot_be_compared(change, why):
    with pytest.raises(BadInput, match=why):
        compare(result("A", [1, 1, -1]), result("B", [1, 1, -1], **change))


def test_two_files_are_the_same_data_only_if_the_texts_are():
    a, b = result("A", [1, 1, -1]), result("B", [1, -1, -1], data={"sha256": "other"})
    assert "same texts" in named(compare(a, b), "stereotype_rate_difference").why
    changed = replace(b.records[1], texts={"more": "another", "less": "text"})
    b = replace(b, records=[b.records[0], changed, b.records[2]])
    with pytest.raises(BadInput, match=r"different data: 1 of 3 .*'p1'"):
        compare(a, b)
    unknown = [replace(r, texts={}) for r in a.records]
    with pytest.raises(BadInput, match="different data: 3 of 3"):
        compare(replace(a, records=unknown), replace(b, records=unknown))


def test_one_result_is_no_comparison():
    with pytest.raises(BadInput, match="two or more"):
        compare_all([result("A", [1])])


def test_results_that_cannot_be_compared_say_so():
    records = [Record("1", {"sos": 0.5}, {})]
    a, b = (replace(result(n, [1], study="sos_static", views=()), records=records) for n in "AB")
    with pytest.raises(BadInput, match="results of sos_static are not comparable"):
        compare(a, b)


def test_a_ratio_has_another_sign_between_the_names_than_a_difference():
    a, b = result("a", [1]), result("b", [1])
    for neutral, name in ((0.0, "a − b"), (1.0, "a ÷ b")):
        assert between(a, b, Estimate("d", 1.1, None, None, None, 3, neutral, "")).model == name
