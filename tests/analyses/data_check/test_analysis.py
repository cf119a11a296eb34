"""`tiltmeter data describe`: which files are taken for what, what is counted, and what stays masked."""

import json
import shutil
from io import StringIO

import pytest
from rich.console import Console

from tiltmeter.analyses.data_check.analysis import ANALYSIS, DataCheckOptions
from tiltmeter.report.documents.analysis import analysis_document
from tiltmeter.report.html import page
from tiltmeter.report.terminal import print_document
from tiltmeter.run.files.folder import read
from tiltmeter.run.monitor import Logged

ROW = "context,stereotype,anti_stereotype,unrelated,target,domain\n"
ROWS = (
    ROW
    + "The nurse was BLANK.,calm,loud,purple,nurse,work\nMy aunt came.,She sat.,She ran.,Rain.,aunt,kin\n"
)


def table(folder, text=ROWS, name="mine.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def dev(folder, labels=()):
    sentences = [
        {"sentence": f"She is {word}.", "id": word, "gold_label": gold, "labels": list(labels)}
        for word, gold in (
            ("calm", "stereotype"), ("loud", "anti-stereotype"), ("purple", "unrelated"),
        )
    ]  # fmt: skip
    cluster = {
        "id": "one", "target": "nurse", "bias_type": "work", "context": "She is BLANK.",
        "sentences": sentences,
    }  # fmt: skip
    whole = {"version": "1", "data": {"intrasentence": [cluster], "intersentence": []}}
    return table(folder, json.dumps(whole), "dev.json")


def test_a_table_of_triples_is_told(tilt, tmp_path):
    code, said, _ = tilt("data", "describe", table(tmp_path))
    assert code == 0
    assert "mine.csv: 2 triples about 2 target terms." in said
    assert "no human labels in this file" in said
    assert "She sat" not in said


@pytest.fixture
def checked(tilt, tmp_path):
    """The numbers by name and place, the card, and the lists by kind, of a check of these words."""

    def checked(*words):
        code, out, err = tilt("data", "describe", *words, "--json", "--out", tmp_path / "out")
        assert code == 0, err
        found = json.loads(out)
        (folder,) = (tmp_path / "out").glob("data_check-*")
        records = {}
        for record in read(folder).records:
            records.setdefault(record.kind, []).append(record)
        shutil.rmtree(tmp_path / "out")
        return (
            {(e["name"], *e["groups"].values()): e for e in found["estimates"]},
            found["card"],
            records,
        )

    return checked


def test_labels_of_people_are_counted(checked, tmp_path):
    votes = [{"label": "stereotype", "human_id": str(i)} for i in range(5)]
    found, card, records = checked(dev(tmp_path, votes))
    assert [found["passing", f"{k} or more"]["value"] for k in (3, 4, 5)] == [0, 0, 0]
    assert [r.groups["item"] for r in records["failing"]] == ["one"]
    for place in ((), ("intrasentence",), ("work",), ("work", "nurse")):
        assert found["agreement", *place]["value"] == pytest.approx(100 / 3)
    answers = {key[1:]: e["value"] for key, e in found.items() if key[0] == "answers"}
    assert sum(answers.values()) == answers["stereotype", "stereotype"] * 3 == 15
    assert (card["data"]["labels"], card["data"]["annotators"]) == (15, 5)


def test_a_reference_of_ones_own_is_used(checked, tmp_path):
    words = table(tmp_path, "word,count\ncalm,1\nsat,999999\n", "words.csv")
    lines = "".join(f"The nurse was BLANK.,calm,loud {i},purple,nurse,work\n" for i in range(3))
    _, card, records = checked(table(tmp_path, ROW + lines), "--reference", words)
    assert "against words.csv" in card["method"]
    rows = {r.groups["word"]: r for r in records["keyword"]}
    assert rows["calm"].scores["keyness"] == pytest.approx(
        (5e5 + 1) / 2
    )  # 3 of 6 words; 1 a million
    assert (rows["calm"].scores["stereotypes"], rows["calm"].groups["domain"]) == (3, "work")


def test_triples_are_counted_by_everything_that_a_paper_prints(checked, tmp_path):
    found, card, records = checked(table(tmp_path))
    assert card["finding"][0]["text"] == "mine.csv: 2 triples about 2 target terms."
    for place, items, terms in (
        ((), 2, 2),
        (("intrasentence",), 1, 1),
        (("intersentence", "kin"), 1, 1),
    ):
        assert (found["items", *place]["value"], found["terms", *place]["value"]) == (items, terms)
    assert found["words", "intrasentence"]["value"] == 4
    assert found["items", "kin", "aunt"]["value"] == 1
    assert found["odd", "no end mark"]["value"] == 0 if ("odd", "no end mark") in found else True
    assert {r.groups["form"] for r in records.get("odd", [])} == {
        key[1] for key in found if key[0] == "odd"
    }


def test_what_is_not_negative_counts_as_positive_in_the_papers(checked, tmp_path):
    pytest.importorskip("vaderSentiment", reason="the extra [analysis] is not installed")
    found, *_ = checked(table(tmp_path))
    for side in ("stereotype", "anti_stereotype", "unrelated"):
        negative, rest = found["negative", side], found["not_negative", side]
        assert rest["value"] == 100 - negative["value"]
        assert (rest["low"], rest["high"]) == (100 - negative["high"], 100 - negative["low"])


def test_pairs_are_counted_and_named(checked, tmp_path):
    """Of three pairs one is flagged: it has a negation in one sentence only."""
    rows = (
        "id,sent_more,sent_less,stereo_antistereo,bias_type\n"
        "a,Old men nap.,Young men nap.,stereo,age\nb,Old men sing.,Young men sing.,antistereo,age\n"
        "c,Women are not loud.,Men are loud.,stereo,gender\n"
    )
    file = table(tmp_path, rows, "pairs.csv")
    found, card, records = checked(file)
    assert (found["items",]["value"], found["items", "age"]["value"]) == (3, 2)
    assert found["share", "age"]["value"] == pytest.approx(200 / 3)
    assert found["flagged",]["value"] == pytest.approx(100 / 3)
    assert (found["flagged", "gender"]["value"], found["flagged", "gender"]["n"]) == (100, 1)
    assert (found["marked", "negation"]["value"], found["marked", "negation"]["verdict"]) == (
        1,
        "flag",
    )
    assert (
        card["finding"][0]["text"]
        == "pairs.csv: 3 pairs, 33.3\u00a0% of them flagged by the checks."
    )
    (example,) = [r for r in records["example"] if r.groups["check"] == "negation"]
    assert (example.item, example.texts) == ("c", {})
    lengths = {r.item: r.scores for r in records["length"]}
    assert lengths["words in a sentence"] == {"fewest": 3, "median": 3, "most": 4}


def test_items_are_listed_by_id_and_masked_until_asked_for(checked, tilt, tmp_path):
    rows = "id,sent_more,sent_less,bias_type\na,Old men nap.,Young men nap.,age\nb,She ran.,He ran.,gender\n"
    file = table(tmp_path, rows, "pairs.csv")
    for shown, texts in (((), {}), (("--show-text",), {"more": "She ran.", "less": "He ran."})):
        _, _, records = checked(file, "--item", "b", "--item", "a", *shown)
        assert [(r.item, r.groups["bias_type"]) for r in records["item"]] == [
            ("b", "gender"),
            ("a", "age"),
        ]
        assert records["item"][0].texts == texts
    code, out, _ = tilt("data", "describe", file, "--item", "a", "--show-text")
    assert code == 0 and "Old men nap." in out and "Young men nap." in out
    code, _, err = tilt("data", "describe", file, "--item", "c")
    assert (code, "No item named 'c'" in " ".join(err.split())) == (2, True)


def test_made_up_items_of_a_study_are_described(checked, tilt):
    found, card, records = checked("sample:stereoset", "--item", "within-0", "--show-text")
    assert (found["items",]["value"], found["terms",]["value"]) == (15, 4)
    assert card["data"]["kind"] == "triples"
    assert records["item"][0].texts["stereotype"] == "The grandfather was slow with the phone."
    code, _, err = tilt("data", "describe", "sample:stereosat")
    assert (code, "Did you mean 'stereoset'" in " ".join(err.split())) == (2, True)


def test_labelled_texts_are_counted_by_label_and_axis(checked, tmp_path):
    rows = "id,text,label,group\n" + "".join(
        f"{i},text {i},{label},{group}\n"
        for i, (label, group) in enumerate((("1", "x"), ("1", "x"), ("0", "y"), ("0", "x")))
    )
    found, card, _ = checked(table(tmp_path, rows, "texts.csv"), "--study", "classification")
    assert card["data"]["kind"] == "items" and found["items",]["value"] == 4
    counts = {key[1]: e["value"] for key, e in found.items() if key[0] == "items" and len(key) == 2}
    assert sorted(counts.values()) == [1, 2, 2, 3]
    shares = {key[1]: e["value"] for key, e in found.items() if len(key) == 2 and key[0] == "share"}
    assert shares["y"] == 25


@pytest.mark.usefixtures("tilt")
@pytest.mark.parametrize("width", [40, 80])
def test_hostile_names_stay_text_and_fit(tmp_path, width):
    kind = "<b>x</b>\x1b[31m [red]" + "long " * 20
    rows = f"sent_more,sent_less,bias_type\nOld men nap.,Young men nap,{kind}\n"
    file = table(tmp_path, rows, "pairs.csv")
    result = ANALYSIS.compute([str(file)], DataCheckOptions(show_text=True), Logged())
    console = Console(file=StringIO(), width=width, color_system=None)
    print_document(analysis_document(result), console)
    text = console.file.getvalue()
    assert "\x1b" not in text and max(map(len, text.splitlines())) <= width
    assert "<b>x" not in page(analysis_document(result))


def test_one_data_set_at_a_time(tilt, tmp_path):
    code, _, err = tilt("data", "describe", table(tmp_path), table(tmp_path, name="other.csv"))
    assert (code, "one data set is described at a time" in " ".join(err.split())) == (2, True)


def test_rows_and_labels_that_were_left_out_are_listed(tilt, tmp_path):
    code, said, _ = tilt(
        "data", "describe", table(tmp_path, ROWS + "It rains.,A.,A.,B.,rain,sky\n")
    )
    assert code == 0
    assert "left out: mine.csv:4: " in said and "two of the candidates are the same" in said
    code, said, _ = tilt("data", "describe", dev(tmp_path, [{"label": "odd"}]))
    assert code == 0
    assert "left out: dev.json, intrasentence 1, sentence 1: label 1 says 'odd'" in said


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("words.csv", "word,count\ncalm,many\n", "words.csv:2: count 'many' is not a number"),
        ("words.csv", "word\ncalm\n", "no column named per_million or count"),
        ("none.csv", None, "none.csv"),
    ],
)
def test_a_bad_reference_is_refused(tilt, tmp_path, name, text, reason):
    path = tmp_path / name if text is None else table(tmp_path, text, name)
    code, said, told = tilt("data", "describe", table(tmp_path), "--reference", path)
    assert (code, said) == (2, "")
    assert reason in told


def test_pairs_have_no_keywords(tilt, tmp_path):
    pairs = table(tmp_path, "sent_more,sent_less\nShe sang.,He sang.\n", "pairs.csv")
    words = table(tmp_path, "word,count\ncalm,1\n", "words.csv")
    code, _, told = tilt("data", "describe", pairs, "--reference", words)
    assert code == 2
    assert "leave --reference out" in told
    assert tilt("data", "describe", pairs)[0] == 0


def test_a_file_that_was_cut_off_is_named(tilt, tmp_path):
    path = dev(tmp_path)
    path.write_text(path.read_text()[:80])
    code, _, told = tilt("data", "describe", path)
    assert code == 2
    assert "dev.json" in told and "get it again" in told


def test_identities_stand_by_attribute_and_status(checked):
    """As in Table 11 of the SOS paper: seven words for women, three for disabled people."""
    _, _, records = checked("sos")
    listed = {(r.groups["attribute"], r.groups["status"]): r for r in records["identities"]}
    assert len(listed) == 11 and ("disability", "non-marginalised") not in listed
    women = listed["gender", "marginalised"]
    assert women.scores == {"identities": 7} and women.texts["names"].startswith(
        "woman, female, girl"
    )
