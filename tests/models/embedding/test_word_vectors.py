"""Files of word vectors: every format, broken ones, nothing unpickled."""

import gzip
import struct
import zipfile

import numpy as np
import pytest

from models.embedding.vector_files import (
    FILES,
    ROWS,
    WORDS,
    binary_of,
    model_of,
    npz,
    text_of,
    vectors,
    written,
)
from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.protocols import EmbedsTexts
from tiltmeter.core.model.requests import Passage
from tiltmeter.models.embedding.word_vectors import read
from tiltmeter.models.opening.open_model import open_model, resolve


@pytest.mark.parametrize("form", FILES)
def test_every_kind_of_file_gives_the_same(tmp_path, form):
    path = FILES[form](tmp_path)
    where = resolve(f"vectors:{path}")
    assert where.answers == (EmbedsTexts,)
    model = open_model(where)
    assert model.about["format"] == form.partition(",")[0]
    assert (model.about["vocabulary"], model.about["dimensions"]) == (5, 3)
    found = vectors(model, *WORDS)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, ROWS)


@pytest.fixture(scope="module")
def fasttext(tmp_path_factory):
    """A model trained on a few words, as fastText itself writes it; and the library's own copy."""
    from gensim.models.fasttext import FastText, save_facebook_model

    texts = [["the", "young", "nurse", "sings"], ["the", "old", "nurses", "sing"]] * 5
    made = FastText(
        texts, vector_size=4, min_count=1, min_n=2, max_n=4, bucket=50, epochs=2, seed=3, workers=1
    )
    path = tmp_path_factory.mktemp("ft") / "model.bin"
    save_facebook_model(made, str(path))
    return path, made


def test_fasttext_makes_vectors_of_pieces_of_words(fasttext):
    path, made = fasttext
    model = model_of(path)
    assert model.about["format"] == "fastText binary"
    assert model.about["words that are not in the table"] == "from their pieces"
    for word in ("nurse", "nursing", "unheard"):  # two are not in the table
        np.testing.assert_allclose(vectors(model, word)[0], made.wv[word], rtol=1e-5)
    np.testing.assert_array_equal(*vectors(model, "Nurse!", "nurse"))
    np.testing.assert_array_equal(*vectors(model, "NURSING", "nursing"))
    assert model.passage_lengths([Passage("unheard of"), Passage("!")]) == [2, 0]


def test_fasttext_without_pieces_has_its_words_alone(tmp_path):
    from gensim.models.fasttext import FastText, save_facebook_model

    made = FastText(
        [["the", "nurse"]] * 5, vector_size=4, min_count=1, max_n=0, epochs=1, workers=1
    )
    save_facebook_model(made, str(tmp_path / "model.bin"))
    model = model_of(tmp_path / "model.bin")
    np.testing.assert_allclose(vectors(model, "nurse")[0], made.wv["nurse"], rtol=1e-5)
    assert model.passage_lengths([Passage("nursing")]) == [0]


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.98])
def test_a_fasttext_file_that_was_cut_is_told(fasttext, tmp_path, share):
    """The library would wait for ever for the end of a word."""
    whole = fasttext[0].read_bytes()
    half = len(whole) // 2  # the second half is what training needs
    cut = written(tmp_path / "cut.bin", whole[: int(half * share)])
    with pytest.raises(BadInput, match="it ends in the middle; download it again"):
        model_of(cut)


def test_fasttext_files_of_other_kinds(fasttext, tmp_path):
    whole = bytearray(fasttext[0].read_bytes())
    labels = 8 + 12 * 4 + 8 + 8
    labelled = bytes(whole[:labels]) + struct.pack("@i", 2) + bytes(whole[labels + 4 :])
    with pytest.raises(BadInput, match="trained to predict labels"):
        model_of(written(tmp_path / "l.bin", labelled))
    with pytest.raises(BadInput, match="cannot be read when compressed; unpack it"):
        model_of(written(tmp_path / "l.bin.gz", gzip.compress(bytes(whole), mtime=0)))


def with_line(number, line, *, header=False):
    lines = text_of(header=header).splitlines()
    lines[number - 1] = line
    return "\n".join([*lines, ""])


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("v.txt", "", r"v\.txt: it is empty"),
        ("v.txt", "\n\n", r"v\.txt: it is empty"),
        ("v.txt", "Once upon a time there was a nurse.\n", "not a file of word vectors"),
        ("v.txt", bytes(range(1, 128)) * 9, "not a file of word vectors"),
        ("v.txt", "word\n", "not a file of word vectors"),
        ("v.txt", with_line(3, "sings 1 2"), r"v\.txt:3: expected a word and 3 numbers.*are 3 fields"),
        ("v.txt", with_line(2, "nurse 1 2 3 4"), r"v\.txt:2: .*are 5 fields"),
        ("v.vec", with_line(4, "sings 1", header=True), r"v\.vec:4: .*are 2 fields"),
        ("v.txt", with_line(2, ""), r"v\.txt:2: .*are 0 fields"),
        ("v.txt", with_line(3, "sings 1 2 x"), r"v\.txt:3: 'x' is not a number"),
        ("v.txt", with_line(3, "sings 1 2 nan"), r"v\.txt:3: nan is not a finite number"),
        ("v.txt", with_line(3, "sings 1 2 1e60"), r"v\.txt:3: 1e60 is not a finite number"),
        ("v.vec", with_line(4, "sings 1 -inf 2", header=True), r"v\.vec:4: -inf is not a finite"),
        ("v.txt", with_line(5, "the 1 2 3"), r"v\.txt:5: the word 'the' is already in line 1"),
        ("v.txt", with_line(2, "n").encode() + b"", r"v\.txt:2"),
        ("v.txt", text_of().encode("latin-1"), r"v\.txt:5: the word b'na\\xefve' is not UTF-8"),
        ("v.vec", with_line(1, "6 3", header=True), r"v\.vec:1: the header says 6 words, but there are 5"),
        ("v.vec", with_line(1, "4 3", header=True), r"v\.vec:1: the header says 4 words, but there are 5"),
        ("v.vec", with_line(1, "5 4", header=True), r"v\.vec:2: expected a word and 4 numbers"),
        ("v.bin", binary_of(promised=4), "the file has another length"),
        ("v.bin", binary_of(promised=6), "unexpected end of input"),
        ("v.bin", binary_of(promised=10**15), "the file is shorter"),
        ("v.bin", binary_of(promised=0), "the header says that it is empty"),
        ("v.bin", binary_of()[:-9], "unexpected end of input"),
        ("v.bin", binary_of(["the", "the", "a", "b", "c"]), "of 5 words, 1 occur twice"),
        ("v.bin", binary_of(rows=ROWS * np.float32("nan")), "vector of 'the' has numbers that are not fin"),
        ("v.txt", gzip.compress(text_of().encode(), mtime=0), r"it is compressed, .*rename it to …\.gz"),
        ("v.txt.gz", text_of().encode(), r"v\.txt\.gz: it cannot be read \(Not a gzipped file"),
        ("v.txt.gz", gzip.compress(text_of().encode() * 9, mtime=0)[:-20], r"it cannot be read \("),
        ("v.kv", b"\x80\x05\x95" + bytes(40), "a pickle, as gensim saves.*save_word2vec_format"),
        ("v.npy", b"\x93NUMPY\x01\x00" + bytes(40), "an array but no words"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_used(tmp_path, name, content, says):
    path = written(tmp_path / name, content)
    with pytest.raises(BadInput, match=says):
        model_of(path)


def test_archives_and_arrays_that_cannot_be_used(tmp_path):
    with zipfile.ZipFile(tmp_path / "glove.zip", "w") as archive:
        archive.writestr("v.txt", text_of())
    with pytest.raises(BadInput, match="a zip archive; unpack it"):
        model_of(tmp_path / "glove.zip")
    words = np.array(WORDS)
    for number, (arrays, says) in enumerate([
        ({"words": words}, "no arrays `words` and `vectors`, only words"),
        ({"words": words.astype(object), "vectors": ROWS}, r"cannot be read \(Object arrays"),
        ({"words": words[:4], "vectors": ROWS}, "4 words and 5 vectors"),
        ({"words": words, "vectors": ROWS[0]}, r"shape \(3,\)"),
        ({"words": words, "vectors": words}, "vectors have type"),
        ({"words": ROWS, "vectors": ROWS}, "`words` has type float32 and 2 axes"),
        ({"words": words, "vectors": ROWS.astype(float) * 1e60}, "not finite in single precision"),
        ({"words": np.array([*WORDS[:4], "the"]), "vectors": ROWS}, "'the' is listed twice"),
        ({"words": np.char.encode(WORDS, "latin-1"), "vectors": ROWS}, "not UTF-8"),
    ]):  # fmt: skip
        path = npz(tmp_path / f"{number}.npz", **arrays)
        with pytest.raises(BadInput, match=says):
            model_of(path)
    whole = (tmp_path / "0.npz").read_bytes()
    with pytest.raises(BadInput, match="cannot be read"):
        model_of(written(tmp_path / "cut.npz", whole[: len(whole) // 2]))


def test_compressed_arrays_that_unpack_to_too_much_are_refused(tmp_path):
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, words=np.array(["a"] * 5_000_000), vectors=ROWS)
    with pytest.raises(BadInput, match=r"words\.npy unpacks to more than 16 MB"):
        model_of(path)


def test_nothing_is_unpickled(tmp_path):
    """A pickle that writes a file when it is read, called by the names that word vectors have."""
    import pickle

    class Acts:
        def __reduce__(self):
            return (open, (str(tmp_path / "ran"), "w"))

    for name in ("v.kv", "v.bin", "v.txt", "v.model", "v.npz"):
        path = written(tmp_path / name, pickle.dumps(Acts()))
        with pytest.raises(BadInput, match="pickle"):
            model_of(path)
    npz(tmp_path / "o.npz", words=np.array([Acts()], dtype=object), vectors=ROWS[:1])
    with pytest.raises(BadInput, match="Object arrays"):
        model_of(tmp_path / "o.npz")
    assert not (tmp_path / "ran").exists()


SPACED = (
    "he 0.1 0.2 0.3\nshe 0.4 0.5 0.6\n. . . 0.1 0.1 0.1\nat name@domain.com 0.2 0.2 0.2\n"
    "nurse 0.7 0.8 0.9\n1990 1 2 3\n"
)
"""As GloVe's vectors of the Common Crawl: some words have spaces."""


@pytest.mark.parametrize("header", ["", "6 3\n"])
@pytest.mark.parametrize("end", ["\n", " \n", "\r\n"])
def test_words_with_spaces_are_read_from_the_right(header, end, tmp_path):
    path = written(tmp_path / "v.txt", header + SPACED.replace("\n", end))
    table = read(path)
    assert [*table.index] == ["he", "she", ". . .", "at name@domain.com", "nurse", "1990"]
    assert table.vectors.shape == (6, 3) and table.spaced == 2
    assert np.allclose(table.vectors[table.index["nurse"]], [0.7, 0.8, 0.9])
    assert model_of(path).about["words with spaces in them"] == 2


def test_the_first_line_may_have_such_a_word(tmp_path):
    path = written(
        tmp_path / "v.txt",
        "at name@domain.com 0.2 0.2 0.2\n" + SPACED.replace("at name@", "to name@"),
    )
    assert read(path).vectors.shape == (7, 3)


BROKEN = ("he 0.1 0.2", "he 9 9 9", "nurse 1 2 3 4", "x 1 nan 3", "y 1 2 z", "")
"""Too few numbers, a word again, too many numbers, no finite number, no number, nothing."""


def test_broken_lines_are_left_out_if_asked_for(tmp_path):
    lines = SPACED.splitlines()
    text = "\n".join([*lines[:2], *BROKEN, *lines[2:], ""])
    path = written(tmp_path / "v.txt", text)
    with pytest.raises(BadInput, match=r"v\.txt:3: .*--skip-invalid"):
        read(path)
    table = read(path, skip_invalid=True)
    assert [*table.index] == [*read(written(tmp_path / "w.txt", SPACED)).index]
    assert [*table.broken] == [3, 4, 5, 6, 7, 8]
    model = model_of(path, skip_invalid=True)
    assert model.about["lines left out"] == "6 (3, 4, 5, 6, 7, 8)"


def test_short_lines_at_the_beginning_do_not_shorten_all(tmp_path):
    text = "he 0.1 0.2\n" + SPACED.replace("he", "him", 1)
    with pytest.raises(BadInput, match=r"v\.txt:1: expected a word and 3 numbers"):
        read(written(tmp_path / "v.txt", text))
