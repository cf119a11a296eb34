"""A reply as plain text in which emphasis, lists and boxes have one spelling each."""

import re
from collections.abc import Collection
from functools import lru_cache

from tiltmeter.scoring.written_answers import plain

_BOXED_WORDS = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathbf|mathrm|mathit|operatorname)\s*\{([^{}]*)\}"
)
_HALF_WIDTH = {0xFF00 + at: 0x20 + at for at in range(1, 0x5F)}
"""Letters, digits and signs as Chinese and Japanese texts write them, and as they are elsewhere."""
_SPACING = re.compile(r"\\[ ,;:!]|\\quad|~(?=\S)")
_TAGS = re.compile(r"</?(?:b|strong|em|i|u|mark)>", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*+|(?<![^\W_])_+|_+(?![^\W_])|`+")
_BULLET = re.compile(r"^(?:[*+•·‣▪]|-|–|—)\s+")
_NAMED = r"(?:option|choice|answer|letter|antwort|réponse|respuesta|opción|选项|选|答案)"
_AND = "and|or|und|oder|et|ou|y|o|和|或|与|&"
_LED = (
    r"(?:(?:^|[.!?:;,*\"“])\s*|(?<![^\W_])(?i:is|be|choose|pick|select|with|for|say|not|are|ist|wäre|für|wähle|est|"
    r"choisis|pour|es|elijo|por)\s+|[选是为])"
)
"""Before a letter that stands for an option; "Person B" is none."""
_END = r"(?![\w'’])"
_WAYS = ("round", "half", "line", "signs", "named", "alone", "last")
"""The groups of `_letters` that hold a letter."""


def marked(reply: str, labels: Collection[str] = ()) -> str:
    r"""The reply line by line as plain text; `*` around emphasis, "- " before points of a list.

    Where options have letters, of `labels`, each letter that stands for one is written "(b)".

    >>> marked("__Ann__ or **B**\n* $\\boxed{\\text{Ann Lee}}$")
    '*ann* or *b*\n- $\\boxed{ann lee}$'
    >>> marked("Option B. A cook, b) or (A).", "ab")
    'option (b). a cook, (b) or (a).'
    """
    text = _BOXED_WORDS.sub(r"\1", reply) if "\\" in reply else reply
    text = _SPACING.sub(" ", text) if "\\" in text or "~" in text else text
    text = _TAGS.sub("*", text) if "<" in text else text
    text = text.translate(_HALF_WIDTH)
    text = _lettered(text, labels) if labels else text
    return "\n".join(map(_line, text.splitlines()))


def _line(line: str) -> str:
    text = plain(line)
    while text.startswith(">"):
        text = text[1:].lstrip()
    text = _BULLET.sub("- ", text)
    return _EMPHASIS.sub("*", text)


def _lettered(text: str, labels: Collection[str]) -> str:
    """The text with "(b)" for each letter that stands for an option."""
    return _letters("".join(sorted(labels))).sub(_bracketed, text)


def _bracketed(match: re.Match[str]) -> str:
    first, second = (match[name] for name in ("first", "second"))
    if first:
        return f"{match['led_pair']}({first.lower()}){match['and']}({second.lower()})"
    letter = next(filter(None, match.group(*_WAYS)))
    before = next(filter(None, match.group("begins", "name", "led", "led_last")), "")
    return f"{before}({letter.lower()})"


@lru_cache(maxsize=64)
def _letters(small: str) -> re.Pattern[str]:
    """How a text writes one of these letters where it stands for an option, and is not a word such as "a"."""
    letter, capital = f"[{small}{small.upper()}]", f"[{small.upper()}]"
    no_word = f"[{re.sub('[AI]', '', small.upper())}]|" if small.upper().strip("AI") else ""
    ways = (
        rf"\(\s*(?P<round>{letter})\s*\)",
        rf"(?<![\w(])(?P<half>{letter})\)",
        rf"(?P<begins>^[\s*_#>]*)(?P<line>{letter})(?=[\s*_]*(?:[.:]?[*_\s]*$|[.:]\s))[.]?",
        rf"(?<=[{{\"“'*>$_])(?P<signs>{letter})(?=[}}\"”'*<$_])",
        rf"(?P<name>(?i:{_NAMED})\s*)(?P<named>{capital}){_END}",
        rf"(?P<led_pair>{_LED})(?P<first>{capital})(?P<and>,?\s+(?:{_AND})\s+)(?P<second>{capital}){_END}",
        rf"(?P<led>{_LED})(?P<alone>{no_word}{capital}(?=\s+(?:is|was)\s)){_END}",
        rf"(?P<led_last>{_LED})(?P<last>{letter})(?=\s*[.*]*$)",
    )
    return re.compile("|".join(ways), re.MULTILINE)
