"""What may be wrong with one pair of sentences, check by check.

Each check gives its reasons; its docstring says what it misses and where it raises a false alarm, as read by
hand in the 1,508 pairs of CrowS-Pairs. Word lists are English: in other languages `negation` stays silent and
`several_changes` speaks too often, and languages written without spaces are compared run by run.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from tiltmeter.core.data.items import Pair
from tiltmeter.core.text import counted
from tiltmeter.data.pairs.word_diff import (
    GENDERED,
    GROUPS,
    NEGATIONS,
    PRONOUNS,
    WordChange,
    bare,
    changes,
    separate,
    words,
)

WARNED = 13
"""Characters: beyond this the writers of CrowS-Pairs saw a warning (appendix B, layout 1)."""
LONGER_BY = 3
"""Words by which the longer sentence must exceed the shorter before `length` looks at them."""
LONGER_RATIO = 1.3
"""Ratio of word counts from which `length` flags a pair."""
COMMON = 0.5
"""Two sentences with a smaller share of common words are no minimal pair."""


# A word with a capital that does not open a sentence.
_INSIDE = re.compile(r"(?<=[\w,;:’'] )[^\W\d_a-zà-ÿ]\w*(?:['’]\w+)*")
_MARK = re.compile(r"[^\w\s'’\-]")
_TWO_SPACES = re.compile(r"\s\s")
_OUTER_SPACE = re.compile(r"^\s|\s$")


def edit_distance(pair: Pair) -> Iterator[str]:
    """More than 13 characters to insert, delete or replace (Levenshtein): a note.

    The paper's form warned writers "if the Levenshtein distance between the two sentences is
    greater than 13" without naming the unit. It must be characters: no pair of CrowS-Pairs
    differs in more than 6 words, so a limit in words could never have spoken, while 40 pairs
    are beyond 13 characters. It was a warning and not a reason to reject: five pronouns or
    one long name reach it in pairs that are sound.
    """
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415  (slow to import)

    distance = Levenshtein.distance(pair.more, pair.less)
    if distance > WARNED:
        yield f"{distance} characters differ, more than {WARNED}"


def identical(pair: Pair) -> Iterator[str]:
    """The two sentences are the same, or differ in case, spaces and punctuation only."""
    if pair.more == pair.less:
        yield "the two sentences are the same"
    elif not changes(pair.more, pair.less) and words(pair.more):
        yield "the two sentences differ in case, spaces or punctuation only"


def swapped(pair: Pair) -> Iterator[str]:
    """Both groups occur in both sentences, in exchanged places ("A above B" / "B above A").

    A note: the pair is minimal and says who does what to whom. But the same words are in both,
    so `shared` tokens depend on the alignment more than elsewhere.
    """
    differing = changes(pair.more, pair.less)
    exchanged = [c for i, c in enumerate(differing) if c.ours and c.turned in differing[i + 1 :]]
    if exchanged:
        yield f"{exchanged[0]} are swapped"
    elif differing and Counter(w for c in differing for w in c.ours) == Counter(
        w for c in differing for w in c.theirs
    ):
        yield f"“{' '.join(w for c in differing for w in c.ours)}” in a different place"


def one_contains_other(pair: Pair) -> Iterator[str]:
    """All words of one sentence occur, in order, in the other.

    The paper removed two examples "where one sentence has full overlap with the other": one of
    the two then has no words of its own to condition on. Adding a group to an unmarked sentence
    looks the same as adding a negation; both are shown.
    """
    differing = changes(pair.more, pair.less)
    if differing and (not any(c.ours for c in differing) or not any(c.theirs for c in differing)):
        extra = " … ".join(" ".join(c.ours or c.theirs) for c in differing)
        yield f"one sentence is the other with “{extra}” added"


def length(pair: Pair) -> Iterator[str]:
    """One sentence has at least 3 words and 30 % more than the other.

    Rules that sum over all tokens favour the shorter sentence whatever it says.
    """
    short, long = sorted((len(words(pair.more)), len(words(pair.less))))
    if long - short >= LONGER_BY and long >= LONGER_RATIO * short:
        yield f"{short} words against {long}"


def little_in_common(pair: Pair) -> Iterator[str]:
    """Less than half of the longer sentence's words are in the other, and four or more differ.

    Finds mistakes of assembly (the wrong sentence, or one in another language: row 1310 of the
    revised English set) without knowing any language. Misses short pairs, and translations
    into languages that share their words.
    """
    differing = changes(pair.more, pair.less)
    size = max(len(words(pair.more)), len(words(pair.less)))
    if size - len(words(pair.more)) + sum(len(c.ours) for c in differing) <= LONGER_BY:
        return  # of words that stand in order in both, there are enough
    ours, theirs = (Counter(w.lower() for w in words(t)) for t in (pair.more, pair.less))
    shared = (ours & theirs).total()
    if shared < COMMON * size and size - shared > LONGER_BY:
        yield f"only {shared} of {size} words are in both sentences"


def _negations(differing: Sequence[WordChange]) -> list[str]:
    """Negating words of `ours`, unless they only say who is meant ("without" against "with")."""
    return [
        word
        for change in differing
        for word in change.ours
        if (word in NEGATIONS or word.endswith("n't"))
        and not (word == "without" and "with" in change.theirs)
    ]


def negation(pair: Pair) -> Iterator[str]:
    """Only one of the two sentences is negated, so that they no longer say the same of two groups.

    The paper's example 6 ("Women are not hunters" / "Men are hunters"), of which it counts 23
    without listing them. Here 65 pairs of CrowS-Pairs are found, the example among them, so the
    paper must have counted more narrowly. Misses negation by other words ("few" / "thousands
    of"); false alarms where the negation names the group ("no legs" / "all limbs"; 4 of the 65).
    "with" against "without" is taken to name the group.
    """
    differing = changes(pair.more, pair.less)
    ours, theirs = _negations(differing), _negations([c.turned for c in differing])
    if len(ours) != len(theirs):
        more = Counter(ours if len(ours) > len(theirs) else theirs)
        yield f"“{' '.join(more.elements())}” in one sentence only"


def several_changes(pair: Pair) -> Iterator[str]:
    """Something else changes along with the group ("mosque … loud" / "church … quiet").

    Changes that follow from the group are left out: pronouns, articles and other small words,
    forms and misspellings of one word, a change that repeats an earlier one or turns it round;
    names and gendered words together count as one. 54 pairs of CrowS-Pairs; false alarms
    where two words show the group ("Torah … temple" / "Bible … church"; 3 of the 54).
    Misses a second change that stands directly beside the group, because both are then one
    change, and one where only pronouns show the group.
    """
    if len(changes(pair.more, pair.less)) < 2:  # noqa: PLR2004
        return
    differing = separate(pair.more, pair.less)
    if len(differing) > 1:
        yield f"{counted(len(differing), 'separate changes')}: {'; '.join(map(str, differing))}"


def formatting(pair: Pair) -> Iterator[str]:
    """Punctuation, spaces or capitals differ where the words are the same.

    A capital that the place in the sentence or the changed word explains is left out. Common
    tokens then differ for no reason that has to do with the group.
    """
    marks, other_marks = _MARK.findall(pair.more), _MARK.findall(pair.less)
    if sorted(marks) != sorted(other_marks):
        more, less = Counter(marks), Counter(other_marks)
        uneven = (more - less) + (less - more)
        yield f"“{' '.join(sorted(uneven))}” in one sentence more often than in the other"
    if not all(" ".join(text.split()) == text for text in pair.texts):
        yield from _spaces(pair)
    yield from _capitals(pair)


def _spaces(pair: Pair) -> Iterator[str]:
    for spaces, name in ((_TWO_SPACES, "two spaces in a row"), (_OUTER_SPACE, "a space at an end")):
        if bool(spaces.search(pair.more)) != bool(spaces.search(pair.less)):
            yield f"{name} in one sentence only"


def _capitals(pair: Pair) -> Iterator[str]:
    """Words in both sentences that are capitalised in one only, first words apart."""
    first, second = words(pair.more)[1:], words(pair.less)[1:]
    spellings = {*first, *second}
    if len({word.lower() for word in spellings}) == len(spellings):
        return  # no word is there in two spellings
    ours, theirs = Counter(first), Counter(second)
    less, more = ours - theirs, theirs - ours
    there = {word.lower(): word for word in more}
    for word in less:
        other = there.get(word.lower(), word)
        if other != word:
            yield f"“{word}” in one sentence is “{other}” in the other"


_ARTICLE = re.compile(r"\b(an?) (\w+)", re.IGNORECASE)
_AS_YOU = re.compile(r"uni(?!n|m|dent)|use|usu|eu|one(?!\w)|once|ubi|uti|uto|uk|ura|uri")
_DOUBLED = re.compile(r"\b([^\W\d]++) \1\b", re.IGNORECASE)
_MAY_DOUBLE = frozenset({"that", "had", "very", "really", "so", "no", "bye", "ha", "her"})


def _wrong_article(article: str, word: str) -> bool:
    """Whether "a" precedes a vowel or "an" a consonant; h and initials may be either."""
    start = word.lower()
    if (word.isupper() and word != "I") or start[0] == "h" or not start[0].isascii():
        return False
    vowel = start[0] in "aeiou" and not _AS_YOU.match(start)
    return start[0].isalpha() and vowel != (article.lower() == "an")


def _marks(text: str) -> list[str]:
    """Signs of an unfinished edit in one sentence."""
    signs = [f"“{a} {word}”" for a, word in _ARTICLE.findall(text) if _wrong_article(a, word)]
    signs += [f"doubled “{w}”" for w in _DOUBLED.findall(text) if w.lower() not in _MAY_DOUBLE]
    for opening, closing in ("()", "[]", "“”"):
        if text.count(opening) != text.count(closing):
            signs.append(f"unbalanced {opening}{closing}")
    if text.count('"') % 2:
        signs.append('unbalanced "')
    return signs


def ungrammatical_marks(pair: Pair) -> Iterator[str]:
    """A doubled word, a wrong "a" or "an", or an open quotation or bracket in one sentence only.

    What both sentences have is not reported: it makes both odd alike. Grammar at large (number,
    tense, "the Canada") is missed.
    """
    ours, theirs = _marks(pair.more), _marks(pair.less)
    for mark in dict.fromkeys(ours + theirs if ours != theirs else ()):
        if (mark in ours) != (mark in theirs):
            yield f"{mark} in one sentence only"


def name_pair(pair: Pair) -> Iterator[str]:
    """The pair contrasts two personal names: a note, since names carry frequency and age too.

    One capitalised word against another, neither at the start of its sentence nor the name of a
    common group. Misses names that open a sentence, and takes unlisted peoples and
    books for persons: 7 of the 56 found in CrowS-Pairs.
    """
    inside = [
        {w.replace("’", "'").lower() for w in _INSIDE.findall(t)} for t in (pair.more, pair.less)
    ]
    for change in changes(pair.more, pair.less):
        if len(change.ours) == len(change.theirs) == 1:
            both = change.ours[0], change.theirs[0]
            known = {*map(bare, both)} & (GROUPS | GENDERED | PRONOUNS)
            if both[0] in inside[0] and both[1] in inside[1] and not known:
                yield f"the names {change}"
                return


CHECKS: Mapping[str, Callable[[Pair], Iterator[str]]] = {
    check.__name__: check
    for check in (
        identical, one_contains_other, negation, several_changes, little_in_common, length,
        formatting, ungrammatical_marks, edit_distance, swapped, name_pair,
    )
}  # fmt: skip
"""By name, each giving its reasons for one pair, most serious first."""
