"""Processors that this machine need not have, and small models of every kind."""

import shutil

import pytest
import torch
from safetensors.torch import save_file

from models.pairs_of_texts import HEAD, _load
from models.sentence_parts import POOLED, sentence_encoder
from support.architectures import opened
from support.next_heads import by_topic, reading_pairs
from tiltmeter.models.speed import instructions as _instructions


@pytest.fixture
def processor(monkeypatch):
    """Gives the processor these instructions, by PyTorch's names, whatever this machine has."""
    torch = pytest.importorskip("torch")
    for name in (_instructions.MAX_CPU, *_instructions.ONEDNN):
        monkeypatch.delenv(name, raising=False)

    def have(*instructions, onednn=True, mkl=True):
        wide = onednn and any(name.startswith(("avx512", "amx")) for name in instructions)
        has = dict.fromkeys(instructions, True)
        monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: onednn)
        monkeypatch.setattr(torch.backends.mkl, "is_available", lambda: mkl)
        monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: wide)
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: has, raising=False)

    return have


@pytest.fixture(scope="module")
def get():
    return opened


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = {}

    def one(parts, kind="bert"):
        key = (parts, kind)
        if key not in made:
            folder = tmp_path_factory.mktemp("encoder") / "sentences"
            made[key] = sentence_encoder(folder, *POOLED[parts], kind=kind)
        return made[key]

    return one


@pytest.fixture
def copy(folders, tmp_path):
    return shutil.copytree(folders("cls, normalised"), tmp_path / "copy")


@pytest.fixture(scope="module")
def heads(tmp_path_factory):
    """Heads with weights large enough to tell pairs apart; what they were trained on does not matter."""
    training = pytest.importorskip("tiltmeter.train.next_sentence", reason="trainings are left out")
    folder = tmp_path_factory.mktemp("n")
    text = by_topic(folder / "topics.txt", documents=8)

    def one(kind):
        out = folder / f"{kind}-next"
        if not out.exists():
            model = reading_pairs(kind, folder / kind)
            training.train(
                training.NextSentenceConfig(
                    str(model), str(text), str(out), epochs=1, pairs=8, device="cpu"
                )
            )
            generator = torch.Generator().manual_seed(3)
            weights = {
                k: torch.randn(v.shape, generator=generator) / 4 for k, v in _load(out).items()
            }
            save_file(weights, out / HEAD)
        return out

    return one


@pytest.fixture
def copied_head(heads, tmp_path):
    return shutil.copytree(heads("bert"), tmp_path / "copy")
