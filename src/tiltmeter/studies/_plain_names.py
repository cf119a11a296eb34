"""Plain names of association tests, whose own names are often codes: what weat6 compares."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from tiltmeter.core.items import WordSets

LONGEST = 70
"""Characters of a plain name. A test whose sets have longer names keeps its own name alone."""
_UNNAMED = ("X", "Y", "A", "B")


def labels_of_tests(tests: Sequence[WordSets]) -> dict[str, Mapping[str, str]]:
    """Labels of the axis `test`, for `Dataset.labels`: what each test compares.

    A test is left out, and so keeps its own name, where its sets have no names or long ones, and where
    two tests would be called alike.

    >>> names = ("MaleNames", "FemaleNames", "Career", "Family")
    >>> labels_of_tests([WordSets("weat6", ("Ed",), ("Ann",), ("job",), ("home",), names)])
    {'test': {'weat6': 'weat6: Male/Female Names × Career/Family'}}
    """
    labels = {test.name: _label(test) for test in tests if test.names != _UNNAMED}
    times = Counter(labels.values())
    kept = {
        name: label for name, label in labels.items() if len(label) <= LONGEST and times[label] == 1
    }
    return {"test": kept} if kept else {}


def _label(test: WordSets) -> str:
    """The test's own name stands before its sets if it has a number, by which papers refer to it."""
    x, y, a, b = (_words(name) for name in test.names)
    sets = f"{_either(x, y) if test.y else ' '.join(x)} × {_either(a, b)}"
    return f"{test.name}: {sets}" if re.search(r"\d", test.name) else sets


def _words(name: str) -> list[str]:
    """The words of a set's name: "MaleNames" is two."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").split()


def _either(one: Sequence[str], other: Sequence[str]) -> str:
    """Two names, with the words at their ends that are the same written once.

    Only of names with as many words: "Likable Not/Unlikable Hostile" would mislead.
    """
    end = len(one)
    if len(one) == len(other):
        while end > 1 and one[end - 1] == other[end - 1]:
            end -= 1
        other = other[:end]
    return " ".join([f"{' '.join(one[:end])}/{' '.join(other)}", *one[end:]])
