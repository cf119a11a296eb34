"""Association tests by their source: registered sets, packaged tests, or files of the user's."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import UnknownName
from tiltmeter.core.items import Dataset, WordSets
from tiltmeter.core.results import notes_of
from tiltmeter.data.associations.word_sets import WordSetReading, in_order, read_tests, test_files
from tiltmeter.data.downloads.fetch import joint_sha256
from tiltmeter.data.downloads.registry import Located, locate
from tiltmeter.data.files.package_files import package_file
from tiltmeter.data.pairs.pairs import choose, given, registered

STARTERS = {"starter_words": "words.json", "starter_sentences": "sentences.json"}
"""Tests that come with the package: the data set's name and its file."""


def read_source(
    source: str | Path | None,
    default: Sequence[str],
    starter: str,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    tests: str = "",
) -> tuple[Dataset[Any], list[WordSets]]:
    """Association tests, and a data set with their source but no items yet.

    Args:
        source: A registered set, `starter`, or a file or folder of the user's; None for all of
            `default`.
        default: Registered sets.
        starter: The packaged tests.
        skip_invalid: Leave out tests that cannot be used.
        encoding: Of the user's files.
        tests: Names of tests or families, separated by commas; "" for all.

    Raises:
        BadInput: A file cannot be read, or contains no tests.
        BadItems: Some tests cannot be used.
        UnknownName: A named test does not exist.
    """
    chosen = [choose(source, "", (*default, starter))] if source is not None else [*default]
    found: list[tuple[Dataset[Any], WordSetReading]] = []
    for one in chosen:
        if isinstance(one, Path):
            reading = read_tests(one, skip_invalid=skip_invalid, encoding=encoding)
            found.append((given(one, test_files(one)), reading))
        else:
            found.append(packaged_tests(one) if one == starter else _registered(locate(one)))
    about = found[0][0] if len(found) == 1 else _together([data for data, _ in found])
    problems = [problem for _, reading in found for problem in reading.problems]
    notes = [note for _, reading in found for note in reading.notes]
    if problems:
        left_out = len({problem.item for problem in problems})
        some = "1 test was" if left_out == 1 else f"{left_out} tests were"
        notes.append(f"{some} left out because they cannot be used; see the list.")
    everything = [test for _, reading in found for test in reading.tests]
    return replace(about, invalid=problems, notes=notes_of("data", notes)), _chosen(
        everything, tests
    )


def packaged_tests(name: str) -> tuple[Dataset[Any], WordSetReading]:
    """The tests of STARTERS by this name, and a data set with their source but no items."""
    path = package_file(f"starter/association/{STARTERS[name]}")
    return replace(
        given(path, [path]),
        name=name,
        version="1",
        source="The Tiltmeter authors; part of the package (tiltmeter/data/starter/association)",
        licence="CC BY 4.0",
        warning="The sets stand for common stereotypes, in mild words, in order to measure them.",
    ), read_tests(path)


def in_one_line(test: WordSets) -> str:
    """A test in one line: its sets with their sizes.

    >>> names = ("Flowers", "Insects", "Good", "Bad")
    >>> in_one_line(WordSets("t", ("rose",), ("ant",), ("joy",), ("war",), names))
    'Flowers (1) and Insects (1) by Good (1) and Bad (1)'
    """
    x, y, a, b = (
        f"{name} ({len(texts)})"
        for name, texts in zip(test.names, (test.x, test.y, test.a, test.b), strict=True)
    )
    family = f"; family {test.family}" if test.family else ""
    return f"{x} and {y} by {a} and {b}{family}"


def _registered(located: Located) -> tuple[Dataset[Any], WordSetReading]:
    reading = WordSetReading()
    for path in sorted(located.files.values(), key=lambda p: in_order(p.name)):
        one = read_tests(path)
        reading.tests += one.tests
        reading.notes += one.notes
    return registered(located), reading


def _together(sets: Sequence[Dataset[Any]]) -> Dataset[Any]:
    """The facts about several sets that are read as one."""
    return Dataset(
        " and ".join(data.name for data in sets),
        "; ".join(dict.fromkeys(data.version for data in sets)),
        (),
        "; ".join(data.source for data in sets),
        "; ".join(f"{data.name}: {data.licence}" for data in sets),
        sha256=joint_sha256(data.sha256 for data in sets),
        warning=" ".join(dict.fromkeys(data.warning for data in sets if data.warning)),
    )


def _chosen(tests: Sequence[WordSets], names: str) -> list[WordSets]:
    """The tests named by `names`, by their own name or their family's; all if it names none.

    Raises:
        UnknownName: A name is neither.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if not wanted:
        return list(tests)
    known = {test.name for test in tests} | {test.family for test in tests if test.family}
    for name in wanted:
        if name not in known:
            raise UnknownName("association test", name, known)
    return [test for test in tests if test.name in wanted or test.family in wanted]
