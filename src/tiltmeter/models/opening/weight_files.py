"""What a folder's weight files hold, read from their headers: whether they are whole, and their precision.

Headers are read before a model is loaded, so that a missing or damaged file is named at once.
"""

import json
import re
import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import CannotAnswer, Unavailable
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import counted

INDEX = "model.safetensors.index.json"
SHARD = re.compile(r"(.+)-(\d{5})-of-(\d{5})\.safetensors")
"""The name of one of several weight files, with its number and how many there are."""
LENGTH = 8
"""The bytes of a header's length, at the beginning of a file."""
MOST = 1 << 28
"""The most bytes that a header is taken to have."""
PRECISIONS = {"F32": "float32", "BF16": "bfloat16", "F16": "float16", "F64": "float64"}
"""Precisions by their names in headers."""
EIGHT_BITS = ("F8_", "F4", "F6")
"""The beginnings of names of precisions that mean nothing without further numbers, which scale them."""


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """A tensor as a header describes it."""

    dtype: str
    """The type as in the file: "F32", "BF16"."""
    shape: tuple[int, ...]
    count: int
    """How many numbers it has."""


def tensors(folder: Path) -> dict[str, StoredTensor]:
    """The tensors in a folder's safetensors files, by name; {} where a file cannot be read."""
    found: dict[str, StoredTensor] = {}
    try:
        for file in sorted(folder.glob("*.safetensors")):
            for name, entry in _header(file).items():
                shape = tuple(map(int, entry["shape"]))
                count = 1
                for size in shape:
                    count *= size
                found[name] = StoredTensor(str(entry["dtype"]), shape, count)
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # loading it will say what is wrong
    return found


def precision_of_files(stored: Mapping[str, StoredTensor]) -> str:
    """The precision in which most numbers are stored, such as "bfloat16"; "" for anything else."""
    counts: Counter[str] = Counter()
    for tensor in stored.values():
        counts[tensor.dtype] += tensor.count
    most = max(counts, key=lambda dtype: counts[dtype], default="")
    return PRECISIONS.get(most, "")


def check_files(folder: Path, name: str) -> None:
    """Refuse weight files of which some are missing or cut off.

    Raises:
        Unavailable: A file is missing or shorter than its header says.
    """
    there = {file.name for file in folder.glob("*.safetensors")}
    wanted = _listed(folder / INDEX) if (folder / INDEX).is_file() else _numbered(there)
    if there and (missing := sorted(wanted - there)):
        raise Unavailable(
            f"{name}: {len(missing)} of its {counted(len(wanted), 'weight files')} {_are(missing)} missing "
            f"({', '.join(missing[:3])}{', …' if len(missing) > 3 else ''}); download the model again"  # noqa: PLR2004
        )
    if len(wanted) > 1 and not (folder / INDEX).is_file():
        raise Unavailable(
            f"{name}: its weights are in {counted(len(wanted), 'files')}, and {INDEX}, which lists them, is "
            "missing; "
            "download the model again"
        )
    for file in sorted(there):
        try:
            _check_length(folder / file, name)
        except (OSError, ValueError, KeyError, TypeError):
            continue  # loading it will say what is wrong


def check_quantised(folder: Path, config: Mapping[str, Any], name: str) -> None:
    """Refuse weights whose quantisation transformers does not know; it would load their bare numbers.

    Raises:
        CannotAnswer: The quantisation is not known.
    """
    described = config.get("quantization_config")
    if described is None:
        _check_scales(folder, name)
        return
    way_out = "Use the model without quantisation, or as a GGUF file"
    method = described.get("quant_method") if isinstance(described, dict) else None
    if isinstance(described, dict) and (
        described.get("load_in_8bit") or described.get("load_in_4bit")
    ):
        method = "bitsandbytes"  # older files of this library name no method
    if not method:
        raise CannotAnswer(
            f"{name}: its config.json says that the weights are quantised (quantization_config), and not by "
            f"which method. {way_out}."
        )
    from transformers.quantizers.auto import AUTO_QUANTIZATION_CONFIG_MAPPING

    if method not in {*AUTO_QUANTIZATION_CONFIG_MAPPING, "bitsandbytes"}:
        raise CannotAnswer(
            f"{name}: its weights are quantised by {str(method)[:40]!r}, which the installed transformers "
            f"cannot read. {way_out}."
        )


def _check_scales(folder: Path, name: str) -> None:
    stored = tensors(folder)
    short = [key for key, tensor in stored.items() if tensor.dtype.startswith(EIGHT_BITS)]
    scales = [key for key in stored if "scale" in key.rpartition(".")[2]]
    if short and scales:
        raise CannotAnswer(
            f"{name}: its weights are quantised ({stored[short[0]].dtype}, scaled by {scales[0]} and others) "
            "and config.json does not say how (quantization_config). Use the model without quantisation, or "
            "as a GGUF file."
        )


def _are(missing: list[str]) -> str:
    return "is" if len(missing) == 1 else "are"


def _listed(index: Path) -> set[str]:
    """The files that an index lists; none where it cannot be read, which loading will say."""
    try:
        content = parsed(index.read_text("utf-8"), twice=True)
    except (OSError, ValueError):
        return set()
    files = content.get("weight_map") if isinstance(content, dict) else None
    return {str(file) for file in files.values()} if isinstance(files, dict) else set()


def _numbered(names: set[str]) -> set[str]:
    """All files of a series, of which at least one is there."""
    wanted: set[str] = set()
    for match in filter(None, map(SHARD.fullmatch, names)):
        stem, _, count = match.groups()
        wanted |= {f"{stem}-{n:05d}-of-{count}.safetensors" for n in range(1, int(count) + 1)}
    return wanted


def _check_length(file: Path, name: str) -> None:
    header = _header(file)
    with file.open("rb") as opened:
        (length,) = struct.unpack("<Q", opened.read(LENGTH))
    end = max((entry["data_offsets"][1] for entry in header.values()), default=0)
    wanted, has = LENGTH + length + end, file.stat().st_size
    if has < wanted:
        raise Unavailable(
            f"{name}: {file.name} is cut off: it has {has:,} of {wanted:,} bytes; download it again"
        )


def _header(file: Path) -> dict[str, Any]:
    """The header of a safetensors file, without its notes.

    Raises:
        OSError, ValueError: It cannot be read.
    """
    with file.open("rb") as opened:
        start = opened.read(LENGTH)
        if len(start) < LENGTH:
            raise ValueError("no header")
        (length,) = struct.unpack("<Q", start)
        if length > MOST:
            raise ValueError("no header")
        header = json.loads(opened.read(length))
    return {key: entry for key, entry in _entries(header) if key != "__metadata__"}


def _entries(header: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(header, dict):
        raise TypeError("no header")
    yield from header.items()
