"""What processors can do in bfloat16, and the variables that make one count as older."""

from types import SimpleNamespace

import pytest

from support.architectures import build
from tiltmeter.core.errors import BadInput
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import open_model, resolve
from tiltmeter.models.speed import packed_weights
from tiltmeter.models.speed.instructions import Bfloat16, bfloat16, no_float32

torch = pytest.importorskip("torch")

OURS, THEIRS = "TILTMETER_MAX_CPU", "ONEDNN_MAX_CPU_ISA"
ABSENT, EMULATED, NATIVE = Bfloat16


@pytest.mark.parametrize(
    ("instructions", "level"),
    [
        (["avx2"], ABSENT),
        (["avx2", "avx512_vl"], EMULATED),
        (["avx2", "avx512_vl", "avx512_bf16"], NATIVE),
        (["avx2", "amx_bf16"], NATIVE),
    ],
)
def test_the_processor_decides(processor, instructions, level):
    processor(*instructions)
    assert bfloat16().level is level
    assert bool(bfloat16().why) == (level is not NATIVE)
    assert packed_weights.is_used("cpu", "float32") == (instructions != ["avx2"])
    assert packed_weights.is_used("cpu", "bfloat16") == (level is not ABSENT)


@pytest.mark.parametrize("variable", [OURS, THEIRS])
def test_float32_is_left_to_the_library_without_wide_instructions(processor, monkeypatch, variable):
    processor("avx2", mkl=True)
    assert no_float32() == "this CPU has no AVX-512"
    processor("avx512_f", mkl=True)
    assert not no_float32()
    monkeypatch.setenv(variable, "AVX2")
    assert no_float32() == f"{variable}=AVX2 rules out AVX-512"
    processor("neon", mkl=False)
    assert not no_float32()


def test_without_onednn_there_is_none(processor):
    processor("avx512_bf16", onednn=False)
    assert bfloat16().level is ABSENT
    assert not packed_weights.is_used("cpu", "float32")


@pytest.mark.parametrize("variable", [OURS, THEIRS, "DNNL_MAX_CPU_ISA"])
@pytest.mark.parametrize(
    ("value", "level"),
    [
        ("avx2", ABSENT),
        ("AVX2", ABSENT),
        ("avx512_core", EMULATED),
        ("AVX512_CORE_BF16", NATIVE),
        ("all", NATIVE),
        ("", NATIVE),
    ],
)
def test_a_variable_makes_a_processor_count_as_an_older_one(
    processor, monkeypatch, variable, value, level
):
    processor("avx512_vl", "avx512_bf16")
    monkeypatch.setenv(variable, value)
    assert bfloat16().level is level
    assert (f"{variable}={value}" in bfloat16().why) == (level is not NATIVE)


def test_a_variable_never_makes_one_newer(processor, monkeypatch):
    processor("avx2")
    monkeypatch.setenv(OURS, "avx512_core_amx")
    assert bfloat16() == (ABSENT, "this CPU has no fast bfloat16 (AVX512_BF16 or AMX)")


def test_the_lower_of_two_limits_counts(processor, monkeypatch):
    processor("avx512_bf16")
    monkeypatch.setenv(OURS, "avx512_core")
    monkeypatch.setenv(THEIRS, "AVX2")
    assert bfloat16().level is ABSENT
    assert f"{THEIRS}=AVX2" in bfloat16().why


def test_names_that_are_not_known(processor, monkeypatch):
    processor("avx512_bf16")
    monkeypatch.setenv(THEIRS, "AVX10_9")  # oneDNN ignores it
    assert bfloat16().level is NATIVE
    monkeypatch.setenv(OURS, "avx3")
    with pytest.raises(
        BadInput, match=f"{OURS}=avx3 is not a known instruction set; use one of sse41"
    ):
        bfloat16()


@pytest.mark.parametrize("has", [(False, False), (True, False), (False, True)])
def test_older_releases_of_the_library(processor, monkeypatch, has):
    processor("avx512_vl")
    avx, amx = has
    older = SimpleNamespace(
        _is_avx512_supported=lambda: True,
        _is_avx512_bf16_supported=lambda: avx,
        _is_amx_tile_supported=lambda: amx,
    )
    monkeypatch.setattr(torch, "cpu", older)
    assert bfloat16().level is (NATIVE if any(has) else EMULATED)


def test_models_open_in_bfloat16_on_an_older_processor(tmp_path, monkeypatch):
    """Its products are then the library's own, in both precisions."""
    monkeypatch.setenv(OURS, "avx2")
    folder = build("bert", tmp_path)
    plain = open_model(resolve(str(folder)), Options(device="cpu", precision="bfloat16"))
    assert "AVX512_BF16" in plain.about["matrix products"]
    assert plain._loaded.model.dtype == torch.bfloat16
    exact = open_model(resolve(str(folder)), Options(device="cpu"))
    own = torch.backends.mkl.is_available() or not torch.backends.mkldnn.is_available()
    assert exact.about["matrix products"].startswith("PyTorch's own") == own
