"""Makes an HTML page of a document: nothing is fetched, no script runs, all text is escaped."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from tiltmeter.core.text import visible
from tiltmeter.report import document as doc
from tiltmeter.report.columns import column_groups
from tiltmeter.report.marked_words import Pieces, excerpt
from tiltmeter.run.files.repeatable_command import place_note

EXCERPT = 60
"""How many words of a sentence are shown at first; the reader can expand the rest."""
KINDS: Mapping[type[doc.Block], str] = {
    doc.Text: "text", doc.Table: "table", doc.Picture: "picture", doc.Facts: "facts", doc.Code: "code",
    doc.Lines: "lines", doc.Items: "items", doc.Panels: "panels",
}  # fmt: skip
TEMPLATES = Path(__file__).parent / "templates"
_ADDRESS = re.compile(
    r"((?:https?://|\bdoi:10\.)[^\s<>\"']+[^\s<>\"'.,;:)\]])"  # not the full stop after it
)


def page(document: doc.Document) -> str:
    """The page as HTML; equal documents give equal pages.

    Texts of items are hidden until the reader shows them, with a checkbox for each item and one for all.
    """
    return filled("document.html", document)


def filled(template: str, document: doc.Document, *, contents: bool = True) -> str:
    """The template filled in with a document; with `contents`, it has a table of contents."""
    items = [block for block in document.blocks() if isinstance(block, doc.Items)]
    texts = any(item.sentences for block in items for item in block.items)
    lead, sections = with_lead(document)
    return environment().get_template(template).render(
        document=document,
        lead=lead,
        sections=_grouped([s for s in sections if _is_on_page(s)]),
        items=items[0].called if items else "",
        texts=texts,
        contents=contents,
        key=lambda block: f"items-{1 + next(i for i, b in enumerate(items) if b is block)}",
    )  # fmt: skip


def with_lead(document: doc.Document) -> tuple[doc.Section, list[doc.Section]]:
    """What the page shows right under the finding, and its other sections.

    These are the document's leading pictures. Without them, it is the first picture of a document that begins
    with it, which then leaves its section, unless several stand there side by side. The heading of a section
    that had nothing else goes with it.
    """
    sections, nothing = list(document.sections), doc.Section("", "", document.leading)
    lifts = document.begins_with_picture and not document.leading
    at = _first_drawn(sections) if lifts else None
    if at is None:
        return nothing, sections
    section = sections[at]
    drawn = _drawn(section)
    rest = replace(section, blocks=[block for block in section.blocks if block not in drawn])
    has_parts = any(below.level > section.level for below in sections[at + 1 : at + 2])
    if rest.shown("page") or has_parts:
        sections[at] = rest
        return doc.Section("", "", drawn), sections
    return replace(section, blocks=drawn, level=3), sections[:at] + sections[at + 1 :]


def _first_drawn(sections: Sequence[doc.Section]) -> int | None:
    """The place of the first section with a picture on view; None if it has several."""
    collapsed = False
    for at, section in enumerate(sections):
        collapsed = section.folded or (collapsed and section.level > 2) or bool(section.parts)  # noqa: PLR2004
        if not collapsed and (drawn := _drawn(section)):
            return at if len(drawn) == 1 else None
    return None


def _drawn(section: doc.Section) -> list[doc.Block]:
    return [block for block in section.shown("page") if isinstance(block, doc.Picture)]


def _grouped(sections: Sequence[doc.Section]) -> list[tuple[doc.Section, list[doc.Section]]]:
    """The sections of the first level, each with those below it."""
    groups: list[tuple[doc.Section, list[doc.Section]]] = []
    for section in sections:
        if groups and section.level > groups[-1][0].level:
            groups[-1][1].append(section)
        else:
            groups.append((section, []))
    return groups


def _is_on_page(section: doc.Section) -> bool:
    """Whether the section has something for the page, or is a heading for the sections below it."""
    heading = bool(section.title) and not section.blocks
    return "page" in section.on and (heading or bool(section.shown("page")))


def linked(text: str) -> Markup:
    """The text as HTML, with web addresses and DOIs as links and everything else escaped.

    >>> print(linked("see <b> doi:10.1/a, or"))
    see &lt;b&gt; <a href="https://doi.org/10.1/a" rel="noreferrer">doi:10.1/a</a>, or
    """
    link = Markup('<a href="{}" rel="noreferrer">{}</a>')
    pieces = enumerate(_ADDRESS.split(visible(text)))
    return Markup("").join(
        link.format(re.sub("^doi:", "https://doi.org/", part), part) if i % 2 else escape(part)
        for i, part in pieces
    )


@cache
def environment() -> Environment:
    """The autoescaping Jinja environment with the templates' filters, made once per process."""
    made = Environment(
        loader=PackageLoader("tiltmeter.report", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, finalize=_shown, auto_reload=False,
    )  # fmt: skip
    filters: dict[str, Callable[..., object]] = {
        "linked": linked,
        "fact": lambda value: doc.fact(value) or "not stated",
        "kind": lambda block: KINDS[type(block)],
        "blocks": lambda section: section.shown("page"),
        "of_page": doc.Table.of_page,
        "columns": lambda table: table.kept("page"),
        "rows": _rows,
        "cut": _cut,
        "place_note": place_note,
        "column_groups": column_groups,
    }
    made.filters.update(filters)
    return made


def _rows(table: doc.Table, columns: Sequence[doc.Column]) -> Markup:
    """The rows of a table as HTML, made here because a template takes several times as long."""
    cells = [[*map(_cell, column.cells, column.below or [""] * table.rows)] for column in columns]
    lines = []
    for i in range(table.rows):
        row = []
        for place, column in enumerate(columns):
            marks = (
                "n" if column.number else "name",
                column.tones[i] if column.tones else "",
                "best" if column.bold and column.bold[i] else "",
                "part" if not place and table.depths and table.depths[i] else "",
            )
            kind = 'th scope="row"' if not place and cells[0][i] else "td"
            text = cells[place][i]
            row.append(f'<{kind} class="{" ".join(filter(None, marks))}">{text}</{kind[:2]}>')
        strong = ' class="clear"' if table.strong and table.strong[i] else ""
        lines.append(f"<tr{strong}>{''.join(row)}</tr>")
    return Markup("\n".join(lines))  # noqa: S704 texts are escaped, all else is ours


def _cell(text: str, below: str) -> Markup:
    """A cell with its second line, if it has one."""
    return _breakable(text) + (
        Markup('<span class="below">{}</span>').format(visible(below)) if below else ""
    )


def _breakable(text: str) -> Markup:
    """The escaped text; names of models and paths may be broken after a slash or an underscore."""
    shown = escape(visible(text))
    return Markup(re.sub(r"(?<=\w[/_])(?=\w)", "<wbr>", shown)) if "/" in text else shown  # noqa: S704 escaped


def _cut(sentence: doc.Sentence) -> Mapping[str, Pieces | int | bool]:
    """The excerpt of a sentence, whether it leaves anything out, and how many words the sentence has."""
    short = excerpt(sentence.pieces, EXCERPT)
    words = sum(len(text.split()) for text, _ in sentence.pieces)
    return {"short": short, "cut": list(short) != list(sentence.pieces), "words": words}


def _shown(value: object) -> object:
    """Spells out control characters in every text that a template prints."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
