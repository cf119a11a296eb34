"""An analysis ends in a result that says itself what it is."""

import pytest

from tiltmeter.core.analysis import Circumstances, Numbers, RunCollection, digest, finish, paths_of
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.quantity import computed, quantity
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Paragraph, Result

SHARE = quantity("share", "Share of votes", "share", counts="votes", unit="%", interval="Wilson")
COUNT = quantity("count", "Votes", decimals=0)


def words(numbers):
    return [Paragraph(f"{numbers['share'].value} of {len(numbers.all('share'))}", "headline")]


ANALYSIS = RunCollection(
    name="votes",
    title="Votes",
    version="2",
    means="means",
    not_what="limits",
    quantities=(SHARE, COUNT),
    words=words,
)
DATA = {"name": "polls", "sha256": "0"}


def test_an_estimate_has_what_its_quantity_says():
    e = SHARE.at(40.0, Inference(30.0, 50.0, p=0.01), n=90, groups={"town": "A"}, p_adjusted=0.02)
    assert (e.name, e.unit, e.interval, e.meaning.counts) == ("share", "%", "Wilson", "votes")
    assert (e.low, e.high, e.p, e.p_adjusted, e.adjustment) == (30.0, 50.0, 0.01, 0.02, "Holm")
    bare = SHARE.at(None, Inference(None, None, why="no votes"), why="closed")
    assert (bare.interval, bare.test, bare.why) == ("", "", "closed; no votes")


def test_what_finishes_has_a_card_with_the_sentences():
    town = SHARE.at(50.0, groups={"town": "A"})
    records = [Record("a", {"x": 1.0}, {}, kind="vote")]
    result = finish(
        ANALYSIS, [SHARE.at(40.0), town], Circumstances(DATA, convention="paper", seed=3), records
    )
    card = result.card
    assert (card.study, card.study_version, card.title, card.limits) == (
        "votes",
        "2",
        "Votes",
        "limits",
    )
    assert card.finding == (Paragraph("40.0 of 2", "headline"),)
    assert [*card.measures] == ["share"]
    assert card.coordinates == {
        "model": "", "data": "polls", "study": "votes", "rule": "", "convention": "paper",
    }  # fmt: skip
    assert {(e.study, e.convention) for e in result.estimates} == {("votes", "paper")}
    assert result.headline.value == 40.0 and card.counts["scored"] == 1


@pytest.mark.parametrize("axis", ["model", "data", "study", "rule", "convention", "measure"])
def test_no_axis_is_called_like_a_coordinate(axis):
    with pytest.raises(ValueError, match=f"an axis is called {axis}"):
        finish(ANALYSIS, [SHARE.at(1.0), SHARE.at(1.0, groups={axis: "x"})], Circumstances(DATA))


def test_one_number_is_over_everything():
    with pytest.raises(ValueError, match="over everything"):
        finish(ANALYSIS, [SHARE.at(1.0, groups={"town": "A"})], Circumstances(DATA))


def test_numbers_are_found_by_their_place():
    crossed = SHARE.at(1.0, groups={"town": "A", "year": "1"})
    numbers = Numbers(Card("votes", "1", {}, DATA), [crossed, SHARE.at(2.0, groups={"town": "A"})])
    assert [e.value for e in numbers.all("share", town="A")] == [1.0, 2.0]
    assert numbers.get("share", town="A").value == 2.0
    assert numbers.get("share") is None and numbers.get("share", town="B") is None
    with pytest.raises(KeyError, match="share"):
        numbers["share"]


def test_the_reason_stands_where_a_number_is_undefined():
    def no():
        raise Undefined("no answers")

    assert computed(lambda: 1.0, lambda: Inference(0.0, 2.0)) == (1.0, Inference(0.0, 2.0))
    assert computed(no, no) == (None, Inference(None, None, why="no answers"))
    assert computed(lambda: 1.0, no)[0] is None


def test_a_digest_tells_apart_what_went_in():
    assert len({digest("ab"), digest("a", "b"), digest("b", "a"), digest()}) == 4


def test_a_result_is_no_file():
    with pytest.raises(BadInput, match="result of votes"):
        paths_of([Result(Card("votes", "1", {}, DATA), (), ())])
