"""Processors that this machine need not have."""

import pytest

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
