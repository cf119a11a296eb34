"""The tokenizer in a GGUF file, as transformers reads it, without the weights.

It is the one that `gguf:` models have, so both back-ends read the same tokens. Reading it from the file takes
a while, so it is kept in the cache under the file's digest.
"""

import importlib
import os
import shutil
from pathlib import Path

from tiltmeter.core.errors import StorageError, Unavailable, extra, reason_of
from tiltmeter.data.downloads import places
from tiltmeter.models.opening import hf
from tiltmeter.models.opening.load_errors import explained

FOLDER = "tokenizers"
"""The name of the folder in the cache."""


def folder_of(digest: str) -> Path:
    """The folder of the tokenizer of a file with this SHA-256."""
    return places.cache() / FOLDER / digest


def tokenizer_folder(file: Path, digest: str, name: str) -> Path:
    """The folder with the file's tokenizer, made the first time.

    Raises:
        MissingExtra: The library that reads GGUF files is not installed.
        Unavailable: The file is damaged, or of an architecture that the library does not know.
        StorageError: The folder could not be written.
    """
    folder = folder_of(digest)
    if folder.is_dir():
        return folder
    with extra("Reading GGUF", "gguf"):
        for needed in ("accelerate", "gguf", "torch"):
            importlib.import_module(needed)
        import transformers
    temporary = folder.with_name(f".{digest}.{os.getpid()}")
    try:
        with hf.quiet(), explained(name):
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                file.parent, gguf_file=file.name, local_files_only=True
            )
        temporary.mkdir(parents=True, exist_ok=True)
        tokenizer.save_pretrained(temporary)
        if not folder.exists():
            temporary.replace(folder)
    except OSError as error:
        if error.errno is None:
            raise Unavailable(
                f"{name}: its tokenizer cannot be read: {reason_of(error)}"
            ) from error
        raise StorageError(
            f"{folder}: the tokenizer could not be written ({reason_of(error)}); make room, or name another "
            "folder: TILTMETER_CACHE=FOLDER"
        ) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return folder
