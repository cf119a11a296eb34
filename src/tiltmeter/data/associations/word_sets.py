"""Association tests from files: two sets of targets and two of attributes, words or sentences.

The layout is that of the published tests of WEAT and SEAT: one JSON object a file, whatever the file's
name ends in.

    {"targ1": {"category": "Flowers", "examples": ["aster", "clover"]}, "targ2": …, "attr1": …, "attr2": …}

`name` and `family` may stand beside these. A list of such objects, one object a line, a folder and a zip
archive of such files are read too.
"""

import json
import re
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.core.items import WordSets
from tiltmeter.core.json_text import parsed
from tiltmeter.data.downloads.archives import safe
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.pairs.sentences import normal, problem_with

SETS = ("targ1", "targ2", "attr1", "attr2")
OTHERS = ("name", "family")
SUFFIXES = frozenset({".json", ".jsonl"})
LARGEST = 50_000_000
"""Bytes of a file in an archive: an association test has some thousands."""
MEND = "Correct these tests, or leave them out with --skip-invalid."
FAMILIES: Mapping[str, str] = {
    **dict.fromkeys(
        [f"{sent}weat{n}" for sent in ("", "sent-") for n in ("6", "6b", "7", "7b", "8", "8b")],
        "gender",
    ),
    **dict.fromkeys(
        [f"{sent}weat{n}" for sent in ("", "sent-") for n in ("3", "3b", "4", "5", "5b")], "race"
    ),
    **dict.fromkeys(
        [f"{sent}angry_black_woman_stereotype{b}" for sent in ("", "sent-") for b in ("", "_b")],
        "race",
    ),
    **dict.fromkeys([f"sent-religion{n}" for n in ("1", "1b", "2", "2b")], "religion"),
}
"""Which published tests Meade et al. 2022 average with each other, and the same tests of words."""


@dataclass(slots=True)
class WordSetReading:
    """What files of tests hold."""

    tests: list[WordSets] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_tests(
    path: Path, *, skip_invalid: bool = False, encoding: str = "", one_group: bool = False
) -> WordSetReading:
    """The tests of a file, a folder or a zip archive, in the order of their names.

    A set has no element twice: texts that stand in one again are left out, and a note says so (published
    code does the same).

    Args:
        path: The file, folder or archive.
        skip_invalid: Leave out tests that cannot be used, and list them.
        encoding: Of the files; by default their byte order marks', else UTF-8.
        one_group: Whether a test may be without its second set of targets.

    Raises:
        BadInput: A file cannot be read, or there is no test.
        BadItems: Tests cannot be used; all of them are named.
    """
    reading = WordSetReading()
    with tempfile.TemporaryDirectory() as staging:
        for file in _files(path, Path(staging)):
            _read_file(file, encoding, reading, one_group=one_group)
    twice = [n for n, count in Counter(t.name for t in reading.tests).items() if count > 1]
    for name in twice:
        reason = f"there are several tests named {name!r}"
        reading.problems.append(
            Problem(reason, "give each its own name", file=path.name, item=name)
        )
    if reading.problems and not skip_invalid:
        raise BadItems(reading.problems, way_out=MEND)
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
    parts = re.split(r"(\d+)", name)
    return tuple(int(part) if i % 2 else part for i, part in enumerate(parts))


def _files(path: Path, staging: Path) -> list[Path]:
    """The files to read, in order; those of an archive are unpacked into `staging`."""
    if path.is_dir():
        found = [p for p in path.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file()]
    elif path.is_file() and zipfile.is_zipfile(path):
        found = _unpacked(path, staging)
    else:
        return [path]
    if not found:
        raise BadInput("contains no .json or .jsonl files", "give a file of tests", file=str(path))
    return sorted(found, key=lambda p: in_order(p.name))


def _unpacked(archive: Path, to: Path) -> list[Path]:
    found: list[Path] = []
    try:
        with zipfile.ZipFile(archive) as parcel:
            for entry in parcel.infolist():
                name = Path(safe(entry.filename)).name
                wanted = Path(name).suffix.lower() in SUFFIXES and not name.startswith(".")
                if entry.is_dir() or not wanted:
                    continue
                if entry.file_size > LARGEST:
                    reason = f"{name} in it has {entry.file_size:,} bytes, which no test has"
                    raise BadInput(reason, "take it out", file=str(archive))
                target = to / name
                if target.exists():
                    reason = f"contains two files named {name}"
                    raise BadInput(reason, "give each its own name", file=str(archive))
                target.write_bytes(parcel.read(entry))
                found.append(target)
    except (zipfile.BadZipFile, EOFError, RuntimeError, NotImplementedError, ValueError) as error:
        reason = f"the archive cannot be read ({error})"
        raise BadInput(reason, "unpack it and give the folder", file=str(archive)) from error
    return found


def _read_file(file: Path, encoding: str, reading: WordSetReading, *, one_group: bool) -> None:
    found = list(_objects(file, "".join(lines(file, encoding))))
    for i, (place, value) in enumerate(found, start=1):
        name = file.stem if len(found) == 1 else f"{file.stem}.{i}"
        _Test(file.name, place, name, reading).read(value, one_group=one_group)


def _objects(file: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Each object of the file, with the place to name in messages: "", "[2]" or "line 3"."""
    try:
        whole = parsed(text)
    except (ValueError, RecursionError) as why:
        rows = [(n, row) for n, row in enumerate(text.splitlines(), start=1) if row.strip()]
        if len(rows) < 2 or not all(row.lstrip().startswith("{") for _, row in rows):  # noqa: PLR2004
            raise _broken(file, why) from None
        for number, row in rows:
            try:
                value = parsed(row)
            except (ValueError, RecursionError) as broken:
                raise _broken(file, broken, number) from None
            yield f"line {number}", value
        return
    if isinstance(whole, list):
        yield from ((f"[{i}]", value) for i, value in enumerate(whole, start=1))
    else:
        yield "", whole


def _broken(file: Path, why: Exception, line: int | None = None) -> BadInput:
    if isinstance(why, json.JSONDecodeError):
        reason = f"broken JSON ({why.msg} at character {why.colno})"
        line = line or why.lineno
    elif isinstance(why, RecursionError):
        reason = "broken JSON (nested too deeply)"
    else:
        reason = f"broken JSON ({why})"
    return BadInput(reason, _LAYOUT, file=file.name, line=line)


@dataclass(slots=True)
class _Test:
    """One object of a file, while it is read."""

    file: str
    place: str
    name: str
    reading: WordSetReading
    bad: bool = False

    def read(self, value: Any, *, one_group: bool) -> None:
        """Add the test, or what is wrong with it."""
        if not isinstance(value, dict):
            self.refuse(f"is {_kind(value)}, not an association test", _LAYOUT)
            return
        self._named(value)
        lone = one_group and not value.get("targ2")
        sets = {key: self._set(key, value) for key in SETS if not (lone and key == "targ2")}
        unknown = [key for key in value if key not in (*SETS, *OTHERS)]
        if unknown:
            listed = ", ".join(map(repr, unknown[:5]))
            self.refuse(f"has the unknown field {listed}", f"known: {', '.join((*SETS, *OTHERS))}")
        family = value.get("family", FAMILIES.get(self.name, ""))
        if not isinstance(family, str):
            self.refuse(f"its family is {_kind(family)}, not a text", "write it in quotation marks")
        if self.bad:
            return
        said = {key: found for key, found in sets.items() if found is not None}
        self._apart(said, "targ1", "targ2", "it cannot be on both sides")
        self._apart(said, "attr1", "attr2", "it cannot speak for both")
        if self.bad:
            return
        x, y, a, b = (said.get(key, ()) for key in SETS)
        of_x, of_y, of_a, of_b = (_category(value, key) for key in SETS)
        test = WordSets(self.name, x, y, a, b, (of_x, of_y, of_a, of_b), family.strip())
        self._note_targets_among_attributes(test)
        self.reading.tests.append(test)

    def refuse(self, reason: str, way_out: str) -> None:
        """Say what is wrong, and where."""
        self.bad = True
        said = f"{self.place}: {reason}" if self.place else reason
        self.reading.problems.append(Problem(said, way_out, file=self.file, item=self.name))

    def _named(self, value: Mapping[str, Any]) -> None:
        name = value.get("name", self.name)
        if not isinstance(name, str) or not name.strip():
            self.refuse("its name is not a text", "write it in quotation marks")
            return
        self.name = name.strip()

    def _set(self, key: str, value: Mapping[str, Any]) -> tuple[str, ...] | None:
        """The texts of one set; None where they cannot be used."""
        if key not in value:
            self.refuse(f"has no {key}", _LAYOUT)
            return None
        found = value[key]
        if not isinstance(found, dict) or not isinstance(found.get("examples"), list):
            self.refuse(f"{key} has no list of examples", _LAYOUT)
            return None
        unknown = [name for name in found if name not in {"category", "examples"}]
        if unknown:
            way_out = "known: category, examples"
            self.refuse(f"{key} has the unknown field {unknown[0]!r}", way_out)
        if not isinstance(found.get("category", ""), str):
            self.refuse(f"{key}.category is not a text", "write it in quotation marks")
        if not found["examples"]:
            self.refuse(f"{key}.examples is empty", "write words or sentences into it")
            return None
        for i, text in enumerate(found["examples"], start=1):
            where = Problem("", field=f"{key}.examples[{i}]")
            if problem := problem_with(text, where):
                self.refuse(problem.reason, problem.way_out)
        if self.bad:
            return None
        texts = [normal(text) for text in found["examples"]]
        distinct = tuple(dict.fromkeys(texts))
        if len(distinct) < len(texts):
            again = [text for text, n in Counter(texts).items() if n > 1]
            self.reading.notes.append(
                f"{self.name}: {key} has {_some(again)} more than once; a set has nothing twice, so that "
                "each counts once."
            )
        return distinct

    def _apart(self, sets: Mapping[str, Sequence[str]], one: str, other: str, why: str) -> None:
        both = [text for text in sets[one] if text in set(sets.get(other, ()))]
        if both:
            way_out = "take it out of one of them" if len(both) == 1 else "take them out of one"
            self.refuse(f"{_some(both)} in both {one} and {other}: {why}", way_out)

    def _note_targets_among_attributes(self, test: WordSets) -> None:
        attributes = {*test.a, *test.b}
        both = [text for text in (*test.x, *test.y) if text in attributes]
        if both:
            self.reading.notes.append(
                f"{test.name}: {_some(both)} among targets and attributes; a text is as near to itself "
                "as can be, which adds to its association."
            )


def _category(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    named = found.get("category", "") if isinstance(found, dict) else ""
    return str(named).strip() or key


def _some(texts: Sequence[str]) -> str:
    """Some of the texts, shortened, and how many more there are.

    >>> _some(["a", "b", "c", "d"])
    "'a', 'b', 'c' and 1 more are"
    """
    shown = ", ".join(repr(text if len(text) <= 40 else f"{text[:39]}…") for text in texts[:3])  # noqa: PLR2004
    rest = len(texts) - 3
    return (
        f"{shown} and {rest} more are"
        if rest > 0
        else shown + (" is" if len(texts) == 1 else " are")
    )


def _kind(value: object) -> str:
    kinds = {"NoneType": "null", "str": "a text", "list": "a list", "dict": "an object"}
    return kinds.get(type(value).__name__, "a number")
