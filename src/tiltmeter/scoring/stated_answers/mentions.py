"""Where a reply names an option, and how: denied, asked, in a list of options, in a sentence that decides."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from tiltmeter.scoring.stated_answers import vocabulary as words
from tiltmeter.scoring.stated_answers.marked_text import marked
from tiltmeter.scoring.written_answers import UNSPACED, negation_of, plain

CONFLICT = -2
"""The option of a mention whose letter is one option's and whose words are another's."""
_LABEL = re.compile(r"\(([a-z])\)\s*(.*)", re.DOTALL)
_HANGUL = re.compile("[\uac00-\ud7a3]")
_GAP = re.compile(rf"[{words.SIGNS}.;|/]*")
"""Between a letter and its words, or between two options of a list."""
_ITEM = re.compile(r"(?:- |\d+[.)]\s|[\"'“„«「(*#\s]|\|)*")
"""What may stand before an option that begins a line."""
_NEAR = 90
"""So many characters before an option decide how it is named."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place at which a reply names an option."""

    start: int
    end: int
    option: int
    """Which one, from 0; CONFLICT where its letter and its words differ."""
    lettered: bool = False
    """Whether it is named by its letter."""


@dataclass(frozen=True, slots=True)
class OptionNames:
    """What the options of a question are called."""

    names: dict[str, int]
    """Options by the texts that name them, as plain text."""
    labels: dict[str, int]
    """Options by their letters, as in "(b)"; empty where they have none."""
    pattern: re.Pattern[str]
    """Any of the names, or a letter in brackets."""
    negations: dict[int, int]
    """By option the one that is its negation: "not hateful" is that of "hateful", and the other way round."""
    everyday: bool
    """Whether one of them is a word of everyday use, such as "yes": then only an explicit place counts."""


@lru_cache(maxsize=1024)
def option_names(options: tuple[str, ...]) -> OptionNames:
    """The names of these options: whole, without their article, and by letter where each begins with one.

    >>> names = option_names(("(a) the cook", "(b) a player"))
    >>> sorted(names.names), names.labels
    (['cook', 'player'], {'(a)': 0, '(b)': 1})
    """
    split = [_LABEL.fullmatch(plain(option)) for option in options]
    lettered = all(split) and len({match[1] for match in split if match}) == len(options)
    labels = {f"({match[1]})": at for at, match in enumerate(split) if match and lettered}
    texts = [match[2] if match and lettered else plain(o) for match, o in zip(split, options, strict=True)]
    bare = [_bare(text) for text in texts]
    if len({*bare}) < len(bare):
        bare = texts
    names = {text: at for at, text in enumerate(bare) if text}
    alternatives = [re.escape(label) for label in labels]
    alternatives += [_pattern(name) for name in sorted(names, key=len, reverse=True)]
    pattern = "|".join(alternatives) if alternatives else r"(?!)"
    negation = negation_of(bare)
    short = {text for text in names if len(text) == 1 and not _HANGUL.match(text)}
    return OptionNames(
        names, labels, re.compile(pattern),
        {} if negation is None else {negation: 1 - negation, 1 - negation: negation},
        bool(short | (words.EVERYDAY & names.keys())) and not labels,
    )  # fmt: skip


def _bare(text: str) -> str:
    """A plain option without signs around it and the article before it."""
    words_only = re.sub(r"^[^\w]+|[^\w]+$", "", text) or text
    for article in words.ARTICLES:
        joint = "" if article.endswith("'") else " "
        if words_only.startswith(article + joint) and len(words_only) > len(article + joint):
            return words_only[len(article + joint) :]
    return words_only


def _pattern(name: str) -> str:
    """A pattern for the name with any article before it, whole where its script has spaces between words."""
    inside = re.sub(r"(?:\\-|\\ |-| )+", r"[\\s\\-]+", re.escape(name))
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
    return f"{before}{inside}{after}"


class ReplyText:
    """A reply with the places at which it names options, and what is said about each."""

    def __init__(self, reply: str, options: Sequence[str]) -> None:
        self.names = option_names(tuple(options))
        self.text = marked(reply, [label[1] for label in self.names.labels])
        self.mentions = self._mentions()

    def _mentions(self) -> list[Mention]:
        """All mentions in order; a letter and the words behind it are one."""
        every: list[Mention] = []
        for match in self.names.pattern.finditer(self.text):
            label = self.names.labels.get(match[0])
            here = (
                Mention(match.start(), match.end(), label, True)
                if label is not None
                else Mention(match.start(), match.end(), self._named(match[0]))
            )
            last = every[-1] if every else None
            if last and last.lettered and not here.lettered and self._labels(last, here):
                option = last.option if last.option == here.option else CONFLICT
                every[-1] = replace(last, end=here.end, option=option)
            else:
                every.append(here)
        return every

    def _labels(self, label: Mention, name: Mention) -> bool:
        """Whether the letter is that of the words behind it."""
        gap = self.text[label.end : name.start]
        bare = re.sub(words.LEADING_ARTICLE, "", gap)
        close = "\n" not in gap and "," not in gap and _GAP.fullmatch(bare) is not None
        return close and (label.option == name.option or self._name(name) not in words.EVERYDAY)

    def _name(self, mention: Mention) -> str:
        return re.sub(r"[\s\-]+", " ", self.text[mention.start : mention.end])

    def _named(self, text: str) -> int:
        by_spaces = {re.sub(r"[\s\-]+", " ", name): at for name, at in self.names.names.items()}
        return by_spaces[re.sub(r"[\s\-]+", " ", text)]

    # ── Sentences ──

    @cached_property
    def _ends(self) -> list[int]:
        return [match.end() for match in words.SENTENCE_END.finditer(self.text)]

    def sentence(self, mention: Mention) -> tuple[int, int]:
        """Where the sentence of a mention begins and ends."""
        at = bisect_right(self._ends, mention.start)
        start = self._ends[at - 1] if at else 0
        # An option may end in a full stop of its own.
        later = bisect_right(self._ends, max(mention.start, mention.end - 1))
        return start, self._ends[later] if later < len(self._ends) else len(self.text)

    def sentences(self) -> Iterator[str]:
        """The sentences of the reply."""
        for start, end in zip([0, *self._ends], [*self._ends, len(self.text)], strict=True):
            yield self.text[start:end]

    def before(self, at: int) -> str:
        """What stands before the mention of this number, back to the one before."""
        start, last = self.mentions[at].start, self.mentions[at - 1] if at else None
        # "是" is both an option and what stands between "the answer" and it.
        open_ = last is None or self._name(last) in words.COPULAS
        return self.text[max(start - _NEAR, 0 if last is None or open_ else last.end) : start]

    def clause(self, at: int) -> str:
        """The beginning of the mention's sentence up to it, back to the one before."""
        mention = self.mentions[at]
        return self.text[
            max(self.sentence(mention)[0], self.mentions[at - 1].end if at else 0) : mention.start
        ]

    def after(self, at: int) -> str:
        """What stands behind the mention, up to the end of its sentence."""
        mention = self.mentions[at]
        return self.text[mention.end : self.sentence(mention)[1]]

    def pauses(self, at: int) -> bool:
        """Whether a sign, the end or a word such as "because" follows the mention."""
        return words.PAUSE.match(self.text[self.mentions[at].end :]) is not None

    def joined(self, at: int) -> bool:
        """Whether the mention and the next one are two options joined, as by "or"."""
        if at + 1 >= len(self.mentions) or at < 0:
            return False
        gap = self.text[self.mentions[at].end : self.mentions[at + 1].start]
        differs = self.mentions[at].option != self.mentions[at + 1].option
        return differs and words.JOINED.fullmatch(gap) is not None

    # ── What is said about a mention ──

    @cached_property
    def listed(self) -> frozenset[int]:
        """Which mentions only list the options."""
        return frozenset((*self._inline_lists(), *self._line_lists(), *self._in_tables()))

    def _inline_lists(self) -> Iterator[int]:
        """Mentions that follow one another with signs between them, behind a word such as "options"."""
        run: list[int] = []
        for at in range(len(self.mentions)):
            if run and not (self._adjoins(at - 1) or self.joined(at - 1)):
                yield from self._listing(run)
                run = []
            run.append(at)
        yield from self._listing(run)

    def _adjoins(self, at: int) -> bool:
        gap = self.text[self.mentions[at].end : self.mentions[at + 1].start]
        return _GAP.fullmatch(gap) is not None and not gap.count("\n")

    def _listing(self, run: list[int]) -> list[int]:
        different = {self.mentions[at].option for at in run}
        if len(different) < 2:  # noqa: PLR2004
            return []
        every = len(different) == len({*self.names.names.values()}) > 2  # noqa: PLR2004
        named = words.LISTED.search(self.clause(run[0])) is not None
        return run if every or named else []

    def _line_lists(self) -> Iterator[int]:
        """Mentions in lines that each begin with another option."""
        lines = [*re.finditer(r"[^\n]+", self.text)]
        run: list[int] = []
        seen: set[int] = set()
        for line in lines:
            first = self._begins(line.start(), line.end())
            option = None if first is None else self.mentions[first].option
            if first is None or option in seen:
                yield from self._lines_of(run, seen)
                run, seen = [], set()
            if first is not None and option is not None:
                run += [
                    at
                    for at, mention in enumerate(self.mentions)
                    if line.start() <= mention.start < line.end()
                ]
                seen.add(option)
        yield from self._lines_of(run, seen)

    @staticmethod
    def _lines_of(run: list[int], options: set[int]) -> list[int]:
        return run if len(options) > 1 else []

    def _begins(self, start: int, end: int) -> int | None:
        """Which mention begins the line, if it is a point of a list or nothing else stands there."""
        for at, mention in enumerate(self.mentions):
            if start <= mention.start < end:
                lead = self.text[start : mention.start]
                point = lead.startswith("- ") or lead[:1].isdigit() or mention.lettered
                alone = not self.text[mention.end : end].strip(" .,;:*\"'”»")
                tail = self.text[mention.end : end].lstrip("*_\"'”» ")
                item = re.sub(words.LEADING_ARTICLE, "", lead)
                fits = _ITEM.fullmatch(item) is not None
                return at if fits and (point or alone or tail[:1] == ":") else None
        return None

    def _in_tables(self) -> Iterator[int]:
        for at, mention in enumerate(self.mentions):
            start = self.text.rfind("\n", 0, mention.start) + 1
            if self.text[start : start + 1] == "|" and not self.declared(at):
                yield at

    def questioned(self, at: int) -> bool:
        """Whether the mention is in a question."""
        start, end = self.sentence(self.mentions[at])
        return self.text[start:end].rstrip(" \n*_\"'”»)").endswith(("?", "؟"))

    def conditional(self, at: int) -> bool:
        """Whether the mention is in a condition."""
        return words.CONDITION.search(self.clause(at)) is not None

    @cached_property
    def denied(self) -> frozenset[int]:
        """Which mentions are denied: behind "not", before "is wrong", or joined to one that is."""
        denied: set[int] = set()
        for at in range(len(self.mentions)):
            clause = self.clause(at)
            before = words.DENIED_BEFORE.search(clause) or words.WRONG_BEFORE.search(clause)
            if before or words.DENIED_AFTER.match(self.after(at)):
                denied.add(at)
            elif at - 1 in denied and self.joined(at - 1):
                denied.add(at)
        return frozenset(denied)

    def declared(self, at: int) -> bool:
        """Whether the mention stands behind "The answer is" or the like, in a box, or alone on a line."""
        before = self.before(at)
        return (
            words.DECLARED.search(before) is not None
            or words.CHOSEN.search(before) is not None
            or self._boxed(before)
        )

    @staticmethod
    def _boxed(before: str) -> bool:
        return re.search(r"\\(?:boxed|fbox)\s*\{[\s$\"'(]*$", before) is not None

    def alone(self, at: int) -> bool:
        """Whether the mention is all that stands on its line."""
        mention = self.mentions[at]
        start = self.text.rfind("\n", 0, mention.start) + 1
        end = self.text.find("\n", mention.end)
        before = self.text[start : mention.start]
        behind = self.text[mention.end : len(self.text) if end < 0 else end]
        lead = re.sub(words.LEADING_ARTICLE, "", before)
        return not re.search(r"[^\W_]", lead) and not re.search(r"[^\W_]|\?|؟", behind)

    def emphasised(self, at: int) -> bool:
        """Whether the mention is all that stands between signs of emphasis, or is a whole value of a field."""
        mention = self.mentions[at]
        before = re.sub(words.LEADING_ARTICLE, "", self.text[max(0, mention.start - 12) : mention.start])
        behind = self.text[mention.end : mention.end + 4]
        bold = re.search(r"\*[\"'“„«(]*$", before) and re.match(r"[\"'”»).,:;]*\*", behind)
        field = re.search(r":\s*\[?\s*\"$", before) and re.match(r"[.]?\"", behind)
        return bool(bold or field)
