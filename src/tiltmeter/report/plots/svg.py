"""Drawing primitives for SVG. All text is escaped, and colours are CSS classes."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable

from markupsafe import Markup, escape

from tiltmeter.core.text import visible

_NARROW, _BROAD = frozenset("ijlItrf.,:;|'!()[] -"), frozenset("mwMW@%—…")


def element(name: str, *inside: str, **attributes: str | float) -> Markup:
    """An SVG element; `cls` is its class, and "_" in an attribute's name stands for "-".

    Strings inside it are escaped unless they already are Markup.

    >>> print(element("text", "a < b", x=4.0, text_anchor="end", cls="label"))
    <text x="4" text-anchor="end" class="label">a &lt; b</text>
    """
    pairs = (("class" if k == "cls" else k.replace("_", "-"), v) for k, v in attributes.items())
    shown = "".join(f' {k}="{_attribute(v)}"' for k, v in pairs)
    body = "".join(i if isinstance(i, Markup) else escape(visible(i)) for i in inside)
    return Markup(f"<{name}{shown}>{body}</{name}>")  # noqa: S704 the two lines above escape


def line(x1: float, y1: float, x2: float, y2: float, cls: str) -> Markup:
    """A line from (x1, y1) to (x2, y2)."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, cls=cls)


def text(
    words: str, x: float, y: float, cls: str = "", anchor: str = "start", size: float | None = None
) -> Markup:
    """One line of text; `anchor` is start, middle or end; with None, CSS decides the size."""
    sized = {} if size is None else {"font_size": size}
    return element("text", words, x=x, y=y, text_anchor=anchor, cls=cls, **sized)


def point(x: float, y: float, *, filled: bool, radius: float = 5) -> Markup:
    """A round mark, filled or hollow."""
    return element("circle", cx=x, cy=y, r=radius, cls="point clear" if filled else "point")


def diamond(x: float, y: float, cls: str) -> Markup:
    """A diamond, the mark for a total or a reference and not one of many points."""
    points = f"{x - 7:g},{y:g} {x:g},{y - 7:g} {x + 7:g},{y:g} {x:g},{y + 7:g}"
    return element("polygon", points=points, cls=cls)


def figure(name: str, title: str, desc: str, size: tuple[float, float], *inside: Markup) -> Markup:
    """A whole picture, which scales with the space it is given, with a title and a description in words."""
    width, height = size
    return element(
        "svg",
        element("title", title, id=f"{name}-title"),
        element("desc", desc, id=f"{name}-desc"),
        *inside,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        xmlns="http://www.w3.org/2000/svg",
    )


def shortened(label: str, longest: int) -> str:
    """The label cut in its middle, where names of models differ least, to at most `longest` characters.

    >>> shortened("a-laboratory/a-model-2.7B", 15)
    'a-labor…el-2.7B'
    """
    if len(label) <= longest:
        return label
    tail = (longest - 1) // 2
    return f"{label[: longest - 1 - tail]}…{label[len(label) - tail :]}"


def breadth(text: str, size: float) -> float:
    """The estimated width of a text in this font size, which is never much too small, whatever the font.

    >>> breadth("will", 10), breadth("WILL", 10), breadth("猫猫", 10)
    (21.0, 28.0, 20.0)
    """
    return round(size * sum(map(_breadth, text)), 6)


def fitted(label: str, room: float, size: float) -> str:
    """The label, cut in its middle until it fits into `room`.

    >>> fitted("a person with a disability", 90, 10)
    'a person…ability'
    """
    if breadth(label, size) <= room:
        return label
    lengths = range(2, len(label))
    fitting = bisect_right(lengths, room, key=lambda n: breadth(shortened(label, n), size))
    return shortened(label, lengths[max(fitting - 1, 0)] if lengths else 2)


def wrapped(label: str, room: float, size: float, most: int = 2) -> list[str]:
    """The label in at most `most` lines, broken between words; a line that is still too long is cut.

    >>> wrapped("a person with a disability", 90, 10), wrapped("short", 90, 10)
    (['a person with a', 'disability'], ['short'])
    """
    lines = [""]
    for word in re.findall(r"[^\s/_–-]*[\s/_–-]*", label):
        if lines[-1] and len(lines) < most and breadth((lines[-1] + word).rstrip(), size) > room:
            lines.append("")
        lines[-1] += word
    return [fitted(line.rstrip(), room, size) for line in lines]


def note_lines(notes: Iterable[str], room: float, size: float) -> list[str]:
    """Notes under a picture in lines of at most this width.

    >>> note_lines(["two words", "one"], 50, 10)
    ['two', 'words', 'one']
    """
    return [line for note in notes for line in wrapped(note, room, size, most=len(note.split()))]


def _breadth(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if unicodedata.combining(letter):
        return 0.0
    if letter in _NARROW:
        return 0.4
    return 0.9 if letter in _BROAD else 0.75 if letter.isupper() else 0.6


def _attribute(value: str | float) -> str:
    return escape(visible(value)) if isinstance(value, str) else f"{round(value, 2):g}"
