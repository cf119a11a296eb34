"""Which words of triples are counted, by hand, and the published sentences against the published table."""

import pytest

from support import published
from tiltmeter.analyses.data_check import triple_keywords
from tiltmeter.analyses.data_check.triple_keywords import keywords
from tiltmeter.core.data.items import Triple
from tiltmeter.core.errors import Undefined
from tiltmeter.data.texts.frequencies import Reference, english
from tiltmeter.data.triples.triples import read_triples

REBUILT = "stereoset/dev_rebuilt.json"
LARGE = Reference("made up", {"kind": 99.0, "the": 60_000.0})


def within(i, fills, target="nurse", domain="work"):
    context = "Our BLANK is late."
    whole = tuple(context.replace("BLANK", fill) for fill in fills)
    return Triple(str(i), "intrasentence", context, whole, target, domain, tuple(fills))


def between(i, sentences, target="nurse", domain="work"):
    return Triple(str(i), "intersentence", "It is late.", tuple(sentences), target, domain)


@pytest.fixture
def every_word(monkeypatch):
    """Words that occur once are keywords."""
    monkeypatch.setattr(triple_keywords, "LEAST", 1)


@pytest.mark.usefixtures("every_word")
def test_what_is_counted_by_hand():
    items = [
        within(1, ("kind", "very rude", "purple")),
        within(2, ("Kind", "rude", "purple"), target="chef"),
        between(3, ("The nurses are kind.", "The nurse's car.", "Purple purple.")),
    ]
    found = keywords(items, LARGE)
    # Of 2 + 3 + 4 + 3 = 12 words: within kind / very rude, Kind / rude; between the nurses are kind / the
    # nurse's car.
    rows = {row.word: row for row in found["work"]}
    assert set(rows) == {"kind", "very", "rude", "the", "are", "car"}  # no target, no unrelated
    kind = rows["kind"]
    assert (kind.stereotypes, kind.anti_stereotypes, kind.terms) == (3, 0, 2)
    assert kind.keyness == pytest.approx(250_001 / 100)
    assert rows["rude"].keyness == pytest.approx((2e6 / 12 + 1) / 1)
    assert (rows["the"].stereotypes, rows["the"].anti_stereotypes, rows["the"].terms) == (1, 1, 1)
    assert [row.word for row in found["work"]] == [
        "rude", "are", "car", "very", "kind", "the",
    ]  # fmt: skip


def test_rare_words_are_left_out_and_the_list_is_cut(monkeypatch):
    items = [between(i, ("So loud.", "So calm.", "So.")) for i in range(3)]
    items.append(between(9, ("Rare.", "So.", "So.")))
    found = keywords(items, LARGE)
    assert [row.word for row in found["work"]] == ["so", "calm", "loud"]
    monkeypatch.setattr(triple_keywords, "TOP", 1)
    assert [row.word for row in keywords(items, LARGE)["work"]] == ["so"]


@pytest.mark.usefixtures("every_word")
def test_a_target_is_left_out_only_in_its_own_domain():
    items = [
        between(1, ("A chef cooks.", "A chef swims.", "X."), target="chef", domain="work"),
        between(2, ("A chef cooks.", "A chef swims.", "X."), target="aunt", domain="kin"),
    ]
    found = keywords(items, LARGE)
    assert "chef" not in {row.word for row in found["work"]}
    assert "chef" in {row.word for row in found["kin"]}


def test_no_triples_have_no_keywords():
    with pytest.raises(Undefined, match="no triples"):
        keywords([], LARGE)


def test_published_keywords_are_found():
    """Table 3 is from the whole set and cut to stems; these of it are in the development part."""
    pytest.importorskip("wordfreq", reason="the extra [analysis] is not installed")
    rebuilt = published.need(REBUILT)
    found = keywords(read_triples(rebuilt).items, english())
    tops = {domain: {row.word for row in rows} for domain, rows in found.items()}
    assert {"nerdy", "bossy", "studious", "hardworking"} <= tops["profession"]
    assert {"wartorn", "uneducated", "turban", "impoverished", "wealthy"} <= tops["race"]
    assert {"uncaring", "masculine", "rowdy", "bossy", "immature", "feminine"} <= tops["gender"]
    assert {"terrorist", "peaceful"} <= tops["religion"]
