"""What checks of a model came to is remembered: it answers the same without them, and only there."""

import json
import sys

import numpy as np
import pytest

from support.architectures import CAUSAL, MASKED, PERMUTATION, SEQ2SEQ, answers, build
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.data.files import remembered_values
from tiltmeter.models import causal
from tiltmeter.models.embedding.passage_vectors import Embedder
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.speed import machine_limits, machine_state
from tiltmeter.models.speed.vocabulary_blocks import VocabularyBlocks
from tiltmeter.models.speed.vocabulary_projector import Projector


@pytest.fixture(autouse=True)
def remembering(tmp_path, monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(machine_state, "GPUS", ())
    monkeypatch.setattr(machine_limits, "default_threads", [torch.get_num_threads()])


def opened(folder, **options):
    return open_model(resolve(str(folder)), Options(**options))


def refuse_checks(patched):
    def fail(*_, **__):
        pytest.fail("checked again")

    for kind, name in ((Projector, "check"), (VocabularyBlocks, "check"), (causal.np, "allclose"),
                       (Embedder, "_ignores_padding")):  # fmt: skip
        patched.setattr(kind, name, fail)


@pytest.mark.parametrize("kind", [*MASKED, *CAUSAL, *SEQ2SEQ, *PERMUTATION])
def test_a_model_opened_again_answers_the_same_without_checks(kind, tmp_path, monkeypatch):
    folder = build(kind, tmp_path / kind)
    first = opened(folder)
    expected, about = answers(first), dict(first.about)
    with monkeypatch.context() as patched:
        refuse_checks(patched)
        again = opened(folder)
    assert again.about == about
    assert getattr(again, "shared_row", 0) == getattr(first, "shared_row", 0)
    for ours, theirs in zip(answers(again), expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_what_did_not_hold_is_remembered_as_well(tmp_path, monkeypatch):
    folder = build("gpt2", tmp_path / "gpt2")
    with monkeypatch.context() as patched:
        patched.setattr(Projector, "check", lambda *_: False)
        patched.setattr(causal.Causal, "_windows_of_trees", lambda _: False)
        first = opened(folder)
    with monkeypatch.context() as patched:
        refuse_checks(patched)
        again = opened(folder)
    assert (first.shared_row, again.shared_row) == (0, 0)
    assert first.about["projection"] == again.about["projection"] == "all positions"


@pytest.mark.parametrize("elsewhere", [
    lambda patched, _: patched.setenv("ONEDNN_VERBOSE", "0"),  # any variable that they read
    lambda patched, _: patched.setattr(machine_state, "_processor", lambda: ["another"]),
    lambda _, folder: (folder / "config.json").write_text((folder / "config.json").read_text() + " "),
    lambda patched, _: patched.setattr(remembered_values, "_software", lambda _: "another"),
    lambda patched, _: patched.setattr(machine_limits, "default_threads", []),
])  # fmt: skip
def test_another_machine_model_or_library_is_checked(elsewhere, tmp_path, monkeypatch):
    folder = build("gpt2", tmp_path / "gpt2")
    opened(folder)
    elsewhere(monkeypatch, folder)
    checked = []
    usual = causal.np.allclose
    monkeypatch.setattr(causal.np, "allclose", lambda *a, **o: checked.append(1) or usual(*a, **o))
    opened(folder)
    assert checked


CODE = """
from transformers import GPT2Config, GPT2LMHeadModel
class Config(GPT2Config):
    model_type = "own_kind"
class OwnForCausalLM(GPT2LMHeadModel):
    config_class = Config
    def forward(self, input_ids=None, **more):
        output = super().forward(input_ids, **more)
        return output
"""


def test_code_that_lies_elsewhere_is_checked_each_time(tmp_path, monkeypatch):
    dynamic_modules = pytest.importorskip("transformers.dynamic_module_utils")
    monkeypatch.setattr(dynamic_modules, "HF_MODULES_CACHE", str(tmp_path / "modules"))
    monkeypatch.setattr(sys, "path", [*sys.path])  # the folder is put there
    folder, elsewhere = build("gpt2", tmp_path / "gpt2"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    code = elsewhere / "own.py"
    code.write_text(CODE)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {
        "auto_map": {"AutoConfig": f"{elsewhere}--own.Config",
                     "AutoModelForCausalLM": f"{elsewhere}--own.OwnForCausalLM"},
        "model_type": "own_kind", "architectures": ["OwnForCausalLM"],
    }))  # fmt: skip
    assert opened(folder, trust_remote_code=True).name
    code.write_text(CODE.replace(
        "return output",
        "output.logits = output.logits + output.logits.flip(1); return output",
    ))  # fmt: skip
    with pytest.raises(CannotAnswer, match="not a causal model"):
        opened(folder, trust_remote_code=True)
