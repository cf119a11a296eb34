"""How much memory is free at the moment, on this machine or on a device.

Only the choice of a model's precision depends on it, and results say which was chosen. How requests are
batched does not (`machine_limits`).
"""

import sys
from pathlib import Path

from tiltmeter.models.speed.machine_limits import CGROUPS, bytes_of_memory

MEMINFO = Path("/proc/meminfo")
RECLAIMED = "inactive_file"
"""Pages of files that a container counts as used and gives up when memory is needed."""


def free_bytes(device: str) -> int | None:
    """The free memory of a device, in bytes, within a container's limit; None where it is not known.

    Args:
        device: The kind of device: "cpu", "cuda", "mps".
    """
    if device == "cpu":
        known = [n for n in (_of_machine(), _of_container(), bytes_of_memory()) if n is not None]
        return min(known, default=None)
    if device == "cuda":
        torch = sys.modules["torch"]  # a device of this kind is known from it
        return int(torch.cuda.mem_get_info()[0])
    return None


def whole_bytes(device: str) -> int | None:
    """All memory of a device, in bytes, on a CPU with its swap space; None where it is not known."""
    if device == "cpu":
        whole = bytes_of_memory()
        return None if whole is None else whole + (_meminfo("SwapTotal") or 0)
    if device == "cuda":
        return int(sys.modules["torch"].cuda.mem_get_info()[1])
    return None


def _of_machine() -> int | None:
    """What Linux says new programs can have without swapping."""
    return _meminfo("MemAvailable")


def _meminfo(key: str) -> int | None:
    try:
        lines = MEMINFO.read_text("ascii").splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith(f"{key}:"))
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def _of_container() -> int | None:
    """What is left of a container's limit; None where there is no limit."""
    try:
        limit = int((CGROUPS / "memory.max").read_text("ascii"))
        used = int((CGROUPS / "memory.current").read_text("ascii"))
        lines = (CGROUPS / "memory.stat").read_text("ascii").splitlines()
        reclaimed = next((int(n) for key, n in map(str.split, lines) if key == RECLAIMED), 0)
    except (OSError, ValueError):
        return None
    return max(0, limit - used + reclaimed)
