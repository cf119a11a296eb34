"""Explains in one line why a model does not load, such as a broken file or weights of another shape."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from tiltmeter.core.errors import CannotAnswer, TiltmeterError, Unavailable, reason_of
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import counted
from tiltmeter.models.opening.model_kinds import config_of

LAYERS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_decoder_layers")
"""The keys of a configuration that give a number of layers."""
_JSON = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
         "model.safetensors.index.json")  # fmt: skip
"""JSON files besides config.json, which has been read before anything is loaded."""

_STDERR = Lock()
"""Held while standard error is redirected; of two threads doing so at once, one would restore the other's
redirection instead of standard error."""


@contextmanager
def explained(name: str, folder: Path | None = None) -> Iterator[None]:
    """Turns errors of the libraries used within the block into one line that names the model.

    Args:
        name: The model's name.
        folder: The folder that is being loaded, whose broken file is then named; None if nothing is loaded.

    Raises:
        Unavailable: A library raised an exception.
    """
    import safetensors

    try:
        yield
    except safetensors.SafetensorError as error:
        raise Unavailable(
            f"{name}: its weights file is damaged ({error}); download it again"
        ) from error
    except ImportError as error:
        line = (str(error).strip().splitlines() or ["?"])[0]
        raise Unavailable(f"{name} needs a library that is not installed: {line}") from error
    except TiltmeterError:
        raise
    except BaseException as error:  # the libraries below raise bare ones, and Rust's panics
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise Unavailable(_reason(name, folder, error)) from error


@contextmanager
def panics_unprinted() -> Iterator[None]:
    """Silences standard error, to which Rust prints a panic before Python can catch it."""
    with _STDERR, Path(os.devnull).open("w") as nowhere:
        kept = os.dup(2)
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def _reason(name: str, folder: Path | None, error: BaseException) -> str:
    message = " ".join(str(error).split())
    if "trust_remote_code" in message:
        return f"{name} comes with its own code; review it, then use --trust-remote-code"
    if folder is not None and (broken := _broken(folder)):
        return f"{name} does not load: {broken}; download the model again"
    if folder is not None and "mismatched" in message and (differing := _other_shape(folder)):
        return f"{name} does not load: config.json and the weights disagree: {differing}"
    mend = "correct config.json, or download the model again"
    if folder is not None and isinstance(error, KeyError):
        return f"{name} does not load: the library does not know {message[:90]}, which it names; {mend}"
    if folder is not None and isinstance(error, ArithmeticError):
        return (
            f"{name} does not load: numbers in config.json do not fit together ({message}); {mend}"
        )
    return f"{name} does not load: {message[:300] or type(error).__name__}"


def _broken(folder: Path) -> str:
    """What is wrong with the first JSON file that cannot be read; "" where all can be."""
    for file in map(folder.joinpath, _JSON):
        try:
            if file.is_file() and not isinstance(parsed(file.read_text("utf-8"), twice=True), dict):
                return f"{file.name} is not a JSON object"
        except (OSError, ValueError) as error:
            return f"{file.name} cannot be read ({reason_of(error)})"
    return ""


def _other_shape(folder: Path) -> str:
    """The first tensor whose shapes in file and configuration differ, in words; "" if none is found."""
    import torch
    import transformers

    stored = _shapes(folder)
    try:
        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
        kind = getattr(transformers, config.architectures[0])
        with torch.device("meta"):
            wanted = {key: tuple(v.shape) for key, v in kind(config).state_dict().items()}
    except Exception:  # noqa: BLE001  (this only looks for a better reason)
        return ""
    for key, shape in wanted.items():
        if key in stored and stored[key] != shape:
            return f"{key} is {_times(stored[key])} in the file and {_times(shape)} in the configuration"
    return ""


def _times(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape)) or "one number"


def _shapes(folder: Path) -> Mapping[str, tuple[int, ...]]:
    """The shapes of all tensors in safetensors files, by name; damaged files are skipped."""
    from safetensors import SafetensorError, safe_open

    shapes: dict[str, tuple[int, ...]] = {}
    for file in sorted(folder.glob("*.safetensors")):
        try:
            with safe_open(file, "pt") as weights:
                slices: Any = ((key, weights.get_slice(key)) for key in weights.keys())  # noqa: SIM118
                shapes |= {key: tuple(tensor.get_shape()) for key, tensor in slices}
        except (OSError, SafetensorError):
            continue
    return shapes


def check_layer_count(folder: Path, name: str) -> None:
    """Refuse a configuration with no layers, or with more layers than the files have tensors.

    This is done before loading, which would create the layers first.

    Raises:
        Unavailable: The configuration is refused.
    """
    config = config_of(folder)
    inner = [value for value in config.values() if isinstance(value, dict)]
    values = [section.get(key) for section in (config, *inner) for key in LAYERS]
    counts = [n for n in values if type(n) is int]  # by type, as true and false are integers too
    if any(n < 1 for n in counts):
        reason = f"config.json names {min(counts)} layers"
        raise Unavailable(f"{name}: {reason}; correct the number of layers in config.json")
    most = max(counts, default=0)
    if most > FEW and any(folder.glob("*.safetensors")) and most > (held := len(_shapes(folder))):
        raise Unavailable(
            f"{name}: config.json names {counted(most, 'layers')}, and the weights are "
            f"{counted(held, 'tensors')}; correct the "
            "number of layers in config.json"
        )


FEW = 500
"""Up to this many layers are not checked: they are created quickly, and no published model has as many."""


LISTED = 3
_NUMBER = re.compile(r"\.\d+\.")


def check_missing(missing: Sequence[str], name: str) -> None:
    """Refuse a model with weights that are not in its files.

    Raises:
        CannotAnswer: There are missing weights.
    """
    if missing:
        raise CannotAnswer(
            f"{name}: {counted(len(missing), 'weights', 'are')} not in its files "
            f"({', '.join(missing[:LISTED])}"
            f"{', …' if len(missing) > LISTED else ''}): they would be random. Use the checkpoint that "
            "has them."
        )


def check_layers(model: Any, unread: Iterable[str], name: str) -> None:
    """Refuse files with more layers than the configuration counts.

    Other weights may be left over, such as those of a head for another task. A weight belongs to a layer if
    its name differs from one of the model's only in numbers.

    Raises:
        CannotAnswer: There are such weights.
    """
    known = {_without_numbers(key) for key in model.state_dict()}
    known |= {key.partition(".")[2] for key in known}  # files of a bare encoder lack the first part
    beyond = sorted(key for key in unread if _NUMBER.search(key) and _without_numbers(key) in known)
    if beyond:
        raise CannotAnswer(
            f"{name}: its files hold more layers than config.json names ({beyond[0]} would not be used). "
            "Correct the number of layers in config.json."
        )


def _without_numbers(key: str) -> str:
    return _NUMBER.sub(".#.", key)
