"""Files of pairs that must be refused, with what has to be said of each: one table for all layers."""

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

HEAD = "sent_more,sent_less\n"
FULL = "id,sent_more,sent_less,stereo_antistereo,bias_type\n"
GOOD = "She is late.,He is late.\n"


@dataclass(frozen=True)
class BadFile:
    """A file, and what its error must hold."""

    name: str
    content: bytes | str | Callable[[Path], None]
    """What is in it (text is written as UTF-8), or what puts it there."""
    says: tuple[str, ...]
    """Words of the reason and the way out."""
    line: int | None = None
    """Where the error must point; None where it is about the whole file."""
    file: str = "pairs.csv"
    columns: tuple[str, ...] = ()
    """The `field` of the problems of single rows; () where the whole file is refused."""

    def write(self, folder: Path) -> Path:
        """Put it into the folder, and give back its path."""
        path = folder / self.file
        if callable(self.content):
            self.content(path)
        else:
            text = self.content
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path


def row(name: str, sentence: str, *says: str, field: str = "sent_less") -> BadFile:
    """A good row on line 2, and on line 3 a row with this cell."""
    cell = '"' + sentence.replace('"', '""') + '"'
    cells = f"Ann sang.,{cell}\n" if field == "sent_less" else f"{cell},Ann sang.\n"
    return BadFile(name, HEAD + GOOD + cells, (f"{field} ", *says), 3, columns=(field,))


def full(name: str, third: str, *says: str, field: str, line: int = 3) -> BadFile:
    """The same with all columns."""
    good = "a,She is late.,He is late.,stereo,gender\n"
    return BadFile(name, FULL + good + third + "\n", says, line, columns=(field,))


def lines(name: str, second: str, *says: str, field: str = "", line: int = 2) -> BadFile:
    """JSONL: a good object on line 1 and this text on line 2."""
    good = json.dumps({"sent_more": "She is late.", "sent_less": "He is late."})
    columns = (field,) if field else ("",)
    return BadFile(name, f"{good}\n{second}\n", says, line, "pairs.jsonl", columns)


def _archive(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")


def _parquet(**columns: list[object]) -> bytes:
    buffer = io.BytesIO()
    parquet.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def _beside(path: Path) -> None:
    """A file of nearly the same name; `path` itself stays absent."""
    (path.parent / "pairs_v1.csv").write_text(HEAD + GOOD)


def _folder(path: Path) -> None:
    path.mkdir()
    (path / "inner.csv").write_text(HEAD + GOOD)


_LONG = " ".join(["word"] * 10_001)
_NO_FILES = (
    BadFile("missing file", _beside, ("no such file", "did you mean pairs_v1.csv?")),
    BadFile("missing folder", lambda _: None, ("no such file", "no folder"), file="no/pairs.csv"),
    BadFile("a folder", _folder, ("is a folder, not a file", "such as inner.csv")),
)
_WRONG_KIND = (
    BadFile("empty file", b"", ("the file is empty", "header line")),
    BadFile("only a byte order mark", b"\xef\xbb\xbf", ("contains no text", "header line")),
    BadFile("only blank lines", "\n\n  \n", ("contains no text",)),
    BadFile("spreadsheet", _archive, ("spreadsheet", "export it as CSV"), file="pairs.xlsx"),
    BadFile("spreadsheet called csv", _archive, ("spreadsheet", "export it as CSV")),
    BadFile(
        "cut gzip",
        gzip.compress(HEAD.encode() * 99, mtime=0)[:-20],
        ("is not a whole gzip file", "copy it again"),
        file="pairs.csv.gz",
    ),
    BadFile("old spreadsheet", b"\xd0\xcf\x11\xe0\xa1\xb1", ("old Excel",), file="pairs.xls"),
    BadFile(
        "picture",
        b"\x89PNG\r\n\x1a\n\x00",
        ("is a PNG picture", "give the file with the texts"),
        file="a.csv",
    ),
    BadFile("PDF", b"%PDF-1.7\n", ("is a PDF", "export it as CSV"), file="pairs.pdf"),
    BadFile("web page", "<!DOCTYPE html>\n<html>", ("a web page", "download the raw file")),
    BadFile(
        "Git LFS pointer",
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
        ("Git LFS pointer", "git lfs pull"),
    ),
    BadFile("false Parquet", HEAD + GOOD, ("no Parquet file", "CSV or JSONL"), file="p.parquet"),
    BadFile("JSON called csv", '{"sent_more": "a b"}\n', ("looks like JSON", ".jsonl"), 1),
    BadFile("NUL characters", HEAD + "She\0 sang.,He sang.\n", ("NUL", "--encoding"), 2),
    BadFile(
        "UTF-16 without its mark",
        (HEAD + GOOD).encode("utf-16-le"),
        ("NUL characters", "--encoding utf-16-le"),
        1,
    ),
    BadFile(
        "Mac Roman",
        (HEAD + GOOD + "De reünie begon.,De fête begon.\n").encode("mac_roman"),
        ("byte 0x9f at byte 6 of the line is not utf-8", "--encoding mac_roman", "reünie"),
        3,
    ),
    BadFile(
        "Windows encoding",
        (HEAD + "“He’s naïve.”,“She’s naïve.”\n").encode("cp1252"),
        ("byte 0x93 at byte 1 of the line is not utf-8", "--encoding cp1252", "naïve"),
        2,
    ),
    BadFile("cut off UTF-8", (HEAD + GOOD + "Zoë,Zo").encode() + b"\xc3", ("0xc3", "not utf-8"), 3),
)
_WRONG_HEADER = (
    BadFile("only a header", HEAD, ("only a header", "add the rows"), 1),
    BadFile(
        "no header", GOOD + "Ann sang.,Ben sang.\n", ("looks like data", "sent_more,sent_less"), 1
    ),
    BadFile(
        "columns of another name",
        "sentMore,sentLess\n" + GOOD,
        ("found 'sentMore'; did you mean 'sent_more'?", "sentLess"),
        1,
    ),
    BadFile(
        "one column is missing",
        "sent_more,bias_type\nShe sang.,gender\n",
        ("no column named sent_less", "found: 'sent_more', 'bias_type'"),
        1,
    ),
    BadFile(
        "a column twice",
        "sent_more,sent_less,sent_less\nA b.,C d.,E f.\n",
        ("'sent_less' occurs 2 times", "rename or remove one"),
        1,
    ),
    BadFile(
        "missing in JSONL",
        '{"sent_more": "She sang.", "sentless": "He sang."}\n',
        ("no column named sent_less", "found 'sentless'"),
        1,
        "pairs.jsonl",
    ),
    BadFile(
        "missing in Parquet",
        _parquet(sent_more=["She sang."], less=["He sang."]),
        ("no column named sent_less", "'less'"),
        1,
        "pairs.parquet",
    ),
    BadFile(
        "Parquet without rows",
        _parquet(sent_more=[], sent_less=[]),
        ("no row", "add the rows"),
        file="pairs.parquet",
    ),
)
_BROKEN = (
    BadFile(
        "a quotation mark is never closed",
        HEAD + GOOD + '"She sang.,He sang.\nAnn sat.,Ben sat.\n',
        ("quotation mark opens here and is never closed",),
        3,
    ),
    BadFile(
        "text after a quotation mark",
        HEAD + GOOD + '"She" sang.,He sang.\n',
        ("text follows a closing quotation mark", 'write ""'),
        3,
    ),
    BadFile(
        "an endless cell",
        HEAD + GOOD + f'"{"la " * 50_000}",He sang.\n',
        ("longer than 131,072 characters", "never closed"),
        3,
    ),
    BadFile("too few cells", HEAD + GOOD + "She sang.\n", ("too few cells: 1",), 3, columns=("",)),
    BadFile(
        "a comma without quotation marks",
        HEAD + GOOD + "She, too, sang.,He, too, sang.\n",
        ("too many cells: 6 where the header has 2", "quotation marks"),
        3,
        columns=("",),
    ),
    lines("broken JSON", '{"sent_more": "She', "broken JSON", "write one whole object"),
    lines("JSON that is not an object", '["She", "He"]', "is a list, not an object"),
    lines(
        "a field twice",
        '{"sent_more": "A b.", "sent_more": "C d.", "sent_less": "E f."}',
        "'sent_more' occurs twice",
    ),
    lines("nested too deeply", "[" * 100_000, "broken JSON"),
    BadFile("JSON text", '"She sang."\n', ("neither a list",), 1, "pairs.json"),
    BadFile("JSON empty list", "[ ]", ("the list is empty",), file="pairs.json"),
    BadFile(
        "JSON list without a comma",
        '[\n{"sent_more": "A b.", "sent_less": "C d."}\n{"sent_more": "E f."}\n]',
        ("a comma or ] is missing",),
        3,
        "pairs.json",
    ),
    BadFile(
        "JSON list not closed",
        '[\n{"sent_more": "A b.", "sent_less": "C d."},\n',
        ("broken JSON",),
        3,
        "pairs.json",
    ),
)
_WRONG_SENTENCES = (
    row("empty sentence", "", "is empty", "write the sentence"),
    row("empty more stereotyping sentence", "", "is empty", field="sent_more"),
    row("only blanks", " \t  ", "is empty"),
    row("only invisible characters", "\u200b\u200b", "invisible characters"),
    row("the word NaN", "NaN", "reads 'NaN', which marks a missing value"),
    row("the word null", "null", "reads 'null', which marks a missing value"),
    row("a number", "-3.25", "is a number (-3.25), not a sentence", "columns are in order"),
    row("10,001 words", _LONG, "has 10,001 words, more than 10,000", "shorten it"),
    row("a bell", "Ding\x07 dong.", "control character U+0007 at character 5", "remove it"),
    row("C1 control", "It\x92s late.", "control character U+0092", "--encoding"),
    row("replacement character", "Zo\ufffd sang.", "replacement character U+FFFD at character 3"),
    row("identical", "Ann  sang.", "sent_more and", "are identical", "a pair needs a difference"),
    BadFile(
        "identical but for composed accents",
        HEAD + GOOD + "Zoe\u0308 sang.,Zo\u00eb sang.\n",
        ("are identical",),
        3,
        columns=("sent_less",),
    ),
    BadFile(
        "after a cell of two lines",
        HEAD + '"She\nsang.",He sang.\nAnn sat.,\n',
        ("sent_less is empty",),
        4,
        columns=("sent_less",),
    ),
    lines(
        "JSON null",
        '{"sent_more": "A b.", "sent_less": null}',
        "sent_less is null",
        field="sent_less",
    ),
    lines(
        "JSON NaN", '{"sent_more": NaN, "sent_less": "A b."}', "sent_more is NaN", field="sent_more"
    ),
    lines(
        "JSON number",
        '{"sent_more": "A b.", "sent_less": 7}',
        "sent_less is not text but a number (7)",
        field="sent_less",
    ),
    lines(
        "JSON list in a cell",
        '{"sent_more": ["A", "b."], "sent_less": "C d."}',
        "sent_more is not text but a list",
        field="sent_more",
    ),
    lines("a field is missing", '{"sent_more": "A b."}', "sent_less is missing", field="sent_less"),
    lines(
        "half a character", '{"sent_more": "A \\ud83d b.", "sent_less": "C d."}', "half a character"
    ),
    BadFile(
        "Parquet null",
        _parquet(sent_more=["She sang.", None], sent_less=["He sang.", "Ben sat."]),
        ("sent_more is null",),
        2,
        "pairs.parquet",
        ("sent_more",),
    ),
    BadFile(
        "Parquet numbers",
        _parquet(sent_more=["She sang."], sent_less=[1.5]),
        ("sent_less is not text but a number (1.5)",),
        1,
        "pairs.parquet",
        ("sent_less",),
    ),
)
_WRONG_COLUMNS = (
    full("duplicate id", "a,Ann sat.,Ben sat.,stereo,age", "id 'a' is also on line 2", field="id"),
    full("empty id", " ,Ann sat.,Ben sat.,stereo,age", "id is empty", field="id"),
    full(
        "unknown direction",
        "b,Ann sat.,Ben sat.,anti-stereo,age",
        "stereo_antistereo 'anti-stereo' is not a direction",
        "did you mean 'antistereo'?",
        field="stereo_antistereo",
    ),
    full(
        "direction in numbers",
        "b,Ann sat.,Ben sat.,1,age",
        "is the number 1",
        "--map stereo_antistereo=stereo_antistereo:0=stereo,1=antistereo",
        field="stereo_antistereo",
    ),
    full(
        "empty direction",
        "b,Ann sat.,Ben sat.,,age",
        "stereo_antistereo is empty",
        "remove the whole column",
        field="stereo_antistereo",
    ),
    lines(
        "a list of categories",
        '{"sent_more": "A b.", "sent_less": "C d.", "bias_type": ["age", "gender"]}',
        "bias_type is not one label",
        field="bias_type",
    ),
    BadFile(
        "several things at once",
        FULL + "a,,He sat.,sterio,age\na,Ann sang.,Ann sang.,stereo,age\n",
        ("sent_more is empty", "did you mean 'stereo'?", "also on line 2", "are identical"),
        2,
        columns=("sent_more", "stereo_antistereo", "id", "sent_less"),
    ),
)

BAD_FILES: list[BadFile] = [
    *_NO_FILES,
    *_WRONG_KIND,
    *_WRONG_HEADER,
    *_BROKEN,
    *_WRONG_SENTENCES,
    *_WRONG_COLUMNS,
]
