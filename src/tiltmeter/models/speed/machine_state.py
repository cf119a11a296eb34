"""The state of machine and environment on which a model's facts and the results of its checks depend."""

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
"""The beginnings of environment variables that the libraries read."""
GPUS = ("nvidia*", "nvhost*", "nvmap", "kfd", "dxg")
"""Names of devices in /dev on which PyTorch may compute."""


def machine_state(device: str) -> list[object] | None:
    """The environment variables, cores, quota, memory and processor; `device` is as in `--device`.

    None where only PyTorch knows the state: which devices there are, or how many threads others have set.
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
    """The processor's model and instruction sets, on which the computation of products depends."""
    with suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
        first = takewhile(str.strip, lines)
        return [line for line in first if not line.startswith(("cpu MHz", "bogomips"))]
    return [platform.machine(), platform.processor()]
