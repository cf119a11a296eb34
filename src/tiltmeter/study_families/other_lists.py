"""Association tests with other lists of words: a test with its own sets, and with published ones.

Each pair of opposite sets (X and Y, or A and B) is replaced by two lists of one paper, all else being equal.
In tests of sentences the words are put into the sentences of the set that they replace.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tiltmeter.core.conventions import Setting
from tiltmeter.core.data.items import Target, WordSets
from tiltmeter.core.text import counted, verb_for
from tiltmeter.data.associations.published_lists import PUBLISHED, PublishedLists
from tiltmeter.data.groups.articles import agreeing
from tiltmeter.scoring.keywords import clusters_of, is_sentence, places_in

LISTS = Setting(
    "lists",
    "",
    f"{PUBLISHED}: each test is also run with the word lists of other papers (Antoniak and Mimno "
    "2021) in place of its own, and without each of its words; or a file of lists in that layout.",
)
OWN = "the test’s own"
TEST, LIST, WORD = "words_of", "list", "word"
"""Axes: the test that a number with other words is about, the list in place of its own, and a single word."""
MOST_SHARED = 0.2
"""Two lists that share more than this of the words of one are not opposite sets."""
_HALF = 0.5
_ARTICLE = re.compile(r"^an? ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OtherLists:
    """A test with the lists of other papers, and what is to be said of them."""

    tests: Mapping[str, WordSets]
    """By the name of the list."""
    notes: tuple[str, ...]


def with_other_lists(test: WordSets, lists: PublishedLists) -> OtherLists:
    """The test with each published list in place of its own; lists with the same words count once."""
    tests: dict[str, WordSets] = {}
    notes: list[str] = []
    for first, second, names in (("x", "y", test.names[:2]), ("a", "b", test.names[2:])):
        own = getattr(test, first), getattr(test, second)
        seen = {_key(_words(own[0], test), _words(own[1], test))}
        again = 0
        for one, other in lists.pairs(*names):
            both = {word.casefold() for word in one.words} & {w.casefold() for w in other.words}
            sides = [
                tuple(w for w in side.words if w.casefold() not in both) for side in (one, other)
            ]
            label = f"{one.category} / {other.category} ({one.paper})"
            fewer = min(len(one.words), len(other.words))
            if len(both) > MOST_SHARED * fewer:
                notes.append(
                    f"{label}: {len(both)} of {fewer} words are on both sides, and the list is left out."
                )
                continue
            if both:
                notes.append(f"{label} has {_some(sorted(both))} on both sides: left out.")
            if (key := _key(*sides)) in seen:
                again += 1
                continue
            seen.add(key)
            one_side, other_side = (
                _put(side, texts, test) for side, texts in zip(sides, own, strict=True)
            )
            variant = replace(test, name=f"{test.name}: {label}", groups={}, family="")
            tests[label] = (
                replace(variant, x=one_side, y=other_side)
                if first == "x"
                else replace(variant, a=one_side, b=other_side)
            )
        if again:
            notes.append(
                f"{test.name}, {names[0]} and {names[1]}: {counted(again, 'published lists', 'have')} the "
                f"words of the test or of another list, and {verb_for(again, 'are')} left out."
            )
    return OtherLists(tests, tuple(notes))


def each_with_other_lists(
    tests: Sequence[WordSets], lists: PublishedLists
) -> tuple[list[OtherLists], list[str]]:
    """Each test with the published lists, and all that is to be said of them."""
    others = [with_other_lists(test, lists) for test in tests]
    notes = [note for other in others for note in other.notes]
    without = [test.name for test, o in zip(tests, others, strict=True) if not o.tests]
    if without:
        notes.append(f"No published lists but the tests’ own for the sets of {', '.join(without)}.")
    return others, list(dict.fromkeys(notes))


def labels_with_lists(labels: Mapping[str, Mapping[str, str]]) -> dict[str, Mapping[str, str]]:
    """Labels of the axis `test`, for the axis `words_of` too."""
    return {**labels, **({TEST: labels["test"]} if "test" in labels else {})}


def items_with_other_lists(targets: Sequence[Target], other: OtherLists) -> Iterator[Target]:
    """The targets and attributes of a test, then its targets with each other list.

    The targets keep what they have; all get the test's name on the axis `words_of`, so that what is computed
    over it never mixes with what is computed over `test`. With attributes among a test's items, a rule scores
    each of its words by what the test comes to without it.
    """
    test = targets[0].test
    words = {target.text: target.cluster or target.text for target in targets}
    for target in targets:
        yield replace(
            target, groups={**target.groups, TEST: test.name, LIST: OWN, WORD: words[target.text]}
        )
    # Only sentences share words; in lists of words "Mr." is one of them.
    in_sentences = any(target.cluster for target in targets)
    attributes = [*test.a, *test.b] if in_sentences else []
    of_word = clusters_of(test, [text for text in attributes if is_sentence(text)])
    for side, texts in (("A", test.a), ("B", test.b)):
        for number, text in enumerate(texts, start=1):
            groups = {TEST: test.name, LIST: OWN, "side": side, WORD: of_word.get(text, text)}
            cluster = of_word.get(text, "")
            yield Target(f"{test.name}/{side}/{number}", text, side, test, groups, cluster)
    for label, variant in other.tests.items():
        groups = {TEST: test.name, LIST: label}
        both = [*variant.x, *variant.y] if in_sentences else []
        of_word = clusters_of(variant, [text for text in both if is_sentence(text)])
        for side, of_side in (("X", variant.x), ("Y", variant.y)):
            for number, text in enumerate(of_side, start=1):
                place = f"{variant.name}/{side}/{number}"
                axes = {**groups, "side": side}
                yield Target(place, text, side, variant, axes, of_word.get(text, ""))


def _key(first: Sequence[str], second: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(w.casefold() for w in first), frozenset(w.casefold() for w in second)


def _words(texts: Sequence[str], test: WordSets) -> Sequence[str]:
    """The words of a set: the texts, or what its sentences are about."""
    sentences = [text for text in texts if is_sentence(text)]
    return [_bare(word) for word in clusters_of(test, sentences).values()] if sentences else texts


def _put(words: Sequence[str], texts: Sequence[str], test: WordSets) -> tuple[str, ...]:
    """The words as the texts of a set: alone, or in its sentences where it has some."""
    if not any(map(is_sentence, texts)):
        return tuple(words)
    of_word = clusters_of(test, texts)
    frames = _frames(texts, of_word, test)
    own: dict[str, list[str]] = {}
    for text, word in of_word.items():
        own.setdefault(_bare(word), []).append(text)
    made = [
        text
        for word in words
        for text in own.get(word.casefold(), [_filled(frame, word) for frame in frames])
    ]
    return tuple(dict.fromkeys(made))


def _frames(
    texts: Sequence[str], of_word: Mapping[str, str], test: WordSets
) -> list[tuple[str, str]]:
    """What stands before and behind a word in the sentences of most words of a set.

    Sentences with a plural are left out, since only the listed form of a word is known.
    """
    places = places_in(test)
    frames: dict[tuple[str, str], set[str]] = {}
    for text in texts:
        at = places.get(text)
        if at is None or text[at[0] : at[1]].casefold() != of_word[text]:
            continue
        start = at[1] - len(_bare(text[at[0] : at[1]]))
        before = agreeing(text[:start], "word", "a")
        frames.setdefault((before, text[at[1] :]), set()).add(of_word[text])
    most = Counter({frame: len(words) for frame, words in frames.items()}).most_common()
    words = len({*of_word.values()})
    often = [frame for frame, times in most if times >= _HALF * words]
    return often or [most[0][0]]


def _bare(word: str) -> str:
    """A word without an article, which is rare where only one word of a test has it.

    >>> _bare("an aunt")
    'aunt'
    """
    return _ARTICLE.sub("", word)


def _filled(frame: tuple[str, str], word: str) -> str:
    before, behind = frame
    begun = agreeing(before, word, "") + word
    return f"{begun[:1].upper()}{begun[1:]}{behind}"


def _some(words: Sequence[str]) -> str:
    shown = ", ".join(f"“{word}”" for word in words[:5])
    return shown + (f" and {len(words) - 5} more" if len(words) > 5 else "")  # noqa: PLR2004
