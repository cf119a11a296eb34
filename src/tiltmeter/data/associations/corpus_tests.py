"""Association tests with words of a corpus: of groups by traits, what is left of any test, and draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np
import numpy.typing as npt

from tiltmeter.core.draws import Contexts, Draw
from tiltmeter.core.errors import Problem
from tiltmeter.core.items import WordSets
from tiltmeter.core.requests import Passage
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.groups.group_lists import Said, chosen
from tiltmeter.data.memory.lazy_sequence import LazySequence
from tiltmeter.data.texts.occurrences import Occurrences

UNDEFINED = "has no value:"
"""Stands in notes on groups and traits that are not scored."""


def tests_of_groups(file: GroupFile, names: str) -> list[WordSets]:
    """A test for each group and pair of traits: is the group nearer to the right trait?

    `names` are groups, separated by commas; "" for all.
    """
    return [
        WordSets(
            f"{group.name}|{pair.name}",
            tuple(dict.fromkeys(group.forms.values())),
            (),
            _words(pair.right, pair.more_right),
            _words(pair.left, pair.more_left),
            groups={"group": group.name, "pair": pair.name}
            | {k: v for k, v in (("domain", group.domain), ("dimension", pair.dimension)) if v},
        )
        for group in chosen("group", file.groups, names)
        for pair in file.pairs
    ]


def occurring(
    tests: Sequence[WordSets], corpus: Occurrences
) -> tuple[list[WordSets], list[str], list[Problem]]:
    """The tests with the words that occur in a corpus, notes on words and cells left out, and problems.

    Tests of two groups that lose a whole set are problems. Of groups by traits a group or trait without
    words has no value, and a note that contains `UNDEFINED` says so; such notes come first.
    """
    kept, problems = [], []
    notes: dict[str, None] = {}
    for test in tests:
        of = {"X": test.x, "Y": test.y, "A": test.a, "B": test.b}
        left = {name: tuple(w for w in words if corpus.counts[w]) for name, words in of.items()}
        empty = [name for name, words in of.items() if words and not left[name]]
        whole = "group" in test.groups
        for name, words in of.items():
            gone = [w for w in words if not corpus.counts[w]]
            if gone and not (whole and empty):
                notes[_without(test, name, gone, len(words))] = None
        if empty and whole:
            what = test.groups["group" if "X" in empty else "pair"]
            notes[f"{what} {UNDEFINED} its words do not occur in the corpus."] = None
        elif whole and len(left["A"]) == len(left["B"]) == 1:
            notes[_constant(test, left)] = None
        elif empty:
            reason = f"{test.name}: no word of {' or '.join(empty)} occurs in {corpus.name}"
            problems.append(Problem(reason, "give a larger corpus", item=test.name))
        else:
            kept.append(replace(test, x=left["X"], y=left["Y"], a=left["A"], b=left["B"]))
    unscored = [note for note in notes if UNDEFINED in note]
    return kept, [*unscored, *(n for n in notes if n not in unscored)], problems


def _without(test: WordSets, name: str, gone: Sequence[str], of: int) -> str:
    shown = ", ".join(repr(word) for word in gone[:8]) + (", …" if len(gone) > 8 else "")  # noqa: PLR2004
    set_ = f"{test.name}: {name}"
    if "group" in test.groups:
        pole = {"A": "right", "B": "left"}.get(name, "")
        set_ = f"{test.groups['pair']}: {pole} trait" if pole else test.groups["group"]
    return f"{set_} leaves out {len(gone)} of {of} words that do not occur in the corpus: {shown}."


def _constant(test: WordSets, left: Mapping[str, Sequence[str]]) -> str:
    """Of two cosines, one a side, the difference is always √2 of their standard deviations."""
    return (
        f"{test.groups['pair']} {UNDEFINED} the corpus has only one word for each trait ({left['B'][0]!r}, "
        f"{left['A'][0]!r}), so the value would be √2 or −√2 whatever the model."
    )


def _words(first: Said, more: Said) -> tuple[str, ...]:
    """All adjectives for a trait, in all their forms."""
    forms = (*first.values(), *more.values())
    return tuple(dict.fromkeys(word for words in forms for word in words))


MOST_AT_ONCE = 10_000_000
"""Draws, which is more than any machine wants: a slip of the finger."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    test: WordSets
    pools: tuple[tuple[Contexts, ...], ...]
    """Of each set, the contexts of each of its words."""
    places: npt.NDArray[np.int32]
    """Shape (draws, words): which of a word's contexts."""

    def draw(self, number: int) -> Draw:
        """Draw by number, from 0."""
        left = iter(self.places[number].tolist())
        x, y, a, b = (tuple(pool[next(left)] for pool in pools) for pools in self.pools)
        name = self.test.name
        return Draw(f"{name}/{number + 1}", x, y, a, b, self.test.groups, name)


class Draws(LazySequence[Draw]):
    """`draws` draws of each test, test by test; each word's context is drawn with replacement.

    A test without targets Y is of one group: then one context is drawn, of all that hold any of the words
    of X.
    """

    def __init__(
        self,
        tests: Sequence[WordSets],
        contexts: Mapping[str, Sequence[Passage]],
        *,
        draws: int,
        seed: int = 0,
    ) -> None:
        self._draws = draws
        self._tests = [_drawn(test, contexts, draws, seed) for test in tests]

    def __len__(self) -> int:
        return self._draws * len(self._tests)

    def item(self, place: int) -> Draw:
        """The draw at a place."""
        return self._tests[place // self._draws].draw(place % self._draws)


def _drawn(
    test: WordSets, contexts: Mapping[str, Sequence[Passage]], draws: int, seed: int
) -> _Drawn:
    x = tuple(tuple(contexts[word]) for word in test.x)
    if not test.y:
        x = (tuple(passage for pool in x for passage in pool),)
    y, a, b = (tuple(tuple(contexts[word]) for word in words) for words in (test.y, test.a, test.b))
    pools = (x, y, a, b)
    sizes = np.array([len(pool) for words in pools for pool in words])
    # Seeded by its name, a test has the same draws whichever tests are beside it. Python's own hash of a text
    # would differ between processes.
    rng = np.random.default_rng([seed, crc32(test.name.encode("utf-8", "surrogatepass"))])
    return _Drawn(test, pools, rng.integers(sizes, size=(draws, len(sizes))).astype(np.int32))
