"""Features of texts: of the package's own tf-idf, and of an encoder, kept in the cache."""

import numpy as np
import pytest

from support.architectures import build
from tiltmeter.active.encoders.features import TF_IDF, text_features
from tiltmeter.core.errors import BadInput

TEXTS = ["the cat sat", "the dog sat", "a cat and a dog", "the sky"]


def test_tf_idf_keeps_the_angles_between_texts():
    found = text_features(TEXTS, TF_IDF)
    # words in two texts or more: cat, dog, sat (ln 2), the (ln 4/3); "a" is in one text
    two, the = np.log(2), np.log(4 / 3)
    one, other = np.array([two, 0, two, the]), np.array([0, two, two, the])
    expected = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    cosine = found[0] @ found[1] / np.linalg.norm(found[0]) / np.linalg.norm(found[1])
    assert cosine == pytest.approx(expected)
    assert np.linalg.norm(found[0]) == pytest.approx(1)


def test_texts_without_a_common_word_are_refused():
    with pytest.raises(BadInput, match="share no words"):
        text_features(["one", "two"], TF_IDF)


def test_vectors_of_an_encoder_are_made_once_and_long_texts_cut(monkeypatch, tmp_path):
    pytest.importorskip("transformers")
    folder = build("bert", tmp_path / "bert")
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path))
    texts = [*TEXTS, "the cat " * 400]
    found = text_features(texts, str(folder))
    assert len(found) == 5 and np.isfinite(found).all()
    (file,) = (tmp_path / "features").glob("*.npy")
    changed = np.load(file) + 1
    np.save(file, changed)
    np.testing.assert_array_equal(text_features(texts, str(folder)), changed.astype(float))
