"""What numbers rest on, and how their intervals were made, in words."""

from dataclasses import replace

from report import example
from tiltmeter.derived.run_tables.run_table import placements
from tiltmeter.report.documents.run_tables.number_facts import amount_words, by_method

PAIRS = example.result("a")
DRAWN = {"name": "pairs.csv, 100 of 1,508", "sample": "100 of 1,508 items, seed 0"}


def numbers(*sizes, model="a", **data):
    """Numbers over everything with so many pairs each, of one run."""
    card = replace(PAIRS.card, model={"name": model}, data={**PAIRS.card.data, **data})
    made = [replace(PAIRS.headline, n=n) for n in sizes]
    return placements(replace(PAIRS, card=card, estimates=made))


def test_an_amount_has_the_data_and_a_range_where_numbers_differ():
    assert amount_words(numbers(240, name="pairs.csv")) == "240 pairs of pairs.csv"
    assert amount_words(numbers(36, 72, name="pairs.csv")) == "36 to 72 pairs of pairs.csv"
    assert amount_words(numbers(0, name="pairs.csv")) == "pairs.csv"


def test_a_sample_is_said_to_be_one():
    assert amount_words(numbers(100, **DRAWN)) == "100 of 1,508 pairs of pairs.csv"
    assert amount_words(numbers(98, **DRAWN)) == "98 pairs of pairs.csv (100 of 1,508 items)"


def test_models_on_different_data_are_named():
    both = [*numbers(100, **DRAWN), *numbers(1508, model="b", name="pairs.csv")]
    assert amount_words(both) == (
        "100 of 1,508 pairs of pairs.csv (a); 1,508 pairs of pairs.csv (b)"
    )


def test_numbers_of_parts_do_not_count_beside_those_over_everything():
    parts = [replace(p, estimate=replace(p.estimate, n=9, groups={"g": "x"})) for p in numbers(240)]
    assert amount_words([*numbers(240, name="d"), *parts]) == "240 pairs of d"


def test_methods_are_told_apart_only_where_they_differ():
    placed = [
        replace(p, estimate=replace(p.estimate, name=name, interval=way))
        for p in numbers(240) for name, way in (("x", "A"), ("y", "A"), ("z", "B"), ("none", ""))
    ]  # fmt: skip

    def said(some):
        return by_method(some, lambda e: e.interval, lambda p: p.estimate.name)

    assert said(placed) == "x and y: A; z: B"
    assert said(placed[:2]) == "A"
    assert said(placed[3:]) == ""
