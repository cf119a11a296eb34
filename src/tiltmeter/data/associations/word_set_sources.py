"""Association tests by their source: registered sets, packaged tests, or files of the user's."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from tiltmeter.core.data.items import Dataset, WordSets
from tiltmeter.core.errors import known_names
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.text import counted
from tiltmeter.data.associations.word_sets import WordSetReading, in_order, read_tests, test_files
from tiltmeter.data.downloads.fetch import joint_sha256
from tiltmeter.data.downloads.places import package_file, package_table
from tiltmeter.data.downloads.registry import Located, locate
from tiltmeter.data.downloads.sources import choose, given, registered

FAMILIES: Mapping[str, str] = {
    name: family
    for family, names in package_table("associations/families.toml").items()
    for name in names
}
"""Which published tests Meade et al. 2022 average with each other, and the same tests of words. They are for
registered sets: a file of a user's that is called weat4 need not be about race."""
STARTERS = {"starter_words": "words.json", "starter_sentences": "sentences.json"}
"""Tests that come with the package: the data set's name and its file."""


def read_source(
    source: Source,
    default: Sequence[str],
    starter: str,
    *,
    tests: str = "",
    **reading: Unpack[Reading],
) -> tuple[Dataset[Any], list[WordSets]]:
    """Association tests, and a data set with their source but no items yet.

    `source` is a registered set, `starter` (the packaged tests), or a file or folder of the user's; None for
    all the registered sets in `default`. `tests` are names of tests or families, separated by commas; "" for
    all.

    Raises:
        BadInput: A file cannot be read, or contains no tests.
        BadItems: Some tests cannot be used.
        UnknownName: A named test does not exist.
    """
    chosen = [choose(source, "", (*default, starter))] if source is not None else [*default]
    sources: list[tuple[Dataset[Any], WordSetReading]] = []
    for name in chosen:
        if isinstance(name, Path):
            made = read_tests(name, **reading)  # first, since it says what is wrong with the file
            sources.append((given(name, test_files(name)), made))
        else:
            sources.append(packaged_tests(name) if name == starter else _registered(locate(name)))
    about = sources[0][0] if len(sources) == 1 else _together([data for data, _ in sources])
    problems = [problem for _, read in sources for problem in read.problems]
    notes = [note for _, read in sources for note in read.notes]
    if problems:
        left_out = len({problem.item for problem in problems})
        notes.append(f"{counted(left_out, 'tests', 'were')} left out as unusable; see the list.")
    everything = [test for _, read in sources for test in read.tests]
    about = replace(about, invalid=problems, notes=notes_of("data", notes))
    return about, _chosen(everything, tests)


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
        read = read_tests(path)
        reading.tests += [replace(t, family=FAMILIES.get(t.name, t.family)) for t in read.tests]
        reading.notes += read.notes
    return registered(located), reading


def _together(sets: Sequence[Dataset[Any]]) -> Dataset[Any]:
    """The facts of several registered sets as those of one data set."""
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
    """The tests named by `names`, by their own name or their family's; all if it names none."""
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if not wanted:
        return list(tests)
    known = {test.name for test in tests} | {test.family for test in tests if test.family}
    known_names("association test", wanted, known)
    return [test for test in tests if test.name in wanted or test.family in wanted]
