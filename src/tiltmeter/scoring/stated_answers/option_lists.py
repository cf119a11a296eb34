"""Where a reply lists the options, as "The options are A, B and C" or one a line: there it states none."""

import re
from bisect import bisect_left
from collections.abc import Iterator

from tiltmeter.scoring.stated_answers import vocabulary as words
from tiltmeter.scoring.stated_answers.reply_text import ReplyText

_ITEM = re.compile(r"(?:- |\d+[.)]\s|[\"'“„«「(*#\s]|\|)*")
"""What may stand before an option that begins a line."""


def listed(read: ReplyText) -> frozenset[int]:
    r"""Which mentions of a reply only list the options, by number.

    >>> reply = "The options are Ann, Bob and Cem. Ann asked Bob."
    >>> sorted(listed(ReplyText(reply, ("Ann", "Bob", "Cem"))))
    [0, 1, 2]
    >>> sorted(listed(ReplyText("- Ann: no\n- Bob: yes\n\nSo Bob.", ("Ann", "Bob"))))
    [0, 1]
    """
    if len(read.mentions) < 2:  # noqa: PLR2004
        return frozenset()
    return frozenset((*_inline(read), *_lines(read), *_tables(read)))


def _inline(read: ReplyText) -> Iterator[int]:
    """Mentions with nothing but signs and words such as "or" between them."""
    run: list[int] = []
    for at in read.numbers:
        if run and not (_adjoins(read, at - 1) or read.joined(at - 1)):
            yield from _if_list(read, run)
            run = []
        run.append(at)
    yield from _if_list(read, run)


def _adjoins(read: ReplyText, at: int) -> bool:
    gap = read.gap(at)
    return not {"\n", "."} & {*gap} and words.GAP.fullmatch(gap) is not None


def _if_list(read: ReplyText, run: list[int]) -> list[int]:
    """The mentions if they are every option of three or more, or several behind a word such as "options"."""
    different = len({read.mentions[at].option for at in run})
    every = different == len(read.names.texts) > 2  # noqa: PLR2004
    is_named = different > 1 and words.LISTED.search(read.clause(run[0])) is not None
    return run if every or is_named else []


def _lines(read: ReplyText) -> Iterator[int]:
    """Mentions in lines that follow one another and each begin with another option."""
    run: list[int] = []
    seen: set[int] = set()
    starts = [mention.start for mention in read.mentions]
    for line in re.finditer(r"[^\n]+", read.text):
        here = range(bisect_left(starts, line.start()), bisect_left(starts, line.end()))
        option = read.mentions[here[0]].option if here and _begins_item(read, here[0]) else None
        if option is None or option in seen:
            yield from run if len(seen) > 1 else ()
            run, seen = [], set()
        if option is not None:
            run += here
            seen.add(option)
    yield from run if len(seen) > 1 else ()


def _begins_item(read: ReplyText, at: int) -> bool:
    """Whether a mention begins its line, as a point of a list, before a colon, or with nothing else there."""
    lead, tail, _ = read.line(at)
    if not _ITEM.fullmatch(words.up_to_article(lead)):
        return False
    is_point = lead.startswith("- ") or lead[:1].isdigit() or read.mentions[at].by_letter
    bare = tail.lstrip("*_\"'”» ")
    return is_point or bare[:1] == ":" or not bare.strip(" .,;:")


def _tables(read: ReplyText) -> Iterator[int]:
    """Mentions in the rows of a table, unless the row calls one the answer."""
    for at in read.numbers:
        if read.line(at)[0].startswith("|") and not read.is_declared(at):
            yield at
