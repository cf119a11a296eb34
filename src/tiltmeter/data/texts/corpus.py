"""Running text as documents of sentences: plain text, WikiText, JSON lines, one file or a folder.

- Plain text (.txt, .tokens): blank lines separate documents; lines within one belong together.
- WikiText: documents begin at ` = Title = ` lines, and each line is a paragraph. It is recognised by such
  lines, and the spaces that cut its words and marks apart are taken out again.
- JSON lines (.jsonl): one document a line, in the column `text`.

Each may be compressed (.gz). Sentences are kept in a temporary file, not in memory.

Where a sentence ends is a rule short enough to be read. The libraries for it are heavy, unmaintained, or
download models of their own; and a wrong split here and there matters little to what is learned from running
text, because it is as likely in every text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256 as new_sha256
from itertools import chain
from pathlib import Path

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.texts.archived_sets import named_table
from tiltmeter.data.texts.stored_documents import Document, StoredDocuments

KINDS = (".txt", ".tokens", ".jsonl")
_TITLE = re.compile(r" ?= [^=\s](?:.*[^=\s])? = ?")
_HEADING = re.compile(r" ?(?:= ){2,}.*(?: =){2,} ?")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents of sentences, each once."""

    name: str
    """The name of the file or folder, without its path."""
    sha256: str
    documents: StoredDocuments

    @property
    def sentences(self) -> int:
        """How many sentences all documents have together."""
        return int(self.documents.starts[-1])


def read(path: str | Path, encoding: str = "", *, least: int = 2) -> Corpus:
    """Read a file, or every file of a known kind in a folder and those inside it, by name.

    Documents of fewer than `least` sentences are left out.

    Raises:
        BadInput: It is missing, empty, of another kind or encoding, or holds no such document.
    """
    path = named_table(path)
    files = _files(path)
    documents = StoredDocuments(_distinct(files, encoding, least))
    if not len(documents):
        what = "documents of two sentences or more" if least > 1 else "sentences"
        way_out = "give running text, with blank lines between documents"
        raise BadInput(f"it contains no {what}", way_out, file=str(path))
    return Corpus(path.resolve().name, corpus_digest(files, path), documents)


def _distinct(files: Sequence[Path], encoding: str, least: int) -> Iterator[Document]:
    """The documents of at least so many sentences, without those that repeat an earlier one."""
    seen: set[bytes] = set()
    for file in files:
        for text in _documents(file, encoding):
            sentences = tuple(sentence for paragraph in text for sentence in split(paragraph))
            digest = new_sha256(repr(sentences).encode("utf-8", "surrogatepass")).digest()[:16]
            if len(sentences) >= least and digest not in seen:
                seen.add(digest)
                yield sentences


def _files(path: Path) -> list[Path]:
    kinds = f"({', '.join(KINDS)}, each also with .gz)"
    if not path.exists():
        way_out = "give running text: a file of one of the kinds " + kinds[1:-1]
        raise BadInput(
            "there is no such file or folder", f"{way_out}, or a folder of them", file=str(path)
        )
    if not path.is_dir():
        if _kind(path) not in KINDS:
            reason = f"this type of text file is not supported {kinds}"
            raise BadInput(reason, "name it .txt if it is plain text", file=str(path))
        return [path]
    files = sorted(f for f in path.rglob("*") if f.is_file() and _kind(f) in KINDS)
    if not files:
        way_out = "give the folder with the text files, or a file"
        raise BadInput(f"the folder contains no text {kinds}", way_out, file=str(path))
    return files


def _kind(path: Path) -> str:
    name = path.name.lower().removesuffix(".gz")
    return next((kind for kind in KINDS if name.endswith(kind)), "")


def corpus_digest(files: Sequence[Path], path: Path) -> str:
    """The SHA-256 of a file, or of the names and SHA-256 of all files of a folder."""
    if list(files) == [path]:
        return sha256(path)
    sums = (f"{file.relative_to(path).as_posix()}:{sha256(file)}\n" for file in files)
    return new_sha256("".join(sums).encode()).hexdigest()


def _documents(file: Path, encoding: str) -> Iterator[list[str]]:
    """Each document as its paragraphs."""
    if file.is_file() and not file.stat().st_size:
        raise BadInput("the file is empty", "give running text", file=file.name)
    if _kind(file) == ".jsonl":
        yield from _from_json(file, encoding)
        return
    if any(is_title for _, is_title in _marked(file, encoding)):
        yield from _from_wikitext(_marked(file, encoding))
        return
    for block in _blocks(line for line, _ in _marked(file, encoding)):
        yield [" ".join(block)]


def _marked(file: Path, encoding: str) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it is a title of WikiText: such a line between blank ones."""
    before = line = ""
    begun = False
    for after in chain((each.rstrip("\r\n") for each in lines(file, encoding)), [""]):
        if begun:
            yield line, bool(_TITLE.fullmatch(line)) and not (before.strip() or after.strip())
        before, line, begun = line, after, True


def _from_wikitext(marked: Iterable[tuple[str, bool]]) -> Iterator[list[str]]:
    paragraphs: list[str] = []
    for line, is_title in marked:
        if is_title:
            yield paragraphs
            paragraphs = []
        elif line.strip() and not _HEADING.fullmatch(line):
            paragraphs.append(untokenised(line))
    yield paragraphs


def _blocks(text: Iterable[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in chain(text, [""]):
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
            reason = "is not a JSON object with a text in the column `text`"
            way_out = 'write one a line: {"text": "…"}'
            raise BadInput(reason, way_out, file=file.name, line=number)
        yield [" ".join(block) for block in _blocks(text.splitlines())]


_END = re.compile(r"""[.!?…]+["'”’»)\]]*\s+|[。！？]+["'”’」』）]*\s*""")
_OPENING = "\"'“‘«„([¿¡"
_LAST_WORD = re.compile(r"""[\s"'“‘«„(\[]([^\s"'“‘«„(\[]*)$""")
_INITIALS = re.compile(r"(?:\w\.)*\w")
ABBREVIATIONS = frozenset(
    "adm al approx bros ca capt cf cmdr co col comdr corp dept dr e.g ed eds esp est etc fr gen gov hon "  # noqa: SIM905
    "i.e inc jr lt ltd maj messrs mr mrs ms mt pres prof ref rep rev sen sgt sr st vols vs "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
"""Words before a full stop that rarely end a sentence. Capital initials (J., U.S.) do not either."""
NUMBERED = frozenset({"art", "fig", "figs", "no", "nos", "op", "pp", "vol"})
"""Words that do not where a number follows."""
_MOSES = (
    (re.compile(r" @([-.,])@ "), r"\1"),
    (re.compile(r" ([,.;:!?%)\]])(?=\s|$)"), r"\1"),
    (re.compile(r"([(\[]) "), r"\1"),
    (re.compile(r" (['’](?:s|t|re|ve|ll|d|m)\b)"), r"\1"),
    (re.compile(r'(^|\s)" ([^"]*?) "(?=[\s,.;:!?)]|$)'), r'\1"\2"'),
)


def split(text: str) -> list[str]:
    """The sentences of a paragraph. Pieces without a letter or a digit are left out.

    A sentence ends at . ! ? or …, with the quotation marks and brackets that close there, if space
    follows and then anything but a small letter; not at the full stop of an initial or a known
    abbreviation. After 。！？ no space is needed.

    >>> split('Dr. J. Doe came at 5 p.m. today. "Why?" she asked. (He knew.) 4 left.')
    ['Dr. J. Doe came at 5 p.m. today.', '"Why?" she asked.', '(He knew.)', '4 left.']
    """
    text = " ".join(text.split())
    sentences, begun = [], 0
    for end in _END.finditer(text):
        if _ends(text, end):
            sentences.append(text[begun : end.end()].strip())
            begun = end.end()
    sentences.append(text[begun:].strip())
    return [sentence for sentence in sentences if any(c.isalnum() for c in sentence)]


def _ends(text: str, end: re.Match[str]) -> bool:
    rest = text[end.end() : end.end() + 4].lstrip(_OPENING)
    if rest[:1].islower():
        return False
    if end[0].strip() != ".":
        return True
    before = _LAST_WORD.search(" " + text[max(0, end.start() - 40) : end.start()])
    word = before[1] if before else ""
    if word.lower() in ABBREVIATIONS or (word.lower() in NUMBERED and rest[:1].isdigit()):
        return False
    return word.islower() or word.isdigit() or not _INITIALS.fullmatch(word)


def untokenised(text: str) -> str:
    """WikiText's text as it was before it was cut at spaces and marks, as far as can be told.

    >>> untokenised('It weighs 5 @.@ 5 kg ( 12 lb ) , says " The Dog @-@ Owner ’s Friend " .')
    'It weighs 5.5 kg (12 lb), says "The Dog-Owner’s Friend".'
    """
    for pattern, plain in _MOSES:
        text = pattern.sub(plain, text)
    return text
