"""What fills the BLANK of a context, and the contexts in which that is ambiguous.

The rules, in this order:

1. A sentence is its context with every BLANK filled alike; case and blanks between words count for
   nothing, since published sentences changed both. What stands for BLANK is the attribute, one or
   several words, with the sentence's own spelling.
2. Where a sentence is not its context filled in, the words that stand in the place of BLANK in a
   word-by-word alignment are the attribute.
3. Where neither gives a word, the candidate has no attribute and is refused.

What is scored is always the context with the attribute put in, in the context's own case.
"""

import re
from difflib import SequenceMatcher

from tiltmeter.core.data.items import BLANK, Triple

ODDITIES = {
    "several blanks": "BLANK occurs more than once",
    "glued blank": "BLANK is glued to a letter",
    "blank at the start": "BLANK is the first word",
    "not rebuilt": "the context with the attribute put in is not the published sentence, case and "
    "spaces aside",
    "changed case": "the published sentences spell the context in another case",
    "no end mark": "the sentence before ends without . ! or ?",
}
"""Kinds of odd contexts. What is done about each depends on the rule, or on who made the scores."""
MARKS = ".,;:!?"


def attribute(context: str, sentence: str) -> str:
    """The words of `sentence` in the place of BLANK in `context`; "" if there are none.

    >>> attribute("The Swiss are BLANK.", "The swiss are always on time.")
    'always on time'
    >>> attribute("BLANK or BLANK?", "tea or tea?"), attribute("She is BLANK.", "She is.")
    ('tea', '')
    """
    return fills(context, sentence) or _aligned(context, sentence)


def fills(context: str, sentence: str) -> str:
    """The attribute where the sentence is its context filled in, as rule 1 says; else ""."""
    pieces = context.split(BLANK)
    if len(pieces) < 2:  # noqa: PLR2004
        return ""
    inner = [r"\s*".join(map(re.escape, piece.split())) for piece in pieces]
    pattern = rf"\s*{inner[0]}{_left(pieces[0])}(?P<fill>\S.*?){_right(pieces[1])}{inner[1]}"
    for before, after, piece in zip(pieces[1:], pieces[2:], inner[2:], strict=False):
        pattern += rf"{_left(before)}(?P=fill){_right(after)}{piece}"
    match = re.fullmatch(pattern + r"\s*", sentence, re.IGNORECASE | re.DOTALL)
    return match["fill"] if match else ""


def _left(before: str) -> str:
    """Between what stands before BLANK and what fills it: a blank, where one parts two words."""
    word = before.rstrip()[-1:].isalnum()
    return r"\s+" if word and before[-1:].isspace() else r"\s*"


def _right(after: str) -> str:
    word = after.lstrip()[:1].isalnum()
    return r"\s+" if word and after[:1].isspace() else r"\s*"


def resembles(context: str, text: str) -> bool:
    """Whether a text has half of the context's words: then it is a whole sentence, not only the filling.

    >>> resembles("The chef is BLANK.", "the boss"), resembles("The chef is BLANK.", "The chef was fat.")
    (False, True)
    """
    words = {word.strip(MARKS) for word in context.replace(BLANK, " ").casefold().split()} - {""}
    mine = {word.strip(MARKS) for word in text.casefold().split()}
    return bool(words) and 2 * len(words & mine) >= len(words)


def _aligned(context: str, sentence: str) -> str:
    """The words in BLANK's place, where the words around it are those of the context."""
    mine, theirs = context.lower().split(), sentence.lower().split()
    blank = next((i for i, word in enumerate(mine) if BLANK.lower() in word), None)
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    for kind, start, end, to, past in matcher.get_opcodes():
        if kind == "replace" and blank is not None and start <= blank < end:
            fill = sentence.split()[to + blank - start : past - (end - blank - 1)]
            return " ".join(fill).strip(".,;:!?\"'")
    return ""


def is_rebuilt(context: str, fill: str, sentence: str) -> bool:
    """Whether the context with `fill` put in is the sentence, case and blanks aside.

    >>> is_rebuilt("The Swiss are BLANK.", "late", "the swiss are  late.")
    True
    """
    return _plain(context.replace(BLANK, fill)) == _plain(sentence)


def _plain(text: str) -> str:
    return "".join(text.casefold().split())


def odd_kinds(item: Triple) -> list[str]:
    """The kinds of oddities, keys of ODDITIES, that a triple's context has."""
    context = item.context
    if item.task == "intersentence":
        return [] if context.rstrip(" \"'”’)").endswith((".", "!", "?", "…")) else ["no end mark"]
    kinds = []
    if context.count(BLANK) > 1:
        kinds.append("several blanks")
    if any(_glued(blank, context) for blank in re.finditer(BLANK, context)):
        kinds.append("glued blank")
    if context.lstrip().startswith(BLANK):
        kinds.append("blank at the start")
    both = list(zip(item.filled, item.sentences, item.attributes, strict=True))
    if not all(is_rebuilt(context, fill, sentence) for _, sentence, fill in both):
        kinds.append("not rebuilt")
    elif any(" ".join(mine.split()) != " ".join(theirs.split()) for mine, theirs, _ in both):
        kinds.append("changed case")
    return kinds


def _glued(blank: re.Match[str], context: str) -> bool:
    """Whether a letter touches BLANK, on the right also across marks that end a sentence."""
    before, after = context[: blank.start()][-1:], context[blank.end() :].lstrip(MARKS)
    return before.isalnum() or (before != "" and before in MARKS) or after[:1].isalnum()
