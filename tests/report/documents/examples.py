"""A result on a page and on a terminal."""

import html
import re

from report import example
from report.test_terminal import shown
from tiltmeter.core.results import Result
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page


def on_page(result: Result, *, show_text: bool = True) -> str:
    return page(run_document(result, example.study(), show_text=show_text))


def words(made: str) -> str:
    """The page's own words, without style and pictures."""
    bare = re.sub(r"<(style|svg)\b.*?</\1>", " ", made, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", bare)).split())


def terminal(result: Result, width: int = 100) -> str:
    return shown(run_document(result, example.study()), width)
