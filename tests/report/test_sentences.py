"""Findings and verdicts, made of what measures say of themselves."""

from dataclasses import replace

import pytest

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.study_views import Matrix
from tiltmeter.report.sentences import (
    also_found,
    caution,
    finding,
    headline,
    overview,
    p_words,
    significant_parts,
    verdict,
)

WINS = Meaning(
    "Share of wins",
    counts="pairs",
    sides=("shorter sentence", "longer sentence"),
    neutral_is="no preference",
    sentence="prefers the $above in $value of $n $counts",
)
RATE = Estimate(
    "wins", 57.3, 51.0, 63.4, 0.0132, 240, 50, "%", interval="Wilson", meaning=WINS
)  # fmt: skip
PLUGIN = Estimate("mean_margin", 0.12, 0.02, 0.21, 0.01, 8, 0.0, "nats")


def said(estimate: Estimate) -> str:
    return f"{finding(estimate, 'demo')} {verdict(estimate)}".replace("\u00a0", " ").strip()


def test_a_measure_is_told_in_its_own_words():
    assert said(RATE) == (
        "demo prefers the longer sentence in 57.3 % of 240 pairs, 95 % interval 51.0 to 63.4; no "
        "preference would be 50. A significant preference for the longer sentence (p = 0.0132)."
    )


def test_a_measure_that_declares_nothing_is_told_rightly():
    assert said(PLUGIN) == (
        "demo: mean margin is 0.120 nats over 8 items, 95 % interval 0.0200 to 0.210; the neutral "
        "value is 0. Significantly above the neutral value (p = 0.0100)."
    )
    level = replace(PLUGIN, level=0.9)
    assert "90\u00a0% interval" in finding(level)


def test_below_neutral_the_other_side_is_named_and_the_other_sentence_said():
    below = replace(RATE, value=42.7, low=36.6, high=49.0)
    assert "significant preference for the shorter sentence" in said(below)
    gap = replace(PLUGIN, value=-0.12, low=-0.2, high=-0.02,
                  meaning=Meaning(sentence="is $size longer", sentence_below="is $size shorter"))  # fmt: skip
    assert finding(gap, "demo").startswith("demo is 0.120\u00a0nats shorter, ")


@pytest.mark.parametrize("changed", [{"low": 49.9}, {"p": 0.05}, {"p_adjusted": 0.06}])
def test_what_is_not_significant_is_not_called_absent(changed):
    text = said(replace(RATE, **changed))
    assert "No significant preference (p = " in text
    plugin = {"low": -0.1} if "low" in changed else changed
    assert "Not significantly different from the neutral value" in said(replace(PLUGIN, **plugin))


def test_the_p_after_adjustment_is_the_one_that_is_named():
    assert "(p = 0.0264 after Holm’s adjustment)" in said(replace(RATE, p_adjusted=0.0264))
    by_rate = replace(RATE, p_adjusted=0.02, adjustment="Benjamini–Hochberg")
    assert "after Benjamini and Hochberg’s adjustment" in said(by_rate)


def test_undefined_gives_its_reason_and_no_number():
    missing = replace(RATE, value=None, low=None, high=None, p=None, why="every pair is tied")
    assert said(missing) == "demo: share of wins is undefined: every pair is tied."


def test_without_interval_and_test_nothing_is_claimed():
    bare = replace(RATE, low=None, high=None, p=None)
    assert "nothing says whether it differs" in said(bare)


@pytest.mark.parametrize("changed", [{"neutral": None}, {"meaning": Meaning(magnitude=True)}])
def test_of_what_has_no_neutral_value_no_verdict_is_given(changed):
    assert verdict(replace(PLUGIN, **changed)) == ""
    assert "neutral" not in finding(replace(PLUGIN, **changed))


def test_a_magnitude_has_its_note_as_verdict():
    size = replace(PLUGIN, meaning=Meaning(magnitude=True), why="5 would be expected by chance")
    assert verdict(size) == "5 would be expected by chance."


def test_one_item_is_said_in_the_singular():
    assert "of 1 pair," in finding(replace(RATE, n=1))
    assert "over 1 item," in finding(replace(PLUGIN, n=1))


def test_other_measures_with_a_sentence_of_their_own_are_said_too():
    sense = replace(RATE, name="sense", value=80.0, low=70.0, high=90.0,
                    meaning=Meaning(sentence="makes sense in $value"))  # fmt: skip
    variant = replace(sense, name="v", meaning=replace(sense.meaning, variant_of="wins"))
    part = replace(sense, groups={"a": "b"})
    assert also_found(RATE, [RATE, sense, variant, part, PLUGIN]) == [
        "It makes sense in 80.0\u00a0%, 95\u00a0% interval 70.0 to 90.0, p = 0.0132."
    ]


def test_a_wider_clustered_interval_is_held_against_the_headline():
    variant = replace(WINS, variant_of="wins")
    clustered = replace(RATE, name="c", low=48.0, high=66.0, p=None, meaning=variant)
    assert caution(RATE, [RATE, clustered], "writer") == (
        "But pairs from the same writer are not independent: allowing for that, the interval is "
        "48.0 to 66.0 and contains 50."
    )
    assert caution(RATE, [RATE, replace(clustered, low=50.5)], "writer") == ""
    assert caution(RATE, [RATE, replace(clustered, low=50.5, p=0.06)]).endswith(
        "the interval is 50.5 to 66.0, and it is not significant (p = 0.0600, although the interval "
        "excludes 50)."
    )
    assert caution(RATE, [RATE, replace(clustered, low=None, p=0.06)]).endswith(
        "allowing for that, it is not significant (p = 0.0600)."
    )
    assert caution(replace(RATE, low=49.0), [clustered], "writer") == ""
    assert caution(RATE, [replace(clustered, value=60.0)]) == ""  # another number


def test_subsets_without_a_test_are_not_said_to_have_a_p():
    one = Estimate("effect_size", 1.2, 0.3, 1.6, None, 7, 0, "", groups={"test": "t6"})
    assert "significant in 1 of 1 test (by their intervals, without a test)" in overview([one])
    assert "(p < .05)" in overview([replace(one, p=0.01)], "demo")


def test_cells_of_a_matrix_are_called_cells_and_labels_are_plain():
    cells = [
        Estimate("x", v, None, None, 0.01, 7, 0, "", groups={"who": g, "what": "w"})
        for g, v in (("a", 1.0), ("b", 2.0))
    ]
    text = overview(cells, "demo", {"who": {"b": "Bakers"}}, [Matrix("x", "who", "what")])
    assert "significant in 2 of 2 cells" in text
    assert text.endswith("is 2.00, of Bakers × w.")


def difference(name, value, p, *, n=40, low=None, high=None):
    return Estimate(
        "effect_size_difference", value, value - 1 if low is None else low,
        value + 1 if high is None else high, p, n, 0, "", groups={"test": name},
    )  # fmt: skip


def test_an_overview_names_what_is_significant_before_what_is_far():
    """The farthest value has a wide interval, or few items: neither is what the evidence carries."""
    rows = [
        difference("wide", 9.0, 0.4, low=-20, high=40), difference("few", 8.0, 0.001, n=3),
        difference("near", 2.0, 0.01), difference("other", 3.0, 0.02),
        difference("untested", 7.0, None, low=None, high=None),
    ]  # fmt: skip
    rows[-1] = replace(rows[-1], low=None, high=None)
    said = overview(rows, "demo")
    assert "significant in 2 of 4 tests (p < .05; 1 more is not tested)" in said
    assert said.endswith(
        "The farthest of these from the neutral value, 0, is 3.00 (95\u00a0% interval 2.00 to 4.00), of "
        "other."
    )
    none = overview([rows[0], replace(rows[1], p=0.6)], "demo")
    assert "significant in 0 of 2 tests" in none and none.endswith("of wide.")


def test_a_headline_does_not_hide_significant_subsets():
    whole = Estimate("ratio", 0.32, 0.13, 1.0, 0.08, 400, 1, "")
    race = replace(whole, value=0.38, high=0.8, p=0.01, p_adjusted=0.0192, groups={"axis": "race"})
    sex = replace(whole, value=0.9, p=0.4, p_adjusted=0.4, groups={"axis": "sex"})
    black = replace(race, name="impact", p_adjusted=0.008, groups={"race": "Black"})
    said = headline(whole, [whole, sex, black, race], "m")
    assert said.startswith(
        "m: ratio is significant for axis: race (0.380, p = 0.0192), impact for "
    )
    assert "race: Black (0.380, p = 0.00800) after Holm’s adjustment. Over all 400 items: " in said
    assert said.endswith("not significant (p = 0.0800).")
    undefined = replace(whole, value=None, low=None, high=None, p=None, why="nobody is chosen")
    assert "is undefined: nobody is chosen." in headline(undefined, [race], "m")
    for harmless in (
        replace(race, p_adjusted=0.06),
        replace(race, high=1.0),
        replace(race, meaning=Meaning(role="cost")),
        replace(race, meaning=Meaning(variant_of="other")),
    ):
        assert headline(whole, [whole, harmless], "m") == finding(whole, "m")
    surely = replace(whole, high=0.8, p=0.01)
    assert headline(surely, [surely, race], "m") == finding(surely, "m")
    by_template = replace(race, name="by", high=1.0, meaning=Meaning(variant_of="ratio"))
    assert not significant_parts(whole, [race, by_template])


@pytest.mark.parametrize(
    ("low", "high", "p", "said"),
    [
        (0.2, 1.0, 0.016, " (p = 0.0160, but the interval includes 1)"),
        (0.2, 0.9, 0.2, " (p = 0.200, although the interval excludes 1)"),
        (0.2, 0.9, 0.016, " (p = 0.0160)"),
        (0.2, 1.1, 0.2, " (p = 0.200)"),
        (None, None, 0.016, " (p = 0.0160)"),
    ],
)
def test_a_test_and_an_interval_that_differ_are_said_to(low, high, p, said):
    ratio = Estimate("ratio", 0.5, low, high, p, 90, 1.0, "")
    assert p_words(ratio) == said
    assert (said in verdict(ratio)) or ratio.significant is None
