"""The words around an answer in prose, in many languages, as patterns of plain text.

Plain text is as `written_answers.plain` makes it: in lower case, with one spelling of each sign.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from tiltmeter.core.reading.lazy_patterns import lazy_pattern
from tiltmeter.scoring.written_answers import (
    CONNECTIVES,
    NEGATIONS,
    RESUMPTIONS,
    RETRACTIONS,
    UNSPACED,
    plain,
)

_WORDS: dict[str, list[str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def words(*names: str) -> tuple[str, ...]:
    """The lists of these names in `vocabulary.toml`, as plain text."""
    return tuple(dict.fromkeys(plain(word) for name in names for word in _WORDS[name]))


def _ranges_of_marks() -> str:
    """The marks that stand on letters, as the inside of a character class."""
    marks = [at for at in range(0x300, 0x2100) if unicodedata.category(chr(at))[0] == "M"]
    starts = [at for at in marks if at - 1 not in {*marks}]
    ends = [at for at in marks if at + 1 not in {*marks}]
    return "".join(f"{chr(a)}-{chr(b)}" for a, b in zip(starts, ends, strict=True))


_MARKS = _ranges_of_marks()
BEFORE = rf"(?<![^\W_])(?<![{_MARKS}])"
"""Matches where no letter stands before."""
AFTER = rf"(?![^\W_]|[{_MARKS}])"
"""Matches where no letter follows."""

AROUND = lazy_pattern(rf"^[^\w{_MARKS}]+|[^\w{_MARKS}]+$")
"""Signs before the first and behind the last word."""


def either(texts: Iterable[str]) -> str:
    """A pattern for any of these words, each as `word` has it; the longest wins."""
    longest = sorted({*texts}, key=lambda text: (-len(text), text))
    return f"(?:{'|'.join(map(word, longest))})"


def word(text: str) -> str:
    """A pattern for one word or phrase, whole where its script writes spaces between words."""
    before = BEFORE if text[0].isalnum() and not UNSPACED.match(text[0]) else ""
    after = AFTER if text[-1].isalnum() and not UNSPACED.match(text[-1]) else ""
    return f"{before}{re.escape(text)}{after}"


# The quantifiers *+ try no second way to split a text into words: "这是" is one word and two.
SIGNS = r"""\s"'“”„«»‹›‘「」『』《》()\[\]{}*:,\-–—=<>$\\…"""
"""Signs between the words of a statement and its option, as the inside of a character class."""
_FILL = rf"(?:[{SIGNS}]|{either(words('fillers', 'copulas', 'articles'))})*+$"
_NOUN = rf"{either(words('nouns'))}[\"'*)\]}}>\s]*"
_COPULA = either(words("copulas"))
_BY_SIGN = r"[^.!?;:,。\n]{0,16}[:=>]|[-–—→]\s|\n"
_BY_COPULA = rf"[^.!?;:。\n]{{0,40}}?{_COPULA}"
DECLARED = lazy_pattern(
    rf"(?:{_NOUN}(?:{_BY_SIGN}|{_BY_COPULA})|{_COPULA}\s(?:[^\W_]+\s){{0,2}}{_NOUN}){_FILL}"
)
"""Before an option: "The answer is", "Answer:", a heading "Answer", the beginning of a field."""
CHOSEN = lazy_pattern(either(words("choices")) + _FILL)
"""Before an option: "I would choose"."""
THOUGHT = lazy_pattern(either(words("thoughts")) + _FILL)
"""Before an option: "It was"."""
_CONCLUSION = either(words("conclusions"))
CONCLUDED = lazy_pattern(_CONCLUSION + _FILL)
"""Before an option: "So"."""
CONCLUSION = lazy_pattern(rf"(?:^|[\s,;:*(\"'])(?:{_CONCLUSION})|^(?:{_CONCLUSION})")
"""Anywhere in a sentence."""
CONDITION = lazy_pattern(rf"{either(words('conditions'))}[^.!?;:,。，\n]*$")
"""Before an option: "if", with no comma between."""
_DENIAL = either((*words("denials", "wrong"), *map(plain, NEGATIONS)))
_LIGHT = rf"(?:[\s\"'“”„«»「」*()]|{either(words('denial_fillers'))})*+"
DENIED_BEFORE = lazy_pattern(rf"(?<!not only ){_DENIAL}{_LIGHT}$")
"""Before an option: "not", "rather than", with nothing but words of no weight between."""
DENIED_AFTER = lazy_pattern(rf"{_LIGHT}{_DENIAL}{_LIGHT}(?:$|[.,;!?:。，；！\n])")
"""Behind an option: "was it not", up to the end of the clause."""
WRONG_BEFORE = lazy_pattern(rf"{either(words('wrong'))}\s*{either(words('nouns'))}")
PAUSE = lazy_pattern(
    rf"[*_\"'”»›」』)\]}}|<$ ]*(?:(?:$|[.,;:!\-–—…\n。，；：！、\]}}|<$>])|"
    rf"[*_\"'”»›」』)\s]*{either(words('reasons'))})"
)
"""Behind an option that is not part of a longer phrase."""
LISTED = lazy_pattern(either(words("lists")))
UNDECIDED = lazy_pattern(either(words("undecided")))
_SECOND = either(words("corrections"))
_RETRACTION = either(word for word in map(plain, RETRACTIONS) if word not in map(plain, NEGATIONS))
_NEGATIVE_RETRACTION = either(
    word for word in map(plain, RETRACTIONS) if word in map(plain, NEGATIONS)
)
CORRECTED = lazy_pattern(
    rf"(?:^|[.!?:;,…—–\-\n。，；！？]|{either(('but', 'oh', 'aber', 'mais', 'pero', '但'))})[\s*(]*"
    rf"(?P<word>{_SECOND}|{_RETRACTION}|{_NEGATIVE_RETRACTION}(?=\s*[,.;:!\-–—。，；：]))"
)
"""Where a reply begins to correct itself: such words at the beginning of a clause."""
RESUMED = lazy_pattern(
    rf"(?:[{SIGNS}.!]|{either((*map(plain, RESUMPTIONS), *words('fillers', 'articles', 'corrections')))}|"
    rf"{_RETRACTION}|{_NEGATIVE_RETRACTION})*+$"
)
"""Between a correction and the option that it puts in its place."""
_CONNECTIVE = (*map(plain, CONNECTIVES), *words("also"))
JOINED = lazy_pattern(
    rf"[\s\"'“”„«»‘「」*()]*(?:[,/&+|、]|{either(_CONNECTIVE)})"
    rf"(?:[\s\"'“”„«»‘「」*(,]|{either((*_CONNECTIVE, *words('articles', 'denial_fillers')))})*+"
)
"""Between two options of which a reply names both."""
OPENER = lazy_pattern(rf"[\W_]*(?:{either(words('openers'))}[\W_]*)*+")
"""At the beginning of a sentence, before a refusal."""
SENTENCE_END = lazy_pattern(r"[.!?。！？؟।]+(?=[\s\"'”»*)\]」]|$)|[。！？\n]+")
FIELD = lazy_pattern(r"^\W*(?:[^\W_]+[ _-]){0,3}+[^\W_]+[*_\"' ]*:")
"""What a line calls the answer behind it: "Task 3:"."""
LETTER = lazy_pattern(r"[^\W_]")
GAP = lazy_pattern(rf"[{SIGNS}.;|/]*")
"""Between a letter and its words, or between two options of a list."""
BOXED = lazy_pattern(r"\\f?boxed\s*\{[\s$\"'(]*$|\\fbox\s*\{[\s$\"'(]*$")
"""Before an option in a box of LaTeX."""
EMPHASIS = (lazy_pattern(r"\*[\"'“„«(]*$"), lazy_pattern(r"[\"'”»).,:;]*\*"))
"""Before and behind an option that is all that is emphasised."""
VALUE = (lazy_pattern(r":\s*\[?\s*\"$"), lazy_pattern(r"\.?\""))
"""Before and behind an option that is the value of a field."""
EVERYDAY = frozenset(words("everyday"))
ARTICLES = words("articles")
CONDITIONS = words("conditions")
COPULAS = frozenset(words("copulas"))
PARTICLES = words("particles")
_ARTICLE = lazy_pattern(rf"{either(ARTICLES)}\s*$")
_LONGEST_ARTICLE = max(map(len, ARTICLES)) + 2


def up_to_article(text: str) -> str:
    """What stands before an option, without the article at its end.

    >>> up_to_article("It was the ")
    'It was '
    """
    match = _ARTICLE.search(text, max(0, len(text) - _LONGEST_ARTICLE))
    return text[: match.start()] if match else text
