"""Texts that try to become more than text: ways out of a context times things to do there."""

import itertools

import pytest

RUN = "window.broken=1"
WAYS_OUT = (
    "",
    '">',
    "'>",
    "</textarea>",
    "</title>",
    "</script>",
    "-->",
    "</style>",
    "]]>",
    '"}]</option>',
    "`>",
    "\n>",
)
ELEMENTS = (
    f"<script>{RUN}</script>",
    f"<img src=x onerror={RUN}>",
    f"<svg onload={RUN}>",
    f"<svg><animate onbegin={RUN} attributeName=x dur=1s>",
    f"<details open ontoggle={RUN}>",
    f"<input autofocus onfocus={RUN}>",
    '<iframe srcdoc="<script>parent.broken=1</script>">',
    f'<a href="javascript:{RUN}" id=hostile>',
    '<base href="//hostile.test/">',
    '<meta http-equiv=refresh content="0;url=//hostile.test/">',
    '<form action="//hostile.test/"><button>',
    "<style>*{background:url(//hostile.test/)}</style>",
    "<math><mtext><hostile>",
)
ATTRIBUTES = tuple(
    f"{quote}{space}{name}={quote}{RUN}{quote} x={quote}"
    for quote in ('"', "'", "")
    for space in (" ", "/", "\t")
    for name in ("onfocus", "autofocus onblur", "onpointerover")
)
OTHERS = (
    f"javascript:{RUN}",
    f"JaVaScRiPt:{RUN}",
    f" java\tscript:{RUN}",
    f"data:text/html,<script>{RUN}</script>",
    "{{ 7 * 7 }}",
    "{% include 'done.html' %}",
    "${7*7}",
    "#{7*7}",
    "<%= 7 %>",
    "{item}",
    "{{item}}",
    "{n}",
    "{0.__class__}",
    "%s%n",
    "&lt;b&gt;",
    "&#x3c;b&#x3e;",
    "%3Cscript%3E",
    "\\u003cscript\\u003e",
    "<\u200bscript>",
    "\u202e<b>\u202c",
    "\u2066txt\u2069",
    "\ufeff<b>",
    "＜script＞",
    "ſcript",
    "<\u00adb>",
    "a\u0000b<b>",
    "\ufffe",
    "x\u2028y\u2029z",
    "e\u0301\u0301\u0301",
    "👩‍👩‍👧<b>",
    "=1+1",
    "+1",
    "-1+cmd|' /C x'!A0",
    "@SUM(1)",
    "\t=1",
    "'=1",
    '=HYPERLINK("//hostile.test")',
    '","=1+1',
    "a\r\nb,=1",
    '{"a": 1}',
    "[1]",
    '"',
    "'",
    "\\",
    "`",
    "null",
    "</script><!--<script>",
    "<!--",
    "<![CDATA[",
    "<?xml?>",
    "expression(1)",
    "};*{color:red",
    "'; DROP TABLE answer; --",
    "../../etc/passwd",
    "..%2f..%2f",
    "|| 1=1",
    "# heading",
    "[a](javascript:1)",
    "![a](//hostile.test/x)",
    "`code`",
    "***",
)


def hostile_texts(count=200):
    """That many different texts, of all sorts."""
    elements = [f"{way}{one}" for one, way in itertools.product(ELEMENTS, WAYS_OUT)]
    step = len(elements) // (count - len(ATTRIBUTES) - len(OTHERS))
    every = [*OTHERS, *ATTRIBUTES, *elements[:: max(1, step)], *elements]
    return [*dict.fromkeys(every)][:count]


def by_threes(texts):
    """An element, an attribute and something else beside each other; what would hide the rest comes last."""
    third = -(-len(texts) // 3)
    others, attributes, elements = (texts[n * third :][:third] for n in range(3))
    together = itertools.zip_longest(elements, attributes, others, fillvalue="")
    return [" ".join(filter(None, three)) for three in together]


some_or_all = pytest.mark.parametrize(
    "hostile",
    [
        pytest.param(hostile_texts()[::2], id="every other"),
        pytest.param(hostile_texts(), id="all", marks=pytest.mark.long),
    ],
)
"""For tests of one text after another."""
