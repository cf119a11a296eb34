"""What has to be known beside the numbers of a result, by its heading."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tiltmeter.core.results import Card, Estimate
from tiltmeter.core.study import Study
from tiltmeter.report.estimate_families import families, headline_of
from tiltmeter.report.terms import ASSOCIATIONS, EFFECTS, PERPLEXITY
from tiltmeter.report.textbar import CLEAR_MARK, UNCLEAR_MARK
from tiltmeter.report.wording import visible


def legend() -> str:
    """What the marks of a bar say."""
    return f"{CLEAR_MARK} told from the neutral line, {UNCLEAR_MARK} not told from it (p < .05)"


def conditions(
    card: Card, estimates: Sequence[Estimate], study: Study[Any] | None
) -> dict[str, str]:
    """What has to be known to read the numbers rightly, by its heading."""
    head, counts = headline_of(estimates) or next(iter(estimates), None), card.counts
    skipped = counts.get("invalid", 0)
    tied, scored = counts.get("tied", 0), counts.get("scored", 0)
    left_out = f"{skipped:,} of {counts.get('total', 0):,} items; the card lists them"
    mde = "; MDE is the smallest distance found in 4 of 5 such samples"
    scores = head is not None and head.name in ASSOCIATIONS
    told = (not scores and not (head and head.groups)) or any(e.mde is not None for e in estimates)
    return {
        "Marks": "" if head and head.name == PERPLEXITY else legend() + (mde if told else ""),
        "Above 0": _sides(card, estimates),
        "Interval": visible(head.interval) if head else "",
        "p": _tests(estimates),
        "Scored by": f"rule {visible(card.rule)}, convention {visible(card.convention)}",
        "Settings": ", ".join(f"{name} {value}" for name, value in settings_of(card).items()),
        "Ties": f"{tied:,} of {scored:,}; policy {visible(card.ties)}" if card.ties else "",
        "Left out": "; ".join([*([left_out] if skipped else []), *_partial(card)]) or "nothing",
        "Weights": _weights(card),
        "Head": head_of(card),
        "Precision": precision_of(card),
        "Data": visible(_named(str(card.data.get("name", "")), str(card.data.get("version", "")))),
        "Not shown": visible(study.not_what) if study else "",
    }


MOST_TESTS = 2
"""How many tests are named where each subset has its own."""
FEW_SETS = 4
"""Of so many association tests the sets are named; of more, the page has them."""
MOST_PARTIAL = 3
"""So many of these are told; of more it is said how many there are."""


def _partial(card: Card) -> list[str]:
    found = [visible(n.text) for n in card.notes if n.kind == "coverage"]
    if len(found) <= MOST_PARTIAL + 1:
        return found
    told = [note.rstrip(".") for note in found[:MOST_PARTIAL]]
    return [*told, f"{len(found) - MOST_PARTIAL:,} notes more of this kind, on the page"]


def _sides(card: Card, estimates: Sequence[Estimate]) -> str:
    """What the sign of an association test means, and of a few tests what their sets are."""
    tests = list(dict.fromkeys(e.groups["test"] for e in estimates if "test" in e.groups))
    if not tests or not any(e.name in EFFECTS for e in estimates):
        return ""
    sets = [f"{test}: {card.data[test]}" for test in tests if test in card.data]
    said = "X is nearer to A and Y to B"
    if sets and len(tests) <= FEW_SETS:
        return visible(f"{said}. X and Y by A and B are, of {'; of '.join(sets)}")
    return f"{said}; the page lists these sets of each test"


def _named(name: str, version: str) -> str:
    return name if version and name.endswith(version) else f"{name} {version}".strip()


def settings_of(card: Card) -> dict[str, str]:
    """How the study was set, but for what was left empty: "all groups", say."""
    return {
        visible(name): visible(_spaced(name, value))
        for name, value in card.settings.items()
        if value
    }


def _spaced(name: str, value: str) -> str:
    """A list of names with a blank behind each comma, so that lines can end there."""
    return re.sub(r",(?=\S)", ", ", value) if name in {"groups", "tests"} else value


def _weights(card: Card) -> str:
    """Of the members of an ensemble."""
    members = card.model.get("members")
    if not isinstance(members, Sequence):
        return ""
    shown = "; ".join(
        f"{m['name']} " + ", ".join(f"{w:.3g} ({task})" for task, w in m["weight"].items())
        for m in members
    )
    return visible(f"{card.model.get('weights', '')}: {shown}")


def head_of(card: Card) -> str:
    """How well a trained next-sentence head knows what comes next."""
    found = (v for k, v in card.model.items() if k.endswith("held-out accuracy"))
    shares = [
        f"right about {100 * v:.1f} % of held-out pairs" for v in found if isinstance(v, float)
    ]
    return "; ".join([*shares, "chance is 50"]) if shares else ""


def precision_of(card: Card) -> str:
    """In which precision the model was run, unless that is float32."""
    precision, how = card.model.get("precision"), card.model.get("screening")
    if isinstance(how, Mapping):
        again, items = how["scored again in float32"], how["items"]
        return visible(
            f"{how['quick precision']}, and float32 for the {again:,} of {items:,} items that are near "
            "a tie or drawn to measure the error: preferences as in float32, margins from both"
        )
    if isinstance(precision, str) and precision != "float32":
        return visible(f"{precision}; near ties may fall on the other side than in float32")
    alone = next((note.text for note in card.notes if note.kind == "precision"), "")
    return visible(alone.rstrip("."))


def _tests(estimates: Sequence[Estimate]) -> str:
    head = headline_of(estimates)
    found = families(e for e in estimates if e.p_adjusted is not None)
    ways: dict[str, list[str]] = {}
    for family in found:
        named = ways.setdefault(family.estimates[0].adjustment or "Holm", [])
        named.append(family.title)
    said = [
        f"{visible(way)}'s adjustment within each of: {', '.join(dict.fromkeys(axes))}"
        for way, axes in ways.items()
    ]
    adjusted = "; ".join(said)
    if head is not None:
        tests = [visible(head.test)]
        adjusted += '; "all" is a single test' if said else ""
    else:  # those of the first measure, which may differ from subset to subset
        tests = list(
            dict.fromkeys(visible(e.test) for e in estimates if e.name == estimates[0].name)
        )
        tests = tests[:MOST_TESTS] + (["…"] if len(tests) > MOST_TESTS else [])
    return "; ".join(text for text in (*tests, adjusted) if text)
