import math

import pytest

from tiltmeter.core.equivalence_margins import POINTS, EquivalenceMargins, read_margins
from tiltmeter.core.errors import BadInput, UnknownName


def bounds(
    texts, measure="rate", unit=POINTS, *, is_ratio=False, least=0.0, most=100.0, reference=40.0
):
    return read_margins(texts).bounds(
        measure, unit, is_ratio=is_ratio, scale=(least, most), reference=lambda: reference
    )


@pytest.mark.parametrize(
    ("texts", "how", "expected"),
    [
        (["2"], {}, ("2 points", -2.0, 2.0)),
        (["1"], {}, ("1 point", -1.0, 1.0)),
        (["2", "rate=3"], {}, ("3 points", -3.0, 3.0)),
        (["2%"], {"unit": "", "is_ratio": True}, ("2 %", 1 / 1.02, 1.02)),
        (["5", "2%"], {"unit": "bits"}, ("2 %", -0.8, 0.8)),
        (["5", "2%"], {}, ("5 points", -5.0, 5.0)),
        (["d=0.2"], {"measure": "d", "unit": "bits"}, ("0.2 bits", -0.2, 0.2)),
    ],
)
def test_a_margin_is_in_points_a_share_or_the_unit_of_its_measure(texts, how, expected):
    made = bounds(texts, **how)
    assert (made.margin, made.least, made.most) == pytest.approx(expected)
    assert made.why == ""


@pytest.mark.parametrize(
    ("texts", "how", "why"),
    [
        (["2%"], {}, "could mean points, too; write --margin 2 "),
        (["rate=2%"], {}, "write --margin rate=2 for points"),
        (["2"], {"unit": "bits"}, "in points and this measure is in bits; write --margin rate="),
        (["2"], {"unit": "", "is_ratio": True}, "write --margin rate=2%"),
        (["rate=2"], {"unit": "", "is_ratio": True}, "divided by each other"),
        (["2%"], {"unit": "standard deviations", "least": -2.0}, "may be 0 or less"),
        (["2%"], {"unit": "bits", "reference": None}, "may be 0 or less"),
        (["other=2"], {}, "no margin is given for rate"),
    ],
)
def test_a_margin_of_another_kind_is_never_taken_for_one(texts, how, why):
    made = bounds(texts, **how)
    assert (made.least, made.most) == (None, None)
    assert why in made.why


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["two"], "is not [MEASURE=]NUMBER[%]"),
        (["0"], "a margin is above 0"),
        (["-2"], "a margin is above 0"),
        (["100"], "no difference is larger"),
        (["1e"], "1e is no number"),
        (["2", "3"], "given twice"),
        (["a=2", "a=3%"], "given twice for a"),
    ],
)
def test_what_is_no_margin_is_refused(texts, reason):
    with pytest.raises(BadInput, match=reason.replace("[", r"\[").replace("]", r"\]")):
        read_margins(texts)


def test_one_for_points_and_one_for_shares_stand_side_by_side():
    assert len(read_margins(["5", "2%", "perplexity=3%"]).given) == 3


def test_a_name_that_is_no_measure_is_refused():
    with pytest.raises(UnknownName, match="ratee"):
        read_margins(["ratee=2"]).check({"rate": (0.0, 100.0)})


def test_a_margin_as_wide_as_the_scale_is_refused():
    scales = {"kappa": (-1.0, 1.0), "perplexity": (1.0, math.inf)}
    read_margins(["kappa=1.9", "perplexity=5000"]).check(scales)
    with pytest.raises(BadInput, match="kappa=2: the scale ends at -1 and 1, so every"):
        read_margins(["kappa=2"]).check(scales)


def test_a_margin_for_all_measures_is_none_for_one_of_a_narrower_scale():
    assert bounds(["40"], most=50.0).why == ""
    assert "ends at 0 and 50" in bounds(["60"], most=50.0).why


def test_margins_given_go_before_those_of_a_profile():
    both = read_margins(["3", "a=1"]).over(read_margins(["5", "2%", "a=9"]))
    assert [(m.measure, m.number, m.relative) for m in both.given] == [
        ("", 2.0, True), ("", 3.0, False), ("a", 1.0, False),
    ]  # fmt: skip


def test_a_claim_cannot_give_a_measure_a_second_margin():
    both = read_margins(["5"]).adding(read_margins(["a=1"]))
    assert [m.measure for m in both.given] == ["", "a"]
    with pytest.raises(BadInput, match="a is given two margins"):
        read_margins(["a=2"]).adding(read_margins(["a=1"]))
    assert not EquivalenceMargins()
