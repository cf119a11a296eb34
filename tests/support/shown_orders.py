"""Answers of simulated people to a survey in random order, some of whom lean to a side or a place."""

import csv
import json

import numpy as np

COLUMNS = (
    "person", "item", "round", "page", "question", "kind", "value", "item_place", "row_place",
    "swapped", "texts_order", "options_order", "marks",
)  # fmt: skip
OPTIONS = ("a", "b", "c", "none")


def simulated(path, people=40, *, side=0.0, lazy=0.0, first=0.0, items=4, seed=1):
    """Write answers.csv.

    Args:
        path: The file.
        people: How many there are.
        side: How far sliders move where their ends are swapped.
        lazy: The share of answers that take the first option.
        first: The share of answers that take the text shown first.
        items: Per person.
        seed: Of the answers.
    """
    rng = np.random.default_rng(seed)
    base = rng.normal(50, 10, (items, 3))
    rows = []
    for person in range(people):
        own, swapped = 8 * rng.normal(), rng.integers(0, 2, 3)
        for place, item in enumerate(rng.permutation(items), start=1):
            at = {
                "person": f"p{person}",
                "item": f"i{item}",
                "round": 1,
                "page": "rate",
                "item_place": place,
            }
            for row, slider in enumerate(rng.permutation(3), start=1):
                value = base[item, slider] + own + side * swapped[slider] + 8 * rng.normal()
                sides = "yes" if swapped[slider] else "no"
                shown = {"row_place": row, "swapped": sides, "value": f"{value:.3f}"}
                rows.append({**at, **shown, "question": f"s{slider}", "kind": "slider"})
            texts = [f"reply_{number}" for number in (1, 2)]
            if rng.random() < 0.5:
                texts.reverse()
            liked = texts[0] if rng.random() < first else rng.choice(texts)
            options = [*rng.permutation(OPTIONS[:3]), "none"]
            chosen = options[0] if rng.random() < lazy else rng.choice(OPTIONS)
            better = {"reply_1": "first", "reply_2": "second"}[str(liked)]
            choice = {**at, "kind": "choice"}
            rows += [
                {**choice, "question": "better", "value": better, "texts_order": json.dumps(texts)},
                {**choice, "question": "type", "value": chosen,
                 "options_order": json.dumps([*map(str, options)])},
            ]  # fmt: skip
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return path
