"""Studies describe themselves: what shows, compares and prints results names none of them.

A name in a sentence is found as well as one in code; docstrings and comments may give examples.
"""

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path

import pytest

from tiltmeter.core.finder import find, known

ROOT = Path(__file__).parents[1] / "src" / "tiltmeter"
FILES = sorted(
    file
    for layer in ("report", "derived", "cli")
    for pattern in ("*.py", "*.html", "*.css")
    for file in (ROOT / layer).rglob(pattern)
)
STUDIES = {name: find("studies", name, "STUDY") for name in known("studies")}
WORDS = {"association", "counterfactual", "perplexity"}
"""Names that are plain English too: they may stand in a sentence, never alone in quotes."""
COUNTED = {"pairs", "prompts", "accuracy", "precision", "recall"}
"""Studies and measures that are named by words for other things too: not told apart here."""


@cache
def names() -> frozenset[str]:
    """Of every study, measure and comparison."""
    measures = [m for study in STUDIES.values() for m in study.measures]
    compared = {m.comparison.name for m in measures if m.comparison} - {""}
    return frozenset({*STUDIES, *(m.name for m in measures), *compared} - COUNTED)


@cache
def words() -> re.Pattern[str]:
    """The longest first, so that no name hides behind the beginning of it."""
    longest_first = sorted(names() - WORDS, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, longest_first))})(?![\w-])")


def mentions(text: str, *, in_code: bool) -> set[str]:
    """The names that a text mentions: whole words, or the text itself where it is a quoted string."""
    found = set(words().findall(text))
    return found | ({text} & WORDS if in_code else set())


def in_python(source: str) -> set[str]:
    """Names in strings and identifiers of a module, docstrings aside."""
    tree = ast.parse(source)
    docs = {id(node.body[0].value) for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            docs.add(id(node.value))  # the docstring of an attribute
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            found |= mentions(node.value, in_code=True)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return found | {t.string for t in tokens if t.type == tokenize.NAME} & (names() - WORDS)


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(ROOT)))
def test_no_study_and_no_measure_is_named(file):
    source = file.read_text("utf-8")
    found = in_python(source) if file.suffix == ".py" else mentions(source, in_code=False)
    assert not found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("x = 'stereotype_rate'", {"stereotype_rate"}),
        ("def f():\n    return e.icat", {"icat"}),
        ("x = f'the {n} of crows_pairs'", {"crows_pairs"}),
        ("x = kinds['association']", {"association"}),
        ("x = 'an association of pairs'", set()),
        ('def f():\n    """Such as ss."""', set()),
        ("ss_of = 1", set()),
    ],
)
def test_planted_names_are_seen(source, found):
    assert in_python(source) == found
