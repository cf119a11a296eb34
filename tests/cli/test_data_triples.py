"""`tiltmeter data check` on triples: which files are taken for them, and what is printed."""

import json

import pytest

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
    code, said, _ = tilt("data", "check", table(tmp_path))
    assert code == 0
    assert "mine.csv: 2 triples about 2 target terms." in said
    assert "no human labels in this file" in said
    assert "She sat" not in said


def test_stereosets_layout_is_told_in_json(tilt, tmp_path):
    votes = [{"label": "stereotype", "human_id": str(i)} for i in range(5)]
    code, said, _ = tilt("data", "check", dev(tmp_path, votes), "--json")
    assert code == 0
    found = json.loads(said)
    assert found["labels"]["passing"] == {"3": 0, "4": 0, "5": 0}
    assert found["failing"] == ["one"]
    assert found["labels"]["agreement"]["value"] == pytest.approx(100 / 3)


def test_a_reference_of_ones_own_is_used(tilt, tmp_path):
    words = table(tmp_path, "word,count\ncalm,1\nsat,999999\n", "words.csv")
    lines = "".join(f"The nurse was BLANK.,calm,loud {i},purple,nurse,work\n" for i in range(3))
    mine = table(tmp_path, ROW + lines)
    code, said, _ = tilt("data", "check", mine, "--reference", words, "--json")
    assert code == 0
    found = json.loads(said)["keywords"]
    assert found["reference"] == "words.csv"
    rows = {row["word"]: row for row in found["domains"]["work"]}
    assert rows["calm"]["keyness"] == pytest.approx((5e5 + 1) / 2)  # 3 of 6 words; 1 a million


def test_rows_and_labels_that_were_left_out_are_listed(tilt, tmp_path):
    code, said, _ = tilt("data", "check", table(tmp_path, ROWS + "It rains.,A.,A.,B.,rain,sky\n"))
    assert code == 0
    assert "left out: mine.csv:4: " in said and "two of the candidates are the same" in said
    code, said, _ = tilt("data", "check", dev(tmp_path, [{"label": "odd"}]))
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
    code, said, told = tilt("data", "check", table(tmp_path), "--reference", path)
    assert (code, said) == (2, "")
    assert reason in told


def test_pairs_have_no_keywords(tilt, tmp_path):
    pairs = table(tmp_path, "sent_more,sent_less\nShe sang.,He sang.\n", "pairs.csv")
    words = table(tmp_path, "word,count\ncalm,1\n", "words.csv")
    code, _, told = tilt("data", "check", pairs, "--reference", words)
    assert code == 2
    assert "leave --reference out" in told
    assert tilt("data", "check", pairs)[0] == 0


def test_a_file_that_was_cut_off_is_named(tilt, tmp_path):
    path = dev(tmp_path)
    path.write_text(path.read_text()[:80])
    code, _, told = tilt("data", "check", path)
    assert code == 2
    assert "dev.json" in told and "get it again" in told
