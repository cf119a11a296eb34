"""GGUF files (llama.cpp's format), read by transformers.

A model is named `gguf:FILE`, by a plain name that ends in .gguf, or by a folder with one such file; FILE may
be OWNER/NAME/FILE on the hub. The weights are converted back to float32 once, exactly as the file has them,
and kept in the cache under the file's SHA-256; from then on they are loaded from there as a causal model. The
card says how they were quantised.
"""

import importlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from threading import Lock
from typing import Any

from tiltmeter.core.errors import (
    BadInput,
    CannotAnswer,
    StorageError,
    Unavailable,
    extra,
    reason_of,
)
from tiltmeter.core.model.back_ends import Traits
from tiltmeter.core.reading.file_names import way_to_file
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import counted, in_bytes
from tiltmeter.data.downloads import places
from tiltmeter.data.downloads.fetch import Progress, file_digest
from tiltmeter.data.files.remembered_values import recalled, remember
from tiltmeter.data.hub import hub_cache
from tiltmeter.models.causal import ANSWERS, Causal, answers_of
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.load_errors import explained
from tiltmeter.models.opening.memory_estimate import MemoryEstimate, TextSizes, estimate_memory
from tiltmeter.models.opening.model_files import files_below, gguf_of
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.speed.free_memory import whole_bytes

MAGIC = b"GGUF"
CHAT_TEMPLATE = b"tokenizer.chat_template"
"""The name of the entry, in the file's header, that holds the template for conversations."""
HEADER = 1 << 26
"""So many bytes are searched for it; vocabularies stand before it."""
ORIGIN = "tiltmeter-origin.json"
COPIES, FLOAT32 = 2, 4
"""Copies of the weights in memory while a file is converted, and bytes of a weight."""

TRAITS = Traits(
    suffix=".gguf",
    form=("gguf:FILE", "a causal model in a GGUF file, here or on the hub (OWNER/NAME/FILE)"),
    takes_start_token=True,
    takes_change=True,
    usual_answers=ANSWERS,
    hub_task=("text-generation", "Text Generation"),
)


def answers(location: str) -> tuple[type, ...]:
    """The protocols that a model from a GGUF file satisfies: those of a causal model."""
    return answers_of(chats=has_chat_template(location))


def has_chat_template(location: str) -> bool:
    """Whether the file has a template for conversations; False for one that is not here yet."""
    try:
        with (
            file_of(location).open("rb") as file,
            mmap(file.fileno(), 0, access=ACCESS_READ) as whole,
        ):
            return whole.find(CHAT_TEMPLATE, 0, HEADER) >= 0
    except (BadInput, OSError):
        return False


def load(location: str, options: Options, *, name: str, note: str = "") -> Causal:
    """Open a GGUF file, converting it the first time."""
    file = file_of(location)
    folder = converted(file, name)
    origin = parsed((folder / ORIGIN).read_text("utf-8"))
    fact = f"quantised weights ({origin['quantised']}) from {origin['file']}"
    loaded = hf.load(
        str(folder), options, name=name, scheme="causal",
        note=f"{fact}. {note}" if note else fact,
    )  # fmt: skip
    loaded.about |= {
        "kind": "gguf",
        "folder": origin["file"],
        "quantised": origin["quantised"],
        "sha256 of the file": origin["sha256"],
    }
    if (of := hub_cache.origin(file)) is not None:
        loaded.about["revision"] = of.revision
    return Causal(name, loaded, options.start_token)


def files(location: str, _: Options) -> list[Path]:
    """The file and the files that it was converted to; [] before the conversion."""
    file = file_of(location)
    folder = _folder(file_digest(file))
    return [file, *files_below(folder)] if (folder / ORIGIN).is_file() else []


def fetched(location: str, options: Options, *, progress: Progress | None = None) -> str:
    """The path of the file or its folder; a file on the hub is downloaded first."""
    return gguf_of(location, options, progress=progress)


def preparation(location: str) -> str:
    """What has to be done once before the file can be loaded, in words; "" where it has been done."""
    how = "converting it once, which takes a minute or so"
    return "" if is_converted(location) else how


def memory(location: str, precision: str, device: str, texts: TextSizes) -> MemoryEstimate | None:
    """The memory for the converted file; None before the conversion."""
    return estimate_memory(_folder(file_digest(file_of(location))), precision, device, texts)


def file_of(location: str) -> Path:
    """The GGUF file itself, or the only one in a folder.

    Raises:
        BadInput: There is none or more than one, or it is not a GGUF file.
    """
    path = Path(location).expanduser()
    if path.is_dir():
        files = sorted(path.glob("*.gguf"))
        if len(files) != 1:
            names = ", ".join(f.name for f in files) or "none"
            way_out = "name the file itself"
            raise BadInput(f"one .gguf file is needed here, found {names}", way_out, file=location)
        path = files[0]
    if not path.is_file():
        raise BadInput("there is no such file", way_to_file(path), file=location)
    with path.open("rb") as start:
        if start.read(4) != MAGIC:
            raise BadInput("it is not a GGUF file", "download it again", file=location)
    return path.absolute()  # a link in the hub's cache has the name


def converted(file: Path, name: str) -> Path:
    """The folder with the same weights in safetensors, which is made the first time.

    Raises:
        MissingExtra: The library that reads GGUF files is not installed.
        Unavailable: The file is damaged, or of an architecture that the library does not know.
        StorageError: The folder could not be written.
    """
    folder = _folder(file_digest(file))
    if (folder / ORIGIN).is_file():
        return folder
    with _parsed_once():
        return _convert(file, name, folder)


def _convert(file: Path, name: str, folder: Path) -> Path:
    from safetensors import SafetensorError

    _check_room(file, name)
    digest = folder.name
    temporary = folder.with_name(f".{digest}.{os.getpid()}")
    try:
        temporary.mkdir(parents=True, exist_ok=True)
        with hf.quiet(), explained(name):
            model, tokenizer = _read(file)
            origin = {"file": file.name, "sha256": digest, "quantised": quantised(file)}
        with hf.quiet():
            model.save_pretrained(temporary)
            tokenizer.save_pretrained(temporary)
        (temporary / ORIGIN).write_text(json.dumps(origin), encoding="utf-8")
        if not folder.exists():
            temporary.replace(folder)
    except (OSError, SafetensorError) as error:  # safetensors raises its own error on a full disk
        if isinstance(error, OSError) and error.errno is None:
            raise Unavailable(f"{name} cannot be converted: {reason_of(error)}") from error
        raise StorageError(
            f"{folder}: the converted model could not be written ({reason_of(error)}); make room, or "
            "name another folder: TILTMETER_CACHE=FOLDER"
        ) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return folder


def is_converted(location: str) -> bool:
    """Whether nothing has to be converted before loading, which is also true of what is not a GGUF file."""
    try:
        file = file_of(location)
        return (_folder(file_digest(file)) / ORIGIN).is_file()
    except (BadInput, OSError):
        return True


def _folder(digest: str) -> Path:
    return places.cache() / "converted" / digest


def _check_room(file: Path, name: str) -> None:
    """Refuse a file whose weights do not fit into memory in float32, twice while they are converted.

    Raises:
        MissingExtra: The library that reads GGUF files is not installed.
        Unavailable: They do not fit, or the file is damaged or quantised in a way that is not known.
    """
    whole = whole_bytes("cpu")
    with extra("Reading GGUF", "gguf"), explained(name):
        import gguf
    try:
        counts = [int(tensor.n_elements) for tensor in gguf.GGUFReader(str(file)).tensors]
    except (ValueError, IndexError, KeyError, TypeError, OverflowError) as error:
        reason = " ".join(str(error).split())
        if gguf.GGMLQuantizationType.__name__ in reason:
            raise Unavailable(
                f"{name}: its weights are quantised in a way that the installed gguf does not know "
                f"({reason}); use a file that is quantised otherwise, or llama:{file}"
            ) from error
        raise Unavailable(
            f"{name}: the file is cut off or damaged ({reason}); download it again"
        ) from error
    needs = COPIES * FLOAT32 * sum(counts)
    if whole is not None and needs > whole:
        raise Unavailable(
            f"{name}: converting it to float32 takes {in_bytes(needs)} of memory, and this machine has "
            f"{in_bytes(whole)}; llama:{file} reads it in its own bits (extra [llama])"
        )


_PARSING = Lock()


@contextmanager
def _parsed_once() -> Iterator[None]:
    """Have the file parsed once, and each table of tensors' names made once, while it is converted.

    transformers does both anew for the tokenizer, the configuration and the weights: most of a conversion.
    """
    with extra("Reading GGUF", "gguf"):
        import gguf
    with _PARSING:
        plain = {name: vars(gguf)[name] for name in ("GGUFReader", "get_tensor_name_map")}
        vars(gguf).update({name: cache(function) for name, function in plain.items()})
        try:
            yield
        finally:
            vars(gguf).update(plain)


def _read(file: Path) -> tuple[Any, Any]:
    """The model in float32, without the mark that it was quantised, and its tokenizer."""
    with extra("Reading GGUF", "gguf"):
        for needed in ("accelerate", "gguf"):
            importlib.import_module(needed)
        import torch
        import transformers
    where = {"gguf_file": file.name, "local_files_only": True}
    auto: Any = transformers.AutoModelForCausalLM
    tokenizer = transformers.AutoTokenizer.from_pretrained(file.parent, **where)
    model, info = auto.from_pretrained(
        file.parent, dtype=torch.float32, output_loading_info=True, **where
    )
    if missing := sorted(info["missing_keys"]):
        raise CannotAnswer(
            f"{file.name}: {counted(len(missing), 'weights', 'are')} not in the file "
            f"({', '.join(missing[:3])}): they "
            "would be random"
        )
    # transformers refuses to save a model read from a quantised file, though its weights are plain now.
    config = model.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    plain = type(model)(config)
    plain.load_state_dict(model.state_dict())
    return plain.to(torch.float32), tokenizer


@dataclass(frozen=True, slots=True)
class HeaderSizes:
    """The sizes of a causal model by the header of its file."""

    width: int
    inner: int
    layers: int
    heads: int
    key_heads: int
    key_length: int
    vocabulary: int


def header_sizes(file: Path) -> HeaderSizes:
    """What the header says, or usual proportions; remembered, since reading it takes seconds."""
    key = ("gguf sizes", file_digest(file))
    known = recalled(key)
    if known is None:
        known = _header_sizes(file)
        remember(key, known)
    return HeaderSizes(*known)


def _header_sizes(file: Path) -> list[int]:
    import gguf

    fields = gguf.GGUFReader(str(file)).fields
    architecture = fields["general.architecture"].contents()

    def number(name: str, otherwise: int) -> int:
        entry = fields.get(f"{architecture}.{name}")
        value = otherwise if entry is None else entry.contents()
        return int(max(value) if isinstance(value, list) else value)  # some have one for each layer

    width, heads = number("embedding_length", 1024), number("attention.head_count", 1)
    return [
        width, number("feed_forward_length", 4 * width), number("block_count", 1), heads,
        number("attention.head_count_kv", heads), number("attention.key_length", width // heads),
        len(fields["tokenizer.ggml.tokens"].data) if "tokenizer.ggml.tokens" in fields else 0,
    ]  # fmt: skip


def quantised(file: Path) -> str:
    """The types of the file's tensors, the most common first: "Q4_1, F32"."""
    from collections import Counter

    import gguf

    tensors: Sequence[gguf.ReaderTensor] = gguf.GGUFReader(str(file)).tensors
    counts = Counter(tensor.tensor_type.name for tensor in tensors)
    return ", ".join(kind for kind, _ in counts.most_common())
