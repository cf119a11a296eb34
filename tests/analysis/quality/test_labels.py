"""People's labels in StereoSet's layout: made-up files, every number by hand."""

import json
from fractions import Fraction

import numpy as np
import pytest

from tiltmeter.analysis.quality.labels import NONE, Labels, judged, read_labels
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.data.triples.triples import read_triples
from tiltmeter.stats.agreement import krippendorff_alpha

S, A, U, R = "stereotype", "anti-stereotype", "unrelated", "related"
PEOPLE = [f"p{i}" for i in range(9)]


def cluster(name, target, votes, task="intersentence", domain="work"):
    """A cluster whose three sentences got these labels, in an order that is not SIDES'."""
    sentences = [
        {
            "sentence": f"{gold} of {name}.",
            "id": f"{name}-{gold}",
            "gold_label": gold,
            "labels": [
                {"label": label, "human_id": who} for label, who in zip(said, PEOPLE, strict=False)
            ],
        }
        for gold, said in zip((U, S, A), votes, strict=True)
    ]
    return {
        "id": name,
        "target": target,
        "bias_type": domain,
        "context": "It is BLANK." if task == "intrasentence" else "It is late.",
        "sentences": sentences,
    }


def write(folder, clusters, task="intersentence"):
    path = folder / "dev.json"
    path.write_text(json.dumps({"version": "1", "data": {task: clusters}}), encoding="utf-8")
    return path


CLUSTERS = [
    # votes on the unrelated, the stereotype, the anti-stereotype
    cluster("all", "nurse", ([U] * 5, [S] * 5, [A] * 5)),
    cluster("just", "nurse", ([U] * 3 + [R, S], [S] * 4 + [A], [A] * 3 + [S] * 2)),
    cluster("no", "chef", ([U] * 5, [S] * 2 + [A] * 3, [A] * 5), domain="home"),
]
"""Agreement: 15/15; 3/5, 4/5, 3/5; 1, 2/5, 1."""


@pytest.fixture
def read(tmp_path):
    path = write(tmp_path, CLUSTERS)
    return read_triples(path).items, read_labels(path)


def test_labels_are_found_by_the_sentences_own_ids(read):
    items, labels = read
    assert labels.by_sentence["just-unrelated"] == (U, U, U, R, S)
    assert {name for item in items for name in item.names} == set(labels.by_sentence)
    assert (labels.people, labels.problems) == (5, [])


def test_agreement_by_hand(read):
    found = judged(*read)
    assert (found.triples, found.unlabelled, found.labels) == (3, 0, 45)
    assert found.by_number == {5: 9}
    shares = [Fraction(1), Fraction(2, 3), Fraction(12, 15)]
    assert found.agreement.value == pytest.approx(float(100 * sum(shares) / 3))
    assert {name: v.value for name, v in found.by_domain.items()} == pytest.approx(
        {"home": 80, "work": 250 / 3}
    )
    assert {name: v.value for name, v in found.by_task.items()} == pytest.approx(
        {"intersentence": 740 / 9}
    )
    assert [(t.name, t.domain, t.triples) for t in found.terms] == [
        ("nurse", "work", 2), ("chef", "home", 1),
    ]  # fmt: skip
    assert found.terms[0].agreement.value == pytest.approx(250 / 3)
    low, high = found.terms[0].agreement.low, found.terms[0].agreement.high
    assert low < 15 and high > 98  # two triples say nearly nothing
    assert found.terms[1].agreement.low is None
    assert "one item" in found.terms[1].agreement.why


def test_the_rule_of_three_by_hand(read):
    found = judged(*read)
    assert found.passing == {3: 2, 4: 1, 5: 1}
    assert found.failing == ("no",)


def test_what_people_said_by_hand(read):
    said = judged(*read).answers
    assert said[S] == {S: 11, A: 4, U: 0, R: 0}
    assert said[A] == {S: 2, A: 13, U: 0, R: 0}
    assert said[U] == {S: 1, A: 0, U: 13, R: 1}


def test_alpha_and_kappa_by_hand(read):
    """Of 5 labels on a sentence, pairs of people who agree: n(n−1) summed, of 20."""
    found = judged(*read)
    agreeing = [20, 20, 20, 6, 12, 8, 20, 8, 20]  # 3+1+1, 4+1, 3+2; 5, 2+3, 5
    seen = sum(Fraction(n, 20) for n in agreeing) / 9
    totals = {S: 14, A: 17, U: 13, R: 1}
    chance = sum(Fraction(n, 45) ** 2 for n in totals.values())
    assert found.kappa.value == pytest.approx(float((seen - chance) / (1 - chance)))
    expected = 1 - sum(Fraction(n * (n - 1), 45 * 44) for n in totals.values())
    assert found.alpha.value == pytest.approx(float(1 - (1 - seen) / expected))
    assert found.alpha.low < found.alpha.value < found.alpha.high
    assert found.kappa.low < found.kappa.value < found.kappa.high


def test_numbers_of_labels_may_differ_and_kappa_takes_the_commonest(tmp_path, read):
    rows = [*CLUSTERS, cluster("six", "chef", ([U] * 4, [S] * 6, [A] * 2 + [U]))]
    path = write(tmp_path, rows)
    found = judged(read_triples(path).items, read_labels(path))
    assert found.by_number == {3: 1, 4: 1, 5: 9, 6: 1}
    assert found.kappa.value == judged(*read).kappa.value
    assert found.kappa.why == "over the 9 sentences with 5 labels"
    assert found.failing == ("no", "six")  # two of three are not three
    assert found.alpha.low < found.alpha.value < found.alpha.high


def test_kappa_of_single_labels_is_undefined(tmp_path):
    path = write(tmp_path, [cluster("a", "nurse", ([U], [S], [A]))])
    found = judged(read_triples(path).items, read_labels(path))
    assert found.kappa.value is None and "two or more" in found.kappa.why
    assert found.alpha.value is None and "two people" in found.alpha.why
    assert found.agreement.value == 100


def test_alpha_is_that_of_the_statistics(read):
    items, labels = read
    codes = {S: 0.0, A: 1.0, U: 2.0, R: 3.0}
    table = np.array([[codes[v] for v in said] for said in labels.by_sentence.values()])
    assert judged(items, labels).alpha.value == pytest.approx(krippendorff_alpha(table))


def test_empty_labels_are_told_as_such(tmp_path):
    rows = [cluster("a", "nurse", ([], [], []))]
    del rows[0]["sentences"][1]["labels"]
    path = write(tmp_path, rows)
    labels = read_labels(path)
    assert (labels.by_sentence, labels.people, labels.problems) == ({}, 0, [])
    with pytest.raises(Undefined) as why:
        judged(read_triples(path).items, labels)
    assert str(why.value) == NONE


def test_half_labelled_triples_are_counted_apart(tmp_path):
    path = write(tmp_path, [*CLUSTERS, cluster("half", "chef", ([U] * 5, [], [A] * 5))])
    found = judged(read_triples(path).items, read_labels(path))
    assert (found.triples, found.unlabelled) == (3, 1)
    assert "half" not in found.failing


def test_tables_have_no_labels(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(
        "context,stereotype,anti_stereotype,unrelated,target\nIt is BLANK.,a,b,c,nurse\n"
    )
    assert read_labels(path) == Labels()


@pytest.mark.parametrize(
    ("labels", "left", "reason"),
    [
        ([{"label": "stereo", "human_id": "x"}, {"label": S, "human_id": "y"}], 1, "says 'stereo'"),
        ([{"label": None}, {"label": S}], 1, "says None"),
        (["stereotype", {"label": S}], 1, "label 1 is not an object with label and human_id"),
        ([None, 3, []], 0, "label 3 is not an object"),
        ([{"label": S, "human_id": "x"}, {"label": A, "human_id": "x"}], 1, "same person's"),
        ("stereotype", 0, "labels is not a list"),
        ({"label": S}, 0, "labels is not a list"),
    ],
)
def test_labels_that_cannot_be_used_are_left_out_and_named(tmp_path, labels, left, reason):
    rows = [cluster("a", "nurse", ([U], [S], [A]))]
    rows[0]["sentences"][1]["labels"] = labels
    found = read_labels(write(tmp_path, rows))
    assert len(found.by_sentence.get("a-stereotype", ())) == left
    told = "\n".join(map(str, found.problems))
    assert reason in told
    assert told.startswith("dev.json, intersentence 1, sentence 2: ")


def test_other_spellings_of_a_label_are_understood(tmp_path):
    rows = [cluster("a", "nurse", ([" Unrelated"], ["STEREOTYPE"], ["anti_stereotype"]))]
    found = read_labels(write(tmp_path, rows))
    assert list(found.by_sentence.values()) == [(U,), (S,), (A,)]


def test_a_sentence_id_that_is_there_twice_keeps_its_first_labels(tmp_path):
    rows = [cluster("a", "nurse", ([U], [S], [A])), cluster("b", "nurse", ([U], [S, A], [A]))]
    rows[1]["sentences"][1]["id"] = "a-stereotype"
    found = read_labels(write(tmp_path, rows))
    assert found.by_sentence["a-stereotype"] == (S,)
    assert "occurs twice" in str(found.problems[0])


def test_sentences_without_ids_are_named_as_the_reader_names_them(tmp_path):
    rows = [cluster("a", "nurse", ([U], [S], [A]))]
    for sentence in rows[0]["sentences"]:
        del sentence["id"]
    path = write(tmp_path, rows)
    assert judged(read_triples(path).items, read_labels(path)).triples == 1


@pytest.mark.parametrize("broken", [3, None, "x", {}, {"sentences": 3}, {"sentences": [3, {}]}])
def test_clusters_that_cannot_be_read_are_passed_over(tmp_path, broken):
    assert len(read_labels(write(tmp_path, [broken, *CLUSTERS])).by_sentence) == 9


def test_files_that_cannot_be_read_are_refused(tmp_path):
    path = tmp_path / "dev.json"
    path.write_text('{"data": {"intrasentence": [')
    with pytest.raises(BadInput, match="cut off"):
        read_labels(path)
    with pytest.raises(BadInput):
        read_labels(tmp_path / "none.json")
