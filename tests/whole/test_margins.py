"""Margins from the command line to every output: compare, before-after and audits with claims as gates."""

import csv
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

PROFILE = """
title = "Small"
margins = ["3", "2%"]

[[study]]
name = "starter_pairs"

[[study]]
name = "perplexity"
data = "starter_text"
"""


@pytest.fixture
def pair(tilt):
    """The folders of one study's runs with two models."""
    for model in ("masked", "causal"):
        assert tilt("run", "starter_pairs", f"fake:{model}", "--out", model)[0] == 0
    return "masked", "causal"


def folders(pair):
    return [str(next(Path(name).glob("starter_pairs-*"))) for name in pair]


def test_every_output_has_the_margin_and_the_verdict(tilt, pair):
    runs = folders(pair)
    code, said, _ = tilt("compare", *runs, "--margin", 40)
    assert code == 0
    assert "Equivalent within 40 points" in said
    code, said, _ = tilt("compare", *runs, "--margin", 40, "--json")
    whole = next(
        e for e in json.loads(said)["estimates"]
        if e["name"] == "stereotype_rate_difference" and not e["groups"]
    )  # fmt: skip
    made = whole["equivalence"]
    assert (made["margin"], made["verdict"], made["level"]) == ("40 points", "equivalent", 0.9)
    assert whole["low"] < made["low"] < made["high"] < whole["high"]
    for form, has in (("csv", "40 points"), ("latex", "equivalent"), ("markdown", "equivalent")):
        assert has in tilt("compare", *runs, "--margin", 40, "--format", form, "--all")[1]


@pytest.mark.parametrize(
    ("claim", "code", "word"),
    [
        ("stereotype_rate equivalent 40", 0, "passed"),
        ("stereotype_rate equivalent 3", 3, "undecided (margin 3 points"),
        ("stereotype_rate:bias_type=age equivalent 3", 3, "cannot be shown with fewer than"),
        ("stereotype_rate not_worse 3", 3, "neither a higher nor a lower value is better"),
    ],
)
def test_a_claim_is_a_gate_of_compare(tilt, pair, claim, code, word):
    left, _, said = tilt("compare", *folders(pair), "--fail-unless", claim)
    assert left == code
    assert word in said


def test_a_claim_is_a_gate_of_audits(tilt, tmp_path):
    (tmp_path / "small.toml").write_text(PROFILE)
    assert tilt("audit", "fake:masked", "--profile", "small.toml", "--out", "old")[0] == 0
    claims = [
        "--fail-unless",
        "stereotype_rate equivalent",
        "--fail-unless",
        "perplexity not_worse",
    ]
    files = ["--junit", "j.xml", "--sarif", "s.sarif"]
    code, said, err = tilt(
        "audit", "fake:causal", "--profile", "small.toml", "--against", "old", "--out", "new",
        *claims, *files,
    )  # fmt: skip
    assert code == 3
    assert "1 undecided, 1 undefined" in said.replace("\n", " ")
    assert "failed: --fail-unless 'stereotype_rate equivalent'" in err
    cases = ET.parse("j.xml").iter("error")
    assert [case.get("type") for case in cases] == ["undecided", "undefined"]
    results = json.loads((tmp_path / "s.sarif").read_text())["runs"][0]["results"]
    open_ = next(r for r in results if r["properties"]["status"] == "undecided")
    assert (open_["kind"], open_["level"]) == ("fail", "error")
    text = (tmp_path / "new" / "equivalence.csv").read_text("utf-8")
    rows = [*csv.DictReader(text.splitlines())]
    assert {row["margin"] for row in rows if row["verdict"] != "no verdict"} == {"3 points"}


def test_claims_without_a_reference_are_refused_before_anything_runs(tilt, tmp_path):
    (tmp_path / "small.toml").write_text(PROFILE)
    claim = ["--fail-unless", "stereotype_rate equivalent 2"]
    code, _, err = tilt("audit", "fake:causal", "--profile", "small.toml", *claim)
    assert code == 2
    assert "nothing that it could be equivalent to" in err
    code, _, err = tilt("compare", "a", "b", "--margin", "two")
    assert code == 2
    assert "is not [MEASURE=]NUMBER[%]" in err
