"""Sentence encoders give the library's vectors."""

import json
from pathlib import Path

import numpy as np
import pytest

from models.sentence_parts import CLOSE, PASSAGES, POOLED, TEXTS, one_by_one
from tiltmeter.core.errors import TiltmeterError
from tiltmeter.core.model.protocols import EmbedsStart, EmbedsTexts, EmbedsTokens
from tiltmeter.core.model.requests import Passage
from tiltmeter.data.downloads import weights
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve


@pytest.mark.parametrize("parts", POOLED)
def test_a_sentence_encoders_own_way_is_the_librarys(folders, parts):
    where = resolve(str(folders(parts)))
    assert where.scheme == "encoder"
    assert {EmbedsTexts, EmbedsTokens, EmbedsStart} <= {*where.answers}
    model = open_model(where)
    expected = one_by_one(folders(parts), TEXTS)
    assert np.ptp(expected, axis=0).max() > 0.05  # the model distinguishes texts
    np.testing.assert_allclose(model.embed(PASSAGES, pooling="own"), expected, **CLOSE)
    if "normalised" in parts:
        np.testing.assert_allclose((expected**2).sum(1), 1, rtol=1e-5)


def test_batches_stay_within_the_budget_and_equal_texts_are_read_once(folders, monkeypatch):
    model = open_model(resolve(str(folders("mean"))), Options(batch_tokens=40))
    read = []
    usual = model._sentences

    def noting(texts):
        read.append(texts)
        return usual(texts)

    monkeypatch.setattr(model, "_sentences", noting)
    noting.prompt = ""
    model.embed(PASSAGES, pooling="own")
    lengths = dict(zip(TEXTS, model.passage_lengths(PASSAGES), strict=True))
    for texts in read:
        assert len(texts) == 1 or len(texts) * max(map(lengths.get, texts)) <= 40
    assert sum(len(set(texts)) for texts in read) == len(set(TEXTS))


def test_a_prompt_that_stands_before_every_text(copy):
    file = copy / "config_sentence_transformers.json"
    said = json.loads(file.read_text())
    said |= {"prompts": {"all": "The old driver: "}, "default_prompt_name": "all"}
    file.write_text(json.dumps(said))
    model = open_model(resolve(str(copy)))
    expected = one_by_one(copy, TEXTS)
    np.testing.assert_allclose(model.embed(PASSAGES, pooling="own"), expected, **CLOSE)
    bare = one_by_one(copy, TEXTS, prompt="")
    assert abs(expected - bare).max() > 0.01
    assert model.passage_lengths([Passage("he is")]) == [8]  # four more than [CLS] he is [SEP]
    assert model.passage_lengths([Passage(" ")]) == [0]


def test_without_the_library_its_extra_is_named(copy, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(TiltmeterError, match=r"tiltmeter-bias\[encoders\]"):
        open_model(resolve(str(copy)))


@pytest.fixture(scope="module")
def minilm():
    if weights.status("minilm") == "absent":
        pytest.skip("minilm is not in the cache (tiltmeter models get minilm)")
    return Path(weights.get("minilm"))


def test_a_real_sentence_encoder(minilm):
    model = open_model(resolve(str(minilm)))
    texts = [*TEXTS, "The nurse was late.", "Cold soup", "x", "a " * 250]
    passages = list(map(Passage, texts))
    found = model.embed(passages, pooling="own")
    expected = one_by_one(minilm, texts)
    assert abs(found - expected).max() < 1e-5 * abs(expected).max()
    small = open_model(resolve(str(minilm)), Options(batch_tokens=30))
    again = small.embed(passages[::-1], pooling="own")[::-1]
    assert abs(again - found).max() < 1e-5 * abs(expected).max()
    nurse, late, soup = (
        found[texts.index(t)] for t in ("He is a nurse.", "The nurse was late.", "Cold soup")
    )
    assert nurse @ late > nurse @ soup + 0.2
    assert model.limit == 256
