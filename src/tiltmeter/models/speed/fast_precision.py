"""Which precision, if any, a device multiplies matrices in much faster than in float32.

Told from what the device has, never from a stopwatch: a busy machine would choose otherwise, and a
run that was stopped and started again would end with other files.
"""

import gc
import sys
from typing import NamedTuple

from tiltmeter.models.speed import instructions

TENSOR_CORES, AMPERE = 7, 8
"""Generations of NVIDIA GPUs: the first that is fast in float16, and in bfloat16."""


class Quick(NamedTuple):
    """The precision, or why there is none."""

    precision: str
    """bfloat16 or float16; "" where nothing is known to be faster than float32."""
    why: str = ""


def quick(device: str) -> Quick:
    """What is fast on `device`, as --device names it.

    A device that does not exist has nothing; opening the model then says so.
    """
    try:
        import torch
    except ImportError:
        return Quick("", "torch is not installed")
    kind = device.partition(":")[0]
    if kind == "auto":
        kind = "cuda" if torch.cuda.is_available() else "cpu"
        kind = "mps" if kind == "cpu" and torch.backends.mps.is_available() else kind
    if kind == "cuda":
        return _cuda(device)
    if kind == "cpu":
        support = instructions.bfloat16()
        native = support.level is instructions.Bfloat16.NATIVE
        return Quick("bfloat16" if native else "", support.why)
    return Quick("", f"no precision is known to be much faster than float32 on {kind}")


def _cuda(device: str) -> Quick:
    import torch

    if not torch.cuda.is_available():
        return Quick("", "there is no such GPU")
    if torch.version.hip:
        return Quick("bfloat16")
    number = device.partition(":")[2]
    if number and (not number.isdecimal() or int(number) >= torch.cuda.device_count()):
        return Quick("", "there is no such GPU")
    generation, _ = torch.cuda.get_device_capability(int(number) if number else None)
    if generation >= AMPERE:
        return Quick("bfloat16")
    if generation >= TENSOR_CORES:
        return Quick("float16")
    return Quick("", "this GPU is fast in neither bfloat16 nor float16")


def let_go() -> None:
    """Give back the memory of a model that nothing refers to any more."""
    gc.collect()  # a model and its hooks refer to each other
    if sys.modules.get("torch"):
        import torch

        if torch.cuda.is_available():
            torch.cuda.empty_cache()
