"""Where a sentence ends: a rule short enough to be read.

The libraries for it are heavy, unmaintained, or download models of their own; and a wrong split here
and there matters little to what is learned from running text, because it is as likely in every text.
"""

import re

_END = re.compile(r"""[.!?…]+["'”’»)\]]*\s+|[。！？]+["'”’」』）]*\s*""")
_OPENING = "\"'“‘«„([¿¡"
_LAST_WORD = re.compile(r"""[\s"'“‘«„(\[]([^\s"'“‘«„(\[]*)$""")
_INITIALS = re.compile(r"(?:\w\.)*\w")
ABBREVIATIONS = frozenset(
    "adm al approx bros ca capt cf cmdr co col comdr corp dept dr e.g ed eds esp est etc fr gen gov hon "  # noqa: SIM905
    "i.e inc jr lt ltd maj messrs mr mrs ms mt pres prof ref rep rev sen sgt sr st vols vs "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
"""Words before a full stop that rarely end a sentence. Capital initials (J., U.S.) do not either."""
NUMBERED = frozenset({"art", "fig", "figs", "no", "nos", "op", "pp", "vol"})
"""Words that do not where a number follows."""
_MOSES = (
    (re.compile(r" @([-.,])@ "), r"\1"),
    (re.compile(r" ([,.;:!?%)\]])(?=\s|$)"), r"\1"),
    (re.compile(r"([(\[]) "), r"\1"),
    (re.compile(r" (['’](?:s|t|re|ve|ll|d|m)\b)"), r"\1"),
    (re.compile(r'(^|\s)" ([^"]*?) "(?=[\s,.;:!?)]|$)'), r'\1"\2"'),
)


def split(text: str) -> list[str]:
    """The sentences of a paragraph. Pieces without a letter or a digit are left out.

    A sentence ends at . ! ? or …, with the quotation marks and brackets that close there, if space
    follows and then anything but a small letter; not at the full stop of an initial or a known
    abbreviation. After 。！？ no space is needed.

    >>> split('Dr. J. Doe came at 5 p.m. today. "Why?" she asked. (He knew.) 4 left.')
    ['Dr. J. Doe came at 5 p.m. today.', '"Why?" she asked.', '(He knew.)', '4 left.']
    """
    text = " ".join(text.split())
    found, begun = [], 0
    for end in _END.finditer(text):
        if _ends(text, end):
            found.append(text[begun : end.end()].strip())
            begun = end.end()
    found.append(text[begun:].strip())
    return [sentence for sentence in found if any(c.isalnum() for c in sentence)]


def _ends(text: str, end: re.Match[str]) -> bool:
    rest = text[end.end() : end.end() + 4].lstrip(_OPENING)
    if rest[:1].islower():
        return False
    if end[0].strip() != ".":
        return True
    before = _LAST_WORD.search(" " + text[max(0, end.start() - 40) : end.start()])
    word = before[1] if before else ""
    if word.lower() in ABBREVIATIONS or (word.lower() in NUMBERED and rest[:1].isdigit()):
        return False
    return word.islower() or word.isdigit() or not _INITIALS.fullmatch(word)


def untokenised(text: str) -> str:
    """WikiText's text as it was before it was cut at spaces and marks, as far as can be told.

    >>> untokenised('It weighs 5 @.@ 5 kg ( 12 lb ) , says " The Dog @-@ Owner ’s Friend " .')
    'It weighs 5.5 kg (12 lb), says "The Dog-Owner’s Friend".'
    """
    for pattern, plain in _MOSES:
        text = pattern.sub(plain, text)
    return text
