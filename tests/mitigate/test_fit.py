"""What is embedded for a fit, and as what it is told apart."""

import dataclasses
import json

import numpy as np
import pytest

from support.architectures import build
from tiltmeter.core.errors import BadInput
from tiltmeter.mitigate import fit as fitting
from tiltmeter.mitigate.fit import FitConfig, fit
from tiltmeter.mitigate.subspace import Nullspace

SHORT = [f"She saw {i} cars." for i in range(3)] + [f"He saw {i} cars." for i in range(5)]
NEUTRAL = [f"It was {i}." for i in range(9)]
LONG = "She " + "grandmother's " * 29  # 59 words, and more tokens than the model's 64


@pytest.fixture
def config(tmp_path):
    corpus = tmp_path / "text.txt"
    corpus.write_text("\n\n".join([*SHORT, LONG, *NEUTRAL]))
    place = build("bert", tmp_path / "bert")
    return FitConfig(
        "sentence_debias", str(place), "gender", str(corpus), str(tmp_path / "m"), device="cpu"
    )


def test_sentences_that_do_not_fit_the_model_are_left_out(config):
    said = json.loads((fit(config) / "mitigation.json").read_text())
    assert said["groups"] == {"female": 4, "male": 5}
    assert said["fitted"]["sentences"] == len(SHORT)


def test_directions_of_as_many_sentences_explain_nothing(config):
    with pytest.raises(BadInput, match="1 direction of 1 sentence would explain all that differs"):
        fit(dataclasses.replace(config, k=1, sentences=1))


def test_inlp_tells_each_group_and_as_many_of_none_apart(config, monkeypatch):
    seen = []

    def found(vectors, labels, **_):
        seen.extend(labels.tolist())
        return Nullspace(np.eye(vectors.shape[1])[:1], np.array([1.0, 0.5]), 0.5)

    monkeypatch.setattr(fitting, "nullspace", found)
    fit(FitConfig("inlp", config.model, "gender", config.corpus, config.out, device="cpu"))
    assert seen == [0] * 3 + [1] * 5 + [-1] * 5
