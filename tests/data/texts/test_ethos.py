"""ETHOS: counts of the published files, and a made-up folder with the same columns."""

import pytest

from support import published
from tiltmeter.core.errors import BadInput
from tiltmeter.data.texts.ethos import BINARY, CHIU2021, KINDS, NEITHER, RACIST, SEXIST, load_ethos

HEADER = "comment;violence;directed_vs_generalized;gender;race;national_origin;disability"
ROWS = (
    "He should stay home;0;0;0.2;0.5;0;0",
    '"She said ""no""; twice";0;0;1;0;0;0',
    "Both of it;0;0;0.5;0.9;0;0",
    "Neither of it;0;0;0.49;0.1;0;0",
)


def folder(tmp_path, rows=ROWS, header=HEADER):
    (tmp_path / KINDS).write_text("\n".join([header, *rows]), "utf-8")
    (tmp_path / BINARY).write_text("comment;isHate\nNice song;0.0\nHm;0.3\nGo away;1.0\n", "utf-8")
    return tmp_path


def texts(ethos, label):
    return [text.text for text in ethos.by_label[label]]


def test_labels_of_a_made_up_folder(tmp_path):
    ethos = load_ethos(folder(tmp_path))
    assert texts(ethos, SEXIST) == ['She said "no"; twice', "Both of it"]
    assert texts(ethos, RACIST) == ["He should stay home", "Both of it"]
    assert texts(ethos, NEITHER) == ["Nice song"]
    (both,) = ethos.ambiguous
    assert (both.text, both.cluster, both.where) == ("Both of it", "hate-4", f"{KINDS}:4")


def test_a_comment_with_two_labels_is_never_drawn(tmp_path):
    ethos = load_ethos(folder(tmp_path))
    assert [text.text for text in ethos.shuffled(RACIST, 0)] == ["He should stay home"]


def test_the_order_depends_on_the_seed_alone(tmp_path):
    ethos = load_ethos(folder(tmp_path, [f"comment {i};0;0;1;0;0;0" for i in range(50)]))
    orders = [[text.id for text in ethos.shuffled(SEXIST, seed)] for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])


@pytest.mark.parametrize(
    ("rows", "header", "said"),
    [
        (("A;0;0;x;0;0;0",), HEADER, f"{KINDS}:2: gender or race is missing or is not a number"),
        (("A;0",), HEADER, f"{KINDS}:2: gender or race is missing"),
        ((), "comment,gender,race", f"{KINDS}:1: no column named comment"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, rows, header, said):
    with pytest.raises(BadInput, match=said):
        load_ethos(folder(tmp_path, rows, header))


def test_the_copy_is_read_as_the_published_code_read_it(tmp_path):
    """Commas at line ends, and a row in a quotation mark, which has no shares."""
    rows = ["A;0;0;1;0;0;0,,,", '"B;0;0;1;0;0;0,,,"', "C;0;0;1;0;0;0,,,"]
    ethos = load_ethos(folder(tmp_path, rows, f"{HEADER},,,"), variant=CHIU2021)
    assert texts(ethos, SEXIST) == ["A", "C"]


@published.needs("ethos/Ethos_Dataset_Multi_Label.csv")
@published.needs("gpt3_hate/Ethos_Dataset_Multi_Label.csv")
@pytest.mark.parametrize(("variant", "sexist"), [("paper", 86), (CHIU2021, 84)])
def test_published_counts(variant, sexist):
    ethos = load_ethos(variant=variant)
    assert {k: len(v) for k, v in ethos.by_label.items()} == {
        SEXIST: sexist,
        RACIST: 76,
        NEITHER: 354,
    }
    assert len(ethos.ambiguous) == 3
    assert "Slow death to people like you" in [text.text for text in ethos.ambiguous]


def test_a_folder_without_both_tables_is_refused(tmp_path):
    with pytest.raises(BadInput, match=f"the folder has no {KINDS}; give the folder with the"):
        load_ethos(tmp_path)
    (folder(tmp_path) / BINARY).unlink()
    with pytest.raises(BadInput, match=f"the folder has no {BINARY}"):
        load_ethos(tmp_path)
