"""Word vectors out of each kind of file, and what is said of files that are none."""

import sys

import numpy as np
import pytest

from models.embedding.vector_files import FILES, ROWS, WORDS, model_of, text_of, vectors, written
from tiltmeter.core.errors import BadInput, CannotAnswer, MissingExtra, UnknownName
from tiltmeter.core.model.requests import Passage
from tiltmeter.data.downloads import weights
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies.crows_pairs import STUDY


def test_a_text_is_the_mean_of_its_words_that_are_known(tmp_path):
    model = model_of(FILES["GloVe text"](tmp_path))
    the, nurse, sings, stop = ROWS[:4]
    texts = [
        "the nurse sings",
        "The Nurse",
        'the "nurse," unheard',
        "the nurse .",
        "the nurse sings.",
        "the the nurse",
    ]
    expected = [
        (the + nurse + sings) / 3, (the + nurse) / 2, (the + nurse) / 2, (the + nurse + stop) / 3,
        (the + nurse + sings) / 3, (the + the + nurse) / 3,
    ]  # fmt: skip
    np.testing.assert_allclose(vectors(model, *texts), expected, rtol=1e-6)
    asked = [Passage(text) for text in [*texts, "Unheard of", "", "  ", "..."]]
    assert model.passage_lengths(asked) == [3, 2, 2, 3, 3, 3, 0, 0, 0, 0]
    with pytest.raises(CannotAnswer, match="no vector for 'Unheard of'; leave it out"):
        vectors(model, "the", "Unheard of")
    with pytest.raises(CannotAnswer, match=r"no pooling 'word'.*\(own\)"):
        model.embed([Passage("the")], pooling="word")
    assert model.embed([], pooling="own").shape == (0, 3)
    assert model.limit is None
    assert model_of(tmp_path / "v.txt", batch_tokens=7).batch_tokens == 7


def test_where_a_word_has_a_capital_letter_the_case_counts(tmp_path):
    words = ["the", "Nurse", "sings", ".", "naïve"]
    model = model_of(written(tmp_path / "v.txt", text_of(words)))
    assert model.passage_lengths([Passage("The"), Passage("nurse"), Passage("Nurse")]) == [0, 0, 1]
    assert model.about["letters"] == "as they are"
    lower = model_of(FILES["npz"](tmp_path))
    assert lower.about["letters"] == "in lower case"
    np.testing.assert_array_equal(vectors(lower, "NAÏVE")[0], ROWS[4])


def test_marks_that_belong_to_a_word_stay(tmp_path):
    words = ["हिन्दी", "nurse", "sings", ".", "naïve"]  # ends with a vowel sign
    model = model_of(written(tmp_path / "v.txt", text_of(words)))
    np.testing.assert_array_equal(vectors(model, "हिन्दी,")[0], ROWS[0])


def test_the_fingerprint_is_the_contents(tmp_path):
    one = written(tmp_path / "a.txt", text_of())
    other = written(tmp_path / "b.txt", text_of())
    changed = written(tmp_path / "c.txt", text_of(rows=ROWS * 2))
    prints = [model_of(path).fingerprint for path in (one, other, changed)]
    assert prints[0] == prints[1] != prints[2]


def test_names_that_are_no_files(tmp_path):
    for reference, says in (
        ("vectors:", "names no model after the colon"),
        ("vectors", "no file is named"),
        (f"vectors:{tmp_path}/none.txt", "no such file"),
    ):
        with pytest.raises(BadInput, match=says):
            resolve(reference)
    with pytest.raises(BadInput, match=r"one \.npy and one \.parquet file; here are 0 and 0"):
        model_of(tmp_path)
    path = written(tmp_path / "v.txt", text_of())
    with pytest.raises(BadInput, match="word vectors are vectors:FILE"):
        resolve(str(path))
    with pytest.raises(UnknownName, match="vectors"):
        resolve(f"vector:{path.name}")


def test_a_folder_with_an_array_and_a_table(tmp_path):
    import polars as pl

    np.save(tmp_path / "v.npy", ROWS)
    table = tmp_path / "words.parquet"
    pl.DataFrame({"index": WORDS}).write_parquet(table)
    np.testing.assert_array_equal(vectors(model_of(tmp_path), *WORDS), ROWS)
    pl.DataFrame({"index": WORDS, "more": range(5)}).write_parquet(table)
    with pytest.raises(BadInput, match="only column must be the words"):
        model_of(tmp_path)
    pl.DataFrame({"index": [*WORDS[:4], None]}).write_parquet(table)
    with pytest.raises(BadInput, match="only column must be the words"):
        model_of(tmp_path)
    table.write_text("no table")
    with pytest.raises(BadInput, match="cannot be read"):
        model_of(tmp_path)


def test_other_questions_are_refused_before_anything_is_read(tmp_path):
    where = resolve(f"vectors:{written(tmp_path / 'v.txt', text_of())}")
    with pytest.raises(CannotAnswer, match="cannot measure"):
        choose(STUDY, where.answers, model=where.name)


def test_without_the_library_its_extra_is_named(tmp_path, monkeypatch):
    path = FILES["word2vec binary"](tmp_path)
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(MissingExtra, match=r"tiltmeter-bias\[vectors\]"):
        model_of(path)
    np.testing.assert_array_equal(vectors(model_of(FILES["npz"](tmp_path)), *WORDS), ROWS)


def test_real_word_vectors():
    if weights.status("glove") == "absent":
        pytest.skip("glove is not in the cache (tiltmeter models get glove)")
    model = open_model(resolve("glove"))
    assert (model.about["vocabulary"], model.about["letters"]) == (400_000, "in lower case")
    assert model.about["note"].startswith("Word vectors without context")
    found = vectors(model, "the", "Nurse", "doctor", "soup", "This is a nurse.")
    np.testing.assert_allclose(found[0, :4], [0.418, 0.24968, -0.41242, 0.1217], rtol=1e-6)
    nurse, doctor, soup = (v / np.linalg.norm(v) for v in found[1:4])
    assert nurse @ doctor > nurse @ soup + 0.3
    words = vectors(model, "this", "is", "a", "nurse")
    np.testing.assert_allclose(found[4], words.mean(0), rtol=1e-5)
