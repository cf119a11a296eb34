"""Which option a reply states, wherever it does so."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tiltmeter.core.model.conversations import Finish
from tiltmeter.scoring.stated_answers import vocabulary as words
from tiltmeter.scoring.stated_answers.mentions import CONFLICT, ReplyText
from tiltmeter.scoring.written_answers import (
    REFUSALS,
    ReadAnswer,
    first_word,
    leading_option,
    lettered,
    plain,
    plain_options,
    whole_option,
    without_answer,
)

EXPLICIT, FIRST, CONCLUDING, LEADING, MENTIONED = 5, 4, 3, 2, 1
"""How plainly a reply states an option; the plainest counts. EXPLICIT: as the answer, in a box, alone on a
line, or as a choice. FIRST: the reply begins with it and pauses. CONCLUDING: in bold, as a conclusion or a
thought. LEADING: the reply begins with it. MENTIONED: anywhere else."""
UNSURE = -1
"""Stated in place of an option: several of them."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One place at which a reply states an option."""

    place: int
    """From the beginning of the text, in characters."""
    level: int
    option: int
    """From 0; UNSURE where it states several."""


def stated(
    reply: str,
    options: Sequence[str],
    *,
    finish: Finish = "stop",
    refusals: Sequence[str] = REFUSALS,
) -> ReadAnswer:
    """The option that a reply states: in a sentence, in bold, as a field of JSON, in a box, at its beginning.

    What counts is the plainest statement, in the order of EXPLICIT to MENTIONED; two of the same kind that
    differ are ambiguous, unless the reply corrects the first. Options that are denied, asked about or only
    listed are not stated. A refusal is one unless an explicit statement follows. `options` are as
    `PromptedText.options`; where each begins with a letter in brackets, "(a) the cook", its letter and its
    words name it, and must agree.

    >>> people = ("The grandfather", "The grandson", "Not known")
    >>> replies = (
    ...     "Not the grandfather; the grandson.", "Sure! The answer is: **Not known**", '{"answer": "The grandson"}',
    ...     "It could be the grandfather or the grandson.",
    ... )
    >>> [stated(reply, people).option for reply in replies]
    [1, 2, 1, -1]
    >>> stated("I'd go with (b).", ("(a)", "(b)")).option
    1
    >>> stated("(b) the cook", ("(a) the cook", "(b) the player")).kind
    'ambiguous'
    """
    text, known = plain(reply), plain_options(tuple(options))
    whole = whole_option(text, known)
    if not text or finish == "content_filter" or whole is not None:
        nothing = without_answer(text, finish, refusals, known)
        return nothing or ReadAnswer("option", whole if whole is not None else -1)
    read = ReplyText(reply, options)
    strict = _strictly(reply, read, options, refusals)
    statements = sorted(_statements(read, strict), key=lambda statement: statement.place)
    if finish == "length":
        statements = [statement for statement in statements if statement.level > MENTIONED]
    chosen = _decided(read, statements)
    level = max((s.level for s in statements), default=0)
    if level < EXPLICIT and strict.kind != "option" and _refuses(read, known, refusals):
        return ReadAnswer("refused")
    if chosen is not None:
        return ReadAnswer("ambiguous") if chosen == UNSURE else ReadAnswer("option", chosen)
    unsure = strict.kind == "ambiguous" or any(at not in read.listed for at in _unsettled(read))
    return ReadAnswer("ambiguous" if unsure and finish != "length" else "off_list")


def _strictly(
    reply: str, read: ReplyText, options: Sequence[str], refusals: Sequence[str]
) -> ReadAnswer:
    """The reply by the strict rule."""
    if read.names.labels:
        answer = lettered(reply, [*read.names.labels], refusals=refusals)
        if answer.kind == "option" or not read.names.names:
            return answer
        texts = [
            next((text for text, at in read.names.names.items() if at == place), "")
            for place in range(len(options))
        ]
        return first_word(reply, texts, refusals=refusals)
    return first_word(reply, options, refusals=refusals)


def _refuses(read: ReplyText, options: tuple[str, ...], refusals: Sequence[str]) -> bool:
    """Whether a sentence of the reply begins as a refusal."""
    for sentence in read.sentences():
        opener = words.OPENER.match(sentence)
        for text in {sentence, sentence[opener.end() :] if opener else sentence}:
            nothing = without_answer(text.strip(" \n*_"), "stop", refusals, options)
            if nothing is not None and nothing.kind == "refused":
                return True
    return False


def _unsettled(read: ReplyText) -> Iterator[int]:
    """Mentions that leave it open which option is meant: denied, asked about, or joined to another."""
    for at in range(len(read.mentions)):
        open_ = at in read.denied or read.questioned(at) or read.joined(at) or read.joined(at - 1)
        if not read.names.everyday or open_:
            yield at


def _statements(read: ReplyText, strict: ReadAnswer) -> Iterator[Statement]:
    emphasised = {
        read.mentions[at].option
        for at in range(len(read.mentions))
        if at not in read.listed and at not in read.denied and read.emphasised(at)
    }
    asserted = [at for at in range(len(read.mentions)) if _asserts(read, at)]
    if read.names.everyday:  # "no easy answer" is no "no"
        asserted = [at for at in asserted if read.pauses(at)]
    last = _last_sentence(read)
    for at in asserted:
        mention = read.mentions[at]
        option = _option(read, at)
        before = read.before(at)
        if read.declared(at) or (read.alone(at) and at not in read.listed):
            level = EXPLICIT
        elif read.emphasised(at) and len(emphasised) == 1:
            level = CONCLUDING
        elif words.CONCLUDED.search(before) or words.THOUGHT.search(before):
            level = CONCLUDING
        elif _concludes(read, at, last, asserted):
            level = CONCLUDING
        elif _opens(read, at):
            level = LEADING
        else:
            level = MENTIONED
        if level == MENTIONED and (read.names.everyday or words.UNDECIDED.search(read.text)):
            continue
        if level == MENTIONED and read.names.labels and not mention.lettered:
            if any(other.lettered for other in read.mentions):
                continue
        yield Statement(mention.start, level, option)
    if strict.kind == "option":
        first = next((at for at, m in enumerate(read.mentions) if m.option == strict.option), None)
        conflict = bool(read.mentions) and read.mentions[0].option == CONFLICT
        if conflict:
            yield Statement(0, FIRST, UNSURE)
        elif first is None or not (
            first in read.denied or first in read.listed or read.questioned(first) or read.joined(first)
        ):
            pause = first is None or read.pauses(first)
            yield Statement(0, FIRST if pause else LEADING, strict.option)


def _asserts(read: ReplyText, at: int) -> bool:
    """Whether the mention is a statement: neither denied nor asked about nor in a condition or a list."""
    if at in read.denied:
        return read.mentions[at].option in read.names.negations and not read.questioned(at)
    if at in read.listed or read.questioned(at):
        return False
    return not read.conditional(at)


def _option(read: ReplyText, at: int) -> int:
    """The option that the mention states; UNSURE where it is joined to another one."""
    option = read.mentions[at].option
    if at in read.denied:
        return read.names.negations[option]
    joined = (read.joined(at) and at + 1 not in read.denied) or (
        read.joined(at - 1) and at - 1 not in read.denied
    )
    return UNSURE if option == CONFLICT or joined else option


def _last_sentence(read: ReplyText) -> tuple[int, int]:
    """The last sentence that names an option other than in a list."""
    for at in reversed(range(len(read.mentions))):
        if at not in read.listed:
            return read.sentence(read.mentions[at])
    return (0, 0)


def _concludes(read: ReplyText, at: int, last: tuple[int, int], asserted: Sequence[int]) -> bool:
    """Whether the mention is the only one stated in the last sentence, behind a word such as "so"."""
    mention = read.mentions[at]
    if read.names.everyday or read.sentence(mention) != last:
        return False
    others = {
        _option(read, i) for i in asserted if read.sentence(read.mentions[i]) == last
    }
    sentence = read.text[last[0] : mention.start]
    return len(others) == 1 and words.CONCLUSION.search(sentence) is not None


def _opens(read: ReplyText, at: int) -> bool:
    """Whether the mention opens a sentence and a pause follows, as "Yes," does."""
    mention = read.mentions[at]
    lead = read.text[read.sentence(mention)[0] : mention.start]
    return not any(map(str.isalnum, lead)) and read.pauses(at)


def _decided(read: ReplyText, statements: Sequence[Statement]) -> int | None:
    """The option of the plainest statements, UNSURE where they differ, None without any."""
    whole = _plainest(statements)
    for match in reversed([*words.CORRECTED.finditer(read.text)]):
        place = match.start("word")
        if leading_option(read.text[place:], tuple(read.names.names)) and read.names.everyday:
            continue
        before = [s for s in statements if s.place < place]
        after = [s for s in statements if s.place >= match.end("word")]
        earlier = before or any(mention.start < place for mention in read.mentions)
        if not earlier or not after:
            continue
        resumed = words.RESUMED.fullmatch(read.text[match.end("word") : after[0].place])
        if resumed and after[0].level < EXPLICIT and not any(s.level == EXPLICIT for s in after):
            return after[0].option
        if max(s.level for s in after) >= CONCLUDING:
            return _plainest(after)
        break
    return whole


def _plainest(statements: Sequence[Statement]) -> int | None:
    level = max((statement.level for statement in statements), default=0)
    options = {statement.option for statement in statements if statement.level == level}
    return None if not options else options.pop() if len(options) == 1 else UNSURE
