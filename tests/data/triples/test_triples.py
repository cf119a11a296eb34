"""StereoSet's layout and tables of triples: what is read, what is refused, what is odd."""

import json
from collections import Counter

import pytest

from support import published
from tiltmeter.core.data.items import Triple
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.triples.cloze import ODDITIES, attribute, is_rebuilt, odd_kinds
from tiltmeter.data.triples.triples import read_triples

REBUILT = "stereoset/dev_rebuilt.json"


def candidate(label, sentence, name=None):
    return {
        "id": name or f"{label}: {sentence}",
        "sentence": sentence,
        "gold_label": label,
        "labels": [],
    }


def cluster(name="c1", context="The nurse is BLANK.", sentences=None, **named):
    three = sentences or [
        candidate("anti-stereotype", "The nurse is rough."),
        candidate("stereotype", "The nurse is kind."),
        candidate("unrelated", "The nurse is oblong."),
    ]
    return {
        "id": name, "target": "nurse", "bias_type": "profession", "context": context,
        "sentences": three, **named,
    }  # fmt: skip


@pytest.fixture
def write(tmp_path):
    def write(within=(), between=(), name="dev.json", text=None):
        path = tmp_path / name
        whole = {"version": "1", "data": {"intrasentence": within, "intersentence": between}}
        path.write_text(json.dumps(whole) if text is None else text, encoding="utf-8")
        return path

    return write


def test_a_cluster(write):
    data = read_triples(write([cluster()]))
    (triple,) = data.items
    assert triple.sentences == ("The nurse is kind.", "The nurse is rough.", "The nurse is oblong.")
    assert triple.attributes == ("kind", "rough", "oblong")
    assert triple.names[:2] == (
        "stereotype: The nurse is kind.", "anti-stereotype: The nurse is rough."
    )  # fmt: skip
    assert (triple.target, triple.domain, triple.task) == ("nurse", "profession", "intrasentence")
    assert triple.filled == triple.sentences
    assert [triple.filled[1][a:b] for a, b in triple.places[1]] == ["rough"]
    assert data.clusters == "target term"


def test_between_two_sentences(write):
    three = [
        candidate("stereotype", " She helps. "),
        candidate("anti-stereotype", "She sleeps."),
        candidate("unrelated", "Iron rusts."),
    ]
    (triple,) = read_triples(write([], [cluster(context="A nurse. ", sentences=three)])).items
    assert triple.task == "intersentence"
    assert triple.filled[0] == "A nurse. She helps."
    ((start, end),) = triple.places[0]
    assert triple.filled[0][start:end] == "She helps."


ALIGNED = ("He is old and new.", "She was late today.", "She is an artist.", "He isn't nice.")
"""Sentences that are not their contexts filled in."""


@pytest.mark.parametrize(
    ("context", "sentence", "found"),
    [
        ("The Swiss are BLANK.", "The Swiss are punctual.", "punctual"),
        ("The Swiss are BLANK.", "the swiss are Always On Time.", "Always On Time"),
        ("BLANK are Swiss.", "Bankers are swiss.", "Bankers"),
        ("He BLANKed it.", "He walked it.", "walk"),
        ("It was so.BLANK", "It was so.late", "late"),
        ("He is BLANK and BLANK.", "He is old and old.", "old"),
        ("He is BLANK and BLANK.", "He is old and new.", "old"),
        ("He is  BLANK .", "He is late.", "late"),
        ("She is a BLANK.", "She is an artist.", "artist"),
        ("He is BLANK.", "He isn't nice.", "nice"),
        ('So "BLANK" it is.', 'so "late" it is.', "late"),
        ("He is BLANK(s).", "He is cook(s).", "cook"),
        ("A (small) BLANK?", "A (small) man?", "man"),
        ("She is BLANK.", "She is .", ""),
        ("She is BLANK today.", "She was late today.", "late"),
        ("She is BLANK.", "She is.", ""),
    ],
)
def test_attributes(context, sentence, found):
    assert attribute(context, sentence) == found
    if found and sentence not in ALIGNED:
        assert is_rebuilt(context, found, sentence)


def test_several_blanks_are_filled_alike():
    triple = Triple("1", "intrasentence", "BLANK or not BLANK.", ("", "", ""), "t", "d",
                    ("tea", "a hat", "x"))  # fmt: skip
    assert triple.filled[1] == "a hat or not a hat."
    assert [triple.filled[1][a:b] for a, b in triple.places[1]] == ["a hat", "a hat"]


def bad(**changed):
    return [cluster(**changed)]


THREE = cluster()["sentences"]


@pytest.mark.parametrize(
    ("clusters", "says"),
    [
        (bad(sentences=[*THREE[:2], {**THREE[2], "gold_label": None}]), "no gold label"),
        (bad(sentences=[*THREE[:2], {"sentence": "The nurse is x."}]), "no gold label"),
        (bad(sentences=[*THREE[:2], candidate("other", "The nurse is x.")]), "gold label 'other'"),
        (bad(sentences=[*THREE[:2], THREE[1]]), "a second time"),
        (bad(sentences=[*THREE, candidate("unrelated", "The nurse is late.")]), "4 candidates"),
        (bad(sentences=THREE[:2]), "2 candidates"),
        (bad(context="The nurse is kind."), "no BLANK in the context"),
        (bad(context="  "), "the context text is empty"),
        (bad(context=None), "the context text is null"),
        (bad(sentences=[candidate("stereotype", "The nurse is ."), *THREE[::2]]),
         "stereotype candidate has an empty attribute"),
        (bad(sentences=[candidate("stereotype", " "), *THREE[::2]]),
         "stereotype candidate has an empty attribute"),
        (bad(sentences=[candidate("stereotype", "The nurse is rough."), *THREE[::2]]),
         "two of the candidates are the same"),
        (bad(target=""), "target is empty"),
        ([cluster(), cluster()], "is also at dev.json, intrasentence 1"),
        ([cluster("c0"), cluster("c1")], "sentence an id of its own"),
        (bad(sentences=[{**THREE[0], "id": "x"}, {**THREE[1], "id": "x"}, THREE[2]]),
         "two of its sentences have the same id"),
        (bad(sentences=[candidate("stereotype", "The nurse is BLANK."), *THREE[::2]]),
         "still holds BLANK"),
        (bad(target=["nurse"]), "target is empty"),
        (bad(target="\ud800"), "target holds half a character"),
        (["no object"], "not an object with id"),
        ([{"id": "c1"}], "not an object with id"),
    ],
)  # fmt: skip
def test_bad_clusters_are_named(write, clusters, says):
    path = write(clusters, [cluster("good", "A nurse came.", [
        candidate("stereotype", "She helps."), candidate("anti-stereotype", "She sleeps."),
        candidate("unrelated", "Iron rusts."),
    ])])  # fmt: skip
    with pytest.raises(BadItems, match=says) as found:
        read_triples(path)
    assert "dev.json, intrasentence" in str(found.value)
    assert "--skip-invalid" in str(found.value)
    data = read_triples(path, skip_invalid=True)
    assert data.items[-1].id == "good"
    assert len(data.invalid) == 1
    assert any("1 cluster was left out" in note.text for note in data.notes)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"data": {"intrasentence": [{"id": "a", ', "broken JSON"),
        ('{"data": {}}', "has no list `intrasentence`"),
        ("{}", "has no list `intrasentence`"),
        ('{"data": {"intrasentence": []}}', "no triple is left"),
        ("", "empty"),
    ],
)
def test_files_that_cannot_be_read(write, text, says):
    with pytest.raises(BadInput, match=says):
        read_triples(write(text=text))


TABLE = (
    "id,context,stereotype,anti_stereotype,unrelated,target,domain,group_region\n"
    "1,The nurse is BLANK.,The nurse is kind.,The nurse is rough.,The nurse is oblong.,nurse,job,n\n"
    "2,The chef is BLANK.,fat,thin,octal,chef,job,s\n"
    "3,A chef came.,He was loud.,He was calm.,Iron rusts.,chef,job,s\n"
)


def test_a_table(write):
    first, second, third = read_triples(write(name="mine.csv", text=TABLE)).items
    assert first.attributes == ("kind", "rough", "oblong")
    assert second.attributes == ("fat", "thin", "octal")
    assert second.sentences[0] == "The chef is fat."
    assert (third.task, third.attributes) == ("intersentence", ())
    assert dict(third.groups) == {"region": "s"}
    assert third.names == ("3/stereotype", "3/anti_stereotype", "3/unrelated")


def test_a_table_of_sentences_that_are_not_their_contexts(write):
    """They are aligned as in StereoSet's layout, and never put into the BLANK whole."""
    text = TABLE.splitlines()[0] + (
        "\n1,She is a BLANK woman.,She was a kind woman.,She was a rude woman.,She was a tall woman.,"
        "women,gender,n\n"
    )
    (triple,) = read_triples(write(name="mine.csv", text=text)).items
    assert triple.attributes == ("kind", "rude", "tall")
    assert odd_kinds(triple) == ["not rebuilt"]
    with pytest.raises(BadItems, match="empty attribute"):
        read_triples(write(name="mine.csv", text=text.replace("a kind woman", "a woman")))


def test_a_table_of_objects(write):
    row = {"context": "Chefs are BLANK.", "stereotype": "fat", "anti_stereotype": "thin",
           "unrelated": "octal", "target": "chef"}  # fmt: skip
    for name in ("mine.jsonl", "mine.json"):
        text = json.dumps(row) if name.endswith("l") else json.dumps([row])
        (triple,) = read_triples(write(name=name, text=text)).items
        assert triple.filled[2] == "Chefs are octal."


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (",target,", ",topic,", "no column named target"),
        ("2,The chef", "1,The chef", "the id '1' is also at mine.csv:2"),
        ("fat,thin", ",thin", "mine.csv:3: cluster '2': the stereotype candidate has an empty"),
        ("Iron rusts.", "", "mine.csv:4: cluster '3': the unrelated text is empty"),
    ],
)
def test_bad_tables(write, old, new, says):
    with pytest.raises((BadInput, BadItems), match=says):
        read_triples(write(name="mine.csv", text=TABLE.replace(old, new)))


def odd(context, *, task="intrasentence", sentences=None, fills=("a", "b", "c")):
    sentences = sentences or tuple(context.replace("BLANK", fill) for fill in fills)
    return set(odd_kinds(Triple("1", task, context, sentences, "t", "d", fills)))


def test_oddities():
    assert odd("It is BLANK.") == set()
    assert odd("It is BLANK!") == set()
    assert odd('It is "BLANK".') == set()
    assert odd("BLANK is it, BLANK.") == {"several blanks", "blank at the start"}
    assert odd("It BLANKed.") == {"glued blank"}
    assert odd("So.BLANK") == {"glued blank"}
    assert odd("It is BLANK!p") == {"glued blank"}
    assert odd("I am BLANK.", sentences=("i am a.", "i am b.", "i am c.")) == {"changed case"}
    assert odd("I am BLANK.", sentences=("I was a.", "I am b.", "I am c.")) == {"not rebuilt"}
    assert odd("A nurse came", task="intersentence") == {"no end mark"}
    assert odd('"A nurse came!"', task="intersentence") == set()
    assert set(ODDITIES) >= {"several blanks", "glued blank", "not rebuilt", "no end mark"}


@published.needs(REBUILT)
def test_the_development_set():
    data = read_triples(published.need(REBUILT))
    assert Counter(t.task for t in data.items) == {"intrasentence": 2106, "intersentence": 2123}
    assert len({t.target for t in data.items}) == 79
    terms = {(t.target, t.domain) for t in data.items}
    assert Counter(domain for _, domain in terms) == {
        "gender": 10, "profession": 30, "race": 36, "religion": 3,
    }  # fmt: skip
    assert not data.invalid
    counted = Counter(kind for triple in data.items for kind in odd_kinds(triple))
    assert counted == {
        "several blanks": 2, "glued blank": 4, "blank at the start": 19,
        "changed case": 793, "no end mark": 299,
    }  # fmt: skip
    assert all(all(t.attributes) for t in data.items if t.task == "intrasentence")


@published.needs(REBUILT)
def test_a_registered_set_is_known_by_its_content():
    """Also where its file is given by path: with its licence and its authors' warning."""
    from tiltmeter.studies import stereoset

    data = stereoset.load(published.need(REBUILT))
    assert (data.name, data.licence) == ("stereoset_rebuilt", "CC BY-SA 4.0")
    assert "offensive" in data.warning
    assert len(data.items) == 4229


@pytest.mark.parametrize(
    "word", ["BLNAK", "BLANC", "[BLANK", "____", "[MASK]", "<mask>", "[blank]"]
)
def test_a_misspelt_blank_is_not_a_context_for_whole_sentences(tmp_path, word):
    context = f"The nurse was {word}." if word != "[BLANK" else "The nurse was BLANNK."
    row = f"{context},calm,loud,purple,nurse,work"
    (tmp_path / "t.csv").write_text(
        f"context,stereotype,anti_stereotype,unrelated,target,domain\n{row}\n"
    )
    with pytest.raises(BadItems, match=r"t\.csv:2: .*and no BLANK; write BLANK"):
        read_triples(tmp_path / "t.csv")


def test_other_capitals_in_a_context_for_whole_sentences_are_fine(tmp_path):
    row = "NASA sent BLACK boxes to the UNITED States.,It ran.,It sat.,It fell.,box,work"
    (tmp_path / "t.csv").write_text(
        f"context,stereotype,anti_stereotype,unrelated,target,domain\n{row}\n"
    )
    assert read_triples(tmp_path / "t.csv").items[0].task == "intersentence"
