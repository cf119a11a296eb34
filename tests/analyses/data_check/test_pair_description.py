"""Annotations and the description of a set: values by hand, bad cells, the published file."""

import csv
import math
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import published
from tiltmeter.analyses.data_check.pair_annotations import Annotation, read_annotations, votes
from tiltmeter.analyses.data_check.pair_description import describe_pairs
from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import BadInput, BadItems, Undefined
from tiltmeter.core.estimates import Estimate

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


TOP, TIED = "published type named most often", "published type tied with another"
OUTVOTED, UNNAMED = "published type outvoted", "published type named by nobody"
NOT_ACCEPTED, BOTH = "fewer than three votes at best", "two types named twice or more"
WRITERS, BUSIEST, HALF = "writers", "pairs by the busiest writer", "writers of half the pairs"


def by_place(estimates: Iterable[Estimate]) -> dict[tuple[str, ...], Estimate]:
    return {(e.name, *e.groups.values()): e for e in estimates}


def values(annotations: list[Annotation]) -> tuple[dict[str, float | None], dict[str, Estimate]]:
    """The counts by what they count, and the agreement by name."""
    found = [*votes(annotations)]
    counts = {
        next(iter(e.groups.values())): e.value for e in found if e.groups and e.name != "share"
    }
    return counts, {e.name: e for e in found if not e.groups}


def test_votes_by_hand() -> None:
    counts, agreement = values(JUDGED)
    assert counts == {
        "1 annotator naming a type": 1, "3 annotators naming a type": 1, "4 annotators naming a type": 1,
        "5 annotators naming a type": 1,
        NOT_ACCEPTED: 1,  # c, by the writer and one annotator: two of six
        TOP: 1, TIED: 1, OUTVOTED: 2, UNNAMED: 1, BOTH: 1,  # a; b; c and d; c; b
        "judged by their own writer": 1,
        WRITERS: 2, BUSIEST: 3, HALF: 1, "writers and annotators": 5,
    }  # fmt: skip
    # six say yes, five of six, four of six say no, four of six say yes
    assert agreement["agreement_named"].value == pytest.approx(100 * (6 + 5 + 4 + 4) / 24)
    # 4 of 5, 2 of 4, 2 of 3; one vote alone is no agreement
    assert agreement["agreement_type"].value == pytest.approx(100 * (4 / 5 + 1 / 2 + 2 / 3) / 3)
    # Ordered pairs that differ: 8/4 + 8/3 + 4/2 = 20/3 of 12 ratings, 7 age and 5 gender:
    assert agreement["alpha_type"].value == pytest.approx(1 - (20 / 3) / (2 * 7 * 5 / 11))


def test_the_writers_vote_counts_towards_acceptance() -> None:
    two = Annotation("two", "age", (AGE, AGE, NONE, NONE, NONE))
    one = Annotation("one", "age", (AGE, NONE, NONE, NONE, NONE))
    assert [values(some)[0][NOT_ACCEPTED] for some in ([two, one], [two], [one])] == [1, 0, 1]


def test_without_types_agreement_is_undefined_and_says_why() -> None:
    counts, agreement = values([Annotation("a", "", (NONE, NONE))])
    assert agreement["alpha_type"].value is None
    assert "two people" in agreement["alpha_type"].why
    assert [counts[of] for of in (OUTVOTED, UNNAMED, WRITERS, HALF)] == [0, 0, 0, 0]


def test_pairs_without_annotations() -> None:
    found = describe_pairs(Dataset("made", "1", PAIRS, "here", "CC0"))
    at = by_place(found.estimates)
    counts = {place: e.value for place, e in at.items() if place[0] not in {"share", "flagged"}}
    assert counts == {
        ("items",): 3, ("items", "age"): 2, ("items", "gender"): 1, ("items", "stereo"): 1,
        ("items", "antistereo"): 1, ("distant",): 0, ("marked", "formatting"): 1,
        ("marked", "negation"): 1,
    }  # fmt: skip
    assert at["flagged",].value == pytest.approx(200 / 3)
    assert (at["flagged", "age"].value, at["flagged", "gender"].value) == (50, 100)
    lengths = [tuple(r.scores.values()) for r in found.records if r.kind == "length"]
    assert lengths == [(3, 3, 4), (5, 6, 7)]
    examples = [(r.groups["check"], r.item) for r in found.records if r.kind == "example"]
    assert examples == [("formatting", "b"), ("negation", "c")]


def test_ids_in_one_place_only_are_a_note() -> None:
    found = describe_pairs(Dataset("made", "1", PAIRS, "here", "CC0"), JUDGED)
    assert found.notes == ["1 id is in the pairs or the annotations only."]


def test_no_pairs_are_not_described() -> None:
    with pytest.raises(Undefined, match="no pairs"):
        describe_pairs(Dataset("none", "1", [], "here", "CC0"))


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
        min_size=1,
        max_size=6,
    )
)
def test_any_votes_are_counted(given_votes: list[tuple[str, list[list[str]]]]) -> None:
    made = [
        Annotation(str(i), kind, tuple(map(tuple, lists)))
        for i, (kind, lists) in enumerate(given_votes)
    ]
    counts, agreement = values(made)
    typed = [a for a in made if a.bias_type]
    silent = sum(not a.types for a in typed)
    assert sum(counts[of] or 0 for of in (TOP, TIED, OUTVOTED)) + silent == len(typed)
    naming = [n for of, n in counts.items() if of.endswith("naming a type")]
    assert sum(n or 0 for n in naming) == len(made)
    for value in agreement.values():
        assert value.why if value.value is None else math.isfinite(value.value)


def test_the_published_file() -> None:
    judged = read_annotations(published.need("crows_pairs/crows_pairs_anonymized.csv"))
    counts, agreement = values(judged)
    assert len(judged) == 1508
    assert {int(of[0]): n for of, n in counts.items() if of.endswith("naming a type")} == {
        1: 2, 2: 28, 3: 111, 4: 352, 5: 1015,
    }  # fmt: skip
    assert counts[NOT_ACCEPTED] == 2
    assert [counts[of] for of in (TOP, TIED, OUTVOTED, UNNAMED, BOTH)] == [1411, 36, 61, 10, 116]
    # The paper's example 5: it tells of 3 race-color and 2 nationality, the file has the reverse.
    assert judged[430].types == {"nationality": 3, "race-color": 2}
    assert judged[430].bias_type == "race-color"
    assert values(judged[430:431])[0][BOTH] == 1
    assert [counts[of] for of in (WRITERS, BUSIEST, HALF)] == [77, 130, 9]
    assert counts["writers and annotators"] == 332
    assert counts["judged by their own writer"] == 61
    assert agreement["agreement_named"].value == pytest.approx(92.68, abs=0.01)
    alpha = agreement["alpha_type"]
    assert alpha.value == pytest.approx(0.7667, abs=1e-4)
    assert alpha.low is not None and alpha.high is not None
    assert alpha.low < 0.7667 < alpha.high
