"""Made-up runs of models that were trained with several seeds."""

from analyses.items.examples import run as of_pairs
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result

F1, GAP = "f1_macro", "false_positive_rate_gap"


def trained(seed, f1, gap=1.0, *, base="bert", data="edos", texts="abc", settings=None):
    """A run of a classifier that was trained with this seed, without records."""
    model = {
        "name": f"{base}-{data}-{seed}", "trained from": base, "trained on": data, "training seed": seed,
    }  # fmt: skip
    at = {"n": 300, "neutral": None, "unit": "%", "study": "classification", "model": model["name"]}
    return Result(
        Card("classification", "1", model, {"name": f"{data}-test.jsonl", "sha256": texts},
             settings=settings or {}, counts={"scored": 300}),
        [],
        [
            Estimate(F1, f1, f1 - 4, f1 + 2, 0.03, **at),
            Estimate(GAP, gap, None, None, None, groups={"group": "a − b"}, **at),
        ],
    )  # fmt: skip


def seeds(sides, name="multiberts-seed_{}", **how):
    """Runs of crows_pairs of a model with several seeds, whose pairs prefer as `sides` say."""
    return [of_pairs(name.format(seed), answers, **how) for seed, answers in enumerate(sides)]
