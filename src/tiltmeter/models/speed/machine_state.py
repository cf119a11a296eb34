"""All of the machine and the environment that a model's facts, and what its checks come to, depend on."""

import os
import platform
import sys
from contextlib import suppress
from functools import cache
from itertools import takewhile
from pathlib import Path

from tiltmeter.models.speed import machine_limits

READ = (
    "ATEN_", "BLIS_", "CUDA", "DNNL_", "GOMP_", "HF_", "HIP_", "KMP_", "LD_", "MALLOC_", "MKL_", "OMP_",
    "ONEDNN_", "OPENBLAS_", "PYTORCH_", "THP_", "TILTMETER_MAX_CPU", "TOKENIZERS_", "TORCH",
    "TRANSFORMERS_", "USE_",
)  # fmt: skip
"""How environment variables begin that the libraries read."""
GPUS = ("nvidia*", "nvhost*", "nvmap", "kfd", "dxg")
"""Devices in /dev that PyTorch may compute on."""


def machine_state(device: str) -> list[object] | None:
    """The variables, cores, quota, memory and processor; `device` as --device names it.

    None where only PyTorch can tell: which devices there are, or how many threads others have set.
    """
    no_gpu = sys.platform == "linux" and not any(any(Path("/dev").glob(name)) for name in GPUS)
    torch = sys.modules.get("torch")
    changed = torch is not None and [torch.get_num_threads()] != machine_limits.default_threads
    if changed or not (device == "cpu" or (device == "auto" and no_gpu)):
        return None
    environment = {**machine_limits.SET, **os.environ}
    variables = sorted(item for item in environment.items() if item[0].startswith(READ))
    cores = os.sched_getaffinity(0) if sys.platform == "linux" else {os.cpu_count() or 1}
    limits = machine_limits.processors(), machine_limits.bytes_of_memory()
    return [variables, sorted(cores), limits, _processor()]


@cache
def _processor() -> list[str]:
    """The processor's model and its sets of instructions, which decide how products are computed."""
    with suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
        first = takewhile(str.strip, lines)
        return [line for line in first if not line.startswith(("cpu MHz", "bogomips"))]
    return [platform.machine(), platform.processor()]
