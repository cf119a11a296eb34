"""Reads users' files as lines of text, or gives one clear reason why a file cannot be read."""

import codecs
import difflib
import io
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO

from tiltmeter.core.errors import BadInput, reason_of
from tiltmeter.core.reading.file_names import way_to_file
from tiltmeter.data.files import unpacking

_EXPORT = "export it as CSV (UTF-8) or JSONL and give that file"
_UNPACK = "unpack it and give the file inside"
_RAW = "download the raw file itself"
_PICTURE = "give the file with the texts"
_UNPACK_ALL = "unpack it and give a file inside, or the folder"
_ZIP = b"PK\x03\x04"
_SPREADSHEETS = (b"[Content_Types].xml", b"mimetype", b"_rels/", b"xl/", b"docProps/")
"""Names of the first file in .xlsx and .ods, which are zip archives too."""
_MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (_ZIP, "a spreadsheet (.xlsx, .ods)", _EXPORT),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file", _EXPORT),
    (b"BZh", "bzip2-compressed", _UNPACK),
    (b"\xfd7zXZ\x00", "xz-compressed", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!", "a rar archive", _UNPACK),
    (b"%PDF-", "a PDF", _EXPORT),
    (b"\x89PNG", "a PNG picture", _PICTURE),
    (b"\xff\xd8\xff", "a JPEG picture", _PICTURE),
    (b"GIF8", "a GIF picture", _PICTURE),
    (b"SQLite format 3\x00", "an SQLite database", _EXPORT),
    (b"ARROW1", "an Arrow (Feather) file", "save it as Parquet, CSV or JSONL and give that file"),
    (b"version https://git-lfs", "a Git LFS pointer, not the data itself", "run `git lfs pull`"),
    (b"<!doctype html", "a web page", _RAW),
    (b"<html", "a web page", _RAW),
)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GUESSES = ("cp1252", "mac_roman")
LONGEST = 2**26
"""The characters that a line may have: a file of one line without end would fill memory."""
PIECE = 2**18
"""The characters that are read at a time where lines do not matter."""
_TYPOGRAPHIC = frozenset("“”‘’„«»–—…€£°·¿¡ ")


def opened(path: Path) -> IO[bytes]:
    """Open a file for reading bytes, decompressed if it is gzip-compressed.

    Reading from it raises `BadInput` where it unpacks to too much.
    """
    packing = unpacking.packing_of(path)
    return unpacking.opened(path, packing if packing == ".gz" else "")


def first_bytes(path: str | Path) -> bytes:
    """The first 64 bytes of a file, decompressed if necessary, after checking that it can be read as data.

    Raises:
        BadInput: The file is missing (similar names in its folder are suggested), a folder, unreadable,
            empty, or of a kind that is not a plain table.
    """
    path = Path(path)
    shown = str(path)
    try:
        if path.is_dir():
            raise BadInput("is a folder, not a file", _inside(path), file=shown)
        if path.exists() and not path.is_file():
            raise BadInput("is not a regular file", "save it as a file first", file=shown)
        with opened(path) as file:
            start = file.read(64)
    except FileNotFoundError:
        if path.is_symlink():
            reason = f"is a link to {str(path.readlink())!r}, which is not there"
            raise BadInput(reason, "mend it", file=shown) from None
        raise BadInput("no such file", way_to_file(path), file=shown) from None
    except PermissionError:
        reason = "you do not have permission to read it"
        raise BadInput(reason, "change its permissions or copy it", file=shown) from None
    except EOFError:
        raise _not_whole(path) from None
    except (OSError, ValueError) as why:
        reason = f"cannot be opened ({reason_of(why)})"
        raise BadInput(reason, "check the path", file=shown) from why
    if not start:
        content = "a header line" if path.suffix.lower() in {".csv", ".tsv"} else "content"
        raise BadInput("the file is empty", f"give one with {content}", file=path.name)
    _refuse_other_kinds(start, path.name)
    return start


def _not_whole(path: Path) -> BadInput:
    return BadInput("is not a whole gzip file", "download or copy it again", file=path.name)


def _refuse_other_kinds(start: bytes, name: str) -> None:
    if start.startswith(_ZIP) and not any(name in start for name in _SPREADSHEETS):
        raise BadInput("is a zip archive", _UNPACK_ALL, file=name)
    for magic, kind, way_out in _MAGIC:
        if start.lower().startswith(magic.lower()):
            raise BadInput(f"is {kind}", way_out, file=name)


def _inside(folder: Path) -> str:
    usable = {".csv", ".tsv", ".jsonl", ".json", ".parquet"}
    files = sorted(p.name for p in folder.iterdir() if p.suffix.lower() in usable)
    return f"give a file, such as {', '.join(files[:3])}" if files else "give a file"


def encoding_of(path: str | Path, wanted: str = "") -> str:
    """The encoding with which to read `path`: `wanted`, else that of its byte order mark, else UTF-8.

    Raises:
        BadInput: Python has no text encoding named `wanted`.
    """
    if not wanted:
        start = first_bytes(path)
        return next((name for bom, name in _BOMS if start.startswith(bom)), "utf-8")
    try:
        "".encode(wanted)
    except (LookupError, UnicodeError, ValueError):
        known = ["utf-8", "utf-16", "cp1252", "latin-1", "mac_roman", "shift_jis", "gb18030"]
        near = difflib.get_close_matches(wanted.lower().replace("-", "_"), known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else f"for example {', '.join(known)}"
        raise BadInput(f"no text encoding named {wanted!r}", hint) from None
    return wanted


def lines(path: str | Path, encoding: str = "") -> Iterator[str]:
    r"""Yields the physical lines of a text file with their line ends, as `open(newline="")` splits them.

    The byte order mark is dropped. Lines end at \n, \r\n or \r and nowhere else, so that their
    numbers are those an editor shows.

    Raises:
        BadInput: A byte cannot be decoded (the message gives line, position and a guess at the encoding),
            there is a NUL character, or a line is too long.
    """
    name = Path(path).name
    for number, line in enumerate(
        _parts(path, encoding, lambda text: text.readline(LONGEST + 1)), 1
    ):
        if len(line) > LONGEST:
            reason, way_out = (
                f"is longer than {LONGEST:,} characters",
                "divide it, or the text in it",
            )
            raise BadInput(reason, way_out, file=name, line=number)
        if "\0" in line:
            raise _with_nul(name, number)
        yield line


def pieces(path: str | Path, encoding: str = "") -> Iterator[str]:
    """Yields the same text in pieces of no particular length, for a text whose lines may be very long.

    Raises:
        BadInput: As `lines`, however long a line is.
    """
    line = 1
    for piece in _parts(path, encoding, lambda text: text.read(PIECE)):
        if "\0" in piece:
            raise _with_nul(Path(path).name, line + piece.count("\n", 0, piece.index("\0")))
        line += piece.count("\n")
        yield piece


def _with_nul(name: str, line: int) -> BadInput:
    way_out = "save it as UTF-8; if it is UTF-16, give --encoding utf-16-le"
    return BadInput("contains NUL characters", way_out, file=name, line=line)


def _parts(
    path: str | Path, encoding: str, read: Callable[[io.TextIOWrapper], str]
) -> Iterator[str]:
    path = Path(path)
    first_bytes(path)
    used = encoding_of(path, encoding)
    number = 0
    with opened(path) as raw, io.TextIOWrapper(raw, encoding=used, newline="") as text:
        try:
            for number, part in enumerate(iter(partial(read, text), ""), start=1):
                yield part.removeprefix("\ufeff") if number == 1 else part
        except EOFError:
            raise _not_whole(path) from None
        except UnicodeDecodeError:
            raise _undecodable(path, used) from None
        except UnicodeError as why:
            reason, way_out = f"is not {used} ({why})", "give the right one with --encoding"
            raise BadInput(reason, way_out, file=path.name, line=number + 1) from None


def _undecodable(path: Path, encoding: str) -> BadInput:
    """Names the first byte that is not of the encoding, and guesses the right one from the text around it."""
    decoder = codecs.getincrementaldecoder(encoding)()
    lines_before = line_start = bytes_before = 0
    previous = b""
    with opened(path) as file:
        for piece in chain(iter(partial(file.read, PIECE), b""), [b""]):
            try:
                decoder.decode(piece, final=not piece)
            except UnicodeDecodeError as error:
                rest = error.object[error.start :]  # which may have begun in the previous piece
                at = bytes_before + len(piece) - len(rest)
                line = lines_before + piece.count(b"\n") - rest.count(b"\n") + 1
                newline = piece.rfind(b"\n", 0, max(0, len(piece) - len(rest)))
                start = line_start if newline < 0 else bytes_before + newline + 1
                reason = (
                    f"byte 0x{rest[0]:02x} at byte {at - start + 1} of the line is not {encoding}"
                )
                guess = _guess(previous + piece + file.read(PIECE))
                return BadInput(reason, guess, file=path.name, line=line)
            lines_before += piece.count(b"\n")
            if b"\n" in piece:
                line_start = bytes_before + piece.rindex(b"\n") + 1
            bytes_before += len(piece)
            previous = piece or previous
    return BadInput(f"is not {encoding} throughout", _guess(previous), file=path.name, line=1)


def _guess(data: bytes) -> str:
    """Advice on the encoding: the common one-byte encoding that best turns non-ASCII bytes into letters."""
    ranked = []
    for name in _GUESSES:
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        foreign = [i for i, c in enumerate(text) if not c.isascii()]
        likely = sum(_belongs(text, i) for i in foreign)
        shown = " ".join(text[max(0, foreign[0] - 12) : foreign[0] + 12].split()) if foreign else ""
        ranked.append((-likely, name, f"{name} reads it as {shown!r}"))
    if not ranked:
        return "save the file as UTF-8, or name its encoding with --encoding"
    ranked.sort()
    readings = ", ".join(reading for *_, reading in ranked)
    return f"save it as UTF-8 or try --encoding {ranked[0][1]} ({readings})"


def _belongs(text: str, i: int) -> bool:
    """Whether a character is plausible: typographic, or a letter but not a capital after a small one."""
    c = text[i]
    if c in _TYPOGRAPHIC:
        return True
    before = text[i - 1] if i else ""
    return c.isalpha() and (c.islower() or not before.islower())
