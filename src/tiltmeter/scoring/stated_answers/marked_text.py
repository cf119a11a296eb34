"""A reply as plain text in which emphasis, lists and boxes have one spelling each."""

import re
from collections.abc import Collection
from functools import lru_cache

from tiltmeter.scoring.written_answers import plain

_BOXED_WORDS = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathbf|mathrm|mathit|operatorname)\s*\{([^{}]*)\}"
)
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
"""Before a capital that stands for an option; "Person B" is none."""


def marked(reply: str, labels: Collection[str] = ()) -> str:
    r"""The reply line by line as plain text; `*` around emphasis, "- " before points of a list.

    Where options have letters, of `labels`, each letter that stands for one is written "(b)".

    >>> marked("__Ann__ or **B**\n* $\\boxed{\\text{Ann Lee}}$")
    '*ann* or *b*\n- $\\boxed{ann lee}$'
    >>> marked("Option B. A cook, b) or A.", "ab")
    'option (b). a cook, (b) or (a).'
    """
    text = _BOXED_WORDS.sub(r"\1", reply) if "\\" in reply else reply
    text = _SPACING.sub(" ", text) if "\\" in text or "~" in text else text
    text = _TAGS.sub("*", text) if "<" in text else text
    text = text.replace("\uff08", "(").replace("\uff09", ")")
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
    letter = next(
        filter(
            None,
            match.group(
                "round", "half", "line", "signs", "named", "alone", "second", "small", "end"
            ),
        )
    )
    before = (
        match["before"] or match["name"] or match["led"] or match["led_end"] or match["and"] or ""
    )
    return f"{before}({letter.lower()})"


@lru_cache(maxsize=64)
def _letters(small: str) -> re.Pattern[str]:
    """How a text writes one of these letters where it stands for an option, and is not a word such as "a"."""
    any_case = f"[{small}{small.upper()}]"
    capital, no_word = f"[{small.upper()}]", re.sub("[AI]", "", small.upper()) or "\0"
    later = re.sub("[aeio]", "", small) or "\0"
    return re.compile(
        rf"\(\s*(?P<round>{any_case})\s*\)|(?<![\w(])(?P<half>{any_case})\)"
        rf"|(?P<before>^[\s*_#>]*)(?P<line>{any_case})(?=[\s*_]*(?:[.:]?[*_\s]*$|[.:]\s))[.]?"
        rf"|(?<=[{{\"“'*>$_])(?P<signs>{any_case})(?=[}}\"”'*<$_])"
        rf"|(?P<name>(?i:{_NAMED})\s*)(?P<named>{capital})(?![^\W_])"
        rf"|(?P<led>{_LED})(?P<alone>[{no_word}]|{capital}(?=\s+(?:is|was|(?:{_AND})\s+{capital})(?![\w'’])))(?![\w'’])"
        rf"|(?<=\)\s)(?P<and>(?:{_AND})\s+)(?P<second>{capital})(?![\w'’])"
        rf"|(?P<led_end>(?i:{_LED}))(?P<small>{any_case})(?=\s*[.*]*$)"
        rf"|(?:(?<=\s)|^)(?P<end>{capital}|[{later}])(?=\s*(?:[.:,;]\s|[.:,;]?$))",
        re.MULTILINE,
    )
