"""Results of made-up scores, by name."""

import numpy as np

from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.studies.crows_pairs import STUDY

SCORES = {1: (-1.0, -2.0), -1: (-2.0, -1.0), 0: (-2.0, -2.0)}


def result(name, sides, *, kinds=None, clusters=None, items=None, scores=None, **card):
    """A result whose i-th pair was preferred as `sides[i]` says: 1 more, -1 less, 0 neither."""
    items = items or [f"p{i}" for i in range(len(sides))]
    scores = scores or [SCORES[s] for s in sides]
    records = [
        Record(
            item,
            {"more": more, "less": less},
            {"bias_type": kinds[i]} if kinds else {},
            clusters[i] if clusters else "",
            texts={"more": f"{item} more", "less": f"{item} less"},
        )
        for i, (item, (more, less)) in enumerate(zip(items, scores, strict=True))
    ]
    facts = {
        "study": "crows_pairs", "study_version": "1", "data": {"sha256": "abc"}, "rule": "aul",
        "convention": "paper", "ties": "half", "seed": 0, "method": "", "counts": {},
        "views": STUDY.views,
    }  # fmt: skip
    return Result(Card(**(facts | {"model": {"name": name}} | card)), records, ())


def named(estimates, name, **groups):
    (found,) = [e for e in estimates if e.name == name and e.groups == groups]
    return found


def random_sides(seed, n=200, chance=0.6):
    draw = np.random.default_rng(seed)
    return draw.choice([1, -1, 0], n, p=[chance, 0.95 - chance, 0.05]).tolist()
