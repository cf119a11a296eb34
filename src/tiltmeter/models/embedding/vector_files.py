"""Recognises and checks files of word vectors, and reads those that are text.

Binary files are read by a library, but it does not report some damages: a header that gives too few words, or
a fastText file that was cut off. It also reads text twenty times as slowly as this module, and without giving
the line of an error.
"""

import mmap
import struct
import zlib
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import IO, Literal, NamedTuple, TypeAlias
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, reason_of
from tiltmeter.core.reading.file_names import way_to_file
from tiltmeter.core.text import counted
from tiltmeter.data.files import unpacking

Form: TypeAlias = Literal["text", "text with a header", "binary", "fasttext", "npz", "folder"]
FASTTEXT = struct.pack("@i", 793712314)
PACKED = (".gz", ".bz2")
WAY_OUT = (
    "give word2vec's text or binary format, GloVe's text, fastText's .vec or .bin, or an .npz with "
    "words and vectors"
)
HEAD = 1 << 20
"""How many bytes are read to recognise a file: more than any line of numbers has."""
PEEK = 100
"""How many lines are read to find out how many numbers a line has."""
CUT = "it ends in the middle"
FLOAT = 4
"""The size of a float32, in bytes."""


def form_of(path: Path) -> Form:
    """The format of a file of word vectors, recognised by its first bytes and not by its name.

    Raises:
        BadInput: The file does not exist, or has none of these formats.
    """
    if path.is_dir():
        return "folder"
    head = _head(path)
    if head[:1] == b"\x80":
        reason = "it is a pickle, as gensim saves its own models, and reading one can run code"
        raise BadInput(reason, "write it with gensim's save_word2vec_format", file=str(path))
    if head.startswith(b"PK"):
        if path.suffix == ".npz":
            return "npz"
        raise BadInput("it is a zip archive", "unpack it, and give the file inside", file=str(path))
    if head.startswith(b"\x93NUMPY"):
        raise BadInput(
            "it contains an array but no words", "np.savez(FILE, words=..., vectors=...) writes both",
            file=str(path),
        )  # fmt: skip
    if head.startswith(FASTTEXT):
        return "fasttext"
    first, _, rest = head.partition(b"\n")
    sizes = header_of(first)
    if sizes is None:
        _check_text(head, path)
        return "text"
    return "text with a header" if _is_row(rest.partition(b"\n")[0], sizes.width) else "binary"


class Sizes(NamedTuple):
    """How many words a file has, and how many numbers the vector of each."""

    words: int
    width: int


def header_of(line: bytes) -> Sizes | None:
    """The sizes that a header line gives; None where the line is not a header.

    >>> header_of(b"400000 50"), header_of(b"the 0.1 0.2")
    (Sizes(words=400000, width=50), None)
    """
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields):  # noqa: PLR2004
        return None
    return Sizes(int(fields[0]), int(fields[1]))


@dataclass(slots=True)
class VectorLines:
    """What a check of a text file's lines found."""

    words: int
    """How many lines can be read."""
    width: int
    """How many numbers a line has."""
    spaced: int = 0
    """How many words have a space in them, as some in GloVe's Common Crawl vectors do."""
    broken: list[int] = field(default_factory=list)
    """The numbers of the lines that are left out."""


def check_lines(path: Path, *, skip: bool = False) -> VectorLines:
    """Check that every line has a word and the right number of numbers.

    That is the number in the header or, without one, the number that most lines have. The last fields of a
    line are its numbers, so that a word may contain spaces. With `skip`, other lines are left out and listed.

    Raises:
        BadInput: A line has another form, or the header gives another number of lines.
    """
    with opened(path) as file:
        first = list(islice(file, PEEK))
        header = header_of(first[0]) if first else None
        width = header.width if header else _width(first)
        if not width:
            raise BadInput("its first line has no numbers", WAY_OUT, file=str(path), line=1)
        lines = VectorLines(0, width)
        number = 0
        for number, line in enumerate(chain(first, file), start=1):
            if number == 1 and header:
                continue
            row = parted(line, width)
            if row is not None:
                lines.words += 1
                lines.spaced += b" " in row.word
            elif skip:
                lines.broken.append(number)
            else:
                raise _no_row(line, width, path, number)
    rows = number - bool(header)
    if header and header.words != rows:
        reason = f"the header says {counted(header.words, 'words')}, but there are {rows:,}"
        way_out = "download the file again, or correct the header"
        raise BadInput(reason, way_out, file=str(path), line=1)
    if not lines.words:
        raise BadInput("no line can be read", WAY_OUT, file=str(path))
    return lines


class VectorLine(NamedTuple):
    """A line of a text file, split into its word and its numbers, which are not converted yet."""

    word: bytes
    numbers: list[bytes]


def parted(line: bytes, width: int) -> VectorLine | None:
    """The word of a line and its last `width` fields; None where the line has another form.

    A number before these fields means that the line has too many of them, except at the very beginning: a
    word may be a number.

    >>> parted(b"at name@domain.com 0.1 0.2", 2)
    VectorLine(word=b'at name@domain.com', numbers=[b'0.1', b'0.2'])
    >>> parted(b"he 0.3 0.1 0.2", 2), parted(b"he 0.1", 2)
    (None, None)
    """
    fields = line.rstrip().split(b" ")
    if len(fields) <= width:
        return None
    word = fields[:-width]
    if any(map(_is_number, word[1:])):
        return None
    return VectorLine(b" ".join(word), fields[-width:])


def _width(lines: Sequence[bytes]) -> int:
    """How many numbers most of the lines end with; 0 where none ends with a number."""
    counts = Counter(widths for line in lines if (widths := _numbers_at_end(line)))
    return counts.most_common(1)[0][0] if counts else 0


def _numbers_at_end(line: bytes) -> int:
    """How many fields at the end of a line are numbers, not counting its first field."""
    _, *fields = line.rstrip().split(b" ")
    return sum(1 for _ in takewhile(_is_number, reversed(fields)))


def _is_number(text: bytes) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _no_row(line: bytes, width: int, path: Path, number: int) -> BadInput:
    fields = len(line.rstrip().split(b" ")) if line.strip() else 0
    return BadInput(
        f"expected a word and {counted(width, 'numbers')} separated by single spaces, but there "
        f"are {counted(fields, 'fields')}",
        "correct the line, or leave out such lines with --skip-invalid",
        file=str(path),
        line=number,
    )


def read_lines(
    path: Path, lines: VectorLines, *, skip: bool = False
) -> tuple[dict[str, int], npt.NDArray[np.float32]]:
    """The index of each word's row, and the rows, of a file that `check_lines` has checked.

    With `skip`, lines that cannot be read are left out and added to `lines.broken`.

    Raises:
        BadInput: A word cannot be decoded or is a repetition, or something is not a finite number.
    """
    index: dict[str, int] = {}
    stood: dict[str, int] = {}
    vectors = np.empty((lines.words, lines.width), dtype=np.float32)
    with opened(path) as file, np.errstate(over="ignore"):  # overflows are reported as errors below
        for number, line in enumerate(file, start=1):
            found = None if number == 1 and header_of(line) else parted(line, lines.width)
            if found is None:
                continue
            row = len(index)
            reason = _into(vectors[row], found)
            word = found.word.decode("utf-8", "replace")
            if not reason and word in index:
                reason = f"the word {word!r} is already in line {stood[word]:,}"
            if not reason:
                index[word], stood[word] = row, number
            elif skip:
                lines.broken.append(number)
            else:
                raise _at(path, number, reason)
    return index, vectors[: len(index)]


def _into(vector: npt.NDArray[np.float32], row: VectorLine) -> str:
    """Write the numbers of a row into the vector; returns why that is not possible, or ""."""
    try:
        vector[:] = list(map(float, row.numbers))
        row.word.decode("utf-8")
    except ValueError:
        return _unread(row.word, row.numbers)
    if not np.isfinite(vector).all():
        bad = row.numbers[int(np.isfinite(vector).argmin())].decode()
        return f"{bad} is not a finite number in single precision"
    return ""


def _at(path: Path, number: int, reason: str) -> BadInput:
    way_out = "correct the line, or leave out such lines with --skip-invalid"
    return BadInput(reason, way_out, file=str(path), line=number)


def _unread(word: bytes, numbers: list[bytes]) -> str:
    """A description of the part of a line that cannot be read."""
    for number in numbers:
        try:
            float(number)
        except ValueError:
            return f"{number.decode('utf-8', 'replace')!r} is not a number"
    return f"the word {word!r} is not UTF-8"


def check_binary(path: Path) -> Sizes:
    """Check that a file in word2vec's binary format is large enough for what its header says.

    Raises:
        BadInput: The file is shorter, or empty.
    """
    with opened(path) as file:
        sizes = header_of(file.readline(HEAD)) or Sizes(0, 0)
    least = sizes.words * (sizes.width * FLOAT + 2)
    if not (sizes.words and sizes.width) or (is_plain(path) and path.stat().st_size < least):
        promised = (
            f"{counted(sizes.words, 'words')} of {counted(sizes.width, 'numbers')}, but the file "
            "is shorter"
        )
        reason = promised if sizes.words and sizes.width else "that it is empty"
        raise BadInput(f"the header says {reason}", "download the file again", file=str(path))
    return sizes


def check_fasttext(path: Path) -> None:
    """Check that a file in fastText's format is complete, since the library hangs on a word that is cut off.

    Raises:
        BadInput: The file is cut off, was trained with labels, or has quantised weights.
    """
    if not is_plain(path):
        raise BadInput(
            "fastText's binary format cannot be read when compressed", "unpack it", file=str(path)
        )
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
        try:
            reason = _wrong_fasttext(held)
        except struct.error:
            reason = CUT
    if reason:
        way_out = "download it again" if reason == CUT else "use the unsupervised model's .bin"
        raise BadInput(reason, way_out, file=str(path))


def _wrong_fasttext(held: mmap.mmap) -> str:
    at = 8 + 12 * 4 + 8  # magic, version, twelve integers, a double
    words, _, labels = struct.unpack_from("@3i", held, at)
    if labels:
        return "it was trained to predict labels and has no word vectors"
    at += 3 * 4 + 8
    (pruned,) = struct.unpack_from("@q", held, at)
    at += 8
    for _ in range(words):
        if (end := held.find(b"\0", at)) < 0:
            return CUT
        at = end + 1 + 9  # its count and its type
    at += 8 * max(pruned, 0)
    quantised, rows, width = struct.unpack_from("=?2q", held, at)
    if quantised:
        return "its weights are quantised (.ftz)"
    whole = at + 17 + rows * width * FLOAT
    return CUT if whole > len(held) else ""


def is_plain(path: Path) -> bool:
    """Whether the file is not compressed, by its name."""
    return path.suffix not in PACKED


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The file opened for reading bytes, decompressed and without a byte order mark.

    Raises:
        BadInput: The file cannot be read.
    """
    packing = "" if is_plain(path) else path.suffix
    with readable(path), unpacking.opened(path, packing) as file:
        if file.peek(len(BOM_UTF8)).startswith(BOM_UTF8):  # it is no part of the first word
            file.read(len(BOM_UTF8))
        yield file


@contextmanager
def readable(
    path: Path, *further: type[Exception], way_out: str = "download it again"
) -> Iterator[None]:
    """Turns all exceptions that reading a damaged file can raise, here and in libraries, into one error.

    `further` are exceptions to convert besides the usual ones.

    Raises:
        BadInput: The file cannot be read.
    """
    damaged: tuple[type[Exception], ...] = (
        ValueError, EOFError, OSError, AssertionError, NotImplementedError, MemoryError, struct.error,
        zlib.error, BadZipFile, *further,
    )  # fmt: skip
    try:
        yield
    except damaged as error:
        raise BadInput(
            f"it cannot be read ({reason_of(error)})", way_out, file=str(path)
        ) from error


def _head(path: Path) -> bytes:
    if not path.is_file():
        raise BadInput("there is no such file", way_to_file(path), file=str(path))
    packed = unpacking.packing_of(path)
    if packed in PACKED and path.suffix != packed:
        way_out = f"rename it to …{packed}"
        raise BadInput("it is compressed, but its name does not say so", way_out, file=str(path))
    with opened(path) as plain:
        head = plain.read(HEAD)
    if not head.strip():
        raise BadInput("it is empty", WAY_OUT, file=str(path))
    return head


def _check_text(head: bytes, path: Path) -> None:
    line = head.partition(b"\n")[0]
    width = _numbers_at_end(line)
    if b"\0" in head or not width or not _is_row(line, width):
        raise BadInput(
            "it is not a file of word vectors: its first line is neither two counts nor a word and numbers",
            WAY_OUT, file=str(path),
        )  # fmt: skip


def _is_row(line: bytes, width: int) -> bool:
    """Whether the last `width` fields of a line, or all behind its word if there are fewer, are numbers."""
    if b"\0" in line:
        return False
    _, *fields = line.rstrip().split(b" ")
    try:
        line.decode("utf-8")
    except ValueError:
        return False
    return bool(fields) and all(map(_is_number, fields[-width:]))
