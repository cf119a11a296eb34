"""How many tokens fit into a forward pass on this machine, and how many threads are useful.

Both depend on what the machine has and never on what is free at the moment, so that repeating a command gives
the same batches and the same numbers to the last digit.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


FASTEST = {"cpu": 1024, "cuda": 65_536, "mps": 8192}
"""The number of tokens in a forward pass beyond which nothing gets faster, by kind of device."""
LEAST = 128
SHARE = 0.5
"""The share of the memory left by the weights that a forward pass may take; the rest is for the library's own
needs and for other programs. If even that turns out to be too much, batches are halved."""
HELD = 1 << 30
"""How many bytes of keys and values are kept while replies are written."""
MOST_HELD = 16_384
"""The number of tokens beyond which writing gets no faster. A step reads all weights once to compute one
token of each reply, and from some fifty replies on, computing takes longer than reading."""
WIDTHS = ("hidden_size", "d_model", "n_embd", "dim")
INNER = ("intermediate_size", "d_ff", "n_inner", "ffn_dim", "encoder_ffn_dim", "hidden_dim")
UNKNOWN = 0
KERNELS = 128
"""For how many shapes oneDNN keeps its kernels."""
SET = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": str(KERNELS), "THP_MEM_ALLOC_ENABLE": "1"}
"""Environment variables that are set unless the user has set them."""
CGROUPS = Path("/sys/fs/cgroup")


def tokens_at_once(model: Any, device: "torch.device") -> int:
    """The number of tokens for a forward pass: a power of two that fits into memory and is not too large."""
    fastest = FASTEST.get(device.type, 4096)
    memory = _memory(device)
    if memory is None:
        return fastest
    weights = sum(p.numel() * p.element_size() for p in model.parameters())
    room = SHARE * (memory - 2 * weights)  # twice, as some are copied into another layout
    size = next(model.parameters()).element_size()
    fit = int(room // max(bytes_a_token(model.config, size), 1))
    return max(LEAST, min(fastest, 1 << max(fit, 1).bit_length() - 1))


def tokens_held(model: Any, at_once: int) -> int:
    """How many tokens of prompts and replies are continued together, with their keys and values in memory.

    They are as many as a forward pass reads (`at_once`), or more if these take at most `HELD` bytes.
    """
    config = model.config.get_text_config(decoder=True)
    return tokens_in_cache(config, next(model.parameters()).element_size(), at_once)


def tokens_in_cache(config: Any, size: int, at_once: int) -> int:
    """The same by the model's configuration, for numbers of `size` bytes."""
    return max(at_once, min(MOST_HELD, HELD // key_bytes(config, size)))


def key_bytes(config: Any, size: int) -> int:
    """The bytes of the keys and values of one token in all layers, for numbers of `size` bytes."""
    width = next((n for name in WIDTHS if isinstance(n := getattr(config, name, None), int)), 1024)
    heads = getattr(config, "num_attention_heads", None) or getattr(config, "n_head", None) or 1
    each = getattr(config, "head_dim", None) or width // heads
    numbers = 2 * (getattr(config, "num_key_value_heads", None) or heads) * each
    layers = getattr(config, "num_hidden_layers", None) or getattr(config, "n_layer", None) or 1
    return int(numbers * layers * size)


def bytes_a_token(config: Any, size: int) -> int:
    """A generous estimate of the bytes that a layer needs at the same time for one token.

    Args:
        config: The model's configuration.
        size: The bytes of a number.
    """
    width = next((n for name in WIDTHS if isinstance(n := getattr(config, name, None), int)), 1024)
    sizes = (getattr(config, name, None) for name in INNER)
    inner = next((n for n in sizes if isinstance(n, int)), 4 * width)
    return (16 * width + 4 * inner) * size


def _memory(device: "torch.device") -> int | None:
    """The memory of a device in bytes; None where it is not known."""
    import torch

    if device.type == "cuda":
        return int(torch.cuda.get_device_properties(device).total_memory)
    if device.type == "mps":
        return int(torch.mps.recommended_max_memory())
    return bytes_of_memory() if device.type == "cpu" else None


def bytes_of_memory() -> int | None:
    """The memory that this process may use, in bytes, within a container's limit; None if not known."""
    if not hasattr(os, "sysconf"):
        return None
    try:
        whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None
    allowed = _number(CGROUPS / "memory.max")
    allowed = allowed or _number(CGROUPS / "memory" / "memory.limit_in_bytes")
    return min(whole, allowed or whole)


def prepare() -> None:
    """Limit threads and kept kernels, and use large memory pages.

    PyTorch starts as many threads as the machine has processors. In a container that may use two of
    sixty-four, sixty-four threads wait for each other most of the time; OMP_NUM_THREADS has precedence.
    oneDNN keeps its kernels for the last thousand shapes, some hundred megabytes, though batches come in the
    order of their shapes. With pages of four kilobytes, allocating memory takes up to a twentieth of the time
    of a forward pass.
    """
    import torch

    for name, value in SET.items():
        os.environ.setdefault(name, value)

    allowed = processors()
    if "OMP_NUM_THREADS" not in os.environ and allowed and allowed < torch.get_num_threads():
        torch.set_num_threads(allowed)
    if default_threads == [UNKNOWN]:
        default_threads[:] = [torch.get_num_threads()]


default_threads: list[int] = []
"""PyTorch's number of threads by default, in a list of one; [] unless Tiltmeter was the first to load
PyTorch, before anybody could set another number. UNKNOWN until `prepare` has looked it up."""


def expect_default_threads() -> None:
    """Make `prepare` take the number of threads it finds as the default, if PyTorch is not loaded yet."""
    if "torch" not in sys.modules:
        default_threads[:] = [UNKNOWN]


def processors() -> int | None:
    """The number of processors that a container's quota amounts to, at least 1; None without a quota."""
    try:
        quota, period = (CGROUPS / "cpu.max").read_text("ascii").split()
    except (OSError, ValueError):
        quota = str(_number(CGROUPS / "cpu" / "cpu.cfs_quota_us") or -1)
        period = str(_number(CGROUPS / "cpu" / "cpu.cfs_period_us") or 1)
    if not quota.isdigit():  # "max", -1
        return None
    return max(1, round(int(quota) / int(period)))


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text("ascii"))
    except (OSError, ValueError):
        return None


SPINNING, POLICY = "GOMP_SPINCOUNT", "OMP_WAIT_POLICY"
TURNS = 10_000
"""How often a waiting thread spins before it sleeps: well under a millisecond. GNU OpenMP's default takes
several, in which a thread may hold the core that the slowest one waits for (docs/explanation/speed.md)."""


def limit_spinning() -> None:
    """Set GOMP_SPINCOUNT, unless the user has chosen how threads wait.

    GNU OpenMP reads the environment once, when PyTorch is loaded. Nothing is set after that, so that the
    environment always says what is in effect.
    """
    chosen = {SPINNING, POLICY} & os.environ.keys()
    if sys.platform == "linux" and "torch" not in sys.modules and not chosen:
        os.environ[SPINNING] = str(TURNS)


def threads_fact() -> str:
    """The number of PyTorch's threads and how they wait: "2, GOMP_SPINCOUNT=10000"."""
    import torch

    waits = [f"{name}={os.environ[name]}" for name in (SPINNING, POLICY) if name in os.environ]
    return ", ".join([str(torch.get_num_threads()), *waits])
