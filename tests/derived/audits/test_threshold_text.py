"""The text of a threshold: what it says, and that any estimate can be written and read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.derived.audits.threshold_text import FIELDS, address, read_condition

PARTS = [
    "a",
    "b1",
    " ",
    '"',
    ",",
    "=",
    ":",
    "/",
    ".",
    "<",
    ">",
    "×",
    "é",
    "'",
    "\n",
    ".low",
    " (x)",
    ">= 3",
]
ANY = st.lists(st.sampled_from(PARTS), min_size=1, max_size=6).map("".join)


@pytest.mark.parametrize(
    ("text", "subset", "printed"),
    [
        ("rate:race=Black > 1", {"race": "Black"}, ""),
        ("rate:race = Black , sex = f > 1", {"race": "Black", "sex": "f"}, ""),
        ("rate:race=Black, African > 1", {"race": "Black, African"}, ""),
        ('rate:race="Black, sex=f" > 1', {"race": "Black, sex=f"}, ""),
        ('rate:"a=b"=c=d > 1', {"a=b": "c=d"}, ""),
        ('rate:said="say ""no""" > 1', {"said": 'say "no"'}, ""),
        ('rate:screen=5" wide > 1', {"screen": '5" wide'}, ""),
        ("rate:age=over 60 > 60 > 1", {"age": "over 60 > 60"}, ""),
        ("rate:Black × male > 1", {}, "Black × male"),
        ("rate:bias type: age > 1", {}, "bias type: age"),
        ("rate:all > 1", {}, "all"),
        ("BBQ score, ambiguous contexts > 1", {}, ""),
    ],
)
def test_what_a_subset_says(text, subset, printed):
    made = read_condition(text)
    assert (dict(made.subset), made.printed, made.bound) == (subset, printed, 1)


@pytest.mark.parametrize(
    ("text", "study", "measure"),
    [
        ("mine/rate > 1", "mine", "rate"),
        ("bbq (limit 5)/accuracy > 1", "bbq (limit 5)", "accuracy"),
        ('"a/b"/rate > 1', "a/b", "rate"),
        ('"A/B rate" > 1', "", "A/B rate"),
        ('mine/"A/B: rate":x=y.low > 1', "mine", "A/B: rate"),
    ],
)
def test_the_study_and_the_measure(text, study, measure):
    made = read_condition(text)
    assert (made.study, made.measure) == (study, measure)


@given(ANY, st.dictionaries(ANY, ANY, max_size=3), st.sampled_from(FIELDS), st.floats(-9, 9))
def test_what_is_written_is_read_back(measure, subset, field, bound):
    made = read_condition(f"{address(measure, subset)}.{field} >= {bound!r}")
    assert (made.measure, dict(made.subset), made.printed) == (measure, subset, "")
    assert (made.field, made.sign, made.bound, made.study) == (field, ">=", bound, "")
    assert made.address == address(measure, subset)


@given(ANY, ANY, ANY)
def test_a_study_and_a_printed_subset_are_read_back(study, measure, printed):
    made = read_condition(f"{address(measure, {}, study=study, printed=printed)} < 1")
    assert (made.study, made.measure, made.printed, made.field) == (
        study,
        measure,
        printed,
        "value",
    )
