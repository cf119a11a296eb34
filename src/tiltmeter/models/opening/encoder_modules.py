"""Reads and checks `modules.json`, the list of a sentence encoder's modules in its folder."""

from pathlib import Path, PurePosixPath
from typing import NamedTuple

from tiltmeter.core.errors import BadInput, CannotAnswer, Unavailable, reason_of
from tiltmeter.core.reading.json_text import parsed

MODULES = "modules.json"
OURS = "sentence_transformers."
"""The beginning of the names of the library's own modules; all others are code that comes with the model."""


class EncoderModule(NamedTuple):
    """One of the modules through which a text becomes a vector."""

    type: str
    """The qualified name of the module's class."""
    path: str
    """The module's folder, relative to the model's folder; "" if it is the same."""


def parts_of(folder: Path) -> list[EncoderModule]:
    """All modules of a sentence encoder, in order.

    Raises:
        BadInput: The list cannot be read, or names folders that are not below the model's.
    """
    file = folder / MODULES
    try:
        entries = parsed(file.read_text("utf-8"), twice=True)
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise ValueError("it is no list of objects")  # noqa: TRY301
        modules = [EncoderModule(str(entry["type"]), str(entry["path"])) for entry in entries]
    except (OSError, ValueError, KeyError) as error:
        raise BadInput(
            f"it is not a list of the parts of a sentence encoder ({reason_of(error)})",
            "download the model again", file=str(file),
        ) from error  # fmt: skip
    for part in modules:
        path = PurePosixPath(part.path)
        if path.is_absolute() or ".." in path.parts or "\\" in part.path:
            way_out = "download the model again"
            raise BadInput(f"the part {part.path!r} is not below it", way_out, file=str(file))
    return modules


def check_first(folder: Path, name: str) -> None:
    """Refuse a sentence encoder that does not begin with a transformer in its own folder.

    Raises:
        CannotAnswer: It begins with something else.
    """
    modules = parts_of(folder)
    if (
        not modules
        or not modules[0].type.endswith(".Transformer")
        or modules[0].path not in {"", "."}
    ):
        first = modules[0].type.rpartition(".")[2] if modules else "nothing"
        raise CannotAnswer(
            f"{name} is a sentence encoder that begins with {first}; only those are supported that begin "
            "with a transformer in the model's own folder"
        )


def check_rest(folder: Path, name: str, *, code: bool, pickles: bool) -> None:
    """Refuse modules that run the model's own code, or that are pickled, unless that is allowed.

    Raises:
        Unavailable: There is such a module.
    """
    for part in parts_of(folder):
        if not part.type.startswith(OURS) and not code:
            raise Unavailable(
                f"{name} comes with its own code ({part.type}); review it, then use "
                "--trust-remote-code"
            )
        here = folder / part.path
        pickled = sorted(here.glob("*.bin")) if part.path not in {"", "."} else []
        if pickled and not any(here.glob("*.safetensors")) and not pickles:
            raise Unavailable(
                f"{name}: weights of {part.path} are pickled ({pickled[0].name}), and unpickling can run "
                "code. Use a copy in safetensors, or --allow-pickle if you trust its source."
            )
