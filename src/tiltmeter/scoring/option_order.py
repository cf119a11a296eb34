"""Prompts that list their options ("Answer yes or no."), with the list in reverse order."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tiltmeter.core.model.conversations import Prompt
from tiltmeter.scoring.written_answers import CONNECTIVES, UNSPACED

_CONNECTIVE = "|".join(map(re.escape, sorted(CONNECTIVES, key=len, reverse=True)))
_BETWEEN = re.compile(rf"(?=.)[^\w\n]*(?:(?:{_CONNECTIVE})[^\w\n]*)?", re.IGNORECASE)
"""What stands between two options of a list: signs, spaces and at most one word such as "or"."""


def reversed_options(prompt: Prompt, options: Sequence[str], *, text: str = "") -> Prompt | None:
    """The prompt with every list of the options in reverse order; None where it has no such list.

    A list names each option once, on one line, with nothing but signs and words such as "or" in between.

    In `text`, which the prompt asks about, nothing is changed. `options` are as `PromptedText.options`.
    """
    turned = [_reversed(message.text, options, text) for message in prompt.messages]
    if all(text is None for text in turned):
        return None
    messages = (
        message if turned_text is None else replace(message, text=turned_text)
        for message, turned_text in zip(prompt.messages, turned, strict=True)
    )
    return replace(prompt, messages=tuple(messages))


def _reversed(message: str, options: Sequence[str], text: str) -> str | None:
    lists = [places for places in _lists(message, options) if not _inside(message, places, text)]
    for places in reversed(lists):
        words = [message[start:end] for start, end in places]
        for (start, end), word in zip(reversed(places), words, strict=True):
            message = message[:start] + word + message[end:]
    return message if lists else None


def _lists(message: str, options: Sequence[str]) -> list[list[tuple[int, int]]]:
    """The places of the options in each list of them, in the order of the message."""
    either = "|".join(map(_as_word, sorted(filter(None, options), key=len, reverse=True)))
    places = list(re.finditer(either, message, re.IGNORECASE))
    size, lists, at = len(options), [], 0
    while at + size <= len(places):
        run = places[at : at + size]
        gaps = (message[match.end() : next_match.start()] for match, next_match in pairwise(run))
        if len({m[0].casefold() for m in run}) == size and all(map(_BETWEEN.fullmatch, gaps)):
            lists.append([m.span() for m in run])
            at += size
        else:
            at += 1
    return lists


def _as_word(option: str) -> str:
    """A pattern for the option, as a word of its own in scripts that write spaces between words."""
    before = "" if UNSPACED.match(option[0]) else r"(?<!\w)"
    after = "" if UNSPACED.match(option[-1]) else r"(?!\w)"
    return f"{before}{re.escape(option)}{after}"


def _inside(message: str, places: Sequence[tuple[int, int]], text: str) -> bool:
    """Whether a list belongs to the text that is asked about."""
    start = message.find(text) if text else -1
    while start >= 0:
        if start <= places[0][0] and places[-1][1] <= start + len(text):
            return True
        start = message.find(text, start + 1)
    return False
