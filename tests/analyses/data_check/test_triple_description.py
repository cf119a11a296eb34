"""A set of triples described: counts, what is masked, what is said where something is missing."""

import sys

import pytest

from support import published
from tiltmeter.analyses.data_check.human_labels import Labels
from tiltmeter.analyses.data_check.triple_description import describe_triples
from tiltmeter.core.data.items import Dataset, Triple
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Note
from tiltmeter.data.texts.frequencies import Reference
from tiltmeter.data.triples.triples import read_triples
from tiltmeter.studies.stereoset import sample

REBUILT = "stereoset/dev_rebuilt.json"
LARGE = Reference("made-up list", {})
NAMES = ("a", "b", "c")
ITEMS = [
    Triple(
        "twice", "intrasentence", "BLANK or BLANK nurses.",
        ("Calm or calm nurses.", "Loud or loud nurses.", "Zinc or zinc nurses."),
        "nurse", "work", ("calm", "loud", "zinc"), NAMES,
    ),
    Triple(
        "open", "intersentence", "My aunt came by", ("She was calm.", "She was loud.", "Rain."),
        "aunt", "kin", names=("d", "e", "f"),
    ),
]  # fmt: skip
NOTES = (Note("data", "a note"), Note("oddity", "no end mark, 1: as it is."))
MADE = Dataset("made", "1", ITEMS, "here", "CC0", notes=NOTES)
LABELS = Labels(
    {
        "a": ("stereotype",) * 5,
        "b": ("stereotype",) * 3 + ("anti-stereotype",) * 2,
        "c": ("unrelated",) * 5,
    },
    people=5,
)


@pytest.fixture
def no_libraries(monkeypatch):
    for name in ("vaderSentiment", "vaderSentiment.vaderSentiment", "wordfreq"):
        monkeypatch.setitem(sys.modules, name, None)
    from tiltmeter.models.judges import lexicon

    lexicon._analyser.cache_clear()
    yield
    lexicon._analyser.cache_clear()


def by_place(found):
    """The estimates by name and place."""
    return {(e.name, *e.groups.values()): e for e in found.estimates}


def test_make_up_by_hand():
    found = describe_triples(MADE, reference=LARGE)
    at = by_place(found)
    within, between = 4.0, pytest.approx((7 + 7 + 5) / 3)  # the context of the second is 4 words
    assert {
        place[1:]: (e.value, at["items", *place[1:]].value, at["words", *place[1:]].value)
        for place, e in at.items() if place[0] == "terms"
    } == {
        (): (2, 2, pytest.approx((12 + 19) / 6)),
        ("intrasentence",): (1, 1, within),
        ("intersentence",): (1, 1, between),
        ("kin",): (1, 1, between),
        ("work",): (1, 1, within),
        ("intrasentence", "work"): (1, 1, within),
        ("intersentence", "kin"): (1, 1, between),
    }  # fmt: skip
    assert at["items", "work", "nurse"].value == at["items", "kin", "aunt"].value == 1
    assert {(r.groups["form"], r.item) for r in found.records if r.kind == "odd"} == {
        ("changed case", "twice"),  # "Calm or calm" where the context gives "calm or calm"
        ("several blanks", "twice"),
        ("blank at the start", "twice"),
        ("no end mark", "open"),
    }
    assert at["odd", "no end mark"].value == 1
    assert found.notes[-1] == "a note"  # what is told as an oddity is not told twice


@pytest.mark.usefixtures("no_libraries")
def test_without_the_extra_the_rest_is_told_and_the_extra_named():
    found = describe_triples(MADE, LABELS)
    assert {"agreement"} <= {e.name for e in found.estimates} and found.method == ""
    assert "negative" not in {e.name for e in found.estimates}
    sentiment, keywords = found.notes[:2]
    assert sentiment.startswith("Sentiment: not available") and "[analysis]" in sentiment
    assert keywords.startswith("Keywords: not available")
    own = describe_triples(MADE, reference=LARGE)  # one's own list needs no library
    assert "made-up list" in own.method


def test_no_triples_are_not_described():
    with pytest.raises(Undefined, match="no triples"):
        describe_triples(Dataset("none", "1", [], "here", "CC0"))


def test_the_sample_has_no_sentiment_that_is_not_finite():
    pytest.importorskip("vaderSentiment", reason="the extra [analysis] is not installed")
    found = describe_triples(sample(), reference=LARGE)
    classes = ["positive", "neutral", "negative"]
    shares = [e for e in found.estimates if e.groups.keys() == {"side"} and e.name in classes]
    sides = list(dict.fromkeys(e.groups["side"] for e in shares))
    assert sides == ["stereotype", "anti_stereotype", "unrelated"]
    for side in sides:
        of_side = [e for e in shares if e.groups["side"] == side]
        assert [e.name for e in of_side] == classes
        assert sum(e.value for e in of_side) == pytest.approx(100)
        assert all(e.low <= e.value <= e.high for e in of_side)
        assert {e.n for e in of_side} == {len(sample().items)}


def test_the_published_set_is_described():
    for library in ("vaderSentiment", "wordfreq"):
        pytest.importorskip(library, reason="the extra [analysis] is not installed")
    rebuilt = published.need(REBUILT)
    found = describe_triples(read_triples(rebuilt))
    at = by_place(found)
    assert (at["items",].value, at["terms",].value) == (4229, 79)
    assert at["items", "intrasentence"].value == 2106
    by_term = {e.groups["target"]: e for e in found.estimates if "target" in e.groups}
    assert next(iter(by_term)) == "Ethiopia" and by_term["Ethiopia"].value == 63
    assert at["odd", "several blanks"].value == 2
    assert at["odd", "blank at the start"].value == 19
    assert "agreement" not in {e.name for e in found.estimates}
