"""Reads a table of words and their vectors from any of the usual file formats."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, extra
from tiltmeter.core.text import counted
from tiltmeter.data.files.unpacking import check_members
from tiltmeter.models.embedding import vector_files as files

BLOCK = 10_000
"""How many rows are checked for finite numbers at a time."""
Subwords = Callable[[str], npt.NDArray[np.float32] | None]


@dataclass(frozen=True, slots=True)
class VectorTable:
    """The vectors of words, and a way to get those of other words if the file has vectors of subwords."""

    index: Mapping[str, int]
    """The row of each word."""
    vectors: npt.NDArray[np.float32]
    """The vectors, shape (words, d)."""
    form: str
    """The format of the file in words, for the card."""
    subwords: Subwords | None = None
    """Makes the vector of a word that is not in the table from its pieces; None where that is impossible."""
    spaced: int = 0
    """How many words have a space in them, so that no word of a text can match them."""
    broken: Sequence[int] = ()
    """The numbers of the lines that were left out."""


def read(path: Path, *, skip_invalid: bool = False) -> VectorTable:
    """Read the table in a file, or in a folder with an .npy and a .parquet file.

    With `skip_invalid`, lines of a text file that cannot be read are left out.

    Raises:
        BadInput: The file has no known format or is damaged; for text, the error has the line.
        MissingExtra: The library for its format is not installed.
    """
    form = files.form_of(path)
    ways = {"npz": _npz, "folder": _folder, "fasttext": _fasttext, "binary": _binary}
    if form in ways:
        return ways[form](path)
    lines = files.check_lines(path, skip=skip_invalid)
    index, vectors = files.read_lines(path, lines, skip=skip_invalid)
    kind = "word2vec text" if form == "text with a header" else "GloVe text"
    return VectorTable(index, vectors, kind, None, lines.spaced, sorted(lines.broken))


def _binary(path: Path) -> VectorTable:
    sizes = files.check_binary(path)
    with files.readable(path):
        made = _gensim("KeyedVectors").load_word2vec_format(str(path), binary=True)
    if len(made.key_to_index) != sizes.words:
        raise BadInput(
            f"of {counted(sizes.words, 'words')}, {sizes.words - len(made.key_to_index):,} occur twice",
            "download the file again", file=str(path),
        )  # fmt: skip
    _check_end(path, made, sizes)
    return _checked(VectorTable(made.key_to_index, made.vectors, "word2vec binary"), path)


def _check_end(path: Path, made: Any, sizes: files.Sizes) -> None:
    """Check the size of a binary file, in which each word may be followed by a line feed or not."""
    if not files.is_plain(path):
        return
    with path.open("rb") as file:
        used = len(file.readline(files.HEAD))
    row = sizes.width * files.FLOAT + 1
    used += sum(len(word.encode("utf-8")) + row for word in made.key_to_index)
    if not used <= path.stat().st_size <= used + sizes.words:
        promised = (
            f"the header says {counted(sizes.words, 'words')} of {counted(sizes.width, 'numbers')}"
        )
        reason = f"{promised}, but the file has another length"
        raise BadInput(reason, "download the file again", file=str(path))


def _fasttext(path: Path) -> VectorTable:
    files.check_fasttext(path)
    load = _gensim("fasttext").load_facebook_vectors
    with files.readable(path):
        made = load(str(path))
    table = VectorTable(made.key_to_index, made.vectors, "fastText binary", _subwords(made))
    if _first_infinite(made.vectors_ngrams) is not None:
        raise BadInput(
            "a vector of a piece of a word is not finite", "download it again", file=str(path)
        )
    return _checked(table, path)


def _subwords(made: Any) -> Subwords | None:
    """A function that averages the vectors of a word's pieces; None where the file has no such vectors.

    The function returns None for a word without pieces.
    """
    if not made.bucket:
        return None
    from gensim.models.fasttext import ft_ngram_hashes

    def vector(word: str) -> npt.NDArray[np.float32] | None:
        if not len(ft_ngram_hashes(word, made.min_n, made.max_n, made.bucket)):
            return None
        mean: npt.NDArray[np.float32] = made.get_vector(word)
        return mean

    return vector


def _npz(path: Path) -> VectorTable:
    way_out = "words must be an array of text (dtype U), vectors one of numbers"
    with files.readable(path, way_out=way_out):
        check_members(path)
    with (
        files.readable(path, way_out=way_out),
        path.open("rb") as file,
        np.load(file, allow_pickle=False) as held,
    ):
        if not {"words", "vectors"} <= set(held.files):
            raise BadInput(
                f"it has no arrays `words` and `vectors`, only {', '.join(held.files) or 'none'}",
                "np.savez(FILE, words=..., vectors=...) writes them", file=str(path),
            )  # fmt: skip
        words, vectors = held["words"], held["vectors"]
    return _joined(_texts(words, path), vectors, path, "npz")


def _folder(path: Path) -> VectorTable:
    """The table in the layout of GloVe's wheel: one array, and one table whose only column has the words."""
    import pyarrow as pa

    from tiltmeter.data.files.parquet_file import parquet_table

    arrays, tables = sorted(path.glob("*.npy")), sorted(path.glob("*.parquet"))
    if len(arrays) != 1 or len(tables) != 1:
        there = f"here are {len(arrays)} and {len(tables)}"
        reason = f"a folder of word vectors has one .npy and one .parquet file; {there}"
        raise BadInput(reason, "give the file itself", file=str(path))
    with files.readable(path, pa.ArrowException):
        vectors = np.load(arrays[0], allow_pickle=False)
        table = parquet_table(tables[0])
        words = [
            word
            for batch in table.portions()
            for column in batch.columns
            for word in column.to_pylist()
        ]
    if len(table.schema) != 1 or not all(isinstance(word, str) for word in words):
        raise BadInput("its only column must be the words", "write it so", file=str(tables[0]))
    return _joined(words, vectors, path, "npy and parquet")


def _texts(words: Any, path: Path) -> list[str]:
    if words.ndim != 1 or words.dtype.kind not in "US":
        raise BadInput(
            f"`words` has type {words.dtype} and {words.ndim} axes", "write one axis of text (dtype U)",
            file=str(path),
        )  # fmt: skip
    if words.dtype.kind == "U":
        texts: list[str] = words.tolist()
        return texts
    try:
        return [word.decode("utf-8") for word in words.tolist()]
    except UnicodeDecodeError as error:
        raise BadInput(
            "`words` are bytes that are not UTF-8", "write text", file=str(path)
        ) from error


def _joined(words: Sequence[str], vectors: Any, path: Path, form: str) -> VectorTable:
    if vectors.ndim != 2 or not vectors.size or vectors.dtype.kind not in "fiu":  # noqa: PLR2004
        raise BadInput(
            f"its vectors have type {vectors.dtype} and shape {vectors.shape}",
            "they need one row of numbers for each word", file=str(path),
        )  # fmt: skip
    if len(words) != len(vectors):
        reason = f"it has {counted(len(words), 'words')} and {counted(len(vectors), 'vectors')}"
        raise BadInput(reason, "write as many", file=str(path))
    index = {word: i for i, word in enumerate(words)}
    if len(index) != len(words):
        twice = next(word for i, word in enumerate(words) if index[word] != i)
        raise BadInput(f"the word {twice!r} is listed twice", "leave one out", file=str(path))
    with np.errstate(over="ignore"):  # overflows are reported by `_checked`
        return _checked(VectorTable(index, vectors.astype(np.float32, copy=False), form), path)


def _checked(table: VectorTable, path: Path) -> VectorTable:
    at = _first_infinite(table.vectors)
    if at is not None:
        word = next(word for word, i in table.index.items() if i == at)
        raise BadInput(
            f"the vector of {word!r} has numbers that are not finite in single precision",
            "leave the word out", file=str(path),
        )  # fmt: skip
    return table


def _first_infinite(vectors: npt.NDArray[np.float32]) -> int | None:
    """The index of the first row that has NaN or an infinity; None where all are finite."""
    for start in range(0, len(vectors), BLOCK):
        good = np.isfinite(vectors[start : start + BLOCK]).all(axis=1)
        if not good.all():
            return start + int(good.argmin())
    return None


def _gensim(name: str) -> Any:
    with extra("Reading word vectors", "vectors"):
        import gensim.models
        import gensim.models.fasttext
    logging.getLogger("gensim").setLevel(logging.CRITICAL)  # this module reports what matters
    return getattr(gensim.models, name)
