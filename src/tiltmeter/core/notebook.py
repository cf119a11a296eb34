"""How small things look in a notebook: a table of what is known of them."""

from collections.abc import Mapping
from html import escape

from tiltmeter.core.text import visible


def facts_html(title: str, facts: Mapping[str, object]) -> str:
    """A title over a table of facts, without those that are empty.

    >>> facts_html("Rate", {"n": 9, "p": None})
    '<b>Rate</b><table><tr><th>n</th><td>9</td></tr></table>'
    """
    rows = "".join(
        f"<tr><th>{_text(name)}</th><td>{_text(value)}</td></tr>"
        for name, value in facts.items()
        if value not in (None, "", {}, [], ())
    )
    return f"<b>{_text(title)}</b><table>{rows}</table>"


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        value = ", ".join(f"{name}: {of}" for name, of in value.items())
    elif isinstance(value, float):
        value = f"{value:.4g}"
    elif isinstance(value, list | tuple):
        value = "; ".join(map(str, value))
    return escape(visible(str(value)))
