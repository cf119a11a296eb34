"""Annotations and the description of a set: values by hand, bad cells, the published file."""

import csv
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import published
from tiltmeter.analysis.quality.annotations import Annotation, read_annotations, votes
from tiltmeter.analysis.quality.pairs import describe, quality
from tiltmeter.core.errors import BadInput, BadItems, Undefined
from tiltmeter.core.items import Dataset, Pair

PAIRS = [
    Pair("a", "Old men nap.", "Young men nap.", {"bias_type": "age", "direction": "stereo"}),
    Pair("b", "Old men nap.", "Young men nap", {"bias_type": "age", "direction": "antistereo"}),
    Pair("c", "Women are not loud.", "Men are loud.", {"bias_type": "gender"}),
]
AGE, GENDER, NONE = ("age",), ("gender",), ()
JUDGED = [
    Annotation("a", "age", (AGE, AGE, AGE, AGE, GENDER), "w1", ("x1", "x2")),
    Annotation("b", "gender", (AGE, AGE, GENDER, GENDER, NONE), "w1", ("w1", "x2")),
    Annotation("c", "gender", (AGE, NONE, NONE, NONE, NONE), "w2", ("x1", "x3")),
    Annotation("d", "age", (GENDER, GENDER, AGE, NONE, NONE), "w1", ()),
]


def test_votes_by_hand() -> None:
    found = votes(JUDGED)
    assert found.by_named == {1: 1, 3: 1, 4: 1, 5: 1}
    assert found.not_accepted == ("c",)  # the writer and one annotator: two of six
    assert found.most_named == 1
    assert found.tied == ("b",)
    assert found.outvoted == ("c", "d")
    assert found.unnamed == ("c",)
    assert found.intersectional == ("b",)
    assert (found.writers, found.largest_writer, found.half_by, found.people) == (2, 3, 1, 5)
    assert found.own_judge == ("b",)
    # six say yes, five of six, four of six say no, four of six say yes
    assert found.agreement_named.value == pytest.approx(100 * (6 + 5 + 4 + 4) / 24)
    # 4 of 5, 2 of 4, 2 of 3; one vote alone is no agreement
    assert found.agreement_type.value == pytest.approx(100 * (4 / 5 + 1 / 2 + 2 / 3) / 3)
    # Ordered pairs that differ: 8/4 + 8/3 + 4/2 = 20/3 of 12 ratings, 7 age and 5 gender:
    assert found.alpha_type.value == pytest.approx(1 - (20 / 3) / (2 * 7 * 5 / 11))


def test_the_writers_vote_counts_towards_acceptance() -> None:
    two = Annotation("two", "age", (AGE, AGE, NONE, NONE, NONE))
    one = Annotation("one", "age", (AGE, NONE, NONE, NONE, NONE))
    assert votes([two, one]).not_accepted == ("one",)


def test_without_types_agreement_is_undefined_and_says_why() -> None:
    found = votes([Annotation("a", "", (NONE, NONE))])
    assert found.alpha_type.value is None
    assert "two people" in found.alpha_type.why
    assert found.outvoted == found.unnamed == ()
    assert (found.writers, found.half_by) == (0, 0)


def test_quality_of_pairs_without_annotations() -> None:
    found = quality(PAIRS)
    assert found.votes is None
    assert found.groups == {
        "bias_type": {"age": 2, "gender": 1},
        "direction": {"stereo": 1, "antistereo": 1},
    }
    assert found.words == (3, 3, 4)
    assert found.distance == (5, 6, 7)
    assert found.beyond == 0
    assert found.flagged == 2
    assert found.flagged_by_type == {"age": 1, "gender": 1}
    assert [(check.name, check.pairs, check.examples[0].id) for check in found.checks] == [
        ("formatting", 1, "b"),
        ("negation", 1, "c"),
    ]


def test_ids_in_one_place_only_are_a_note() -> None:
    found = describe(Dataset("made", "1", PAIRS, "here", "CC0"), JUDGED)
    assert found.notes == ("1 id is in the pairs or the annotations only.",)


def test_no_pairs_are_not_described() -> None:
    with pytest.raises(Undefined, match="no pairs"):
        quality([])


def table(folder: Path, cells: list[str]) -> Path:
    path = folder / "pairs.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["", "bias_type", "annotations", "anon_writer", "anon_annotators"])
        writer.writerows([i, "age", cell, "w", "['x']"] for i, cell in enumerate(cells))
    return path


def test_annotations_are_read_as_published(tmp_path: Path) -> None:
    path = table(tmp_path, ["[['age'], [], ['age', 'gender']]"])
    assert read_annotations(path) == [
        Annotation("0", "age", (("age",), (), ("age", "gender")), "w", ("x",))
    ]


@pytest.mark.parametrize(
    "cell",
    [
        "",
        "[]",
        "['age']",
        "[[1]]",
        "{'age': 1}",
        "[['age'",
        "__import__('os').getcwd()",
        "[[x for x in ['age']]]",
        "[" * 5_000 + "]" * 5_000,
        "[['age']" + ", ['age']" * 2_000 + "]",
        "\x00",
    ],
)
def test_bad_cells_are_named_with_their_line(tmp_path: Path, cell: str) -> None:
    path = table(tmp_path, ["[['age']]", cell, "[['age']]"])
    with pytest.raises((BadItems, BadInput)) as caught:
        read_annotations(path)
    assert "pairs.csv:3" in str(caught.value)


def test_bad_cells_can_be_left_out(tmp_path: Path) -> None:
    path = table(tmp_path, ["[['age']]", "nonsense", "[['age']]"])
    assert [a.id for a in read_annotations(path, skip_invalid=True)] == ["0", "2"]


def test_a_file_without_annotations_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("sent_more,sent_less\na,b\n", encoding="utf-8")
    with pytest.raises(BadInput, match="annotations"):
        read_annotations(path)


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["age", "gender", ""]),
            st.lists(st.lists(st.sampled_from(["age", "gender"]), max_size=2), max_size=5),
        ),
        max_size=6,
    )
)
def test_any_votes_are_counted(given_votes: list[tuple[str, list[list[str]]]]) -> None:
    made = [
        Annotation(str(i), kind, tuple(map(tuple, lists)))
        for i, (kind, lists) in enumerate(given_votes)
    ]
    found = votes(made)
    typed = [a for a in made if a.bias_type]
    silent = sum(not a.types for a in typed)
    assert found.most_named + len(found.tied) + len(found.outvoted) + silent == len(typed)
    assert sum(found.by_named.values()) == len(made)
    for value in (found.agreement_named, found.agreement_type, found.alpha_type):
        assert value.why if value.value is None else math.isfinite(value.value)


def test_the_published_file() -> None:
    judged = read_annotations(published.need("crows_pairs/crows_pairs_anonymized.csv"))
    found = votes(judged)
    assert found.pairs == 1508
    assert found.by_named == {1: 2, 2: 28, 3: 111, 4: 352, 5: 1015}
    assert found.not_accepted == ("446", "1212")
    assert (found.most_named, len(found.tied), len(found.outvoted)) == (1411, 36, 61)
    assert len(found.unnamed) == 10
    assert len(found.intersectional) == 116
    # The paper's example 5: it tells of 3 race-color and 2 nationality, the file has the reverse.
    assert judged[430].types == {"nationality": 3, "race-color": 2}
    assert judged[430].bias_type == "race-color"
    assert "430" in found.intersectional
    assert (found.writers, found.largest_writer, found.half_by, found.people) == (77, 130, 9, 332)
    assert len(found.own_judge) == 61
    assert found.agreement_named.value == pytest.approx(92.68, abs=0.01)
    assert found.alpha_type.value == pytest.approx(0.7667, abs=1e-4)
    assert found.alpha_type.low is not None
    assert found.alpha_type.high is not None
    assert found.alpha_type.low < 0.7667 < found.alpha_type.high
