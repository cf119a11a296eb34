"""Remembers, between commands, values that take long to compute and depend only on files and software.

Each value is a file in the folder `remembered` of the cache: compressed JSON preceded by its checksum. Its
name is a digest of everything that the value depends on, to which this module adds the installed software:
Tiltmeter's own files and the versions of all libraries. So no value is ever out of date. A value that cannot
be read is computed again, and one that cannot be written is not remembered. The least recently used values
are removed when the folder is full.
"""

import json
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from tiltmeter.core.errors import TiltmeterError
from tiltmeter.data.downloads import places

T = TypeVar("T")
FOLDER = "remembered"
"""The name of the folder in the cache."""
MOST = 64 * 2**20
"""The maximum size of the folder, in bytes."""
RECENT = 2 * 10**9
"""Nanoseconds within which a file may change again without a different modification time."""
CHECKSUM = 16
PACKAGES = (".dist-info", ".egg-info", ".pth")
LIBRARIES = (
    "gguf", "llama_cpp", "numpy", "safetensors", "sentence_transformers", "sentencepiece", "tokenizers",
    "torch", "transformers",
)  # fmt: skip
"""The libraries of which also the place counts that they are imported from, since PYTHONPATH may name a
copy."""


def remembered(key: object, compute: Callable[[], T]) -> T:
    """The remembered value under this key; if there is none, it is computed and, if JSON allows, remembered.

    The key's `repr` must contain everything that the value depends on, except for the software.
    """
    value = recalled(key)
    if value is None:
        value = compute()
        remember(key, value)
    return value  # type: ignore[no-any-return]


def recalled(key: object) -> Any:
    """The remembered value under this key; None if there is none."""
    with suppress(OSError, TiltmeterError, ValueError, RecursionError, zlib.error):
        file = _file(key)
        content = file.read_bytes()
        if _checksum(content[CHECKSUM:]) == content[:CHECKSUM]:
            os.utime(file)
            return json.loads(zlib.decompress(content[CHECKSUM:]))
    return None


def remember(key: object, value: object) -> None:
    """Remember a value under this key; without an error if JSON cannot hold it or it cannot be written."""
    with suppress(OSError, TiltmeterError, TypeError, ValueError):
        content = zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 1)
        if len(content) > MOST // 2:  # it would displace nearly all others
            return
        file = _file(key)
        file.parent.mkdir(exist_ok=True)
        temporary = file.with_name(f".{file.name}.{os.getpid()}")
        try:
            temporary.write_bytes(_checksum(content) + content)
            temporary.replace(file)
        finally:
            temporary.unlink(missing_ok=True)
        _make_room(file.parent)


def files() -> list[Path]:
    """The files of all remembered values, including temporary ones that killed processes left."""
    folder = places.cache() / FOLDER
    return sorted(file for file in folder.iterdir() if file.is_file()) if folder.is_dir() else []


def stamp(paths: Iterable[Path]) -> list[tuple[object, ...]] | None:
    """File metadata that change whenever the content of these files does, as Git assumes too.

    None if a file does not exist, or changed so recently that it could change again unnoticed.
    """
    stamps: list[tuple[object, ...]] = []
    try:
        for path in paths:
            stat = path.stat()
            if max(stat.st_mtime_ns, stat.st_ctime_ns) > time.time_ns() - RECENT:
                return None
            times = stat.st_mtime_ns, stat.st_ctime_ns
            stamps.append((str(path), stat.st_size, *times, stat.st_ino, stat.st_dev))
    except OSError:
        return None
    return stamps


def _file(key: object) -> Path:
    whole = repr((key, _software(tuple(sys.path)))).encode("utf-8", "surrogatepass")
    return places.cache() / FOLDER / blake2b(whole, digest_size=16).hexdigest()


def _checksum(content: bytes) -> bytes:
    return blake2b(content, digest_size=CHECKSUM).digest()


@cache
def _software(places_of_packages: tuple[str, ...]) -> str:
    """A digest of Tiltmeter's files, the names of installed packages and the places of libraries."""
    software: list[tuple[object, ...]] = [(sys.version, sys.platform)]
    for folder, _, names in os.walk(places.package_file("..")):
        for path in (os.path.join(folder, n) for n in names if n.endswith((".py", ".toml"))):  # noqa: PTH118 (a thousand)
            stat = os.stat(path)  # noqa: PTH116
            software.append((path, stat.st_size, stat.st_mtime_ns))
    for folder in places_of_packages:
        with suppress(OSError), os.scandir(folder) as entries:
            software += (
                (entry.path, entry.stat().st_mtime_ns)
                for entry in entries
                if entry.name.endswith(PACKAGES)
            )
    for name in LIBRARIES:
        with suppress(ImportError, ValueError, OSError):
            origin = getattr(find_spec(name), "origin", None)
            software.append((name, origin, os.stat(origin).st_mtime_ns if origin else 0))  # noqa: PTH116
    software.sort(key=repr)
    return blake2b(repr(software).encode("utf-8", "surrogatepass")).hexdigest()


def _make_room(folder: Path) -> None:
    """If the folder is too large, remove the least recently used values until it is three quarters full."""
    stats = {file: file.stat() for file in folder.iterdir()}
    size = sum(stat.st_size for stat in stats.values())
    if size <= MOST:
        return
    for file, stat in sorted(stats.items(), key=lambda item: item[1].st_mtime_ns):
        file.unlink()
        size -= stat.st_size
        if size <= MOST * 3 // 4:
            return
