"""Sentences on wordings: these and others, too few of them, and what they explain."""

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.report.documents.wording_sentences import wording_sentences

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
