"""The places of files: the package, the cache that Tiltmeter fills, and the user's folder of data sets."""

import os
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tiltmeter.core.errors import BadInput, StorageError

CACHE = "TILTMETER_CACHE"
"""Environment variable: the folder for what Tiltmeter downloads and converts."""

DATA = "TILTMETER_DATA"
"""Environment variable: a folder of data sets that the user already has. It is only read."""

MIRROR = "TILTMETER_MIRROR"
"""Environment variable: the address of a mirror with the files of registered data sets under their paths."""


def address(path: str, original: str) -> str:
    """The address of a registered file: under $TILTMETER_MIRROR if that is set, else its authors' address.

    >>> getfixture("monkeypatch").setenv(MIRROR, "https://mirror.example/data/")
    >>> address("weat/weat.json", "https://authors.example/weat.json")
    'https://mirror.example/data/weat/weat.json'
    """
    mirror = os.environ.get(MIRROR, "").rstrip("/")
    return f"{mirror}/{quote(path)}" if mirror else original


def cache() -> Path:
    """The cache folder: $TILTMETER_CACHE, else Tiltmeter's folder in the user's cache; created on demand.

    Raises:
        BadInput: There is a file where the folder should be.
        StorageError: The folder cannot be created or written.
    """
    import platformdirs  # noqa: PLC0415  (slow to import)

    chosen = os.environ.get(CACHE, "")
    folder = Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("tiltmeter")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        reason = "the cache folder cannot be made, because a file is in its place"
        raise BadInput(reason, _elsewhere(), file=str(folder)) from error
    except OSError as error:
        reason = f"{folder}: the cache folder cannot be made ({error.strerror})"
        raise StorageError(f"{reason}; {_elsewhere()}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StorageError(f"{folder}: the cache folder cannot be written; {_elsewhere()}")
    return folder.absolute()


def given() -> Path | None:
    """The user's folder of data sets, $TILTMETER_DATA; None if the variable is unset or empty.

    Raises:
        BadInput: The variable does not name a folder.
    """
    chosen = os.environ.get(DATA, "")
    if not chosen:
        return None
    folder = Path(chosen).expanduser()
    if not folder.is_dir():
        why = "it is a file" if folder.exists() else "there is no such folder"
        reason = f"{DATA} names this as the folder of data sets, but {why}"
        raise BadInput(reason, f"correct {DATA} or unset it", file=str(folder))
    return folder.absolute()


def package_file(path: str) -> Path:
    """The path of a file below `tiltmeter/data`, which comes with the package.

    >>> package_file("starter/abc.toml").is_file()
    True
    """
    return Path(__file__).parents[1] / path


def package_table(path: str) -> dict[str, Any]:
    """The content of a TOML file below `tiltmeter/data`."""
    return tomllib.loads(package_file(path).read_text("utf-8"))


def _elsewhere() -> str:
    return f"set {CACHE} to a folder that you can write to"
