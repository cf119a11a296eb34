"""Edits of stems, and lists of them."""

import pytest

from tiltmeter.core.errors import BadItems, UnknownName
from tiltmeter.studies.misspellings.edits import (
    GENERATED,
    Edit,
    generated,
    published_edits,
    read_edits,
)


def test_the_published_edits_are_those_of_table_22():
    edits = published_edits()
    assert len(edits) == 35
    assert len({edit.stem for edit in edits}) == 7
    assert Edit("rape", "r@p3") in edits


@pytest.mark.parametrize(
    ("within", "found"),
    [
        ("anywhere", "k1lls k1ll sk1ll K1LL"),
        ("starts", "k1lls k1ll skill K1LL"),
        ("words", "kills k1ll skill K1LL"),
    ],
)
def test_where_a_stem_is_found(within, found):
    assert Edit("kill", "k1ll").applied("kills kill skill KILL", within) == found


def test_a_stem_with_signs_is_no_pattern():
    assert Edit("a.s", "a*s").applied("abs a.s") == "abs a*s"


@pytest.mark.parametrize("seed", range(5))
def test_generated_edits(seed):
    made = {kind: generated("bitch", [kind], seed)[0].written for kind in GENERATED}
    assert made["drop"] in {"btch", "bich", "bith", "bitc"}
    assert made["swap"] in {"btich", "bicth", "bithc"}
    assert made["leet"] == "b17ch"
    assert made["*"] == "b*tch"
    assert made["-"] == "b-tch"


def test_the_seed_decides_the_letters():
    drops = {generated("abcdefgh", ["drop"], seed)[0].written for seed in range(30)}
    assert len(drops) > 3
    assert generated("abcdefgh", ["drop"], 4) == generated("abcdefgh", ["drop"], 4)


def test_what_a_stem_does_not_allow_is_left_out():
    assert generated("xx", ["swap", "leet"]) == []
    with pytest.raises(UnknownName, match="kind of misspelling"):
        generated("abc", ["rot13"])


def test_own_stems(tmp_path):
    path = tmp_path / "stems.toml"
    path.write_text(
        '[[stems]]\nstem = "mean"\nedits = ["m3an"]\n[[stems]]\nstem = "awful"\n', "utf-8"
    )
    found = read_edits(path, generate=["*"])
    assert found[0].name == "mean → m3an"
    assert {e.stem for e in found if "*" in e.written} == {"mean", "awful"}
    with pytest.raises(BadItems, match="the stem 'awful' has no edits"):
        read_edits(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no stems"),
        ('[[stems]]\nstem = "x"\nedits = ["y"]\n', "write at least 2 letters"),
        ('[[stems]]\nstem = "mean"\nedits = ["MEAN"]\n', "has an edit that equals the stem"),
        ('[[stems]]\nsteam = "mean"\n', "did you mean 'stem'"),
    ],
)
def test_lists_that_cannot_be_used(tmp_path, text, said):
    path = tmp_path / "stems.toml"
    path.write_text(text or "name = 'none'\n", "utf-8")
    with pytest.raises(BadItems, match=said):
        read_edits(path)
