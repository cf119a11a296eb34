"""The places at which a reply states an option, and how plainly it does."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tiltmeter.scoring.stated_answers import vocabulary as words
from tiltmeter.scoring.stated_answers.option_lists import listed
from tiltmeter.scoring.stated_answers.reply_text import CONFLICT, ReplyText
from tiltmeter.scoring.written_answers import ReadAnswer

EXPLICIT, FIRST, CONCLUDING, LEADING, MENTIONED = 5, 4, 3, 2, 1
"""How plainly a reply states an option; the plainest counts. EXPLICIT: as the answer, in a box, alone on a
line, or as a choice. FIRST: the reply begins with it and pauses. CONCLUDING: in bold, as a conclusion or a
thought. LEADING: the reply, or a sentence of it, begins with it. MENTIONED: anywhere else."""
UNSURE = -1
"""Stated in place of an option: several of them."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One place at which a reply states an option."""

    place: int
    """From the beginning of the marked text, in characters."""
    level: int
    """How plainly, from MENTIONED to EXPLICIT."""
    option: int
    """From 0; UNSURE where it states several."""


class Statements:
    """What a reply states, beside what the strict rule reads."""

    def __init__(self, read: ReplyText, strict: ReadAnswer) -> None:
        self._read, self._strict = read, strict
        self._listed = listed(read)
        self._by_letter = any(mention.by_letter for mention in read.mentions)
        self._asserted = [at for at in read.numbers if self._asserts(at)]
        unlisted = [at for at in read.numbers if at not in self._listed]
        self._last_sentence = read.sentence(unlisted[-1]) if unlisted else (0, 0)
        conclusion = words.CONCLUSION.search(read.text, *self._last_sentence)
        self._conclusion = conclusion.end() if conclusion else len(read.text)
        self._last_options = {
            self._option(at) for at in self._asserted if read.sentence(at) == self._last_sentence
        }
        self.in_order = sorted((*self._leading(), *self._others()), key=lambda one: one.place)

    @cached_property
    def _undecided(self) -> bool:
        """Whether the reply says that the question is open. Looked for where it matters: it takes long."""
        return words.UNDECIDED.search(self._read.text) is not None

    def leaves_open(self) -> bool:
        """Whether it names options without stating one: denied, asked about, joined, or several."""
        return self._strict.kind == "ambiguous" or any(
            at not in self._listed and (not self._read.names.everyday or self._is_open(at))
            for at in self._read.numbers
        )

    def _is_open(self, at: int) -> bool:
        read = self._read
        return at in read.denied or read.questioned(at) or read.joined(at) or read.joined(at - 1)

    def _asserts(self, at: int) -> bool:
        """Whether a mention is a statement: neither denied nor asked about nor in a condition or a list."""
        read = self._read
        if read.names.everyday and not read.pauses(at):  # "no easy answer" is no "no"
            return False
        if at in self._listed or read.questioned(at):
            return False
        if at in read.denied:
            return read.mentions[at].option in read.names.negations
        return not read.conditional(at)

    def _option(self, at: int) -> int:
        """The option that a mention states; UNSURE where it is joined to another one."""
        read, option = self._read, self._read.mentions[at].option
        if at in read.denied:
            return read.names.negations[option]
        joined = (read.joined(at) and at + 1 not in read.denied) or (
            read.joined(at - 1) and at - 1 not in read.denied
        )
        return UNSURE if option == CONFLICT or joined else option

    def _leading(self) -> Iterator[Statement]:
        """The option with which the reply begins, by the strict rule, unless it is taken back at once."""
        read = self._read
        if self._strict.kind != "option":
            return
        if read.mentions and read.mentions[0].option == CONFLICT:
            yield Statement(0, FIRST, UNSURE)
            return
        named = (at for at in read.numbers if read.mentions[at].option == self._strict.option)
        first = next(named, None)
        if first is None and read.names.labels:  # by a number, as in "2"
            yield Statement(0, FIRST, self._strict.option)
        elif first is not None and first not in self._listed and not self._is_open(first):
            level = FIRST if read.pauses(first) else LEADING
            yield Statement(0, level, self._strict.option)

    def _others(self) -> Iterator[Statement]:
        read = self._read
        emphasised = [
            at for at in read.numbers
            if at not in self._listed and at not in read.denied and read.is_emphasised(at)
        ]  # fmt: skip
        if len({read.mentions[at].option for at in emphasised}) > 1:
            emphasised = []
        for at in self._asserted:
            level = self._level(at, is_bold=at in emphasised)
            if level > MENTIONED or self._counts(at):
                yield Statement(read.mentions[at].start, level, self._option(at))

    def _level(self, at: int, *, is_bold: bool) -> int:
        read = self._read
        if read.is_declared(at) or read.is_alone(at):
            return EXPLICIT
        if is_bold or read.is_concluded(at) or self._concludes(at):
            return CONCLUDING
        return LEADING if read.opens_sentence(at) and read.pauses(at) else MENTIONED

    def _counts(self, at: int) -> bool:
        """Whether a mere mention may be the answer."""
        read = self._read
        if read.names.everyday or self._undecided:
            return False
        return read.mentions[at].by_letter or not self._by_letter

    def _concludes(self, at: int) -> bool:
        """Whether a mention is the only option stated in the last sentence, behind a word such as "so"."""
        read = self._read
        in_last = self._conclusion <= read.mentions[at].start < self._last_sentence[1]
        return in_last and not read.names.everyday and len(self._last_options) == 1
