"""Runs of made-up models on made-up pairs, whose preferences a test chooses."""

import numpy as np

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.run.files import folder as folders

SCALE = {"a": "000000", "b": "110000", "c": "111010", "d": "111110"}
"""Each model prefers the stereotype (1) in more pairs than the one before; all agree on the last."""


def run(model, sides, *, cluster=lambda _: "", text=lambda i: f"text {i}", names=None, **card):
    """A run of crows_pairs whose i-th pair prefers as `sides[i]` says; "?" is a pair without an answer."""
    ids = names or [f"p{i}" for i in range(len(sides))]
    records = [
        Record(
            name,
            {} if side == "?" else {"more": float(side), "less": 0.5},
            {"bias_type": "age" if i % 2 else "race"},
            cluster(i),
            texts={"more": text(i), "less": f"other {text(i)}"},
        )
        for i, (name, side) in enumerate(zip(ids, sides, strict=True))
    ]
    facts = {
        "study": "crows_pairs", "study_version": "1", "data": {"name": "crows_pairs", "sha256": "abc"},
        "rule": "aul", "convention": "paper", "ties": "half", "categories": "bias_type",
        "counts": {"scored": len(records)}, "model": {"name": model, "fingerprint": model},
    }  # fmt: skip
    rate = 100 * float(np.mean([side == "1" for side in sides if side != "?"]))
    head = Estimate("stereotype_rate", rate, None, None, None, len(sides), 50.0, "%")
    return Result(Card(**(facts | card)), records, [head])


def runs(sides=None, **how):
    return [run(model, answers, **how) for model, answers in (sides or SCALE).items()]


def random_runs(models, items, seed=0, lean=0.3, **how):
    """Models whose rates differ, on items that go together."""
    rng = np.random.default_rng(seed)
    shares = 0.5 + lean * np.linspace(-1, 1, models)
    return [
        run(
            f"{'abcdefghijklmnop'[i] * 4}",
            "".join(str(int(x)) for x in rng.random(items) < share),
            **how,
        )
        for i, share in enumerate(shares)
    ]


def turned(results, item):
    """The runs with one pair turned round: models that lean more prefer the other sentence."""
    made = []
    for result in results:
        sides = [str(int(r.scores["more"])) for r in result.records]
        sides[item] = "0" if sides.count("1") > len(sides) / 2 else "1"
        made.append(run(result.card.model_name, "".join(sides)))
    return made


def written(results, tmp_path):
    """The folders of these runs."""
    paths = []
    for number, result in enumerate(results):
        paths.append(tmp_path / f"run{number}")
        folders.write(result, paths[-1], page="")
    return paths
