"""Facts that a reader needs beside the numbers of a result, by heading: marks, rule, tests, omissions."""

import re
from collections.abc import Sequence

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.reply_counts import STORED
from tiltmeter.core.results import Card, NoteKind
from tiltmeter.core.text import counted, visible
from tiltmeter.report.document import TERMINAL, Facts, fact
from tiltmeter.report.documents.families import FEW, families, headline_of
from tiltmeter.report.text import interval_name, label, neutral_text, sentence_end, sides
from tiltmeter.report.text_table import CLEAR_MARK, UNCLEAR_MARK, UNTESTED_MARK

MARKS = f"{CLEAR_MARK} significant (p < .05), {UNCLEAR_MARK} not significant"
BOLD = "bold: significant (p < .05)"
MARKS_UNTESTED = f"{CLEAR_MARK} interval without the neutral value, {UNCLEAR_MARK} with it"
MDE = (
    "minimum detectable effect: the smallest distance from neutral that 4 of 5 samples of that size would "
    "find"
)
MOST_TESTS = 2
"""How many tests are named, where each subset has its own."""
MOST_NOTES = 3
"""How many notes of one kind the terminal prints; it counts the rest."""
FEW_SETS = 4
"""An axis with more values than this is not explained value by value in the terminal, only on the page."""


def conditions(card: Card, estimates: Sequence[Estimate], *, bars: bool = True) -> Facts:
    """Facts for the terminal: how to read the marks, how items were scored, and what was left out.

    With `bars`, tables end in bars whose marks are explained; otherwise significant rows are bold.
    """
    counts = card.counts
    tied, scored = counts.get("tied", 0), counts.get("scored", 0)
    skipped = counts.get("invalid", 0)
    left_out = f"{skipped:,} of {counted(counts.get('total', 0), 'items')}; the card lists them"
    head = headline_of(estimates) or next(iter(estimates), None)
    facts = {
        "Marks": marks(estimates) if bars else BOLD,
        "Sides": sides_of(card, estimates),
        "MDE": MDE if any(e.mde is not None for e in estimates) else "",
        "Interval": interval_name(head) if head else "",
        "p": tests(estimates),
        "Scored by": scored_by(card),
        "Repeats": card.repeats,
        "Settings": ", ".join(f"{name} {value}" for name, value in settings_of(card).items()),
        "Ties": f"{tied:,} of {scored:,}; policy {card.ties}" if card.ties else "",
        "Left out": "; ".join(
            [*([left_out] if skipped else []), *_lines_left_out(card), *_notes(card, "coverage")]
        )
        or "nothing",
        "Weights": _weights(card),
        "Head": head_of(card),
        "Precision": precision_of(card),
        "Caution": " ".join(_notes(card, "caution")),
        "Data": _named(str(card.data.get("name", "")), str(card.data.get("version", ""))),
    }
    return Facts(facts, on=TERMINAL)


def intervals_and_tests(estimates: Sequence[Estimate]) -> dict[str, str]:
    """How intervals and p-values were computed, with each method named once."""
    intervals = (interval_name(e) for e in estimates if e.interval)
    tests = (visible(e.test) for e in estimates if e.test)
    return {"Interval": "; ".join(dict.fromkeys(intervals)), "p": "; ".join(dict.fromkeys(tests))}


def marks(estimates: Sequence[Estimate]) -> str:
    """What filled and hollow marks mean; "" where nothing is tested and nothing has an interval."""
    known = [e for e in estimates if e.significant is not None]
    if not known:
        return ""
    words = MARKS if any(e.p is not None for e in known) else MARKS_UNTESTED
    overall = {e.name for e in estimates if not e.groups}
    untested = any(
        e.value is not None and e.significant is None
        for family in families(estimates)
        if family.axes and (len(family.estimates) > FEW or family.name not in overall)
        for e in family.estimates
    )
    return f"{words}, {UNTESTED_MARK} not tested" if untested else words


def sides_of(card: Card, estimates: Sequence[Estimate]) -> str:
    """What values above and below neutral mean for the first measure; "" where the sides have no names."""
    first = next(iter(estimates), None)
    ways = sides(first) if first else None
    if first is None or ways is None:
        return ""
    neutral = neutral_text(first)
    words = f"above {neutral}: {ways[1]}; below {neutral}: {ways[0]}"
    made = [e for e in estimates if e.name == first.name and len(e.groups) == 1]
    sets = {value: axis for e in made for axis, value in e.groups.items() if value in card.data}
    if not sets:
        return words
    if len(sets) > FEW_SETS:
        return f"{words}. The page lists the sets of each."
    sets_in_words = (f"{label(a, v, card.labels)}: {fact(card.data[v])}" for v, a in sets.items())
    return f"{words}. {'; '.join(sets_in_words)}"


def tests(estimates: Sequence[Estimate]) -> str:
    """Which tests gave the p-values, and within which families they were adjusted."""
    head = headline_of(estimates)
    tests_in_words = [head.test] if head and head.test else _first_tests(estimates)
    axes: dict[str, list[str]] = {}
    for family in families(e for e in estimates if e.p_adjusted is not None):
        way = family.estimates[0].adjustment or "Holm"
        axes.setdefault(way, []).append(family.title)
    adjusted = [
        f"{way}’s adjustment within each of: {', '.join(dict.fromkeys(titles))}"
        for way, titles in axes.items()
    ]
    alone = ["“all” is a single test"] if head and head.test and adjusted else []
    return "; ".join(text for text in (*tests_in_words, *adjusted, *alone) if text)


def _first_tests(estimates: Sequence[Estimate]) -> list[str]:
    """The tests of the first measure that has any; they may differ from subset to subset."""
    first = next((e.name for e in estimates if e.test), "")
    tests = list(dict.fromkeys(e.test for e in estimates if e.name == first and e.test))
    return tests[:MOST_TESTS] + (["…"] if len(tests) > MOST_TESTS else [])


def _notes(card: Card, kind: NoteKind) -> list[str]:
    texts = [note.text.rstrip(".") for note in card.notes if note.kind == kind]
    if len(texts) <= MOST_NOTES + 1:
        return [sentence_end(text) for text in texts] if kind == "caution" else texts
    more = len(texts) - MOST_NOTES
    return [*texts[:MOST_NOTES], f"{more:,} more notes of this kind, on the page"]


def _named(name: str, version: str) -> str:
    return name if not version or name.endswith(version) else f"{name}, version {version}"


def scored_by(card: Card) -> str:
    """The rule and the convention of a run in words."""
    rule = (
        "another program (scores read from a file)" if card.rule == STORED else f"rule {card.rule}"
    )
    return f"{rule}, convention {card.convention}"


def settings_of(card: Card) -> dict[str, str]:
    """The study's settings that are not empty, with a space after commas so that long lists can wrap."""
    return {name: re.sub(r",(?=\S)", ", ", value) for name, value in card.settings.items() if value}


def _weights(card: Card) -> str:
    """The weights of an ensemble's members by task; "" for a single model."""
    members = card.model.get("members")
    if not isinstance(members, Sequence):
        return ""
    shown = "; ".join(
        f"{m['name']} " + ", ".join(f"{w:.3g} ({task})" for task, w in m["weight"].items())
        for m in members
    )
    return f"{card.model.get('weights', '')}: {shown}"


def _lines_left_out(card: Card) -> list[str]:
    """A note on the lines of a model's file that were left out; [] where all were read."""
    lines = card.model.get("lines left out")
    return [f"lines of {card.model.get('file', 'the model')}: {lines}"] if lines else []


def head_of(card: Card) -> str:
    """The held-out accuracy of a trained next-sentence head; "" for other models."""
    accuracies = (v for k, v in card.model.items() if k.endswith("held-out accuracy"))
    shares = [
        f"right about {100 * v:.1f} % of held-out pairs" for v in accuracies if isinstance(v, float)
    ]
    return "; ".join([*shares, "chance is 50"]) if shares else ""


def precision_of(card: Card) -> str:
    """The precision in which the model was run, with a caution; "" for float32."""
    precision = card.model.get("precision")
    if isinstance(precision, str) and precision != "float32":
        return f"{precision}; near ties may be decided differently in float32"
    return ""
