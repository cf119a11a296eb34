"""Text to documents and sentences."""

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput
from tiltmeter.data.texts import corpus as corpora
from tiltmeter.data.texts.corpus import split, untokenised


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two.", ["One.", "Two."]),
        ("He said no. Then he left.", ["He said no.", "Then he left."]),
        ("It is no. 5 of 7. See fig. 3.", ["It is no. 5 of 7.", "See fig. 3."]),
        ("Mr. Smith of the U.S. Army, i.e. J. R. Smith.", None),
        ("Prices rose by 3.5 percent at 5 p.m. in Paris.", None),
        ("“Why?” she asked. “Well …” He left!", ["“Why?” she asked.", "“Well …”", "He left!"]),
        ("(One.) [Two.] 'Three.'", ["(One.)", "[Two.]", "'Three.'"]),
        ("¿Qué? ¡No! Él vino.", ["¿Qué?", "¡No!", "Él vino."]),
        ("他走了。她来了！好吗？", ["他走了。", "她来了！", "好吗？"]),
        ("In 1990. 12 men came.", ["In 1990.", "12 men came."]),
        ("No end", None),
        ("…", []),
        ("* * * . Well. —", ["Well."]),
        ("", []),
    ],
)
def test_sentences(text, sentences):
    assert split(text) == ([text] if sentences is None else sentences)


@settings(deadline=None)
@given(st.text(alphabet="aB1. ?!\"')(\n…。", max_size=60))
def test_splitting_loses_no_letter(text):
    kept = "".join(c for s in split(text) for c in s if c.isalnum())
    assert kept == "".join(c for c in text if c.isalnum())


@settings(deadline=None)
@given(st.text(alphabet='ab1.,;()"@ -', max_size=40))
def test_taking_spaces_out_again_loses_no_letter(text):
    assert [c for c in untokenised(text) if c.isalnum()] == [c for c in text if c.isalnum()]


WIKI = """ 
 = One Thing = 
 
 A man came . He @-@ left , 
 and more . 
 
 = = History = = 
 
 It was 5 @.@ 5 m ( long ) . 
 
 = Other = 
 
 Here . There . 
"""  # fmt: skip  # noqa: W291, W293


def test_wikitext_is_cut_at_titles_and_headings_are_left_out(tmp_path):
    file = tmp_path / "w.tokens"
    file.write_text(WIKI)
    found = corpora.read(file)
    assert found.documents == (
        ("A man came.", "He @-@ left,".replace(" @-@ ", "-"), "and more.", "It was 5.5 m (long)."),
        ("Here.", "There."),
    )
    assert found.name == "w.tokens"
    assert found.sentences == 6


def test_blank_lines_separate_plain_documents_and_wrapped_lines_belong_together(tmp_path):
    file = tmp_path / "p.txt"
    file.write_text("A long\nsentence. Another.\n\n \nB one.\r\nB two.\n\nLonely.\n")
    assert corpora.read(file).documents == (("A long sentence.", "Another."), ("B one.", "B two."))


def test_a_formula_is_no_title(tmp_path):
    file = tmp_path / "p.txt"
    file.write_text("We know\n = x = \nby now. Yes.\n\nB one. B two.\n")
    assert len(corpora.read(file).documents) == 2


def test_json_lines_have_a_document_each(tmp_path):
    file = tmp_path / "d.jsonl"
    rows = [{"text": "A one. A two.\n\nA three."}, {"text": "B one.\nB two.", "id": 3}]
    file.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    assert corpora.read(file).documents == (("A one.", "A two.", "A three."), ("B one.", "B two."))


def test_compressed_text_is_the_same_text(tmp_path):
    (tmp_path / "a.txt").write_text("A one. A two.\n\nB one. B two.\n")
    with gzip.open(tmp_path / "a.txt.gz", "wt") as packed:
        packed.write("A one. A two.\n\nB one. B two.\n")
    plain, unpacked = (corpora.read(tmp_path / name) for name in ("a.txt", "a.txt.gz"))
    assert plain.documents == unpacked.documents
    assert plain.sha256 != unpacked.sha256


def test_a_folder_is_all_its_texts_by_name_and_equal_documents_count_once(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "b.txt").write_text("B one. B two.")
    (tmp_path / "in" / "c.txt").write_text("C one. C two.\n\nB one. B two.")
    (tmp_path / "a.tokens").write_text("A one. A two.")
    (tmp_path / "notes.md").write_text("Not text. Not read.")
    found = corpora.read(tmp_path)
    assert [d[0] for d in found.documents] == ["A one.", "B one.", "C one."]
    before = found.sha256
    (tmp_path / "notes.md").write_text("Changed.")
    assert corpora.read(tmp_path).sha256 == before
    (tmp_path / "in" / "c.txt").write_text("C one. C two!\n\nB one. B two.")
    assert corpora.read(tmp_path).sha256 != before


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        (
            "gone.txt",
            None,
            r"no such file or folder; .*\.txt, \.tokens, \.jsonl.*, or a folder of them",
        ),
        ("empty.txt", b"", "the file is empty; give running text"),
        ("blank.txt", b"\n\n \n", "no documents of two sentences"),
        ("one.txt", b"Only one sentence.\n\nAnother one.", "no documents of two sentences"),
        (
            "latin.txt",
            "Käse. Brot.\n".encode("latin-1"),
            r"latin.txt:1: byte 0xe4.*--encoding cp1252",
        ),
        ("nul.txt", b"One. Two\0.", "NUL"),
        ("table.csv", b"a,b\n", r"type of text file is not supported.*\.txt, \.tokens, \.jsonl"),
        ("cut.txt.gz", gzip.compress(b"One. Two." * 99, mtime=0)[:-9], "not a whole gzip file"),
        (
            "bad.jsonl",
            b'{"text": "One. Two."}\n{"txt": "x"}\n',
            "bad.jsonl:2: is not a JSON object",
        ),
        ("bad2.jsonl", b"[1]\n", "bad2.jsonl:1: is not a JSON object"),
        ("bad3.jsonl", b'{"text": 5}\n', "bad3.jsonl:1"),
        ("really.txt", b"%PDF-1.4", "is a PDF"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path, name, content, says):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInput, match=f"(?s){says}"):
        corpora.read(tmp_path / name)


def test_a_folder_without_text_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("a")
    with pytest.raises(BadInput, match="the folder contains no text"):
        corpora.read(tmp_path)


def test_the_encoding_can_be_named(tmp_path):
    (tmp_path / "a.txt").write_bytes("Käse. Brot.".encode("cp1252"))
    assert corpora.read(tmp_path / "a.txt", "cp1252").documents == (("Käse.", "Brot."),)


def test_a_title_counts_only_between_blank_lines_wherever_it_stands(tmp_path):
    path = tmp_path / "late.txt"
    path.write_text("One is. Two is.\n= Not one =\n\n = Late = \n\nThree is. Four is.\n")
    assert corpora.read(path).documents == [
        ("One is.", "Two is.", "= Not one ="), ("Three is.", "Four is."),
    ]  # fmt: skip
