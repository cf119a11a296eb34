r"""Text for LaTeX: special characters, and how much room letters take.

Widths are those of Computer Modern, the font of LaTeX's own classes, from its public metrics.
"""

import re
from itertools import chain

from tiltmeter.core.text import visible

LETTERS = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "−": "$-$", "×": r"$\times$",
    "–": "--", "—": "---", "…": r"\ldots{}", "’": "'", "“": "``", "”": "''", "\u00a0": "~",
    "●": r"$\bullet$", "○": r"$\circ$", "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\to$",
    "≤": r"$\leq$", "≥": r"$\geq$", "τ": r"$\tau$", "κ": r"$\kappa$", "ρ": r"$\rho$", "·": r"$\cdot$",
    "α": r"$\alpha$", "Δ": r"$\Delta$", "π": r"$\pi$", "σ": r"$\sigma$", "±": r"$\pm$", "′": "$'$",
    "≠": r"$\neq$", "≈": r"$\approx$", "√": r"$\surd$", "∞": r"$\infty$", "←": r"$\leftarrow$",
    "†": r"\textdagger{}", "‡": r"\textdaggerdbl{}", "✓": r"$\surd$", "✗": r"$\times$", "∏": r"$\prod$",
    "§": r"\S{}", "\0": "{}",
}  # fmt: skip
"""LaTeX for characters that have a special meaning there or that its usual fonts lack."""
BOLD = 1.16
"""How much wider a text is in bold letters."""
LONG_WORD = 12
"""Words with more letters than this may be broken behind marks."""
LONGEST_PIECE = 20
"""What has more letters than this may be broken anywhere."""
_RAISED = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_BREAK = "\1"
_NEEDLESS = re.compile(f"([ -]){_BREAK}")
_WORD = re.compile(" *[^ -]*-* *")
_PIECE = re.compile(r"[^_/:.=@+,]*[_/:.=@+,]*")
_OTHER_WIDTH = 0.78
_WIDTHS = {
    letter: width
    for width, letters in {
        0.278: "!',.:;[]`il|", 0.306: "fj", 0.333: "- ", 0.361: "I", 0.389: "()t", 0.395: "rs",
        0.445: "cez", 0.472: "?", 0.5: '"$*/0123456789ago{}~^\\–', 0.514: "J", 0.528: "kqvxy",
        0.556: "Sbdhnpu", 0.611: "Z", 0.625: "L", 0.653: "F", 0.681: "EP", 0.708: "B", 0.722: "CTw",
        0.736: "R", 0.75: "AHNUVXY", 0.764: "D", 0.778: "&+=@KOQ<>", 0.785: "G", 0.833: "#%m",
        0.917: "M", 1.0: "—", 1.028: "W",
    }.items()
    for letter in letters
}  # fmt: skip
"""Widths of letters, where the size of the font is 1."""


def latex_text(text: str, *, breakable: bool = False) -> str:
    r"""The text escaped for LaTeX, whatever characters it has.

    With `breakable`, lines may also end within long words, such as the name of a model.

    >>> print(latex_text("R&D_1 of 50 %"))
    R\&D\_1 of 50 \%
    >>> print(latex_text("a_long_name/of/a_model", breakable=True))
    a\_\allowbreak{}long\_\allowbreak{}name/\allowbreak{}of/\allowbreak{}a\_\allowbreak{}model
    """
    seen = visible(text)
    if breakable:
        seen = _BREAK.join(pieces(seen))
    # Two hyphens would become a dash, and those of an option are to be typed.
    hyphens = _NEEDLESS.sub(r"\1", seen).replace("--", "-\0-")
    shown = "".join(LETTERS.get(char, char) for char in hyphens).replace(_BREAK, r"\allowbreak{}")
    return _RAISED.sub(lambda found: f"$^{{{found[0].translate(_LOWERED)}}}$", shown)


def pieces(text: str) -> list[str]:
    """The text cut where a line may end: behind spaces and hyphens, and within long words.

    >>> pieces("two-sided test of fake:masked, p = 0.05")
    ['two-', 'sided ', 'test ', 'of ', 'fake:masked, ', 'p ', '= ', '0.05']
    >>> pieces("a_long_name/of/a_model"), [len(piece) for piece in pieces("x" * 50)]
    (['a_', 'long_', 'name/', 'of/', 'a_', 'model'], [20, 20, 10])
    """
    return [*chain.from_iterable(_cut(word) for word in _WORD.findall(text) if word)]


def _cut(word: str) -> list[str]:
    if len(word.strip()) <= LONG_WORD:
        return [word]
    cut = [piece for piece in _PIECE.findall(word) if piece]
    return [
        piece[at : at + LONGEST_PIECE]
        for piece in cut
        for at in range(0, len(piece), LONGEST_PIECE)
    ]


def text_width(text: str) -> float:
    """How wide the text is, where the size of its font is 1; raised digits are smaller.

    >>> round(text_width("0.5 W"), 3)
    2.639
    """
    raised = sum(map(len, _RAISED.findall(text)))
    return sum(_WIDTHS.get(letter, _OTHER_WIDTH) for letter in text) - 0.3 * raised


def piece_width(text: str) -> float:
    """The width of the widest piece of the text, between which lines may be broken.

    >>> round(piece_width("to and fro"), 3) == round(text_width("and"), 3)
    True
    """
    return max((text_width(piece.rstrip()) for piece in pieces(text)), default=0.0)


def lines(text: str, width: float) -> list[str]:
    """The lines of the text in this width, where the size of its font is 1.

    >>> lines("to and fro", 2), lines("to and fro", 9), lines("", 9)
    (['to ', 'and ', 'fro'], ['to and fro'], [''])
    """
    made, filled = [""], 0.0
    for piece in pieces(text):
        if filled and filled + text_width(piece.rstrip(" ")) > width:
            made.append("")
            filled = 0.0
        made[-1] += piece
        filled += text_width(piece)
    return made
