"""What the numbers were measured on: processor, system, commit and versions of libraries."""

import importlib.metadata
import os
import platform
import subprocess
from collections.abc import Mapping
from pathlib import Path

from benchmarks._frame import Value
from tiltmeter.core.distribution import DISTRIBUTION

TOP = Path(__file__).parents[1]
INSTRUCTIONS = (
    "avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_bf16", "amx_int8"
)  # fmt: skip
"""Instruction sets that decide how fast matrix products are, as Linux names them."""
LIBRARIES = (
    DISTRIBUTION, "numpy", "scipy", "torch", "transformers", "minicons", "lm-eval", "openai",
    "sentence-transformers", "scikit-activeml", "scikit-learn", "statsmodels", "mixedlm", "fastapi",
    "sqlalchemy",
)  # fmt: skip


def machine() -> dict[str, Value]:
    """Processor, cores, instruction sets, system, and PyTorch's view of them."""
    facts = _processor_facts()
    about: dict[str, Value] = {
        "processor": facts.get("model name") or platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "instructions": " ".join(
            one for one in INSTRUCTIONS if one in facts.get("flags", "").split()
        ),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
    }
    try:
        import torch
    except ImportError:
        return about
    return about | {
        "threads": torch.get_num_threads(),
        "PyTorch uses": torch.backends.cpu.get_cpu_capability(),
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
    }


def versions() -> dict[str, str]:
    """The installed libraries that are measured or that measure."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def commit() -> str:
    """The commit of the code, with "+" if it has been changed since; "" outside a repository."""
    name = _git("rev-parse", "--short=9", "HEAD")
    changed = _git("status", "--porcelain", "--", "src", "benchmarks/*.py")
    return f"{name}+" if name and changed else name


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=TOP, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _processor_facts() -> Mapping[str, str]:
    """The first processor's entry in /proc/cpuinfo; empty where there is no such file."""
    said = Path("/proc/cpuinfo")
    if not said.is_file():
        return {}
    first = said.read_text("utf-8").split("\n\n")[0].splitlines()
    return {key.strip(): value.strip() for key, _, value in (one.partition(":") for one in first)}
