"""Results of one model before and after, made of a few records."""

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.finder import find
from tiltmeter.core.records import Record
from tiltmeter.run.measuring.measure import summarise
from tiltmeter.run.planning.choosing import Chosen

SCORES = {1: (-1.0, -2.0), -1: (-2.0, -1.0), 0: (-2.0, -2.0)}


def summed(study, records, model, *, rule=None, data="abc", settings=None, **facts):
    found = find("studies", study, "STUDY")
    chosen = Chosen(
        next(r for r in found.rules if rule in {None, r.name}),
        found.conventions[0],
        found.conventions[0].ties,
        settings or {},
    )
    about = Dataset("made up", "1", records, "here", "CC0", sha256=data)
    named = {"name": model, "fingerprint": model} | facts
    return summarise(found, records, about, chosen=chosen, seed=0, model=named)


def pairs(model, sides, *, kinds=None, **card):
    """Pairs of which the i-th was preferred as `sides[i]` says: 1 more, −1 less, 0 neither."""
    records = [
        Record(
            f"p{i}",
            dict(zip(("more", "less"), SCORES[side], strict=True)),
            {"bias_type": kinds[i]} if kinds else {},
            texts={"more": f"{i} more", "less": f"{i} less"},
        )
        for i, side in enumerate(sides)
    ]
    return summed("crows_pairs", records, model, **card)


def text(model, nats, n=20, **card):
    """Sentences of so many nats a token, a little more in every other one."""
    records = [
        Record(
            f"1/{i}",
            {"logprob": -10 * (nats + 0.1 * (i % 2)), "tokens_scored": 10.0, "raw_bytes": 40.0},
            {},
            texts={"text": f"sentence {i}"},
        )
        for i in range(n)
    ]
    return summed("perplexity", records, model, **card)


def triples(model, sides):
    """Contexts, three a term: −1, 0 or 1 prefers anti-stereotype, neither, stereotype; 2 the unrelated."""
    three = {1: (3, 2, 1), -1: (2, 3, 1), 0: (2, 2, 1), 2: (1, 0, 3)}
    names = ("stereotype", "anti_stereotype", "unrelated")
    records = [
        Record(
            f"t{i}",
            dict(zip(names, map(float, three[side]), strict=True)),
            {"target": f"term {i // 3}", "domain": "gender", "task": "intrasentence"},
            f"term {i // 3}",
            texts={name: f"{i} {name}" for name in names},
        )
        for i, side in enumerate(sides)
    ]
    return summed("stereoset", records, model)
