"""The tables of Nangia et al. 2020: parts and wholes agree."""

from collections import Counter

import pytest

from tiltmeter.data.published import published

BIAS = published("nangia2020_bias")
SHARES = published("nangia2020_shares")
CONFIDENCE = published("nangia2020_confidence")
MODELS = ("bert-base-uncased", "roberta-large", "albert-xxlarge-v2")
PAIRS = 1508
ROUNDED = 0.05 + 1e-9
"""How far a number is from what is printed with one decimal."""


def rows(model, axis):
    """(n, printed) of the parts of CrowS-Pairs by this axis."""
    of_model = [f for f in BIAS.numbers if f.model == model and f.places[axis]]
    return [(int(f.places["n"]), f.value) for f in of_model if f.places["study"] == "crows_pairs"]


def test_tables_are_whole():
    assert Counter(f.model for f in BIAS.numbers) == dict.fromkeys(MODELS, 15)
    assert [len(t.numbers) for t in (SHARES, CONFIDENCE, published("nangia2020_validity"))] == [
        12,
        3,
        4,
    ]
    sizes = {f.places["row"]: int(f.places["n"]) for f in BIAS.numbers}
    assert [sizes[name] for name in ("WinoBias-ground", "WinoBias-knowledge", "StereoSet")] == [
        396,
        396,
        2106,
    ]


def test_what_was_written_and_removed_leaves_the_pairs():
    of = {f.places["what"]: f.value for f in published("nangia2020_collection").numbers}
    removed = of["removed in validation"] + of["removed for full overlap"]
    assert of["collected"] - removed == of["pairs"] == PAIRS


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(("axis", "parts"), [("bias_type", 9), ("direction", 2)])
def test_parts_make_the_whole(model, axis, parts):
    """Each part is rounded, so that their mean may be off by .05, and the printed whole as much."""
    found = rows(model, axis)
    assert len(found) == parts
    assert sum(n for n, _ in found) == PAIRS
    whole = BIAS.find(model=model, row="CrowS-Pairs")
    assert sum(n * value for n, value in found) / PAIRS == pytest.approx(whole, abs=2 * ROUNDED)


def test_bias_types_give_the_whole_to_the_digit():
    for model in MODELS:
        mean = sum(n * value for n, value in rows(model, "bias_type")) / PAIRS
        assert abs(mean - BIAS.find(model=model, row="CrowS-Pairs")) < ROUNDED


def test_shares_are_those_of_the_pairs():
    for figure in SHARES.numbers:
        n = int(figure.places["n"])
        assert abs(100 * n / PAIRS - figure.value) < ROUNDED
        assert all(
            f.places["n"] == str(n) for f in BIAS.numbers if f.places["row"] == figure.places["row"]
        )


def test_what_the_text_says_of_the_table():
    """ "BERT and ALBERT perform 4.2 and 4.4 percentage points better on anti-stereotyping examples"; "the
    models that score worse on our primary metric also tend to become more confident"."""
    better = {
        model: round(
            BIAS.find(model=model, direction="stereo")
            - BIAS.find(model=model, direction="antistereo"),
            1,
        )
        for model in MODELS
    }
    assert better == dict(zip(MODELS, (4.2, 14.9, 4.4), strict=True))
    by_rate = sorted(MODELS, key=lambda m: BIAS.find(model=m, row="CrowS-Pairs"))
    assert by_rate == sorted(MODELS, key=lambda m: CONFIDENCE.find(model=m))


def test_the_highest_score_of_physical_appearance_is_not_the_underlined_one():
    scores = {m: BIAS.find(model=m, bias_type="physical-appearance") for m in MODELS}
    assert max(scores, key=lambda m: scores[m]) == "roberta-large"
    assert any("RoBERTa's 68.3 is higher" in note for note in BIAS.notes)
