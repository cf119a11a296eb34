"""Stored scores: four layouts give the same pairs and scores, and what is wrong is said."""

import pytest

from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.pairs.pairs import read_pairs
from tiltmeter.data.pairs.scores import read_scores

PAIRS = Dataset(
    "three",
    "1",
    [
        Pair("a", "She sang.", "He sang.", {"bias_type": "gender"}, cluster="w1"),
        Pair("b", "Ann sat.", "Ben sat.", {"bias_type": "gender"}, cluster="w2"),
        Pair("c", "Old dogs bark.", "Young dogs bark.", {"bias_type": "age"}, cluster="w1"),
    ],
    "made up",
    "none",
    clusters="writer",
)
SCORES = [(-1.5, -2.0), (-30.0, -3.0), (-4.25, -4.25)]
FULL = (
    "sent_more,sent_less,sent_more_score,sent_less_score\n"
    "She sang.,He sang.,-1.5,-2\nAnn sat.,Ben sat.,-3e1,-3.0\n"
    "Old dogs bark.,Young dogs bark.,-4.25,-4.250\n"
)
BY_ID = "id,score_more,score_less\nc,-4.25,-4.25\na,-1.5,-2\nb,-30,-3\n"
BY_SIDE = (
    "id,side,score\na,more,-1.5\na,less,-2\nc,less,-4.25\nb,less,-3\nb,more,-30\nc,more,-4.25\n"
)
BY_TEXT = (
    "sentence,score\nHe sang.,-2\nShe sang.,-1.5\nAnn sat.,-30\nBen sat.,-3\n"
    "Old dogs bark.,-4.25\nYoung dogs bark.,-4.25\n"
)
LAYOUTS = {"rows": FULL, "id": BY_ID, "side": BY_SIDE, "text": BY_TEXT}


@pytest.fixture
def write(tmp_path):
    def write(text, name="scores.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return path

    return write


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_four_layouts_agree(layout, write):
    data, scores = read_scores(write(LAYOUTS[layout]), PAIRS)
    assert scores == SCORES
    assert [(p.more, p.less) for p in data.items] == [(p.more, p.less) for p in PAIRS.items]
    assert [p.groups["bias_type"] for p in data.items] == ["gender", "gender", "age"]
    assert [p.cluster for p in data.items] == ["w1", "w2", "w1"]
    assert data.clusters == "writer"
    assert any(note.text.startswith("One row a") for note in data.notes)
    assert data.about["scores"].startswith("scores.csv, SHA-256 ")


@pytest.mark.parametrize("names", [("score_more", "score_less"), ("more", "less")])
def test_other_names_of_the_two_scores(names, write):
    head = FULL.replace("sent_more_score,sent_less_score", ",".join(names))
    assert read_scores(write(head))[1] == SCORES
    by_id = BY_ID.replace("score_more,score_less", ",".join(names))
    assert read_scores(write(by_id), PAIRS)[1] == SCORES


def test_rows_with_sentences_need_no_data(write):
    text = FULL.replace("_score\n", "_score,stereo_antistereo,bias_type\n", 1)
    text = text.replace("-2\n", "-2,stereo,gender\n").replace("-3.0\n", "-3,antistereo,gender\n")
    text = text.replace("-4.250\n", "-4.25,stereo,age\n")
    data, scores = read_scores(write(text))
    assert scores == SCORES
    assert [p.groups["direction"] for p in data.items] == ["stereo", "antistereo", "stereo"]
    assert read_pairs(write(text)).items == data.items


def test_scores_as_the_published_script_writes_them(write):
    text = (
        ",sent_more,sent_less,sent_more_score,sent_less_score,score,stereo_antistereo,bias_type\n"
        "0,A b.,C d.,-1.0,-2.0,1,stereo,age\n1,E f.,G h.,-9.0,-2.0,0,antistereo,age\n"
    )
    data, _ = read_scores(write(text))
    assert not any("May 2021" in note.text for note in data.notes)
    swapped = text.replace("-9.0,-2.0", "-2.0,-9.0")
    data, _ = read_scores(write(swapped))
    assert any("In 1 row the column `score`" in note.text for note in data.notes)


def test_a_sentence_of_two_pairs_needs_one_row(write):
    pairs = Dataset(
        "two", "", [Pair("a", "A b.", "C d."), Pair("b", "E f.", "C d.")], "made up", "none"
    )
    text = "sentence,score\nA b.,-1\nC d.,-2\nE f.,-3\n"
    assert read_scores(write(text), pairs)[1] == [(-1, -2), (-3, -2)]
    assert read_scores(write(text + "C d.,-2.0\n"), pairs)[1] == [(-1, -2), (-3, -2)]
    with pytest.raises(BadItems, match=r":5: the same sentence has another score on line 3; where"):
        read_scores(write(text + "C d.,-2.5\n"), pairs)


def test_positive_scores_are_read(write):
    assert read_scores(write(BY_ID.replace("-2", "2")), PAIRS)[1][0] == (-1.5, 2.0)


def test_jsonl_scores(write):
    text = "".join(f'{{"id": "{i}", "score_more": -1, "score_less": -2}}\n' for i in "abc")
    assert read_scores(write(text, "scores.jsonl"), PAIRS)[1] == [(-1.0, -2.0)] * 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (BY_ID.replace("-1.5", ""), ["scores.csv:3: score_more is empty"]),
        (BY_ID.replace("-1.5", "NaN"), ["scores.csv:3: score_more is NaN", "remove the pair"]),
        (BY_ID.replace("-1.5", "-inf"), ["scores.csv:3: score_more is -inf"]),
        (BY_ID.replace("-1.5", "-1e999"), ["scores.csv:3: score_more is -inf"]),
        (BY_ID.replace("-1.5", '"-1,5"'), ["score_more '-1,5' is not a number", "decimal point"]),
        (BY_ID.replace("-1.5", "-1_5"), ["score_more '-1_5' is not a number"]),
        (BY_ID.replace("-1.5", "low"), ["score_more 'low' is not a number"]),
        (BY_ID.replace("b,-30,-3\n", ""), ["no score for pair 'b' (more and less); add it"]),
        (BY_ID + "b,-30,-3\n", ["scores.csv:5: the score of 'b' (more) is also on line 4"]),
        (BY_ID + "d,-30,-3\n", ["scores.csv:5: id 'd' is in none of the pairs", "--data"]),
        (BY_ID + ",-30,-3\n", ["scores.csv:5: id is empty"]),
        (BY_ID + "b,-30\n", ["scores.csv:5: too few cells"]),
        (BY_SIDE.replace("b,more,-30\n", ""), ["no score for pair 'b' (more)"]),
        (BY_SIDE.replace("b,more", "b,left"), ["scores.csv:6: side 'left' is neither more nor less"]),
        (BY_TEXT + "She danced.,-1\n", ["scores.csv:8: the sentence is in none of the 3 pairs"]),
        (BY_TEXT.replace("Ann sat.", "Ann sat"), ["scores.csv:4:", "pair 'b' (more)"]),
        (FULL.replace("-3e1", "none"), ["scores.csv:3: sent_more_score 'none' is not a number"]),
        (FULL.replace("Ben sat.", ""), ["scores.csv:3: sent_less is empty"]),
    ],
)  # fmt: skip
def test_bad_scores(text, says, write):
    path = write(text)
    with pytest.raises(BadItems) as caught:
        read_scores(path, PAIRS)
    for words in says:
        assert words in str(caught.value)
    data, scores = read_scores(path, PAIRS, skip_invalid=True)
    assert len(data.items) == len(scores)
    assert len(scores) in {2, 3}
    assert data.invalid


def test_what_no_layout_fits(write):
    with pytest.raises(
        BadInput, match=r"do not match any known layout.*'sentence', 'value'.*id, side, score"
    ):
        read_scores(write("sentence,value\nA b.,1\n"), PAIRS)


def test_scores_without_their_pairs(write):
    with pytest.raises(BadInput, match=r"holds scores without their pairs.*--data"):
        read_scores(write(BY_ID))
