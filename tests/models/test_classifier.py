"""Trained classifiers, opened as models."""

import json

import numpy as np
import torch
from safetensors.numpy import save_file

from support.architectures import build
from tiltmeter.models.applied_mitigations.projection import Projection, fold
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import resolve
from tiltmeter.train.classifier_net import ClassifierNet


def test_a_mitigated_model_is_trained_through_its_projection_and_saved_without(tmp_path):
    import transformers

    folder = build("bert", tmp_path / "bert")
    model = transformers.AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=2
    ).eval()
    basis = np.linalg.qr(np.random.default_rng(0).normal(size=(32, 2)))[0].T
    change = Projection(basis, "last", {"mitigation": "test"})
    ids = torch.tensor([[2, 5, 6, 3]])

    def asked():
        return model(input_ids=ids).logits

    with torch.no_grad():
        plain = asked()
        change.install(model, "bert")
        wanted = asked()
        fold(model, change, asked)
        assert not torch.allclose(plain, wanted, atol=1e-4)
        assert torch.allclose(asked(), wanted, atol=1e-4)
    assert not any(m._forward_hooks for m in model.modules())


def test_it_names_a_mitigated_model_as_results_do(tmp_path):
    """So that F1 can stand beside what studies say of the same model."""
    folder = tmp_path / "deep" / "m"
    folder.mkdir(parents=True)
    save_file({"basis": np.eye(1, 32)}, folder / "directions.safetensors")
    about = {"format": 1, "method": "sentence_debias", "attribute": "gender", "point": "last",
             "model": {"reference": str(build("bert", tmp_path / "bert"))}, "fitted": {"k": 1}}  # fmt: skip
    (folder / "mitigation.json").write_text(json.dumps(about))
    where = resolve(f"mitigated:{folder}")
    net = ClassifierNet(where.reference, where, Options(device="cpu"), ("a", "b"), 16, 0)
    assert net.name == where.name == "mitigated:m"
