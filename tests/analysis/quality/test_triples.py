"""A set of triples described: counts, what is masked, what is said where something is missing."""

import sys

import pytest

import published
from tiltmeter.analysis.quality.labels import Labels
from tiltmeter.analysis.quality.triples import describe
from tiltmeter.core.errors import Undefined
from tiltmeter.core.items import Dataset, Triple
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


def test_make_up_by_hand():
    found = describe(MADE, reference=LARGE)
    assert (found.name, found.triples, found.terms) == ("made", 2, 2)
    within, between = 4.0, pytest.approx((7 + 7 + 5) / 3)  # the context of the second is 4 words
    assert [tuple(part) for part in found.by_domain] == [
        ({}, 2, 2, pytest.approx((12 + 19) / 6)),
        ({"task": "intrasentence"}, 1, 1, within),
        ({"task": "intersentence"}, 1, 1, between),
        ({"domain": "kin"}, 1, 1, between),
        ({"domain": "work"}, 1, 1, within),
        ({"task": "intrasentence", "domain": "work"}, 1, 1, within),
        ({"task": "intersentence", "domain": "kin"}, 1, 1, between),
    ]
    assert found.by_term == {("work", "nurse"): 1, ("kin", "aunt"): 1}
    odd = {kind: [t.id for t in members] for kind, members in found.odd.items()}
    assert odd == {
        "changed case": ["twice"],  # "Calm or calm" where the context gives "calm or calm"
        "several blanks": ["twice"],
        "blank at the start": ["twice"],
        "no end mark": ["open"],
    }
    assert found.notes == ("a note",)  # what is told as an oddity is not told twice


@pytest.mark.usefixtures("no_libraries")
def test_without_the_extra_the_rest_is_told_and_the_extra_named():
    found = describe(MADE, LABELS)
    assert found.sentiment is None and found.keywords is None and found.labels is not None
    assert "[analysis]" in found.why["sentiment"]
    own = describe(MADE, reference=LARGE)  # one's own list needs no library
    assert own.keywords is not None and own.keywords.reference == "made-up list"


def test_no_triples_are_not_described():
    with pytest.raises(Undefined, match="no triples"):
        describe(Dataset("none", "1", [], "here", "CC0"))


def test_the_sample_has_no_sentiment_that_is_not_finite():
    pytest.importorskip("vaderSentiment", reason="the extra [analysis] is not installed")
    found = describe(sample(), reference=LARGE)
    shares = [e for e in found.sentiment.estimates if e.groups.keys() == {"side"}]
    sides = list(dict.fromkeys(e.groups["side"] for e in shares))
    assert sides == ["stereotype", "anti_stereotype", "unrelated"]
    for side in sides:
        of_side = [e for e in shares if e.groups["side"] == side]
        assert [e.name for e in of_side] == ["positive", "neutral", "negative"]
        assert sum(e.value for e in of_side) == pytest.approx(100)
        assert all(e.low <= e.value <= e.high for e in of_side)
        assert {e.n for e in of_side} == {len(sample().items)}


def test_the_published_set_is_described():
    for library in ("vaderSentiment", "wordfreq"):
        pytest.importorskip(library, reason="the extra [analysis] is not installed")
    rebuilt = published.need(REBUILT)
    found = describe(read_triples(rebuilt))
    assert (found.triples, found.terms) == (4229, 79)
    parts = {tuple(part.groups.values()): part.triples for part in found.by_domain}
    assert parts["intrasentence",] == 2106
    assert max(found.by_term.items(), key=lambda item: item[1]) == (("race", "Ethiopia"), 63)
    counts = {kind: len(members) for kind, members in found.odd.items()}
    assert counts["several blanks"] == 2
    assert counts["blank at the start"] == 19
    assert found.labels is None
