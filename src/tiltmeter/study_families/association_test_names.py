"""Plain names of association tests, whose own names are often codes such as weat6."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from tiltmeter.core.data.items import WordSets

LONGEST = 70
"""Characters of a plain name, at most. A test whose sets have longer names keeps its own name."""
_UNNAMED = ("X", "Y", "A", "B")
_DOUBLE_BIND = re.compile(r"(?:sent-)?heilman_double_bind_(competent|likable)_(.+)")
"""Tests of May et al. 2019, after Heilman et al. 2004: women seen as competent are seen as less likable."""
_TRAITS = {"competent": "Competent/Incompetent", "likable": "Likable/Unlikable"}
_TEXTS = {
    "one_word": "words",
    "one_sentence": "one sentence",
    "1": "job text",
    "1+3-": "job and review text",
    "1-": "full text",
}
"""How much each text says: the job only, the job and a review, or its products as well."""


def labels_of_tests(tests: Sequence[WordSets]) -> dict[str, Mapping[str, str]]:
    """Labels of the axis `test`, for `Dataset.labels`: what each test compares.

    A test is left out, and so keeps its own name, if its sets have no names or long ones, or if two
    tests would get the same label.

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
    """The names of the sets, after the test's own name if papers refer to it by a number."""
    if (bound := _DOUBLE_BIND.fullmatch(test.name)) and bound[2] in _TEXTS:
        text = "template sentences" if test.name.startswith("sent-") else _TEXTS[bound[2]]
        return f"Double bind: {'/'.join(test.names[:2])} × {_TRAITS[bound[1]]} ({text})"
    x, y, a, b = (_words(name) for name in test.names)
    sets = f"{_either(x, y) if test.y else ' '.join(x)} × {_either(a, b)}"
    return f"{test.name}: {sets}" if re.search(r"\d", test.name) else sets


def _words(name: str) -> list[str]:
    """The words of a set's name: two for "MaleNames"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").split()


def _either(first: Sequence[str], other: Sequence[str]) -> str:
    """Two names, with common words at the end written once.

    Only for names of equal length: "Likable Not/Unlikable Hostile" would mislead.
    """
    end = len(first)
    if len(first) == len(other):
        while end > 1 and first[end - 1] == other[end - 1]:
            end -= 1
        other = other[:end]
    return " ".join([f"{' '.join(first[:end])}/{' '.join(other)}", *first[end:]])
