"""Sentences on wordings: these and others, too few of them, and what they explain."""

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.report.documents.wording_words import (
    rank_sections,
    rank_sentences,
    wording_sentences,
)

HEAD = Estimate("rate", 61.0, 57.2, 64.7, 0.001, 300, 50, "%")


def other(low, high, why="", wordings=3):
    return Estimate(
        "rate_over_wordings", 61.0, low, high, None, 300, 50, "%", why, clusters=wordings
    )


def by(wording, value):
    return Estimate("rate", value, None, None, None, 100, 50, "%", groups={"wording": wording})


def test_one_wording_says_nothing():
    assert wording_sentences(HEAD, [HEAD]) == []


def said(*estimates, labels=None):
    """The only sentence, with plain spaces."""
    (sentence,) = wording_sentences(HEAD, [HEAD, *estimates], labels or {})
    return sentence.replace("\u00a0", " ")


def test_too_few_have_their_lowest_and_highest_and_no_interval():
    why = "no interval: it takes 5 wordings, and there are 3"
    values = [by("plain", 58.0), by("brief", 66.0), by("<said>", 59.0)]
    assert said(*values, other(None, None, why)) == (
        "This is about these 3 wordings, in which it is 58.0 % (plain) to 66.0 % (brief). For others there "
        "is no interval: it takes 5 wordings, and there are 3."
    )


def test_an_interval_that_excludes_the_neutral_value_says_only_what_it_is():
    assert said(other(52.0, 69.0, "it rests on 6 wordings", wordings=6)) == (
        "The interval 57.2 to 64.7 is about these 6 wordings. In wordings like these it is 52.0 to 69.0; it "
        "rests on 6 wordings."
    )


def test_the_variance_is_shared_out_the_wording_first():
    shares = [
        Estimate("rate_variance_share", share, low, high, None, 300, None, "%", groups={"source": source})
        for source, share, low, high in (("item", 30.0, None, None), ("wording", 12.0, 4.0, 37.0),
                                         ("repeat", 58.0, None, None))
    ]  # fmt: skip
    assert said(*shares, labels={"source": {"item": "question"}}) == (
        "Of the variance of single answers the wording explains 12.0 % (95 % interval 4.0 to 37.0), question "
        "30.0 %, repeat 58.0 %."
    )


def test_shares_of_another_measure_than_the_headline_name_it():
    meaning = Meaning("Refusal rate, share of variance")
    share = Estimate(
        "refused_variance_share", 5.0, None, None, None, 300, None, "%", groups={"source": "wording"},
        meaning=meaning,
    )  # fmt: skip
    assert (
        said(share)
        == "Of the variance of single answers (refusal rate) the wording explains 5.0 %."
    )


def rank(model, value, wording="", low=None, high=None, why=""):
    groups = {"wording": wording} if wording else {}
    return Estimate("model_rank", value, low, high, None, 9, None, "", why, groups, model=model,
                    meaning=Meaning("Rank by rate", caution="Rank 1 is the lowest."))  # fmt: skip


RANKS = [rank("b", 2.0, low=1.0, high=2.0), rank("a", 1.0, low=1.0, high=1.0), rank("b", 1.0, "x"),
         rank("a", 2.0, "x"), rank("b", 2.0, "y"), rank("a", 1.0, "y")]  # fmt: skip


def test_models_stand_in_their_order_with_a_column_for_each_wording():
    (section,) = rank_sections(RANKS)
    table = section.blocks[1]
    shown = {column.title: list(column.values) for column in table.columns}
    assert shown == {
        "Model": ["a", "b"],
        "All": [1, 2],
        "Range": ["1", "1 to 2"],
        "x": [2, 1],
        "y": [1, 2],
    }
    assert list(table.notes) == ["Rank 1 is the lowest."]


def test_without_ranges_the_reason_stands_below():
    (section,) = rank_sections(
        [rank("a", 1.0, why="no range: few"), rank("b", 2.0, why="no range: few")]
    )
    table = section.blocks[1]
    assert [column.title for column in table.columns] == ["Model", "All"]
    assert list(table.notes) == ["no range: few", "Rank 1 is the lowest."]


def test_a_single_first_is_named():
    assert rank_sentences(RANKS) == [
        "a, first over all, is first in 1 of 2 wordings. Its rank in wordings like these is 1."
    ]
    assert rank_sentences([rank("a", 1.0), rank("b", 1.0)]) == [] == rank_sentences([])
    assert rank_sections([]) == []
