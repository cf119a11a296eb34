"""How single numbers and cards look in a notebook and in a Python console."""

from collections.abc import Mapping
from html import escape

from tiltmeter.core.text import visible


def facts_html(title: str, facts: Mapping[str, object]) -> str:
    """A title over a table of facts, without those that are empty.

    >>> facts_html("Rate", {"n": 9, "p": None})
    '<b>Rate</b><table><tr style="..."><th style="...">n</th><td style="text-align: left">9</td></tr></table>'
    """
    rows = "".join(
        f'<tr style="vertical-align: top"><th style="text-align: left">{_text(name)}</th>'
        f'<td style="text-align: left">{_text(value)}</td></tr>'
        for name, value in facts.items()
        if value not in (None, "", {}, [], ())
    )
    return f"<b>{_text(title)}</b><table>{rows}</table>"


def _text(value: object) -> str:
    """The escaped text of a value; a mapping or a list has a line for each of its values."""
    if isinstance(value, Mapping):
        known = ((name, of) for name, of in value.items() if of not in (None, "", {}, [], ()))
        return "<br>".join(f"{_text(name)}: {_text(of)}" for name, of in known)
    if isinstance(value, list | tuple):
        return "<br>".join(map(_text, value))
    return escape(visible(short(value)))


def short(value: object) -> str:
    """A value as a reader wants it: four digits of a number, commas between thousands.

    >>> short(57.3333), short(1508), short("pll"), short(True)
    ('57.33', '1,508', 'pll', 'True')
    """
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def line(title: str, facts: Mapping[str, object], *, first: str = "") -> str:
    """One line for a console, without facts that are empty.

    >>> line("rate", {"p": 0.03, "n": 1508, "why": ""}, first="57.3 %")
    '<rate: 57.3 %, p 0.03, n 1,508>'
    """
    known = (
        f"{name} {short(value)}" for name, value in facts.items() if value not in (None, "", {})
    )
    return visible(f"<{title}: {', '.join(filter(None, (first, *known)))}>")
