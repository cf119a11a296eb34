"""Texts of a form with paragraphs, headings, lists, emphasis and links: Markdown as HTML for a page.

No raw HTML, no pictures and no code: they stay as they were typed. Links lead to https and mail addresses.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, image
from markdown_it.token import Token
from markupsafe import Markup

LINKS = ("https://", "mailto:")
"""How the addresses that a text may link to begin."""
_LEFT_OUT = ("code", "fence", "backticks", "html_block", "html_inline", "lheading", "reference")
"""Rules of CommonMark that are not applied."""
_SMALLEST = 6
_LINK = re.compile(r"(!?)\[[^\]]*\]\(\s*<?([^)\s>]*)|<(https?://[^\s>]*)>")
_TAG = re.compile(r"</?[a-zA-Z][\w-]*(?:\s[^<>]*)?/?>")


class _FormText(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 the library's name
        """Whether a text may link there."""
        return url.lower().startswith(LINKS)


@cache
def _parser() -> MarkdownIt:
    # A line break stays one, as in texts without any Markdown.
    parser = _FormText("commonmark", {"html": False, "breaks": True}).disable([*_LEFT_OUT])
    parser.inline.ruler.at("image", _picture_as_typed)  # without the rule, "!" and a link are left
    return parser


def _picture_as_typed(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 the library's order
    start = state.pos
    is_picture = image(state, silent=True)
    if is_picture and not silent:
        state.pending += state.src[start : state.pos]
    return is_picture


def markdown_html(text: str, *, under: int = 1, names: Mapping[str, str] | None = None) -> Markup:
    r"""A text of a form as HTML.

    Args:
        text: Markdown.
        under: Level of the heading above it on the page. Its own begin one level below and skip none.
        names: What is put in place of words such as `{item}`: as text, whatever it would mean in Markdown,
            or as HTML where it is Markup.

    >>> print(markdown_html("# Risks\n\n*None*; <b>ask</b> [us](https://a.org) or [them](http://b.org)."))
    <h2>Risks</h2>
    <p><em>None</em>; &lt;b&gt;ask&lt;/b&gt;
    <a href="https://a.org" target="_blank" rel="noopener noreferrer">us</a> or [them](http://b.org).</p>
    """
    html = _html(text, under)
    for name, value in (names or {}).items():
        html = html.replace(name, value)
    return html


@lru_cache(maxsize=2048)
def _html(text: str, under: int) -> Markup:
    parser = _parser()
    tokens = parser.parse(text)
    _number_headings(tokens, under)
    for token in _with_children(tokens):
        if token.type == "link_open" and str(token.attrs["href"]).lower().startswith("https:"):
            token.attrs |= {"target": "_blank", "rel": "noopener noreferrer"}
    html: str = parser.renderer.render(tokens, parser.options, {})
    return Markup(html.strip())  # noqa: S704 the renderer escapes every text


def _number_headings(tokens: list[Token], under: int) -> None:
    """Give headings the levels that follow on the page's: screen readers list them as an outline."""
    written = [int(token.tag[1:]) for token in tokens if token.type == "heading_open"]
    level = under
    for token in tokens:
        if token.type == "heading_open":
            level = min(under + 1 + int(token.tag[1:]) - min(written), level + 1, _SMALLEST)
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{level}"


def _with_children(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()


def not_shown(text: str) -> tuple[str, ...]:
    """Links, pictures and HTML in a text that pages show as they were typed, each with the reason.

    >>> not_shown("[site](http://a.org), ![map](https://a.org/m.png)")
    ('the link to http://a.org: write an https or mailto address',
    'the picture https://a.org/m.png: pages show none')
    >>> not_shown("<b>New</b>")
    ('the HTML <b>: use Markdown',)
    """
    found = []
    for picture, address, bare in _LINK.findall(text):
        url = address or bare
        if picture:
            found.append(f"the picture {url}: pages show none")
        elif not url.lower().startswith(LINKS):
            found.append(f"the link to {url}: write an https or mailto address")
    tag = _TAG.search(text)
    return (*found, *((f"the HTML {tag[0]}: use Markdown",) if tag else ()))
