"""Makes a piece of HTML of a document for a notebook: the finding, the first picture, the main table.

Several pieces can be on one page: each one's style applies to itself alone, and no two share an anchor.
Nothing is fetched, no script runs, all text is escaped.
"""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib import resources
from itertools import islice

from markupsafe import Markup

from tiltmeter.report.document import Document, Facts, Table
from tiltmeter.report.html import environment, filled

NARROW = """.wide { display: none } .narrow { display: block } .result { padding: .7rem .7rem .8rem }
th, td { padding-right: .45rem } .n + .name { padding-left: .45rem }
th.name, td.name { min-width: 3rem; overflow-wrap: break-word }"""
"""Style rules for output cells that are as narrow as a phone."""
MOST_ROWS = 20
"""How many rows of a table are shown."""
DARK = (
    '[data-jp-theme-light="false"]', ".vscode-dark", ".vscode-high-contrast", 'html[theme="dark"]',
    '[data-theme="dark"]',
)  # fmt: skip
"""Selectors of what JupyterLab, VS Code, Colab and Sphinx put around an output in a dark theme."""
LIGHT = (
    '[data-jp-theme-light="true"]', ".vscode-light", 'html[theme="light"]', '[data-theme="light"]',
)  # fmt: skip
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_ANCHORS = re.compile(r'\b(id|for|aria-labelledby)="([^"]*)"')
_shown: Counter[str] = Counter()
"""How often this process has shown each document, by digest: several cells may show the same result."""


def fragment(document: Document, *, tables: int = 1) -> str:
    """The piece of HTML with the first `tables` tables; every call gives it anchors of its own."""
    picture = next(iter(document.pictures()), None)
    shown = [
        (shortened(t, MOST_ROWS), t.rows - MOST_ROWS) for t in islice(document.tables(), tables)
    ]
    facts = next((b for b in document.blocks() if isinstance(b, Facts)), None)
    body = environment().get_template("fragment.html").render(
        document=document,
        picture=None if picture is None else replace(picture, table=None),
        tables=shown,
        facts=facts,
    )  # fmt: skip
    digest = sha256(body.encode()).hexdigest()[:10]
    _shown[digest] += 1
    key = f"tm-{digest}-{_shown[digest]}"
    return (
        f'<div id="{key}" class="tiltmeter" role="group" aria-label="Tiltmeter">'
        f"<style>{style(key)}</style>{with_own_anchors(body, key)}</div>"
    )


def piece(document: Document, key: str) -> str:
    """The part of a document's page between header and footer, with `key` before each anchor.

    Several such parts can be put on one page.
    """
    return with_own_anchors(filled("body.html", document, contents=False), key)


def shortened(table: Table, most: int) -> Table:
    """The table with at most `most` of its first rows.

    >>> from tiltmeter.report.document import Column
    >>> shortened(Table("t", [Column("n", [1, 2, 3])]), 2).rows
    2
    """
    if table.rows <= most:
        return table
    return replace(table.of_rows(range(most)), bars=None)


def with_own_anchors(body: str, key: str) -> str:
    """The HTML with the key before each anchor and before each reference to one.

    >>> with_own_anchors('<g id="a" aria-labelledby="a b">', "k")
    '<g id="k-a" aria-labelledby="k-a k-b">'
    """

    def own(found: re.Match[str]) -> str:
        names = " ".join(f"{key}-{name}" for name in found[2].split())
        return f'{found[1]}="{names}"'

    # Quotes in text are escaped, so that only attributes can match.
    return _ANCHORS.sub(own, body)


def scoped(css: str, scope: str) -> str:
    """The style rules restricted to elements within the selector `scope`; "&" stands for the scope itself.

    >>> scoped("a, b { c: d }", "#k")
    '#k a, #k b { c: d }'
    >>> scoped("& { c: d }", "#k")
    '#k { c: d }'
    """

    def within(selector: str) -> str:
        name = selector.strip()
        return scope if name == "&" else f"{scope} {name}"

    return "\n".join(
        f"{', '.join(map(within, rule[1].split(',')))} {{{rule[2]}}}"
        for rule in _RULE.finditer(css)
    )


def style(key: str) -> Markup:
    """The whole style of the piece with this id, in the notebook's theme or, without one, the system's."""
    scope, (light, dark) = f"#{key}", colours()
    themes = [
        f"{scope} {{ color-scheme: light; {light} }}",
        f"@media (prefers-color-scheme: dark) {{ {scope} {{ color-scheme: dark; {dark} }} }}",
        f":is({', '.join(LIGHT)}) {scope} {{ color-scheme: light; {light} }}",
        f":is({', '.join(DARK)}) {scope} {{ color-scheme: dark; {dark} }}",
        f"@media print {{ html {scope}{scope} {{ color-scheme: light; {light} }} }}",
    ]
    rules = scoped(_template("fragment.css") + _template("pictures.css"), scope)
    narrow = scoped(NARROW, scope)
    # The style is ours alone: no text of a document is in it.
    return Markup("\n".join([*themes, rules, f"@container (max-width: 560px) {{ {narrow} }}"]))  # noqa: S704


@cache
def colours() -> tuple[str, str]:
    """The CSS declarations of the light and of the dark colours."""
    first, second = _RULE.findall(_template("colours.css"))[:2]
    light = re.sub(r"color-scheme:[^;]*;", "", first[1])
    return " ".join(light.split()), " ".join(second[1].split())


@cache
def _template(name: str) -> str:
    return (resources.files("tiltmeter.report") / "templates" / name).read_text("utf-8")
