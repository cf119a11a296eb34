"""Which sentences of a text are asked about."""

import pytest

from support import published
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import notes_of
from tiltmeter.studies.perplexity import load

SETTINGS = {"sentences": "all", "shortest": "3", "longest": "6", "drawn": "0"}
TEXT = """The cat sat there. It slept all day. Too short.

The dog ran a very long way around the house. It slept all day. A <unk> came by.

Nobody was at home.
"""


@pytest.fixture
def text(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text(TEXT, encoding="utf-8")
    return file


def of(source, **settings):
    return load(source, settings=SETTINGS | settings)


def test_by_hand(text):
    data = of(text)
    assert [(s.id, s.text, s.cluster) for s in data.items] == [
        ("1/1", "The cat sat there.", "1"),
        ("1/2", "It slept all day.", "1"),
        ("3/1", "Nobody was at home.", "3"),
    ]
    assert data.notes == notes_of(
        "data",
        [
            "1 sentences hold <unk>, where words were removed, and are left out.",
            "2 have fewer than 3 or more than 6 words, and are left out too.",
            "1 are there twice, and are asked about once.",
        ],
    )
    assert (data.name, data.clusters) == ("mine.txt", "document")
    assert data.about == {"documents": "2 of 3", "sentences": "3 of 7"}


def test_a_larger_number_holds_all_of_a_smaller_one():
    few, more = (of("starter_text", longest="60", sentences=n) for n in ("10", "30"))
    assert (len(few.items), len(more.items)) == (10, 30)
    assert {s.id for s in few.items} < {s.id for s in more.items}
    places = [tuple(map(int, s.id.split("/"))) for s in more.items]
    assert places == sorted(places)  # in the order of the text
    other = of("starter_text", longest="60", sentences="10", drawn="1")
    assert {s.id for s in other.items} != {s.id for s in few.items}


def test_a_sentence_has_the_same_name_however_it_was_chosen():
    all_ = {s.id: s.text for s in of("starter_text", shortest="1", longest="60").items}
    assert len(all_) == 80
    assert all(all_[s.id] == s.text for s in of("starter_text", longest="12").items)


def test_of_one_document_sentences_stand_alone(tmp_path):
    file = tmp_path / "one.txt"
    file.write_text("The cat sat there. It slept all day.", encoding="utf-8")
    data = of(file)
    assert [s.cluster for s in data.items] == ["", ""]
    assert data.clusters == ""


def test_fewer_than_were_asked_for(text):
    assert of(text, sentences="500").notes[-1].text == "500 sentences were requested; only 3 fit."


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"sentences": "many"}, "sentences=many is not a whole number from 1 .* or all"),
        ({"sentences": "0"}, "sentences=0"),
        ({"longest": "-3"}, "longest=-3"),
        ({"drawn": "1.5"}, "drawn=1.5"),
        ({"shortest": "20", "longest": "30"}, "no sentence of 20 to 30 words is left"),
    ],
)
def test_what_cannot_be_asked_for(text, settings, why):
    with pytest.raises(BadInput, match=why):
        of(text, **settings)


def test_files_that_hold_no_text(tmp_path):
    (tmp_path / "empty.txt").write_text("\n\n...\n", encoding="utf-8")
    with pytest.raises(BadInput, match="it contains no sentences"):
        of(tmp_path / "empty.txt")
    (tmp_path / "table.csv").write_text("a,b\n", encoding="utf-8")
    with pytest.raises(BadInput, match="type of text file is not supported"):
        of(tmp_path / "table.csv")


@published.needs("wikitext2")
def test_the_registered_text():
    data = load()
    assert (data.name, data.licence, len(data.items)) == ("wikitext2", "CC BY-SA 3.0", 500)
    assert data.about == {"documents": "57 of 60", "sentences": "500 of 9,327"}
    assert data.notes[0].text.startswith("6,610 sentences hold <unk>")
    assert not any("@-@" in s.text or "<unk>" in s.text for s in data.items)
