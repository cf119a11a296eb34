"""Which option a reply states, wherever it does so."""

from collections.abc import Sequence

from tiltmeter.core.model.conversations import Finish
from tiltmeter.scoring.stated_answers import vocabulary as words
from tiltmeter.scoring.stated_answers.reply_text import ReplyText
from tiltmeter.scoring.stated_answers.statements import (
    CONCLUDING,
    EXPLICIT,
    LEADING,
    UNSURE,
    Statement,
    Statements,
)
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
    without_struck,
)

_NEAR = 90
"""So many characters are looked at for an option that begins them."""


def stated(
    reply: str,
    options: Sequence[str],
    *,
    finish: Finish = "stop",
    refusals: Sequence[str] = REFUSALS,
) -> ReadAnswer:
    """The option that a reply states: in a sentence, in bold, as a field of JSON, in a box, at its beginning.

    What counts is the plainest statement, as in `statements`; two that are equally plain and differ are
    ambiguous, unless the reply corrects the first. An option that is denied, asked about or only listed is
    not stated. A refusal is one unless an explicit statement follows it.

    `options` are as `PromptedText.options`. Where each begins with a letter in brackets, "(a) the cook", its
    letter and its words name it, and must agree.

    >>> people = ("The grandfather", "The grandson", "Not known")
    >>> replies = (
    ...     "Not the grandfather; the grandson.", "Sure! The answer is: **Not known**",
    ...     '{"answer": "The grandson"}', "It could be the grandfather or the grandson.",
    ... )
    >>> [stated(reply, people).option for reply in replies]
    [1, 2, 1, -1]
    >>> stated("I'd go with (b).", ("(a)", "(b)")).option
    1
    >>> stated("(b) the cook", ("(a) the cook", "(b) the player")).kind
    'ambiguous'
    """
    reply = without_struck(reply)
    text, known = plain(reply), plain_options(tuple(options))
    whole = whole_option(text, known)
    if not text or finish == "content_filter" or whole is not None:
        nothing = without_answer(text, finish, refusals, known)
        return nothing or ReadAnswer("option", -1 if whole is None else whole)
    read = ReplyText(reply, options)
    strict = _strictly(reply, options, read, refusals)
    statements = Statements(read, strict)
    certain = statements.in_order
    if finish == "length":  # it may still have come to another option
        certain = [one for one in certain if one.level > LEADING or one.place == 0]
    is_explicit = any(statement.level == EXPLICIT for statement in certain)
    if strict.kind != "option" and not is_explicit and _refuses(read, known, refusals):
        return ReadAnswer("refused")
    chosen = _decided(read, certain)
    if chosen is not None:
        return ReadAnswer("ambiguous") if chosen == UNSURE else ReadAnswer("option", chosen)
    is_open = finish != "length" and statements.leaves_open()
    return ReadAnswer("ambiguous" if is_open else "off_list")


def _strictly(
    reply: str, options: Sequence[str], read: ReplyText, refusals: Sequence[str]
) -> ReadAnswer:
    """The reply as `first_word` reads it, by letter where options have one."""
    if not read.names.labels:
        return first_word(reply, options, refusals=refusals)
    answer = lettered(reply, [*read.names.labels], refusals=refusals)
    if answer.kind == "option" or not read.names.names:
        return answer
    return first_word(reply, read.names.texts, refusals=refusals)


def _refuses(read: ReplyText, options: tuple[str, ...], refusals: Sequence[str]) -> bool:
    """Whether a sentence of the reply begins as a refusal, perhaps behind a word such as "however"."""
    for sentence in read.sentences():
        opener = words.OPENER.match(sentence)
        for text in {sentence, sentence[opener.end() :] if opener else sentence}:
            nothing = without_answer(text.strip(" \n*_"), "stop", refusals, options)
            if nothing is not None and nothing.kind == "refused":
                return True
    return False


def _decided(read: ReplyText, statements: Sequence[Statement]) -> int | None:
    """The option of the plainest statements, UNSURE where they differ, None without any.

    Where the reply corrects itself, what it states from there on counts.
    """
    for match in reversed([*words.CORRECTED.finditer(read.text)]):
        place, end = match.span("word")
        if read.names.everyday and leading_option(
            read.text[place : place + _NEAR], read.names.texts
        ):
            continue  # "no," is an option here
        if not statements or statements[-1].place < end:
            continue
        after = [statement for statement in statements if statement.place >= end]
        if not any(mention.start < place for mention in read.mentions):
            continue
        enough = LEADING if read.names.everyday else CONCLUDING
        if max(statement.level for statement in after) >= enough:
            return _plainest(after)
        at_once = words.RESUMED.fullmatch(read.text[end : after[0].place])
        return after[0].option if at_once else _plainest(statements)
    return _plainest(statements)


def _plainest(statements: Sequence[Statement]) -> int | None:
    level = max((statement.level for statement in statements), default=0)
    options = {statement.option for statement in statements if statement.level == level}
    return None if not options else options.pop() if len(options) == 1 else UNSURE
