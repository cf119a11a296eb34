"""What thresholds may say, and what becomes of them."""

import pytest

from tiltmeter.core.errors import BadInput, BadItems, UnknownName
from tiltmeter.core.estimates import Estimate
from tiltmeter.derived.audits import thresholds
from tiltmeter.derived.audits.thresholds import read_thresholds


@pytest.mark.parametrize(
    ("text", "name", "groups", "field", "bound"),
    [
        ("rate > 60", "rate", {}, "value", 60),
        (" rate.low>=-1.5 ", "rate", {}, "low", -1.5),
        ("rate:bias_type=disability > 70", "rate", {"bias_type": "disability"}, "value", 70),
        ("rate:a=b,c=d e.p < 1e-3", "rate", {"a": "b", "c": "d e"}, "p", 0.001),
        ("rate:name=v1.5 < .5", "rate", {"name": "v1.5"}, "value", 0.5),
    ],
)
def test_what_a_threshold_says(text, name, groups, field, bound):
    (limit,) = thresholds.parse([text])
    assert (limit.name, dict(limit.groups), limit.field) == (name, groups, field)
    assert limit.bound == bound


@pytest.mark.parametrize(
    "text", ["above sixty", "rate > ", "rate: > 3", "rate:=x > 3", "rate:a= > 3", "> 3"]
)
def test_what_is_none(text):
    with pytest.raises(BadInput, match="NAME SIGN NUMBER"):
        thresholds.parse([text])


def test_it_is_about_exactly_that_subset():
    (limit,) = thresholds.parse(["rate:a=b > 1"])
    of = {"low": None, "high": None, "p": None, "n": 1, "neutral": 0, "unit": ""}
    assert limit.matches(Estimate("rate", 1.0, groups={"a": "b"}, **of))
    assert not limit.matches(Estimate("rate", 1.0, groups={"a": "b", "c": "d"}, **of))
    assert not limit.matches(Estimate("rate", 1.0, **of))


def test_a_value_that_no_result_has_is_named_with_those_there_are():
    with pytest.raises(UnknownName, match="No estimate named 'rate'"):
        thresholds.judge(thresholds.parse(["rate > 1"]), [])


def test_a_study_before_the_slash_limits_it():
    (limit,) = thresholds.parse(["mine/rate > 1"])
    of = {"low": None, "high": None, "p": None, "n": 1, "neutral": 0, "unit": ""}
    assert limit.matches(Estimate("rate", 2.0, study="mine", **of))
    assert not limit.matches(Estimate("rate", 2.0, study="yours", **of))


def test_what_is_not_measured_is_undefined_and_fails_unless_it_is_a_warning():
    limits = [thresholds.parsed("rate > 1"), thresholds.parsed("rate > 1", level="warning")]
    outcomes = thresholds.judge(limits, [], why_missing=lambda _: "no data")
    assert [(o.status, o.fails, o.why) for o in outcomes] == [
        ("undefined", True, "no data"), ("undefined", False, "no data"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("study", "why"), [("mine", "none; did you mean rate:kind=race?"), ("yours", "none")]
)
def test_a_misspelt_value_is_answered_with_the_nearest_of_the_study(study, why):
    of = {"low": None, "high": None, "p": None, "n": 1, "neutral": 0, "unit": ""}
    race = Estimate("rate", 2.0, study="mine", groups={"kind": "race"}, **of)
    known = [thresholds.PrintedEstimate(race, {})]
    limits = [thresholds.parsed(f"{study}/rate:kind=rase > 1")]
    (outcome,) = thresholds.judge(limits, known, why_missing=lambda _: "none")
    assert (outcome.status, outcome.why) == ("undefined", why)


FILE = """
[[threshold]]
study = "mine"
fail_if = "rate.low > 55"
title = "Rate"
reason = "agreed in review"
level = "warning"

[[threshold]]
fail_if = "rate > 70"
"""


def written(tmp_path, text):
    file = tmp_path / "gates.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_what_a_file_says(tmp_path):
    first, second = read_thresholds(written(tmp_path, FILE))
    assert (first.study, first.name, first.field, first.bound) == ("mine", "rate", "low", 55)
    assert (first.level, first.title, first.reason) == ("warning", "Rate", "agreed in review")
    assert first.condition == "mine/rate.low > 55"
    assert (second.study, second.level) == ("", "error")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"has no threshold; write \[\[threshold\]\]"),
        ("[[threshold]]\nstudy = 'a'", r"threshold\[1\] has neither fail_if nor fail_unless"),
        ("[[threshold]]\nfail_if = 'x'", r"threshold\[1\] .*NAME SIGN NUMBER"),
        ("[[threshold]]\nfail_if = 'a/x > 1'\nstudy = 'b'", "another study"),
        (
            "[[threshold]]\nfail_if = 'x > 1'\nlevel = 'bad'",
            r"threshold\[1\].level is 'bad'; write",
        ),
        ("[[threshold]]\nfail_iff = 'x > 1'", "did you mean 'fail_if'"),
        ("threshold = [1]", r"threshold\[1\] is not a table"),
        ("limit = 1\n[[threshold]]\nfail_if = 'x > 1'", "unknown key 'limit'"),
    ],
)
def test_what_it_may_not_say(tmp_path, text, message):
    with pytest.raises(BadItems, match=message):
        read_thresholds(written(tmp_path, text))


def test_the_bare_name_of_a_measure_with_one_number_means_that_number():
    of = {"low": None, "high": None, "p": None, "n": 9, "neutral": 0, "unit": ""}
    alpha = [
        thresholds.PrintedEstimate(Estimate("alpha", 0.5, groups=groups, **of), {})
        for groups in (
            {"question": "tone"},
            {"question": "tone", "group": "a"},
            {"question": "tone", "group": "b"},
        )
    ]
    limits = thresholds.parse(["alpha < 0.667"])
    (outcome,) = thresholds.judge(limits, alpha)
    assert outcome.status == "failed" and outcome.estimate.groups == {"question": "tone"}
    other = thresholds.PrintedEstimate(Estimate("alpha", 0.9, groups={"question": "x"}, **of), {})
    with pytest.raises(UnknownName, match="No estimate named 'alpha'"):
        thresholds.judge(limits, [*alpha, other])


def test_an_outcome_says_what_its_number_leaves_out():
    of = {"low": None, "high": None, "p": None, "n": 56, "neutral": 0, "unit": ""}
    number = thresholds.PrintedEstimate(Estimate("rate", 2.0, why="left out: 4 samples", **of), {})
    (outcome,) = thresholds.judge(thresholds.parse(["rate > 3"]), [number])
    assert outcome.message.endswith("n 56; left out: 4 samples")
