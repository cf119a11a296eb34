"""The folder that a training ends with, and how it is told from any other folder."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tiltmeter import __version__
from tiltmeter.core.errors import BadInput
from tiltmeter.core.json_text import parsed
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.loaded import Loaded
from tiltmeter.train.checkpoint import storing

WORK = "training"
"""Folder inside, with the checkpoints; gone when the training is done."""
SETTINGS = "settings.json"


def finished(out: Path, settings: Mapping[str, Any], description: str, what: str) -> bool:
    """Whether this very training was done here before; prepares the folder where it was not.

    A folder that has the file `description` is a finished one of `what`.

    Raises:
        BadInput: The folder holds something else: the result of another training, or other files.
    """
    other = "name another folder with --out, or remove this one"
    if out.exists() and not out.is_dir():
        raise BadInput("this is a file, not a folder", other, file=str(out))
    if (out / description).is_file():
        _same(said_of(out / description).get("settings"), settings, out, what, other)
        shutil.rmtree(out / WORK, ignore_errors=True)
        return True
    begun = out / WORK / SETTINGS
    if begun.is_file():
        _same(said_of(begun), settings, out, "another unfinished training", other)
        return False
    if out.is_dir() and any(path.name != WORK for path in out.iterdir()):
        raise BadInput("the folder contains something else", other, file=str(out))
    with storing(out):
        begun.parent.mkdir(parents=True, exist_ok=True)
        _write(begun, settings)
    return False


def _same(there: Any, settings: Mapping[str, Any], out: Path, what: str, way_out: str) -> None:
    there = there if isinstance(there, dict) else {}
    keys = [key for key in settings if there.get(key) != settings[key]]
    if keys:
        pairs = ", ".join(f"{key} {there.get(key)!r}, not {settings[key]!r}" for key in keys[:3])
        raise BadInput(f"the folder contains {what} ({pairs})", way_out, file=str(out))


def said_of(path: Path) -> dict[str, Any]:
    """What a file of settings or a description says; nothing where it cannot be read."""
    try:
        contents = parsed(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return contents if isinstance(contents, dict) else {}


def _write(path: Path, contents: Mapping[str, Any]) -> None:
    temporary = path.with_name(f".{path.name}")
    text = json.dumps(contents, ensure_ascii=False, allow_nan=False, indent=2)
    temporary.write_text(text + "\n", encoding="utf-8")
    temporary.replace(path)


def complete(
    out: Path, write: Callable[[], None], contents: Mapping[str, Any], description_name: str
) -> None:
    """Have the files written, and last the description: a folder that has it is complete."""
    with storing(out):
        with hf.quiet():
            write()
        _write(out / description_name, contents)
        shutil.rmtree(out / WORK, ignore_errors=True)


def write_model(loaded: Loaded, out: Path) -> None:
    """Write weights, configuration and tokenizer to a folder."""
    loaded.model.save_pretrained(out)
    loaded.tokenizer.save_pretrained(out)


def base(name: str, kind: str, loaded: Loaded) -> dict[str, Any]:
    """What it was trained from, for the description."""
    return {
        "name": name,
        "kind": kind,
        "architecture": loaded.about["architecture"],
        "fingerprint": loaded.fingerprint,
    }


def versions() -> dict[str, str]:
    """Versions of Tiltmeter and of the libraries that compute."""
    import safetensors
    import torch
    import transformers

    libraries = {"torch": torch, "transformers": transformers, "safetensors": safetensors}
    return {"tiltmeter": __version__} | {
        name: str(library.__version__) for name, library in libraries.items()
    }
