"""Sentences that people read: numbers agree with their nouns and verbs, and nothing is left blank.

The first test reads the code, the second everything that the goldens print.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "tiltmeter"
GOLDENS = Path(__file__).parent / "goldens"
PRINTED = [*GOLDENS.glob("*/*.txt"), *GOLDENS.glob("*/*/*.txt"), *GOLDENS.glob("*/*/*.json")]
NUMBER_AND_NOUN = re.compile(
    r"\{(?P<number>[^{}\"]+:,|len\([^{}\"]*\))\} (?:(?!of|and|with|more|to|in|at|that|is|had)[a-z-]+ )?"
    r"(?P<noun>[a-z]{2,}s|people)\b"
)
"""A number in an f-string with its noun in the plural, as if it were never 1."""
NO_NOUNS = {
    "is",
    "has",
    "was",
    "does",
    "less",
    "this",
    "others",
    "stands",
    "lies",
    "across",
    "unless",
    "bytes",
}
_COUNTED = (
    "items|pairs|replies|labels|repeats|texts|edits|studies|models|groups|people|traits|tests|runs|samples|words|"
    "rows|identities|templates|annotators"
)
BLANKS = {
    "a plural verb after 1": re.compile(r"(?<![\d.,±−–/@])\b1 (?:are|were|have|do)\b"),
    "a plural noun after 1": re.compile(rf"(?<![\d.,±−–/@])(?<!and )\b1 (?:{_COUNTED})\b"),
    "a version without its name": re.compile(r"\d of [\d,]+ \d+\n"),
    "empty brackets": re.compile(r"[a-z] \(\s*\)(?![;:)`])"),
    "a difference of nothing": re.compile(
        r"prefers\b[^\n]*\bdifference of 0\.0+\b|\bis 0(?:\.0+)?( \w+)? (?:higher|lower) than"
    ),
    "a rounding error": re.compile(r"\de−1[5-9]\b"),
    "a gap in a sentence": re.compile(r"[a-z] [,;](?:\s|$)"),
}  # fmt: skip


def numbers_and_nouns(source: str) -> list[str]:
    """The places of a module where a noun is always in the plural; constants are known to be several."""
    return [
        match[0]
        for match in NUMBER_AND_NOUN.finditer(source)
        if match["noun"] not in NO_NOUNS
        and not match["number"].removesuffix(":,").rpartition(".")[2].isupper()
    ]


def test_numbers_are_joined_with_their_nouns_in_one_place():
    """`core.text.counted` knows the singular."""
    found = {
        str(file.relative_to(ROOT)): places
        for file in ROOT.rglob("*.py")
        if file != ROOT / "core" / "text.py"
        and (places := numbers_and_nouns(file.read_text("utf-8")))
    }
    assert not found


@pytest.mark.parametrize("what", BLANKS)
def test_nothing_printed_has(what):
    found = {
        str(file.relative_to(GOLDENS)): match[0]
        for file in PRINTED
        if (match := BLANKS[what].search(file.read_text("utf-8")))
    }
    assert not found


@pytest.mark.parametrize(
    ("source", "found"),
    [('f"{n:,} pairs"', 1), ('f"{len(a)} of {len(b)} lost items are"', 1), ('f"{MOST:,} pairs"', 0),
     ('f"{n:,} is"', 0), ("counted(n, 'pairs')", 0)],
)  # fmt: skip
def test_planted_plurals_are_seen(source, found):
    assert len(numbers_and_nouns(source)) == found


@pytest.mark.parametrize(
    ("what", "text"),
    [("a plural verb after 1", "of 2, 1 are equal"), ("a plural noun after 1", "(1 pairs)"),
     ("a version without its name", "Data starter_pairs, 40 of 270 1\n"), ("empty brackets", "a mean ()"),
     ("a difference of nothing", "prefers the second sentence: −1.00 against −1.00, a difference of 0.00"),
     ("a rounding error", "2.78e−17"), ("a gap in a sentence", "the model , which")],
)  # fmt: skip
def test_planted_slips_are_seen(what, text):
    assert BLANKS[what].search(text)


DOCUMENTED = (
    "core",
    "stats",
    "metrics",
    "api",
    "scoring",
    "run",
    "papers",
    "analyses",
    "active",
    "bridges",
)
NO_SUBJECT = re.compile(r"(?:Of|As|Its|Their|Those|These) ")
"""How a docstring begins that only makes sense beside something else: "Of the option's name"."""
FEWEST_WORDS = 3


def riddles(source: str) -> list[str]:
    """Public names of a module whose docstring does not say by itself what they are."""
    found = []

    def look(node: ast.Module | ast.ClassDef, before: str) -> None:
        for this, after in zip(node.body, [*node.body[1:], None], strict=True):
            if isinstance(this, ast.FunctionDef | ast.ClassDef):
                name, text = this.name, ast.get_docstring(this)
            elif isinstance(this, ast.AnnAssign | ast.Assign) and isinstance(after, ast.Expr):
                targets = [this.target] if isinstance(this, ast.AnnAssign) else this.targets
                name, text = ast.unparse(targets[0]), getattr(after.value, "value", None)
            else:
                continue
            words = text.split("\n\n")[0].split() if isinstance(text, str) else []
            if (
                words
                and not name.startswith("_")
                and (len(words) < FEWEST_WORDS or NO_SUBJECT.match(text))
            ):
                found.append(f"{before}{name}: {' '.join(words)}")
            if isinstance(this, ast.ClassDef) and not name.startswith("_"):
                look(this, f"{name}.")

    look(ast.parse(source), "")
    return found


@pytest.mark.parametrize("room", DOCUMENTED)
def test_public_docstrings_say_what_something_is(room):
    found = {
        str(file.relative_to(ROOT)): names
        for file in (ROOT / room).rglob("*.py")
        if (names := riddles(file.read_text("utf-8")))
    }
    assert not found


def test_planted_riddles_are_seen():
    source = 'class A:\n    name: str\n    """Of the file."""\n    def x(self):\n        """The number."""\n'
    assert riddles(source) == ["A.name: Of the file.", "A.x: The number."]
