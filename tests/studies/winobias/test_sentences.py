"""Files of the authors' shape: made-up ones, and the published ones where they are."""

from collections import Counter

import pytest

from support import published
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.studies.winobias.sentences import differing, load

PUBLISHED = published.needs("winobias")


def wino(folder, pro, anti, name="type1.txt.dev"):
    (folder / f"pro_stereotyped_{name}").write_text(pro)
    (folder / f"anti_stereotyped_{name}").write_text(anti)
    return folder


def test_made_up(tmp_path):
    data = load(
        wino(
            tmp_path,
            "1 [The cook] fed the nurse because [she] was kind.\n2 The cook fed [a nurse].\n",
            "1 [The cook] fed the nurse because [he] was kind.\n2 The cook fed [the nurse] twice.\n",
            "type2.txt.test",
        )
    )
    first, second = data.items
    assert (first.id, first.cluster, second.cluster) == ("type2.test.1",) + ("type2.test.1",) * 2
    assert first.more == "The cook fed the nurse because she was kind."
    assert first.less == "The cook fed the nurse because he was kind."
    assert {**first.groups, "check": ""} == {
        "bias_type": "gender",
        "type": "syntax",
        "split": "test",
        "occupation": "cook",
        "gender": "female",
        "check": "",
    }
    assert second.groups["occupation"] == "nurse"
    assert "gender" not in second.groups
    assert "Type 2 test: 1 of 2 pairs does not differ in exactly one word (numbers 2); they are kept." in [
        note.text for note in data.notes
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("pro", "anti", "says"),
    [
        ("1 [A b] saw [him].\n", "2 [A b] saw [her].\n", "not numbered as those of pro_"),
        ("1 [A b] saw [him].\n", "", "the file is empty"),
        ("A b saw him.\n", "1 A b saw her.\n", r"dev:1: is not a number and a sentence"),
        ("1 [The cook] saw [him].\n", "1 A [guard] left.\n", r"dev:1: is not the same sentence"),
    ],
)
def test_files_that_do_not_fit(pro, anti, says, tmp_path):
    with pytest.raises(BadInput, match=says):
        load(wino(tmp_path, pro, anti))


def test_lines_that_cannot_be_scored(tmp_path):
    good, same = "1 [The cook] saw [{}].\n", "2 [The cook] saw [him].\n"
    folder = wino(tmp_path, good.format("him") + same, good.format("her") + same)
    with pytest.raises(BadItems, match=r"dev:2: the pro and the anti sentence are identical"):
        load(folder)
    data = load(folder, skip_invalid=True)
    assert [pair.id for pair in data.items] == ["type1.dev.1"]
    assert [problem.item for problem in data.invalid] == ["type1.dev.2"]


def test_half_of_a_set(tmp_path):
    wino(tmp_path, "1 a [him] b\n", "1 a [her] b\n")
    (tmp_path / "anti_stereotyped_type1.txt.dev").unlink()
    with pytest.raises(BadInput, match=r"anti_stereotyped_type1\.txt\.dev is missing"):
        load(tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(BadInput, match="the folder has no data files"):
        load(empty)


@PUBLISHED
def test_the_published_files():
    data = load()
    kinds = Counter((p.groups["type"], p.groups["split"]) for p in data.items)
    assert set(kinds.values()) == {396}
    assert len(kinds) == 4
    uneven = Counter((p.groups["type"], p.groups["split"]) for p in data.items if differing(p) != 1)
    assert uneven == {
        ("knowledge", "dev"): 11,
        ("knowledge", "test"): 27,
        ("syntax", "dev"): 14,
        ("syntax", "test"): 10,
    }
    assert Counter(Counter(p.cluster for p in data.items).values()) == {2: 792}
    assert not any(c in p.more + p.less for p in data.items for c in "[]")
    assert sum("do not differ in exactly one word" in note.text for note in data.notes) == 4
