"""Texts with places to fill in, such as {category}.

A place is a name in braces. {{ and }} are braces. There is nothing else: no attributes, no formats, and what
is filled in is never read as a template.
"""

import re
from collections.abc import Mapping

_PART = re.compile(r"\{\{|\}\}|\{(\w*)\}|[{}]")


def places(template: str) -> tuple[str, ...]:
    """The names of a template's places, each once, in order.

    >>> places("‘{example}’: {example_label}. {{not this}}")
    ('example', 'example_label')

    Raises:
        ValueError: A brace belongs to no place.
    """
    names: dict[str, None] = {}
    for part in _PART.finditer(template):
        if part[0] in {"{", "}"}:
            shown = template[max(0, part.start() - 10) : part.end() + 10]
            raise ValueError(f"has a single {part[0]} in {shown!r}")
        if part[0] not in {"{{", "}}"}:
            names[part[1]] = None
    return tuple(names)


def filled(template: str, values: Mapping[str, str]) -> str:
    """The template with its places filled in.

    >>> filled("Is {text} {category}? {{}}", {"text": "‘{category}’", "category": "rude"})
    'Is ‘{category}’ rude? {}'
    """
    return _PART.sub(lambda part: part[0][0] if part[1] is None else values[part[1]], template)
