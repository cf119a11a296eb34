"""Running text as documents of sentences: plain text, WikiText, JSON lines, one file or a folder.

- Plain text (.txt, .tokens): blank lines separate documents; lines within one belong together.
- WikiText: documents begin at ` = Title = ` lines, and each line is a paragraph. It is recognised by such
  lines, and the spaces that cut its words and marks apart are taken out again.
- JSON lines (.jsonl): one document a line, in the column `text`.

Each may be compressed (.gz). The whole text is held in memory.
"""

import gzip
import re
import shutil
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256 as new_sha256
from pathlib import Path
from typing import TypeAlias

from tiltmeter.core.errors import BadInput
from tiltmeter.core.json_text import parsed
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.texts.sentence_ends import split, untokenised

Document: TypeAlias = tuple[str, ...]
KINDS = (".txt", ".tokens", ".jsonl")
_TITLE = re.compile(r" ?= [^=\s](?:.*[^=\s])? = ?")
_HEADING = re.compile(r" ?(?:= ){2,}.*(?: =){2,} ?")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents of sentences, each once."""

    name: str
    """Of the file or folder, without its path."""
    sha256: str
    documents: tuple[Document, ...]

    @property
    def sentences(self) -> int:
        """In all documents."""
        return sum(map(len, self.documents))


def read(path: str | Path, encoding: str = "", *, least: int = 2) -> Corpus:
    """Read a file, or every file of a known kind in a folder and those inside it, by name.

    Args:
        path: Of the file or folder.
        encoding: Of the text; by default its byte order mark's, else UTF-8.
        least: Documents of fewer sentences are left out.

    Raises:
        BadInput: It is missing, empty, of another kind or encoding, or holds no such document.
    """
    path = Path(path).expanduser()
    files = _files(path)
    found: dict[Document, None] = {}
    for file in files:
        for text in _documents(file, encoding):
            sentences = tuple(sentence for paragraph in text for sentence in split(paragraph))
            if len(sentences) >= least:
                found[sentences] = None
    if not found:
        raise BadInput(
            "it contains no documents of two sentences or more"
            if least > 1
            else "it contains no sentences",
            "give running text, with blank lines between documents",
            file=str(path),
        )
    return Corpus(path.resolve().name, corpus_digest(files, path), tuple(found))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        if path.exists() and _kind(path) not in KINDS:
            raise BadInput(
                f"this type of text file is not supported ({', '.join(KINDS)}, each also with .gz)",
                "name it .txt if it is plain text",
                file=str(path),
            )
        return [path]
    files = sorted(f for f in path.rglob("*") if f.is_file() and _kind(f) in KINDS)
    if not files:
        raise BadInput(
            f"the folder contains no text ({', '.join(KINDS)}, each also with .gz)",
            "give the folder with the text files, or a file",
            file=str(path),
        )
    return files


def _kind(path: Path) -> str:
    name = path.name.lower().removesuffix(".gz")
    return next((kind for kind in KINDS if name.endswith(kind)), "")


def corpus_digest(files: Sequence[Path], path: Path) -> str:
    """The SHA-256 of a file, or of the names and SHA-256 of all files of a folder."""
    if list(files) == [path]:
        return sha256(path)
    named = (f"{file.relative_to(path).as_posix()}:{sha256(file)}\n" for file in files)
    return new_sha256("".join(named).encode()).hexdigest()


def _documents(file: Path, encoding: str) -> Iterator[list[str]]:
    """Each document as its paragraphs."""
    with _unpacked(file) as plain:
        if plain.is_file() and not plain.stat().st_size:
            raise BadInput("the file is empty", "give running text", file=file.name)
        if _kind(file) == ".jsonl":
            yield from _from_json(plain, encoding)
            return
        text = [line.rstrip("\r\n") for line in lines(plain, encoding)]
    if any(_TITLE.fullmatch(line) and _alone(text, i) for i, line in enumerate(text)):
        yield from _from_wikitext(text)
        return
    for block in _blocks(text):
        yield [" ".join(block)]


def _alone(text: list[str], i: int) -> bool:
    """Whether a line stands between blank ones, as WikiText's titles do."""
    return not any(line.strip() for line in (*text[max(0, i - 1) : i], *text[i + 1 : i + 2]))


def _from_wikitext(text: list[str]) -> Iterator[list[str]]:
    paragraphs: list[str] = []
    for i, line in enumerate(text):
        if _TITLE.fullmatch(line) and _alone(text, i):
            yield paragraphs
            paragraphs = []
        elif line.strip() and not _HEADING.fullmatch(line):
            paragraphs.append(untokenised(line))
    yield paragraphs


def _blocks(text: list[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in [*text, ""]:
        if line.strip():
            block.append(line)
        elif block:
            yield block
            block = []


def _from_json(file: Path, encoding: str) -> Iterator[list[str]]:
    for number, line in enumerate(lines(file, encoding), start=1):
        if not line.strip():
            continue
        try:
            row = parsed(line)
        except (ValueError, RecursionError):
            row = None
        text = row.get("text") if isinstance(row, dict) else None
        if not isinstance(text, str):
            raise BadInput(
                "is not a JSON object with a text in the column `text`",
                'write one a line: {"text": "…"}',
                file=file.name,
                line=number,
            )
        yield [" ".join(block) for block in _blocks(text.splitlines())]


@contextmanager
def _unpacked(file: Path) -> Iterator[Path]:
    """The file itself, or its content under the same name without .gz for as long as it is read."""
    if file.suffix.lower() != ".gz" or not file.is_file():
        yield file
        return
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / file.stem
        try:
            with gzip.open(file) as packed, plain.open("wb") as to:
                shutil.copyfileobj(packed, to)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise BadInput(
                f"it is not a whole gzip file ({error})",
                "fetch or compress it again",
                file=str(file),
            ) from error
        yield plain
