"""What reaches the model: only requests that nobody made before, whatever they were made for."""

import pytest

from faults.undisturbed import card, write_pairs
from tiltmeter.models.fake import FakeMasked


@pytest.fixture
def asked(tilt, tmp_path, monkeypatch):
    """Run, and say how many requests the model itself was given and how many the store answered."""
    given = []
    answer = FakeMasked.blank_logprobs
    monkeypatch.setattr(
        FakeMasked, "blank_logprobs", lambda model, rs: given.extend(rs) or answer(model, rs)
    )

    def call(study, *args, cache="cache"):
        given.clear()
        monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / cache))
        out = tmp_path / f"runs{len(list(tmp_path.iterdir()))}"
        code, _, err = tilt("run", study, "fake:masked", *args, "--out", out)
        assert code == 0, err
        run = card(out)["run"]
        assert run["asked"] == len(given) == len(set(given))
        return run["asked"], run["recalled"]

    return call


def test_a_second_rule_asks_what_the_first_did_not(asked, tmp_path):
    """|A| + |B without A| = |B| + |A without B|, and what is recalled is what both have."""
    data = ("--data", write_pairs(tmp_path / "d.csv", 12))
    a, b = ("--rule", "pll_shared"), ("--rule", "pll_all")
    first, _ = asked("pairs", *data, *a, cache="one")
    more, both = asked("pairs", *data, *b, cache="one")
    second, _ = asked("pairs", *data, *b, cache="two")
    rest, again = asked("pairs", *data, *a, cache="two")
    assert first + more == second + rest
    assert (both, again) == (second - more, first - rest)
    assert (first, rest) == (second - more, 0)  # all words of a sentence, or those the two share
    assert more == 24 * 2  # in each of 24 sentences one more word, of two pieces, is hidden


def test_a_rule_that_asks_otherwise_shares_nothing(asked, tmp_path):
    data = ("--data", write_pairs(tmp_path / "d.csv", 5))
    asked("pairs", *data)
    assert asked("pairs", *data, "--rule", "aul") == (
        10,
        0,
    )  # a sentence at once, and nothing hidden


def test_conventions_and_ties_ask_nothing(asked, tmp_path):
    data = ("--data", write_pairs(tmp_path / "d.csv", 5))
    first, _ = asked("crows_pairs", *data)
    for how in (("--convention", "nangia2020"), ("--ties", "loss"), ("--seed", 7), ("--no-text",)):
        assert asked("crows_pairs", *data, *how) == (0, first), how


def test_another_study_of_the_same_sentences_asks_nothing(asked, tmp_path):
    data = ("--data", write_pairs(tmp_path / "d.csv", 5))
    first, _ = asked("crows_pairs", *data)
    assert asked("pairs", *data) == (0, first)


def test_of_overlapping_data_only_the_new_is_asked(asked, tmp_path):
    low, high, new = (
        write_pairs(tmp_path / f"{i}.csv", *which)
        for i, which in enumerate(((10, 0), (10, 5), (5, 10)))
    )
    asked("pairs", "--data", low)
    rest, both = asked("pairs", "--data", high)
    alone, nothing = asked("pairs", "--data", new, cache="other")
    assert rest == alone
    assert nothing == 0
    assert both > 0


def test_fresh_asks_all_again(asked, tmp_path):
    data = ("--data", write_pairs(tmp_path / "d.csv", 5))
    first, _ = asked("pairs", *data)
    assert asked("pairs", *data, "--fresh") == (first, 0)
    assert asked("pairs", *data) == (0, first)
