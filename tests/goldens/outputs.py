"""What a command prints and writes, as text files to compare the next version with.

A golden holds the terminal at 100 columns with the exit code, every CSV and JSON file of the folder, and the
text of the page, one block a line. Layouts may change on purpose and numbers may not: NUMBERS.txt lists the
numbers of the files with their coordinates, and `compare_numbers` says which of them a new version has lost,
whatever its files are called.
"""

import csv
import difflib
import io
import json
import math
import os
import re
import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import polars as pl
import typer.main

import tiltmeter
from support import published
from support.page_properties import page_faults
from tiltmeter import cli
from tiltmeter.cli import console, terminal_monitor

BUILT = cache(typer.main.get_command)
KEPT, LISTED = 30, 12
"""Rows kept of a longer table, and members of a longer list; sums stand for the rest."""
LONG = 40
"""Characters of words that are coordinates."""
DIGITS, WIDTH = 12, 100
CLOSE, FITTED = 1e-9, 1e-4
"""Relative differences that processors make: of sums, and of models that an optimiser fits."""
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
VARYING = {"asked", "fingerprint", "recalled", "run", "seconds", "versions"}
"""Keys of JSON files whose values depend on the machine and on what was asked before."""
DESCRIBED = {"measures", "method", "validity", "views"}
"""Keys of a card for what a study says of itself."""
ASIDE = {
    "adjustment", "against", "called", "command", "convention", "done", "folder", "id", "interval", "label",
    "profile", "rule", "sha256", "study_version", "test", "ties", "title", "unit", "why",
}  # fmt: skip
"""Words beside numbers that do not say of what they are, such as the digest of a cell's options."""
NUMBERS = "NUMBERS.txt"


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a file: where it stands there, and its value."""

    file: str
    place: tuple[str, ...]
    """Names and values that lead to it, such as ("target=ru", "source=en", "coefficient")."""
    value: float

    def __str__(self) -> str:
        return f"{self.file}:{','.join(self.place)}\t{self.value:.{DIGITS}g}"


@dataclass(frozen=True, slots=True)
class Output:
    """What a command printed and wrote."""

    files: Mapping[str, str]
    """Text to store, by file name."""
    stored_numbers: Sequence[Number]
    """Numbers of what is stored."""
    numbers: Sequence[Number]
    """All numbers, also of the rows that a golden leaves out."""


def call(words: Iterable[object]) -> tuple[int, str, str]:
    """Run the command line in this process: exit code, standard output, standard error."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(console.out, "_width", WIDTH),
        mock.patch.object(console.err, "_width", WIDTH),
        mock.patch.object(typer.main, "get_command", BUILT),
        mock.patch.object(terminal_monitor, "EVERY", math.inf),
        mock.patch.object(sys, "argv", ["tiltmeter", *map(str, words)]),
        mock.patch.object(sys.modules["__main__"], "__package__", None),  # the usage line names it
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            cli.main()
        except SystemExit as left:
            return int(left.code or 0), out.getvalue(), err.getvalue()
    raise AssertionError("the command line did not end with an exit code")


@contextmanager
def surroundings(workspace: Path, name: str, *, data: bool = False) -> Iterator[None]:
    """The workspace as the current folder, with a cache of its own and 100 columns."""
    places = {"TILTMETER_DATA": str(published.FOLDER)} if data else {}
    kept = {k: v for k, v in os.environ.items() if k != "TILTMETER_DATA"}
    own = {"COLUMNS": str(WIDTH), "TILTMETER_CACHE": str(workspace / "cache" / name)}
    with chdir(workspace), mock.patch.dict(os.environ, kept | places | own, clear=True):
        yield


def output_of(
    words: Sequence[object], workspace: Path, name: str, *, folder: str = "*", data: bool = False
) -> Output:
    """Run a command in the workspace, and read the folder that it writes below out/NAME.

    Args:
        words: The command line, without --out.
        workspace: Where it runs; files that it names lie there.
        name: Of the case.
        folder: Pattern of the folder within out/NAME; `.` for out/NAME.
        data: Whether the command may look for published data.
    """
    target = Path("out") / name
    with surroundings(workspace, name, data=data):
        words = (*map(str, words), "--out", str(target))
        code, printed, errors = call(words)
        made = [target] if folder == "." else sorted(target.glob(folder)) if target.exists() else []
        texts = {
            path.name: path.read_text("utf-8")
            for one in made
            for path in sorted(one.iterdir())
            if path.suffix in {".csv", ".json", ".html", ".xml"}
        }
        records = [pl.read_parquet(path) for one in made for path in one.glob("*.parquet")]
        json_code, printed_json, _ = call((*words, "--json"))
    clean = cleaner(workspace)
    command = f"$ tiltmeter {' '.join(words)}\nexit code {code}\n"
    files = {"terminal.txt": clean(f"{command}{printed}-- standard error --\n{errors}")}
    stored, numbers = [], []
    value = json.loads(printed_json) if printed_json else None
    same = [n for n, t in texts.items() if n.endswith(".json") and _same(json.loads(t), value)]
    if value is not None and not same:
        texts["printed.json"] = printed_json
    shown = same[0] if same else "printed.json" if value else "nothing"
    files["terminal.txt"] += f"-- with --json: exit code {json_code}, prints {shown} --\n"
    for file, text in sorted(texts.items(), key=lambda item: (item[0].endswith(".json"), item[0])):
        if file.endswith(".csv"):
            rows = list(csv.reader(io.StringIO(text)))
            files[file] = clean(csv_text(rows))
            stored += csv_numbers(file, rows[: KEPT + 1])
            numbers += csv_numbers(file, rows)
        elif file.endswith(".json"):
            content = steady(json.loads(text))
            short = shortened(content)
            files[file] = clean(json_text(short)) + "\n"
            known = {f"{n.value:.{DIGITS}g}" for n in stored}
            new = {f"{n.value:.{DIGITS}g}": n for n in json_numbers(file, short)}
            stored += [number for value, number in new.items() if value not in known]
            numbers += json_numbers(file, content)
        elif file.endswith(".html"):
            assert not (faults := page_faults(text)), faults
            files["page.txt"] = clean(page_text(text))
        else:
            files[file] = clean(text)
    for table in records:
        numbers += json_numbers("records", table.to_dicts())
    return Output(files, stored, numbers)


def _same(one: object, other: object) -> bool:
    """Whether two JSON values differ in no more than the command that made them, and in what varies."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            key in VARYING | {"command"} or _same(one[key], other[key]) for key in one
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other


def cleaner(workspace: Path):
    """A function that takes out of a text what is another on each machine or day."""
    places = {str(workspace.resolve()): "WORKSPACE", str(workspace): "WORKSPACE"}
    if published.FOLDER:
        places[str(published.FOLDER)] = "DATA"

    def clean(text: str) -> str:
        for place, name in places.items():
            text = text.replace(place, name)
        text = text.replace(tiltmeter.__version__, "VERSION")
        text = re.sub(r"\b[0-9a-f]{64}\b", "SHA256", text)
        text = re.sub(r"(?<=[-_])[0-9a-f]{8}\b", "DIGEST", text)
        text = re.sub(r"\b20\d\d-\d\d-\d\dT[\d:.+Z-]+", "TIME", text)
        text = re.sub(r"^[\d,.]+ (s|min|h)\b.*$", "DURATION", text, flags=re.MULTILINE)
        return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)

    return clean


def steady(value: object) -> object:
    """JSON without what depends on the machine and the hour, without descriptions and what is empty."""
    if isinstance(value, dict):
        described = DESCRIBED if "study_version" in value else set()
        left_out = VARYING | described | {"meaning"}
        kept = {k: steady(v) for k, v in value.items() if k not in left_out}
        return {k: v for k, v in kept.items() if v not in (None, "", [], {})}
    return [steady(v) for v in value] if isinstance(value, list) else value


def shortened(value: object) -> object:
    """JSON with at most so many members of a list; the sums of all their numbers follow."""
    if isinstance(value, dict):
        return {k: shortened(v) for k, v in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) <= LISTED:
        return [shortened(v) for v in value]
    every = [n.value for n in json_numbers("", value)]
    note = f"{len(value)} in all; {len(every)} numbers, sum {sum(every):.{DIGITS}g}"
    return [*(shortened(v) for v in value[:LISTED]), note]


def json_text(value: object, indent: str = "") -> str:
    """JSON with a line for all that fits into one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + len(indent) <= WIDTH or not isinstance(value, dict | list):
        return line
    inner = indent + " "
    if isinstance(value, list):
        lines = [inner + json_text(member, inner) for member in value]
        return "[\n" + ",\n".join(lines) + f"\n{indent}]"
    lines = [f"{inner}{json.dumps(k)}: {json_text(v, inner)}" for k, v in value.items()]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def csv_text(rows: Sequence[Sequence[str]], most: int = KEPT) -> str:
    """The table, or of a long one the first rows and a line about each column."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    if len(rows) <= most + 1:
        writer.writerows(rows)
        return written.getvalue()
    writer.writerows(rows[: most + 1])
    for name, *column in zip(*rows, strict=True):
        values = [number for cell in column if (number := _float(cell)) is not None]
        words = "\n".join(cell for cell in column if _float(cell) is None)
        about = f"sum {math.fsum(values):.{DIGITS}g} of {len(values)}" if values else ""
        digest = f"text {sha256(words.encode()).hexdigest()[:12]}" if words.strip() else ""
        written.write(f"# {name}: {len(column)} rows {about} {digest}".rstrip() + "\n")
    return written.getvalue()


def _float(text: str) -> float | None:
    """The finite number that a cell is."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def csv_numbers(file: str, rows: Sequence[Sequence[str]]) -> list[Number]:
    """The numbers of a table; cells of words in the row, with their columns, are the coordinates."""
    if not rows:
        return []
    head, made = rows[0], []
    for row in rows[1:]:
        cells = list(zip(head, row, strict=True))
        place = _words(cells)
        made += [
            Number(file, (*place, name), number)
            for name, cell in cells
            if (number := _float(cell)) is not None
        ]
    return made


def json_numbers(file: str, value: object, place: tuple[str, ...] = ()) -> Iterator[Number]:
    """The numbers of a JSON value: keys lead to them, and words in the same object say of what they are."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int | float):
        yield Number(file, place, value)
    elif isinstance(value, dict):
        beside = [value, *(v for k, v in value.items() if k == "groups" and isinstance(v, dict))]
        words = tuple(w for cells in beside for w in _words(cells.items()) if w not in place)
        for key, member in value.items():
            yield from json_numbers(file, member, (*place, *words, str(key)))
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from json_numbers(file, member, (*place, str(number)))


def _words(cells: Iterable[tuple[str, object]]) -> tuple[str, ...]:
    """The words among these that say of what the numbers beside them are."""
    return tuple(
        f"{key}={' '.join(value.replace(',', ' ').split())}"
        for key, value in cells
        if isinstance(value, str) and 0 < len(value) <= LONG and key not in ASIDE
        if _float(value) is None
    )


class _Blocks(HTMLParser):
    """The text of a page, block by block; cells of a row and words of a picture share a line."""

    CELLS = frozenset({"td", "th", "dd", "text", "tspan", "option"})
    WITHIN = CELLS | {"a", "abbr", "b", "button", "code", "em", "g", "i", "path", "small", "span", "strong",
                      "sub", "sup", "wbr", "line", "rect", "circle", "polyline", "kbd"}  # fmt: skip
    HIDDEN = frozenset({"style", "script"})

    def __init__(self) -> None:
        super().__init__()
        self.lines = [""]
        self.hidden = 0

    def handle_starttag(self, tag, attrs) -> None:
        del attrs
        self.hidden += tag in self.HIDDEN
        if tag not in self.WITHIN:
            self.lines.append("")
        elif tag in self.CELLS and self.lines[-1].strip():
            self.lines[-1] += " | "

    def handle_endtag(self, tag) -> None:
        self.hidden -= tag in self.HIDDEN
        if tag not in self.WITHIN:
            self.lines.append("")

    def handle_data(self, data) -> None:
        if not self.hidden:
            self.lines[-1] += data


def page_text(html: str) -> str:
    """What a page says, without tags: one block a line, cells of a table with bars between them."""
    blocks = _Blocks()
    blocks.feed(re.sub(r'<div class="narrow">.*?</div>', "", html, flags=re.DOTALL))  # drawn twice
    lines = (re.sub(r"(\| )+", "| ", " ".join(line.split())).strip("| ") for line in blocks.lines)
    return "".join(f"{line}\n" for line in lines if line)


def difference(name: str, before: str, after: str, close: float = CLOSE) -> str:
    """How a text differs from its golden, as a diff; numbers that differ by rounding are equal."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) == len(new):
        new = [a if _alike(a, b, close) else b for a, b in zip(old, new, strict=True)]
    return "\n".join(difflib.unified_diff(old, new, f"golden {name}", f"now {name}", "", "", 1, ""))


def _alike(before: str, after: str, close: float) -> bool:
    """Whether two lines have the same words, and numbers as equal as processors make them."""
    if before == after:
        return True
    one, other = NUMBER.findall(before), NUMBER.findall(after)
    return NUMBER.sub("0", before) == NUMBER.sub("0", after) and all(
        math.isclose(_plain(a), _plain(b), rel_tol=close, abs_tol=1e-12)
        for a, b in zip(one, other, strict=True)
    )


def _plain(text: str) -> float:
    return float(text.replace("−", "-"))


def numbers_text(numbers: Iterable[Number]) -> str:
    """NUMBERS.txt: a number a line, with its coordinates."""
    return "".join(f"{line}\n" for line in sorted(set(map(str, numbers))))


def read_numbers(text: str) -> list[Number]:
    """The numbers of such a file."""
    made = []
    for line in text.splitlines():
        where, _, value = line.rpartition("\t")
        file, _, place = where.partition(":")
        made.append(Number(file, tuple(place.split(",")), float(value)))
    return made


@dataclass(frozen=True, slots=True)
class LostNumbers:
    """Numbers of a golden that a new version does not have as they were."""

    missing: Sequence[Number]
    """No number of the new version has the value, nor a hundred times or a hundredth of it."""
    rescaled: Sequence[Number]
    """The new version has it as a percentage instead of a share, or the other way round."""
    relabelled: Sequence[Number]
    """It is there, but at no place that names all that the golden names: to be looked at."""


def compare_numbers(
    golden: Sequence[Number], new: Sequence[Number], close: float = CLOSE
) -> LostNumbers:
    """Which numbers of a golden are lost; by value, whatever files and keys are called."""
    ordered = sorted(new, key=lambda number: number.value)
    values = [number.value for number in ordered]
    missing, rescaled, relabelled = [], [], []
    for number in golden:
        equal = _equal(number.value, values, close)
        if equal:
            wanted = {word.partition("=")[2] for word in number.place if "=" in word} - {""}
            places = (" ".join(ordered[i].place).casefold() for i in equal)
            if not any(all(word.casefold() in place for word in wanted) for place in places):
                relabelled.append(number)
        elif _equal(number.value * 100, values, close) or _equal(number.value / 100, values, close):
            rescaled.append(number)
        else:
            missing.append(number)
    return LostNumbers(missing, rescaled, relabelled)


def _equal(value: float, ordered: Sequence[float], close: float) -> range:
    """The places of a value among others in order."""
    near = max(abs(value) * close, 1e-12)
    return range(bisect_left(ordered, value - near), bisect_left(ordered, value + near))
