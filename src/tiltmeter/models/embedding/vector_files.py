"""Files of word vectors: of which kind one is, what is wrong with it, and text line by line.

Binary files are read by a library, which in some cases does not say that anything is wrong: a header
that promises too few words, a fastText file that was cut. Text it reads twenty times as slowly as it
is read here, and without telling the line.
"""

import bz2
import gzip
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

Form: TypeAlias = Literal["text", "text with a header", "binary", "fasttext", "npz", "folder"]
FASTTEXT = struct.pack("@i", 793712314)
PACKED = {b"\x1f\x8b": ".gz", b"BZ": ".bz2"}
WAY_OUT = (
    "give word2vec's text or binary format, GloVe's text, fastText's .vec or .bin, or an .npz with "
    "words and vectors"
)
HEAD = 1 << 20
"""Bytes that are looked at: more than any line of numbers has."""
PEEK = 100
"""Lines that are looked at to learn how many numbers a line has."""
CUT = "it ends in the middle"
FLOAT = 4
"""Bytes of a float32."""


def form_of(path: Path) -> Form:
    """Told from the first bytes, and not from the name.

    Raises:
        BadInput: There is no such file, or it is none of these.
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
    """How many words a file has, and how many numbers each."""

    words: int
    width: int


def header_of(line: bytes) -> Sizes | None:
    """The numbers of a header; None where the line is none.

    >>> header_of(b"400000 50"), header_of(b"the 0.1 0.2")
    (Sizes(words=400000, width=50), None)
    """
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields):  # noqa: PLR2004
        return None
    return Sizes(int(fields[0]), int(fields[1]))


@dataclass(slots=True)
class VectorLines:
    """What the lines of a text file hold."""

    words: int
    """Lines that can be read."""
    width: int
    spaced: int = 0
    """Words with a space in them, as GloVe's of the Common Crawl have some."""
    broken: list[int] = field(default_factory=list)
    """The numbers of lines that are left out."""


def check_lines(path: Path, *, skip: bool = False) -> VectorLines:
    """See that every line has a word and as many numbers as most, or the header, say.

    The last fields of a line are its numbers, so that a word may have spaces. With `skip`, other lines are
    left out and counted.

    Raises:
        BadInput: A line has something else, or the header promises another number of lines.
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
        reason = f"the header says {header.words:,} words, but there are {rows:,}"
        way_out = "download the file again, or correct the header"
        raise BadInput(reason, way_out, file=str(path), line=1)
    if not lines.words:
        raise BadInput("no line can be read", WAY_OUT, file=str(path))
    return lines


class VectorLine(NamedTuple):
    """A line of a text file."""

    word: bytes
    numbers: list[bytes]


def parted(line: bytes, width: int) -> VectorLine | None:
    """The word of a line and its last `width` fields; None where that is no row.

    Numbers before the last ones are too many of them, and no part of a word, unless the word is one itself.

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
    """How many numbers most of the lines end with."""
    counts = Counter(widths for line in lines if (widths := _numbers_at_end(line)))
    return counts.most_common(1)[0][0] if counts else 0


def _numbers_at_end(line: bytes) -> int:
    """How many fields at the end of a line are numbers, besides its first field."""
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
        f"expected a word and {width:,} numbers separated by single spaces, but there are {fields:,} fields",
        "correct the line, or leave out such lines with --skip-invalid",
        file=str(path),
        line=number,
    )


def read_lines(
    path: Path, lines: VectorLines, *, skip: bool = False
) -> tuple[dict[str, int], npt.NDArray[np.float32]]:
    """Words with the numbers of their rows, and the rows, of a file that `check_lines` looked at.

    With `skip`, lines that cannot be read are left out, and added to `lines.broken`.

    Raises:
        BadInput: A line has a word that cannot be read or stood before, or what is not a finite number.
    """
    index: dict[str, int] = {}
    stood: dict[str, int] = {}
    vectors = np.empty((lines.words, lines.width), dtype=np.float32)
    with opened(path) as file, np.errstate(over="ignore"):  # what becomes infinite is told
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
    """Write the numbers of a row into the vector; why that cannot be, or ""."""
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
    """What of a line cannot be read."""
    for number in numbers:
        try:
            float(number)
        except ValueError:
            return f"{number.decode('utf-8', 'replace')!r} is not a number"
    return f"the word {word!r} is not UTF-8"


def check_binary(path: Path) -> Sizes:
    """See that word2vec's binary format can hold what its header promises.

    Raises:
        BadInput: It cannot.
    """
    with opened(path) as file:
        sizes = header_of(file.readline(HEAD)) or Sizes(0, 0)
    least = sizes.words * (sizes.width * FLOAT + 2)
    if not (sizes.words and sizes.width) or (is_plain(path) and path.stat().st_size < least):
        promised = f"{sizes.words:,} words of {sizes.width:,} numbers, but the file is shorter"
        reason = promised if sizes.words and sizes.width else "that it is empty"
        raise BadInput(f"the header says {reason}", "download the file again", file=str(path))
    return sizes


def check_fasttext(path: Path) -> None:
    """See that fastText's format is whole: the library waits for ever for the end of a cut word.

    Raises:
        BadInput: It is cut, was trained with labels, or its weights are quantised.
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
    """Whether it is not packed."""
    return path.suffix not in PACKED.values()


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Its bytes, unpacked, without a byte order mark.

    Raises:
        BadInput: It cannot be read.
    """
    ways = {".gz": gzip.open, ".bz2": bz2.open}
    with readable(path), ways.get(path.suffix, open)(path, "rb") as file:  # type: ignore[operator]
        if file.peek(len(BOM_UTF8)).startswith(BOM_UTF8):  # it is no part of the first word
            file.read(len(BOM_UTF8))
        yield file


@contextmanager
def readable(
    path: Path, *further: type[Exception], way_out: str = "download it again"
) -> Iterator[None]:
    """What reading a damaged file raises here and in libraries, `further` errors included, as one error.

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
        raise BadInput("there is no such file", "check the path", file=str(path))
    with path.open("rb") as file:
        packed = PACKED.get(file.read(2))
    if packed and path.suffix != packed:
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
    """Whether it is a word and so many numbers, or at least is meant so."""
    if b"\0" in line:
        return False
    _, *fields = line.rstrip().split(b" ")
    try:
        line.decode("utf-8")
    except ValueError:
        return False
    return bool(fields) and all(map(_is_number, fields[-width:]))
