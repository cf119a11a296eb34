"""Sentence encoders and models without a head, against the libraries' plain calls on one text."""

import json

import numpy as np
import pytest

from models.sentence_parts import CLOSE, PASSAGES, TEXTS, one_by_one
from tiltmeter.core.errors import CannotAnswer, TiltmeterError
from tiltmeter.core.model.requests import Passage
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.run.planning.choosing import choose
from tiltmeter.run.sweeps.sweep import _files
from tiltmeter.studies.crows_pairs import STUDY


def test_batches_and_order_change_nothing(folders):
    where = resolve(str(folders("mean")))
    expected = open_model(where).embed(PASSAGES, pooling="own")
    small = open_model(where, Options(batch_tokens=20))
    np.testing.assert_allclose(small.embed(PASSAGES, pooling="own"), expected, **CLOSE)
    backwards = small.embed(PASSAGES[::-1], pooling="own")[::-1]
    np.testing.assert_allclose(backwards, expected, **CLOSE)
    assert small.embed([], pooling="own").shape == (0, 0)


def test_longer_texts_are_refused_and_never_cut(copy):
    file = copy / "sentence_bert_config.json"
    said = json.loads(file.read_text())
    file.write_text(json.dumps(said | {"max_seq_length": 10}))
    model = open_model(resolve(str(copy)))
    assert model.limit == 10
    with pytest.raises(CannotAnswer, match="at most 10 tokens at once"):
        model.embed(PASSAGES, pooling="own")
    with pytest.raises(CannotAnswer, match="no token for ' '"):
        model.embed([Passage(" ")], pooling="own")


def test_in_reduced_precision(folders):
    options = Options(precision="bfloat16")
    where = resolve(str(folders("max, dense")))
    rough = open_model(where, options).embed(PASSAGES, pooling="own")
    exact = open_model(where).embed(PASSAGES, pooling="own")
    assert rough.dtype == np.float32
    assert 0 < abs(rough - exact).max() < 0.2


def test_the_fingerprint_covers_what_follows_the_transformer(copy, folders):
    first = open_model(resolve(str(folders("cls, normalised")))).fingerprint
    assert open_model(resolve(str(copy))).fingerprint == first
    file = copy / "1_Pooling" / "config.json"
    assert file in _files(copy)  # a sweep looks whether it is as it was
    file.write_text(file.read_text() + "\n")
    assert open_model(resolve(str(copy))).fingerprint != first


def test_other_questions_are_refused_before_anything_is_loaded(copy):
    (copy / "model.safetensors").unlink()  # nothing could be loaded
    where = resolve(str(copy))
    with pytest.raises(CannotAnswer, match=r"cannot measure .* model that can"):
        choose(STUDY, where.answers, model=where.name)
    with pytest.raises(CannotAnswer, match=r"is a headless encoder \(BertModel\).*encoder:"):
        resolve(f"next_sentence:{copy}")


def test_a_sentence_encoder_made_of_a_language_model_may_be_asked_as_one(copy):
    """The folder says BertModel, so here it is refused; with a head it would not be."""
    with pytest.raises(CannotAnswer, match=r"headless encoder \(BertModel\).*used as masked"):
        resolve(f"masked:{copy}")
    file = copy / "config.json"
    file.write_text(
        json.dumps(json.loads(file.read_text()) | {"architectures": ["BertForMaskedLM"]})
    )
    assert resolve(f"masked:{copy}").scheme == "masked"
    assert resolve(str(copy)).scheme == "encoder"
    with pytest.raises(CannotAnswer, match="weights are not in its files"):
        open_model(resolve(f"masked:{copy}"))


def test_weights_that_are_missing_are_not_made_up(copy):
    from safetensors.torch import load_file, save_file

    held = load_file(copy / "model.safetensors")
    gone = next(key for key in held if "layer.1" in key)
    held.pop(gone)
    save_file(held, copy / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(CannotAnswer, match=r"1 weight is not in its files"):
        open_model(resolve(str(copy)))


def test_of_a_hub_model_the_folders_of_its_parts_are_fetched_and_no_others(folders, monkeypatch):
    asked = []

    def download(_, *, allow_patterns, ignore_patterns, **__):
        asked.append((allow_patterns, ignore_patterns))
        return str(folders("max, dense"))

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    where = resolve("someone/sentences")
    assert (where.scheme, where.location) == ("encoder", "someone/sentences")
    identifying = ["config.json", "next_sentence.json", "modules.json"]
    identifying += ["chat_template.jinja", "tokenizer_config.json"]
    assert asked == [(identifying, asked[0][1])]
    found = open_model(where).embed(PASSAGES, pooling="own")
    np.testing.assert_allclose(found, one_by_one(folders("max, dense"), TEXTS), **CLOSE)
    within, without = asked[-1]
    assert {"1_Pooling/*.json", "2_Dense/*.safetensors"} <= {*within}
    assert not without
    assert all(pattern.partition("/")[0] in {"1_Pooling", "2_Dense"} for pattern in within)
    assert not any(pattern.endswith(".bin") for pattern in within)
    open_model(where, Options(allow_pickle=True))
    assert "2_Dense/*.bin" in asked[-1][0]


def test_a_tokenizer_is_needed(copy):
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (copy / name).unlink()
    with pytest.raises(TiltmeterError, match="contains no tokenizer"):
        open_model(resolve(str(copy)))
