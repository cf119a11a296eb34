"""What the options of a question are called in a reply: words with or without an article, or a letter."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from tiltmeter.scoring.stated_answers import vocabulary as words
from tiltmeter.scoring.written_answers import UNSPACED, negation_of, plain

_LABELLED = re.compile(r"\(([a-z])\)\s*(.*)", re.DOTALL)
_HANGUL = re.compile("[\uac00-\ud7a3]")
_SPACE = re.compile(r"[\s\-]+")


@dataclass(frozen=True, slots=True)
class OptionNames:
    """What the options of a question are called."""

    names: dict[str, int]
    """Options, from 0, by the words that name them: plain text without article and hyphens."""
    labels: dict[str, int]
    """Options by their letters, as in "(b)"; empty where they have none."""
    pattern: re.Pattern[str]
    """Any of the names, or a letter in brackets."""
    negations: dict[int, int]
    """By option the one that is its negation: "not hateful" is that of "hateful", and the other way round."""
    everyday: bool
    """Whether one of them is a word of everyday use, such as "yes": then only an explicit place counts."""

    def named_by(self, text: str) -> int:
        """The option that a match of the pattern names."""
        return self.labels[text] if text in self.labels else self.names[spaced(text)]

    @property
    def texts(self) -> tuple[str, ...]:
        """The names in the order of the options; "" for an option without words."""
        by_option = {option: name for name, option in self.names.items()}
        count = max((*by_option, *self.labels.values()), default=-1) + 1
        return tuple(by_option.get(option, "") for option in range(count))


@lru_cache(maxsize=1024)
def option_names(options: tuple[str, ...]) -> OptionNames:
    """What these options are called.

    >>> names = option_names(("(a) the cook", "(b) a chess-player"))
    >>> names.names, names.labels
    ({'cook': 0, 'chess player': 1}, {'(a)': 0, '(b)': 1})
    """
    plain_texts = [plain(option) for option in options]
    labelled = [_LABELLED.fullmatch(text) for text in plain_texts]
    letters = [match[1] for match in labelled if match]
    labels = dict[str, int]()
    if len({*letters}) == len(options):
        labels = {f"({letter})": at for at, letter in enumerate(letters)}
        plain_texts = [match[2] for match in labelled if match]
    bare = [spaced(without_article(text)) for text in plain_texts]
    if len({*bare}) < len(bare):  # "a cook" and "the cook"
        bare = [*map(spaced, plain_texts)]
    names = {text: at for at, text in enumerate(bare) if text}
    alternatives = [*map(re.escape, labels), *_patterns(sorted(names, key=len, reverse=True))]
    negation = negation_of(bare)
    short = any(len(text) == 1 and not _HANGUL.match(text) for text in names)
    return OptionNames(
        names, labels, re.compile("|".join(alternatives) or r"(?!)"),
        {} if negation is None else {negation: 1 - negation, 1 - negation: negation},
        not labels and (short or not words.EVERYDAY.isdisjoint(names)),
    )  # fmt: skip


def spaced(text: str) -> str:
    """The text with one space for spaces and hyphens."""
    return _SPACE.sub(" ", text).strip()


def without_article(text: str) -> str:
    """A plain option without the signs around it and the article before it.

    >>> without_article("the grandson."), without_article("l'infirmière"), without_article("a")
    ('grandson', 'infirmière', 'a')
    """
    bare = words.AROUND.sub("", text) or text
    for article in words.ARTICLES:
        start = article if article.endswith("'") else f"{article} "
        if bare.startswith(start) and len(bare) > len(start):
            return bare[len(start) :]
    return bare


def _patterns(names: Sequence[str]) -> Iterator[str]:
    """Patterns for names in their order; neighbours share what surrounds them, which is slow to compile."""
    for (before, after), parts in groupby(map(_parts, names), key=itemgetter(0, 2)):
        alternatives = [name for _, name, _ in parts]
        yield f"{before}(?:{'|'.join(alternatives)}){after}"


def _parts(name: str) -> tuple[str, str, str]:
    """Patterns for what stands before a name, for it and for what follows.

    The name is whole where its script has spaces between words.
    """
    before = words.BEFORE if name[0].isalnum() and not UNSPACED.match(name[0]) else ""
    after = ""
    if name[-1].isalnum() and not UNSPACED.match(name[-1]):
        after = rf"{words.AFTER}(?!['\-][^\W_])"
        if _HANGUL.match(name[-1]):
            after = rf"(?:{after}|(?={'|'.join(words.PARTICLES)}))"
    for longer in words.CONDITIONS:  # "否" is no part of "是否"
        start, there, end = longer.partition(name)
        if there and longer != name:
            before += f"(?<!{re.escape(start)})" if start else ""
            after += f"(?!{re.escape(end)})" if end else ""
    return before, r"[\s\-]+".join(map(re.escape, name.split(" "))), after
