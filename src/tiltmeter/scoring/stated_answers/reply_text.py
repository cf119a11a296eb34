"""Where a reply names options, and what stands around each: its sentence, its line, other options."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tiltmeter.scoring.stated_answers import vocabulary as words
from tiltmeter.scoring.stated_answers.marked_text import marked
from tiltmeter.scoring.stated_answers.option_names import option_names, spaced

CONFLICT = -2
"""The option of a mention whose letter is one option's and whose words are another's."""
_NEAR = 90
"""So many characters before an option decide how it is named."""
_FAR = 400
"""So many characters of its sentence and its line are looked at, on either side."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A place at which a reply names an option."""

    start: int
    end: int
    """In characters of the marked text."""
    option: int
    """Which one, from 0; CONFLICT where its letter and its words differ."""
    by_letter: bool = False


class ReplyText:
    """A reply as marked text, with its mentions of options. Mentions are called by their number, from 0."""

    def __init__(self, reply: str, options: Sequence[str]) -> None:
        self.names = option_names(tuple(options))
        self.text = marked(reply, [label[1] for label in self.names.labels])
        self.mentions = self._mentions()

    def _mentions(self) -> list[Mention]:
        """All mentions in order; a letter and the words behind it are one."""
        every: list[Mention] = []
        for match in self.names.pattern.finditer(self.text):
            option = self.names.named_by(match[0])
            here = Mention(*match.span(), option, by_letter=match[0] in self.names.labels)
            last = every[-1] if every else None
            if last and last.by_letter and not here.by_letter and self._words_of(last, here):
                both = option if last.option == option else CONFLICT
                every[-1] = replace(last, end=here.end, option=both)
            else:
                every.append(here)
        return every

    def _words_of(self, letter: Mention, here: Mention) -> bool:
        """Whether these are the words of the letter before them."""
        gap = words.up_to_article(self.text[letter.end : here.start])
        if words.GAP.fullmatch(gap) is None or "\n" in gap or "," in gap:
            return False
        return letter.option == here.option or self.name(here) not in words.EVERYDAY

    def name(self, mention: Mention) -> str:
        """The words of a mention."""
        return spaced(self.text[mention.start : mention.end])

    @cached_property
    def numbers(self) -> range:
        """The numbers of the mentions."""
        return range(len(self.mentions))

    # ── Around a mention ──

    @cached_property
    def _ends(self) -> list[int]:
        return [match.end() for match in words.SENTENCE_END.finditer(self.text)]

    def sentence(self, at: int) -> tuple[int, int]:
        """Where the sentence of a mention begins and ends."""
        mention = self.mentions[at]
        first = bisect_right(self._ends, mention.start)
        last = bisect_right(
            self._ends, max(mention.start, mention.end - 1)
        )  # "Not known." has an end
        start = self._ends[first - 1] if first else 0
        return start, self._ends[last] if last < len(self._ends) else len(self.text)

    def sentences(self) -> Iterator[str]:
        """The sentences of the reply."""
        for start, end in zip([0, *self._ends], [*self._ends, len(self.text)], strict=True):
            yield self.text[start:end]

    def line(self, at: int) -> tuple[str, str, bool]:
        """What stands before and behind a mention on its line, and whether it is the last line."""
        mention = self.mentions[at]
        start = self.text.rfind("\n", 0, mention.start) + 1
        end = self.text.find("\n", mention.end)
        end = len(self.text) if end < 0 else end
        is_last = not words.LETTER.search(self.text, end)
        start, end = max(start, mention.start - _FAR), min(end, mention.end + _FAR)
        return self.text[start : mention.start], self.text[mention.end : end], is_last

    def before(self, at: int) -> str:
        """What stands before a mention, back to the one before it."""
        start, last = self.mentions[at].start, self.mentions[at - 1] if at else None
        # "是" is both an option and what stands between "the answer" and it.
        goes_on = last is None or self.name(last) in words.COPULAS
        return self.text[max(start - _NEAR, 0 if last is None or goes_on else last.end) : start]

    def clause(self, at: int) -> str:
        """The beginning of a mention's sentence, back to the mention before it."""
        start, place = self.sentence(at)[0], self.mentions[at].start
        last = self.mentions[at - 1].end if at else 0
        return self.text[max(start, last, place - _FAR) : place]

    def after(self, at: int) -> str:
        """What stands behind a mention, up to the end of its sentence."""
        end = self.mentions[at].end
        return self.text[end : min(self.sentence(at)[1], end + _FAR)]

    def gap(self, at: int) -> str:
        """What stands between a mention and the next one."""
        return self.text[self.mentions[at].end : self.mentions[at + 1].start]

    def joined(self, at: int) -> bool:
        """Whether a mention and the next one are two options that are joined, as by "or"."""
        if not 0 <= at < len(self.mentions) - 1:
            return False
        differ = self.mentions[at].option != self.mentions[at + 1].option
        return differ and words.JOINED.fullmatch(self.gap(at)) is not None

    def pauses(self, at: int) -> bool:
        """Whether a sign, the end or a word such as "because" follows a mention."""
        return words.PAUSE.match(self.text, self.mentions[at].end) is not None

    def opens_sentence(self, at: int) -> bool:
        """Whether a mention is the first word of its sentence."""
        lead = self.text[self.sentence(at)[0] : self.mentions[at].start]
        return not words.LETTER.search(words.up_to_article(lead))

    def questioned(self, at: int) -> bool:
        """Whether a mention is in a question."""
        start, end = self.sentence(at)
        return self.text[max(start, end - _NEAR) : end].rstrip(" \n*_\"'”»)").endswith(("?", "؟"))

    def conditional(self, at: int) -> bool:
        """Whether a mention is in a condition."""
        return words.CONDITION.search(self.clause(at)) is not None

    @cached_property
    def denied(self) -> frozenset[int]:
        """Mentions that are denied: behind "not", before "is wrong", or joined to one that is."""
        denied: set[int] = set()
        for at in self.numbers:
            clause = self.clause(at)
            by_words = (
                words.DENIED_BEFORE.search(clause)
                or words.WRONG_BEFORE.search(clause)
                or words.DENIED_AFTER.match(self.after(at))
            )
            if by_words or (at - 1 in denied and self.joined(at - 1)):
                denied.add(at)
        return frozenset(denied)

    # ── How a mention states its option ──

    def is_declared(self, at: int) -> bool:
        """Whether a mention stands behind "The answer is", "I choose" or the like, or in a box."""
        before = self.before(at)
        return any(
            pattern.search(before) for pattern in (words.DECLARED, words.CHOSEN, words.BOXED)
        )

    def is_concluded(self, at: int) -> bool:
        """Whether a mention stands behind "So", "It was", "I think" or the like."""
        before = self.before(at)
        return any(pattern.search(before) for pattern in (words.CONCLUDED, words.THOUGHT))

    def is_alone(self, at: int) -> bool:
        """Whether a mention is all that stands on its line, but for a heading of the last: "Task 3: yes"."""
        before, behind, is_last = self.line(at)
        lead = words.up_to_article(before)
        lead = words.FIELD.sub("", lead) if is_last else lead
        return not words.LETTER.search(lead) and not re.search(r"[^\W_]|\?|؟", behind)

    def is_emphasised(self, at: int) -> bool:
        """Whether a mention is all that stands between signs of emphasis, or the whole value of a field."""
        before, behind, _ = self.line(at)
        lead = words.up_to_article(before)
        return any(
            start.search(lead) and end.match(behind) for start, end in (words.EMPHASIS, words.VALUE)
        )
