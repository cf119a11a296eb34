"""Finds out which way of multiplying matrices is fastest on this processor; nothing else asks for this.

In float32, oneDNN is fastest with AVX-512; without it, PyTorch's own products (MKL on x86) and activations
are. In bfloat16, oneDNN has products from AVX-512 on, but they are only faster than float32 with instructions
made for them. Without AVX-512 it refuses, and PyTorch's own products take many times as long.

Two environment variables make a processor count as an older one: `TILTMETER_MAX_CPU`, which only changes what
Tiltmeter chooses, and oneDNN's own `ONEDNN_MAX_CPU_ISA`, which also changes what oneDNN computes with. Both
take the same names.
"""

import gc
import os
import sys
from enum import IntEnum
from typing import NamedTuple

from tiltmeter.core.errors import BadInput

MAX_CPU = "TILTMETER_MAX_CPU"
"""The environment variable with the newest instructions that Tiltmeter assumes the processor to have."""
ONEDNN = ("ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA")
"""oneDNN's own variables for the same purpose; the first that is set counts."""


class Bfloat16(IntEnum):
    """How a processor multiplies matrices in bfloat16 through oneDNN."""

    ABSENT = 0
    """oneDNN refuses, or is not installed."""
    EMULATED = 1
    """oneDNN computes in float32, so that bfloat16 is no faster."""
    NATIVE = 2
    """oneDNN uses AVX512_BF16 or AMX, which is several times as fast as float32."""


class Support(NamedTuple):
    """The level of support for bfloat16, and the reason why it is not higher."""

    level: Bfloat16
    why: str = ""


LIMITS = {
    "sse41": Bfloat16.ABSENT,
    "avx": Bfloat16.ABSENT,
    "avx2": Bfloat16.ABSENT,
    "avx2_vnni": Bfloat16.ABSENT,
    "avx2_vnni_2": Bfloat16.EMULATED,
    "avx512_core": Bfloat16.EMULATED,
    "avx512_core_vnni": Bfloat16.EMULATED,
    "avx512_core_bf16": Bfloat16.NATIVE,
    "avx512_core_fp16": Bfloat16.NATIVE,
    "avx512_core_amx": Bfloat16.NATIVE,
    "all": Bfloat16.NATIVE,
}
"""The highest level that each of oneDNN's names allows; names of newer processors, not listed, allow all."""
NATIVE = ("avx512_bf16", "amx_bf16")
"""PyTorch's names of the instructions that make products in bfloat16 fast."""
WIDE = ("avx512", "amx")
"""The beginnings of the names of AVX-512's instructions and of those that come with it."""
NARROW = frozenset({"sse41", "avx", "avx2", "avx2_vnni", "avx2_vnni_2"})
"""oneDNN's names of instruction sets without AVX-512."""


def bfloat16() -> Support:
    """How this processor multiplies matrices in bfloat16, within what the environment variables allow.

    Raises:
        BadInput: `TILTMETER_MAX_CPU` is not a known instruction set.
    """
    variable, limit = _limit()
    supported = _found()
    if supported > limit:
        setting = f"{variable}={os.environ[variable]}"
        return Support(limit, f"{setting} rules out fast bfloat16 (AVX512_BF16 or AMX)")
    if supported is Bfloat16.NATIVE:
        return Support(supported)
    return Support(supported, "this CPU has no fast bfloat16 (AVX512_BF16 or AMX)")


def no_float32() -> str:
    """Why oneDNN is not the fastest way to multiply matrices in float32; "" where it is.

    Raises:
        BadInput: `TILTMETER_MAX_CPU` is not a known instruction set.
    """
    import torch

    if not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        return "PyTorch has no oneDNN here"
    if not torch.backends.mkl.is_available():  # type: ignore[no-untyped-call]
        return ""  # not an x86 processor
    _limit()  # refuses an unknown name
    for variable in (MAX_CPU, *ONEDNN):
        if os.environ.get(variable, "").strip().lower() in NARROW:
            return f"{variable}={os.environ[variable]} rules out AVX-512"
    return "" if _has(WIDE) else "this CPU has no AVX-512"


def _limit() -> tuple[str, Bfloat16]:
    """The environment variable that allows least, and the level that it allows."""
    ours = os.environ.get(MAX_CPU, "").strip().lower()
    if ours and ours not in LIMITS:
        reason = f"{MAX_CPU}={ours} is not a known instruction set"
        raise BadInput(reason, f"use one of {', '.join(LIMITS)}")
    name = next((name for name in ONEDNN if os.environ.get(name)), ONEDNN[0])
    # oneDNN ignores a name that it does not know.
    theirs = LIMITS.get(os.environ.get(name, "").strip().lower(), Bfloat16.NATIVE)
    return min((MAX_CPU, LIMITS[ours or "all"]), (name, theirs), key=lambda limit: limit[1])


def _found() -> Bfloat16:
    """The level of support for bfloat16, by what PyTorch says about the processor and its oneDNN."""
    import torch

    if not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        return Bfloat16.ABSENT
    if not torch.ops.mkldnn._is_mkldnn_bf16_supported():  # noqa: SLF001
        return Bfloat16.ABSENT
    return Bfloat16.NATIVE if _has(NATIVE) else Bfloat16.EMULATED


def _has(beginnings: tuple[str, ...]) -> bool:
    """Whether the processor has instructions whose names have one of these beginnings.

    PyTorch before release 2.12 or so has a function for each set of instructions instead of a list.
    """
    from torch import cpu

    if hasattr(cpu, "get_capabilities"):
        capabilities = cpu.get_capabilities().items()
        return any(has and name.startswith(beginnings) for name, has in capabilities)
    known = {
        "avx512_f": cpu._is_avx512_supported,  # noqa: SLF001
        "avx512_bf16": cpu._is_avx512_bf16_supported,  # noqa: SLF001
        "amx_bf16": cpu._is_amx_tile_supported,  # noqa: SLF001
    }
    return any(is_there() for name, is_there in known.items() if name.startswith(beginnings))


def let_go() -> None:
    """Release memory that is no longer used, such as that of a model or of a batch that was too large."""
    gc.collect()  # a model and its hooks refer to each other
    if sys.modules.get("torch"):
        import torch

        if torch.cuda.is_available():
            torch.cuda.empty_cache()
