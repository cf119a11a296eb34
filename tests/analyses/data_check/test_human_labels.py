"""People's labels in StereoSet's layout: made-up files, every number by hand."""

import json
from fractions import Fraction

import numpy as np
import pytest

from tiltmeter.analyses.data_check.human_labels import NONE, Labels, read_labels
from tiltmeter.analyses.data_check.label_agreement import judged
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.data.triples.triples import read_triples
from tiltmeter.stats.raters.kappa_and_alpha import krippendorff_alpha

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


def by_place(found):
    """The estimates by name and place."""
    return {(e.name, *e.groups.values()): e for e in found.estimates}


def test_agreement_by_hand(read):
    found = judged(*read)
    assert found.facts == {
        "labels": 45, "annotators": 5, "triples with labels": 3, "triples without labels": 0,
        "sentences by number of labels": {"5": 9},
    }  # fmt: skip
    shares = [Fraction(1), Fraction(2, 3), Fraction(12, 15)]
    at = {key[1:]: e for key, e in by_place(found).items() if key[0] == "agreement"}
    assert {place: e.value for place, e in at.items()} == pytest.approx({
        (): float(100 * sum(shares) / 3), ("intersentence",): 740 / 9, ("home",): 80, ("work",): 250 / 3,
        ("work", "nurse"): 250 / 3, ("home", "chef"): 80,
    })  # fmt: skip
    assert [(*place, e.n) for place, e in at.items() if len(place) > 1] == [
        ("work", "nurse", 2), ("home", "chef", 1),
    ]  # fmt: skip
    nurse, chef = at["work", "nurse"], at["home", "chef"]
    assert nurse.low < 15 and nurse.high > 98  # two triples say nearly nothing
    assert chef.low is None
    assert "one item" in chef.why


def test_the_rule_of_three_by_hand(read):
    found = judged(*read)
    at = by_place(found)
    assert [at["passing", f"{least} or more"].value for least in (3, 4, 5)] == [2, 1, 1]
    assert found.failing == {"no"}


def test_what_people_said_by_hand(read):
    at = by_place(judged(*read))
    said = {
        gold: [at["answers", gold, answer].value for answer in (S, A, U, R)] for gold in (S, A, U)
    }
    assert said == {S: [11, 4, 0, 0], A: [2, 13, 0, 0], U: [1, 0, 13, 1]}


def test_alpha_and_kappa_by_hand(read):
    """Of 5 labels on a sentence, pairs of people who agree: n(n−1) summed, of 20."""
    found = judged(*read)
    agreeing = [20, 20, 20, 6, 12, 8, 20, 8, 20]  # 3+1+1, 4+1, 3+2; 5, 2+3, 5
    seen = sum(Fraction(n, 20) for n in agreeing) / 9
    totals = {S: 14, A: 17, U: 13, R: 1}
    chance = sum(Fraction(n, 45) ** 2 for n in totals.values())
    assert by_place(found)["kappa",].value == pytest.approx(float((seen - chance) / (1 - chance)))
    expected = 1 - sum(Fraction(n * (n - 1), 45 * 44) for n in totals.values())
    assert by_place(found)["alpha",].value == pytest.approx(float(1 - (1 - seen) / expected))
    assert (
        by_place(found)["alpha",].low
        < by_place(found)["alpha",].value
        < by_place(found)["alpha",].high
    )
    assert (
        by_place(found)["kappa",].low
        < by_place(found)["kappa",].value
        < by_place(found)["kappa",].high
    )


def test_numbers_of_labels_may_differ_and_kappa_takes_the_commonest(tmp_path, read):
    rows = [*CLUSTERS, cluster("six", "chef", ([U] * 4, [S] * 6, [A] * 2 + [U]))]
    path = write(tmp_path, rows)
    found = judged(read_triples(path).items, read_labels(path))
    assert found.facts["sentences by number of labels"] == {"3": 1, "4": 1, "5": 9, "6": 1}
    assert by_place(found)["kappa",].value == by_place(judged(*read))["kappa",].value
    assert by_place(found)["kappa",].why == "over the 9 sentences with 5 labels"
    assert found.failing == {"no", "six"}  # two of three are not three
    assert (
        by_place(found)["alpha",].low
        < by_place(found)["alpha",].value
        < by_place(found)["alpha",].high
    )


def test_kappa_of_single_labels_is_undefined(tmp_path):
    path = write(tmp_path, [cluster("a", "nurse", ([U], [S], [A]))])
    found = judged(read_triples(path).items, read_labels(path))
    assert (
        by_place(found)["kappa",].value is None and "two or more" in by_place(found)["kappa",].why
    )
    assert by_place(found)["alpha",].value is None and "two people" in by_place(found)["alpha",].why
    assert by_place(found)["agreement",].value == 100


def test_alpha_is_that_of_the_statistics(read):
    items, labels = read
    codes = {S: 0.0, A: 1.0, U: 2.0, R: 3.0}
    table = np.array([[codes[v] for v in said] for said in labels.by_sentence.values()])
    assert by_place(judged(items, labels))["alpha",].value == pytest.approx(
        krippendorff_alpha(table)
    )


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
    assert (found.facts["triples with labels"], found.facts["triples without labels"]) == (3, 1)
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
    assert judged(read_triples(path).items, read_labels(path)).facts["triples with labels"] == 1


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
