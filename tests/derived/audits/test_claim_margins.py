import pytest

from tiltmeter.core.equivalence import Equivalence
from tiltmeter.core.equivalence_margins import EquivalenceMargins, read_margins
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.derived.audits.claim_margins import margins_with
from tiltmeter.derived.audits.threshold_checks import check_declared
from tiltmeter.derived.audits.thresholds import PrintedEstimate, judge, parse, read_thresholds

MEANING = Meaning("Ratio of perplexities", difference_of="perplexity", better="lower")


def judged(claim, low, high, why=""):
    made = Equivalence("2 %", 1 / 1.02, 1.02, low, high, 0.95, why)
    e = Estimate(
        "perplexity_ratio", 1.0, 0.98, 1.03, None, 80, 1.0, "", model="new − old", study="perplexity",
        meaning=MEANING, equivalence=made,
    )  # fmt: skip
    (outcome,) = judge(parse([], [claim]), [PrintedEstimate(e, {})])
    return outcome


@pytest.mark.parametrize(
    ("claim", "low", "high", "status"),
    [
        ("perplexity not_worse 2%", 0.95, 1.01, "passed"),
        ("perplexity not_worse", 0.95, 1.03, "undecided"),
        ("perplexity not_worse 2%", 1.01, 1.09, "failed"),
        ("perplexity not_worse", None, None, "undefined"),
        ("perplexity equivalent 2%", 0.99, 1.01, "passed"),
        ("perplexity/perplexity equivalent", 0.95, 1.01, "undecided"),
        ("perplexity_ratio equivalent", 1.03, 1.09, "failed"),
    ],
)
def test_a_claim_passes_only_where_it_is_shown(claim, low, high, status):
    outcome = judged(claim, low, high, "no interval" if low is None else "")
    assert outcome.status == status
    assert outcome.fails == (status != "passed")
    assert "--fail-unless" in outcome.message


def test_what_it_could_not_be_shown_with_is_in_the_message():
    said = judged("perplexity equivalent", 0.9, 1.1, "it cannot be shown with fewer than 52 pairs")
    assert said.message.endswith(
        "new − old: undecided (margin 2 %, interval 0.9 to 1.1 at 95 %; it cannot be shown with fewer "
        "than 52 pairs)"
    )


@pytest.mark.parametrize("text", ["perplexity", "equivalent 2", "perplexity equal 2", "a > 3"])
def test_what_is_no_claim_is_refused(text):
    with pytest.raises(BadInput, match="is not NAME equivalent or NAME not_worse"):
        parse([], [text])


def test_a_claim_brings_its_margin():
    made = margins_with(
        read_margins(["5"]), parse([], ["perplexity not_worse 2 %", "rate equivalent"])
    )
    assert [(m.measure, m.number, m.relative) for m in made.given] == [
        ("", 5.0, False), ("perplexity", 2.0, True),
    ]  # fmt: skip


def test_a_claim_without_any_margin_or_with_two_is_refused():
    with pytest.raises(BadInput, match="no margin is given"):
        margins_with(EquivalenceMargins(), parse([], ["rate equivalent"]))
    with pytest.raises(BadInput, match="rate is given two margins"):
        margins_with(read_margins(["rate=1"]), parse([], ["rate equivalent 2"]))


def test_without_a_reference_there_is_nothing_to_be_equivalent_to():
    with pytest.raises(BadInput, match="nothing that it could be equivalent to"):
        check_declared(parse([], ["rate equivalent 2"]), {})


def test_a_file_may_have_claims(tmp_path):
    file = tmp_path / "t.toml"
    file.write_text('[[threshold]]\nfail_unless = "rate equivalent 2"\ntitle = "As before"\n')
    (limit,) = read_thresholds(file)
    assert limit.source == "As before (not shown: rate equivalent 2)"
    file.write_text('[[threshold]]\nfail_unless = "rate equivalent 2"\nfail_if = "rate > 3"\n')
    with pytest.raises(Exception, match="has both fail_if and fail_unless"):
        read_thresholds(file)
