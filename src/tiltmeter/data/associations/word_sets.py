"""Association tests from files: two sets of targets and two of attributes, words or sentences.

The layout is that of the published tests of WEAT and SEAT: one JSON object a file, whatever the file's
name ends in.

    {"targ1": {"category": "Flowers", "examples": ["aster", "clover"]}, "targ2": …, "attr1": …, "attr2": …}

`name` and `family` may stand beside these. A list of such objects, one object a line, and a folder of such
files are read too.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from tiltmeter.core.data.items import WordSets
from tiltmeter.core.errors import BadInput, Problem, stop_at
from tiltmeter.core.reading.typed_values import Fault, Faults, Raw, made
from tiltmeter.core.reading.value_types import Line, some
from tiltmeter.core.text import verb_for
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.table import json_value
from tiltmeter.data.pairs.sentences import normal, sentence

SETS = ("targ1", "targ2", "attr1", "attr2")
SUFFIXES = frozenset({".json", ".jsonl"})


@dataclass(slots=True)
class WordSetReading:
    """The tests of one or several files, with notes and problems."""

    tests: list[WordSets] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_tests(path: Path, *, skip_invalid: bool = False, encoding: str = "") -> WordSetReading:
    """The tests of a file or a folder, in the order of their names.

    A set has no element twice: texts that stand in one again are left out, and a note says so (published
    code does the same). With `skip_invalid`, tests that cannot be used are listed and left out.

    Raises:
        BadInput: A file cannot be read, or there is no test.
        BadItems: Tests cannot be used; all of them are named.
    """
    reading = WordSetReading()
    for file in test_files(path):
        _read_file(file, encoding, reading)
    twice = [n for n, count in Counter(t.name for t in reading.tests).items() if count > 1]
    for name in twice:
        reason = f"there are several tests named {name!r}"
        way_out = "give each its own name"
        reading.problems.append(Problem(reason, way_out, file=path.name, item=name))
    stop_at(reading.problems, "tests", skip_invalid=skip_invalid)
    reading.tests = [test for test in reading.tests if test.name not in twice]
    if not reading.tests:
        first = f"; the first one left out: {reading.problems[0]}" if reading.problems else ""
        raise BadInput(f"contains no association tests{first}", _LAYOUT, file=str(path))
    return reading


_LAYOUT = (
    'write {"targ1": {"category": "…", "examples": ["…", …]}, "targ2": …, "attr1": …, "attr2": …}'
)


def in_order(name: str) -> tuple[Any, ...]:
    """Names as people count: weat2 before weat10.

    >>> sorted(["weat10", "weat2", "weat2b"], key=in_order)
    ['weat2', 'weat2b', 'weat10']
    """
    pieces = re.split(r"(\d+)", name)
    return tuple(int(piece) if i % 2 else piece for i, piece in enumerate(pieces))


def test_files(path: Path) -> list[Path]:
    """The files to read, in order: the file itself, or those of a folder."""
    if not path.is_dir():
        return [path]
    files = [p for p in path.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file()]
    if not files:
        raise BadInput("contains no .json or .jsonl files", "give a file of tests", file=str(path))
    return sorted(files, key=lambda p: in_order(p.name))


def has_tests(path: Path, encoding: str = "") -> bool:
    """Whether a JSON file has the fields of association tests, even where its reader would find mistakes."""
    if not path.is_file() or path.suffix.lower() not in SUFFIXES:
        return False
    text = "".join(lines(path, encoding))
    return any(f'"{name}"' in text for name in SETS)


def _read_file(file: Path, encoding: str, reading: WordSetReading) -> None:
    objects = list(_objects(file, "".join(lines(file, encoding))))
    for i, (place, value) in enumerate(objects, start=1):
        name = file.stem if len(objects) == 1 else f"{file.stem}.{i}"
        try:
            read = made(_Test, value)
        except Faults as wrong:
            at = f"{place}: " if place else ""
            stated = value.get("name") if isinstance(value, dict) else None
            item = stated if isinstance(stated, str) and stated.strip() else name
            reading.problems += [
                Problem(f"{at}{fault}", fault.way_out, file=file.name, item=item)
                for fault in wrong.faults
            ]
        else:
            reading.tests.append(read.test(name))
            reading.notes += read.notes(name)


def _objects(file: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Each object of the file, with the place to name in messages: "", "[2]" or "line 3"."""
    try:
        whole = json_value(text, _LAYOUT, file=file.name)
    except BadInput:
        rows = [(n, row) for n, row in enumerate(text.splitlines(), start=1) if row.strip()]
        if len(rows) < 2 or not all(row.lstrip().startswith("{") for _, row in rows):  # noqa: PLR2004
            raise
        for number, row in rows:
            yield f"line {number}", json_value(row, _LAYOUT, file=file.name, line=number)
        return
    if isinstance(whole, list):
        yield from ((f"[{i}]", value) for i, value in enumerate(whole, start=1))
    else:
        yield "", whole


@dataclass(frozen=True, slots=True)
class _Set:
    examples: Annotated[tuple[Annotated[str, Raw(lambda text: normal(sentence(text)))], ...], some]
    category: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """The examples in their order, without repetitions."""
        return tuple(dict.fromkeys(self.examples))


@dataclass(frozen=True, slots=True)
class _Test:
    targ1: _Set
    targ2: _Set
    attr1: _Set
    attr2: _Set
    name: Line = ""
    family: str = ""

    def faults(self) -> Iterator[Fault]:
        """Texts that are in both sets of targets, or of attributes."""
        for first, second, why in (
            ("targ1", "targ2", "it cannot be on both sides"),
            ("attr1", "attr2", "it cannot speak for both"),
        ):
            texts = {*getattr(self, second).texts}
            both = [text for text in getattr(self, first).texts if text in texts]
            if both:
                way_out = "take it out of one of them" if len(both) == 1 else "take them out of one"
                yield Fault(f"{_some(both)} in both {first} and {second}: {why}", way_out)

    def test(self, name: str) -> WordSets:
        """The test, named after its file where it has no name."""
        sets: dict[str, _Set] = {key: getattr(self, key) for key in SETS}
        x, y, a, b = (each.texts for each in sets.values())
        of_x, of_y, of_a, of_b = (each.category.strip() or key for key, each in sets.items())
        name = self.name or name
        return WordSets(name, x, y, a, b, (of_x, of_y, of_a, of_b), self.family.strip())

    def notes(self, name: str) -> Iterator[str]:
        """Texts that stand in a set more than once, and targets among the attributes."""
        test = self.test(name)
        for key in SETS:
            counts = Counter(getattr(self, key).examples)
            if again := [text for text, n in counts.items() if n > 1]:
                yield (
                    f"{test.name}: {key} has {_some(again)} more than once; a set has nothing twice, so that "
                    "each counts once."
                )
        attributes = {*test.a, *test.b}
        if both := [text for text in (*test.x, *test.y) if text in attributes]:
            yield (
                f"{test.name}: {_some(both)} among targets and attributes; a text is as near to itself "
                "as can be, which adds to its association."
            )


def _some(texts: Sequence[str]) -> str:
    """Some of the texts, shortened, and how many more there are.

    >>> _some(["a", "b", "c", "d"])
    "'a', 'b', 'c' and 1 more are"
    """
    shown = ", ".join(repr(text if len(text) <= 40 else f"{text[:39]}…") for text in texts[:3])  # noqa: PLR2004
    rest = len(texts) - 3
    if rest > 0:
        return f"{shown} and {rest} more are"
    return f"{shown} {verb_for(len(texts), 'are')}"
