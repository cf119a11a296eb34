"""Tests of placebo edits: lists of edits, edits of like size, and paraphrases of users."""

from pathlib import Path

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.texts.placebo_edits import (
    PlaceboEdit,
    edit_size,
    edits_in,
    edits_like,
    packaged_edits,
    read_paraphrases,
)

TEXT = "All people of this town are welcome here. Bring bread and salt."


def test_packaged_edits_have_names_of_their_own_and_change_a_text():
    edits = packaged_edits()
    names = [(edit.language, edit.name) for edit in edits]
    assert len(set(names)) == len(names)
    for edit in edits:
        assert edit.applied(f"{TEXT}{edit.find}{TEXT}") != f"{TEXT}{edit.find}{TEXT}"


@pytest.mark.parametrize("language", ["en", "nl", "fr", "de", "it", "pt", "es"])
def test_each_language_has_edits_that_put_words(language):
    edits = edits_in(language)
    assert sum(edit.language == language for edit in edits) >= 6
    assert {edit.language for edit in edits} == {"", language}


def test_edits_are_of_like_size_and_each_is_used_once():
    edits, sizes = edits_in("en"), [3, 4, 8, 15, 20]
    chosen = [each for each in edits_like(TEXT, sizes, edits) if each]
    assert len({edit.name for edit, _ in chosen}) == len(sizes)
    for size, (_, after) in zip(sizes, chosen, strict=True):
        assert abs(edit_size(TEXT, after) - size) <= max(2, 0.25 * size)


def test_over_many_texts_mean_sizes_are_alike_and_edits_vary():
    edits, rng = edits_in("en"), np.random.default_rng(0)
    sizes = rng.integers(2, 20, 200)
    made = [edits_like(f"{n}. {TEXT}", [int(size)], edits)[0] for n, size in enumerate(sizes)]
    chosen = [edit_size(f"{n}. {TEXT}", after) for n, (_, after) in enumerate(made)]
    assert np.mean(chosen) == pytest.approx(np.mean(sizes), rel=0.1)
    assert len({edit.name for edit, _ in made}) > 10


def test_the_draw_depends_on_the_text_and_the_seed_alone():
    edits = edits_in("en")
    alone = edits_like(TEXT, [5], edits, seed=3)
    assert edits_like(TEXT, [5, 9], edits, seed=3)[:1] == alone
    assert len({str(edits_like(TEXT, [5], edits, seed=seed)) for seed in range(9)}) > 1


def test_without_an_edit_of_like_size_it_is_the_nearest_and_none_if_all_are_used():
    edits = [PlaceboEdit("one", begin="1"), PlaceboEdit("ten", begin="1234567890")]
    assert [each and each[0].name for each in edits_like("x", [50, 50, 50], edits)] == [
        "ten",
        "one",
        None,
    ]


def test_a_list_of_the_users_stands_alone_or_beside_the_packaged_one(tmp_path: Path):
    file = tmp_path / "mine.toml"
    mine = '[[edits]]\nname = "cat"\nend = " My cat sleeps."\n'
    file.write_text(mine)
    assert [edit.name for edit in edits_in("en", file)] == ["cat"]
    file.write_text(f"with_packaged = true\n{mine}")
    assert [edit.name for edit in edits_in("en", file)] == [
        "cat",
        *(edit.name for edit in edits_in("en")),
    ]
    file.write_text(mine + 'language = "tr"\n')
    with pytest.raises(BadInput, match="no edit for texts in the language 'en'"):
        edits_in("en", file)


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ('name = "x"', "changes nothing"),
        ('name = "x"\nput = "y"', "only one of find and put"),
        ('name = "x"\nfind = "y"\nput = "y"', "puts what it finds"),
        ('end = "y"', "name"),
    ],
)
def test_bad_edits_are_named(tmp_path: Path, edit: str, reason: str):
    file = tmp_path / "mine.toml"
    file.write_text(f"[[edits]]\n{edit}\n")
    with pytest.raises(BadItems, match=reason):
        edits_in("en", file)


def paraphrases(tmp_path: Path, text: str, **options: bool) -> object:
    file = tmp_path / "mine.csv"
    file.write_text(text)
    return read_paraphrases(file, {"a": "Come in.", "b": "Go out."}, **options)


def test_a_text_may_have_several_paraphrases(tmp_path: Path):
    read = paraphrases(tmp_path, "id,text,name\na,Enter.,short\na,Please enter.,\nc,Other.,\n")
    assert [row.text for row in read.by_id["a"]] == ["Enter.", "Please enter."]
    assert read.by_id["a"][0].name == "short"
    assert [*read.by_id] == ["a", "c"]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("id,text\na,Come in.\n", "is the one of the data"),
        ("id,text\na,Enter.\na,Enter.\n", "that of an earlier row"),
        ("id,text\na,\n", "text is empty"),
    ],
)
def test_bad_rows_are_named_or_left_out(tmp_path: Path, rows: str, reason: str):
    with pytest.raises(BadItems, match=reason):
        paraphrases(tmp_path, rows)
    left = paraphrases(tmp_path, f"{rows}b,Leave.\n", skip_invalid=True)
    assert len(left.problems) == 1
    assert "b" in left.by_id


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ("id,text\nz,Enter.\n", "it has 'z', and the data have 'a'"),
        ("id,text\n", "only a header"),
        ("", "empty"),
        ("id,words\na,Enter.\n", "text"),
    ],
)
def test_files_without_a_paraphrase_of_the_data_are_errors(tmp_path: Path, rows: str, reason: str):
    with pytest.raises(BadInput, match=reason):
        paraphrases(tmp_path, rows)
