"""Tables from archives as authors lay them out: made-up ones of the same layout, from a local server."""

import hashlib
import io
import json
import tarfile
import zipfile
from dataclasses import replace

import pytest

from servers.hub_fixtures import hub
from tiltmeter.core.errors import BadInput, Unavailable
from tiltmeter.data.downloads.registry import known_sets
from tiltmeter.data.texts import corpus as corpora
from tiltmeter.data.texts.archived_sets import MADE_BY, named_table
from tiltmeter.data.texts.inference_pairs import InferencePair, read_inference_pairs
from tiltmeter.data.texts.labelled_rows import read_labelled

__all__ = ["hub"]


def zipped(files):
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w") as parcel:
        for name, text in files.items():
            parcel.writestr(name, text)
    return to.getvalue()


def tarred(files):
    to = io.BytesIO()
    with tarfile.open(fileobj=to, mode="w:gz") as roll:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            roll.addfile(member, io.BytesIO(text.encode()))
    return to.getvalue()


def pair(label, premise, hypothesis, number):
    return json.dumps(
        {"gold_label": label, "sentence1": premise, "sentence2": hypothesis, "pairID": number,
         "annotator_labels": [label], "sentence1_binary_parse": "( x )"}
    )  # fmt: skip


PAIRS = "\n".join(
    [
        pair("neutral", "A clerk waits.", "A clerk is late.", "1"),
        pair("-", "A clerk waits.", "Nobody is there.", "2"),
        pair("entailment", "A nurse sang.", "Somebody sang.", "3"),
    ]
)
RELATIONS = (
    "oEffect",
    "oReact",
    "oWant",
    "xAttr",
    "xEffect",
    "xIntent",
    "xNeed",
    "xReact",
    "xWant",
)


def atomic():
    def row(event, **tails):
        lists = (json.dumps(tails.get(name, [])).replace('"', '""') for name in RELATIONS)
        return ",".join([event, *(f'"{cells}"' for cells in lists), '"[]"', "trn"]) + "\n"

    head = f"event,{','.join(RELATIONS)},prefix,split\n"
    return (
        head
        + row("PersonX plays a ___ in the war", xAttr=["brave", "none"], oReact=["none"])
        + row("PersonX sings to PersonY", oWant=["to thank, warmly"])
    )


ARCHIVES = {
    "snli": zipped({"snli_1.0/snli_1.0_train.jsonl": PAIRS, "snli_1.0/snli_1.0_dev.jsonl": "x"}),
    "multinli": zipped({"multinli_1.0/multinli_1.0_train.jsonl": PAIRS}),
    "atomic": tarred({"README.md": "x", "v4_atomic_trn.csv": atomic()}),
    "imdb": tarred(
        {
            "aclImdb/README": "x",
            "aclImdb/train/pos/0_9.txt": "Grand.<br /><br />I wept.",
            "aclImdb/train/neg/0_1.txt": "Dull. I slept.",
            "aclImdb/train/unsup/0_0.txt": "No label.",
            "aclImdb/test/neg/7_2.txt": "Dull too.",
        }
    ),
    "sst": zipped(
        {
            "stanfordSentimentTreebank/datasetSentences.txt": "sentence_index\tsentence\n"
            "1\tA grand film .\n2\tDull | and long .\n3\tDamaged cafÃ© .\n",
            "stanfordSentimentTreebank/datasetSplit.txt": "sentence_index,splitset_label\n1,1\n2,2\n3,3\n",
            "stanfordSentimentTreebank/dictionary.txt": "A grand film .|7\nDull | and long .|8\nfilm|9\n",
            "stanfordSentimentTreebank/sentiment_labels.txt": "phrase ids|sentiment values\n"
            "7|0.9\n8|0.1\n9|0.5\n",
        }
    ),
}


@pytest.fixture
def served(hub, monkeypatch, tmp_path):
    """The registered sets with the checksums of made-up archives, which a mirror serves."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TILTMETER_DATA", raising=False)
    monkeypatch.setenv("TILTMETER_MIRROR", f"{hub.endpoint}/mirror/")
    for name, content in ARCHIVES.items():
        known = known_sets()[name]
        (file,) = known.files
        made = replace(file, sha256=hashlib.sha256(content).hexdigest(), size=len(content))
        monkeypatch.setitem(known_sets(), name, replace(known, files=(made,)))
        hub.plain[f"/mirror/{file.path}"] = content
    return hub


def rows(name):
    return [json.loads(line) for line in named_table(name).read_text("utf-8").splitlines()]


def test_every_set_has_an_archive_to_make_its_table_from():
    assert MADE_BY.keys() == ARCHIVES.keys() <= known_sets().keys()
    for name in MADE_BY:
        (file,) = known_sets()[name].files
        assert len(file.sha256) == 64 and file.size > 10**6 and file.url.startswith("https://")


@pytest.mark.usefixtures("served")
@pytest.mark.parametrize("name", ["snli", "multinli"])
def test_pairs_without_an_agreed_label_are_left_out(name):
    assert [row["label"] for row in rows(name)] == ["neutral", "entailment"]
    read = read_inference_pairs(name, "nli")
    assert read.pairs == (InferencePair("A clerk waits.", "neutral", "A clerk is late."),)
    assert read.left_out == {"of another relation": 1}


@pytest.mark.usefixtures("served")
def test_events_have_a_row_for_each_relation_with_tails():
    assert [(row["relation"], row["tails"]) for row in rows("atomic")] == [
        ("oReact", ["none"]), ("xAttr", ["brave", "none"]), ("oWant", ["to thank, warmly"]),
    ]  # fmt: skip
    read = read_inference_pairs("atomic", "if-then")
    assert read.pairs == (
        InferencePair("A person plays a something in the war.", "xAttr", "brave"),
        InferencePair("A person sings to another person.", "oWant", "to thank, warmly"),
    )
    assert read.left_out == {"without a hypothesis (none)": 2}


@pytest.mark.usefixtures("served")
def test_reviews_are_positive_or_negative_and_say_their_part():
    data = read_labelled("imdb", "")
    assert [(r.id, r.text, r.label, r.groups["part"]) for r in data.rows] == [
        ("train-pos-0_9", "Grand.\n\nI wept.", "positive", "train"),
        ("train-neg-0_1", "Dull. I slept.", "negative", "train"),
        ("test-neg-7_2", "Dull too.", "negative", "test"),
    ]
    assert (data.positive, data.about.name) == (("positive",), "imdb")


@pytest.mark.usefixtures("served")
def test_sentences_of_sst_are_positive_from_a_half_on_and_a_corpus_too():
    data = read_labelled("sst", "")
    assert [(r.text, r.label, r.groups["part"]) for r in data.rows] == [
        ("A grand film .", "positive", "train"), ("Dull | and long .", "not positive", "test"),
    ]  # fmt: skip
    assert len(data.about.invalid) == 1
    assert corpora.read("sst", least=1).sentences == 3
    assert corpora.read("imdb").sentences == 4  # documents of one sentence are left out


@pytest.mark.usefixtures("served")
def test_the_table_is_made_once_and_a_file_of_the_name_goes_before(tmp_path, monkeypatch):
    table = named_table("snli")
    table.write_text("kept", "utf-8")
    assert named_table("snli") == table and table.read_text("utf-8") == "kept"
    (tmp_path / "snli").mkdir()
    monkeypatch.chdir(tmp_path)
    assert named_table("snli").resolve() == tmp_path / "snli"
    assert named_table("nowhere.csv").name == "nowhere.csv"


def test_another_archive_is_refused_with_both_checksums(served):
    served.plain["/mirror/sst/stanfordSentimentTreebank.zip"] = ARCHIVES["snli"]
    with pytest.raises(Unavailable, match=r"wrong file: expected SHA-256"):
        named_table("sst")


@pytest.mark.parametrize("name", ["snli", "atomic", "sst"])
def test_an_archive_without_the_files_is_refused_and_leaves_no_table(served, name, monkeypatch):
    content = zipped({"other.txt": "x"})
    if name == "atomic":
        content = tarred({"other.txt": "x"})
    known = known_sets()[name]
    made = replace(
        known.files[0], sha256=hashlib.sha256(content).hexdigest(), size=len(content)
    )  # fmt: skip
    monkeypatch.setitem(known_sets(), name, replace(known, files=(made,)))
    served.plain[f"/mirror/{made.path}"] = content
    with pytest.raises(BadInput, match=r"does not hold the files of this set.*data get"):
        named_table(name)
    with pytest.raises(BadInput, match="does not hold"):
        named_table(name)
