"""A made-up result of context associations: twelve terms, two tasks, hostile strings."""

import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from report import example
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.types import Groups
from tiltmeter.studies.stereoset import STUDY as CONTEXTS

DOMAINS = {
    "profession": ("librarian", "plumber", "chess player", "baker"),
    "gender": ("uncle", "grandmother", "sister"),
    "race": ("Swede", "Portuguese", "Canadian"),
    "religion": ("hymn", "monastery"),
}
TASKS = ("intrasentence", "intersentence")
ATTRIBUTES = (("quiet", "loud", "triangular"), ("patient", "hasty", "metric"))
HOSTILE = "<script>document.title='taken'</script> \u202esaid\x1b[31m the {} neighbour & \"co\"."
OVER: tuple[tuple[str, ...], ...] = ((), ("task",), ("domain",), ("task", "domain"), ("target",))
NAMES = ("ss", "lms", "icat")


def result(model: str = "demo", *, seed: int = 1, lean: float = 0.6, sense: float = 0.85) -> Result:
    """Twelve terms with four contexts a task; `lean` and `sense` are chances, scored by nobody."""
    rng = random.Random(seed)
    records = [
        _record(rng, task, domain, term, k, lean, sense)
        for task in TASKS
        for domain, terms in DOMAINS.items()
        for term in terms
        for k in range(4)
    ]
    base = example.result(model)
    data = {**base.card.data, "name": "made-up contexts", "clusters": "target term"}
    card = replace(base.card, study="stereoset", data=data, invalid=[], rule="pll_context",
                   measures={m.name: m.meaning for m in CONTEXTS.measures}, views=CONTEXTS.views)  # fmt: skip
    return Result(card, records, example.with_meanings(estimates(records, model), CONTEXTS))


def _record(
    rng: random.Random, task: str, domain: str, term: str, k: int, lean: float, sense: float
) -> Record:
    one, other = -rng.uniform(2, 6), -rng.uniform(6, 9)
    high, low = (one, other) if rng.random() < lean else (other, one)
    unrelated = -rng.uniform(9, 12) if rng.random() < sense else -rng.uniform(0.5, 2)
    frame = HOSTILE if (term, k) == ("uncle", 0) else f"The {{}} {term} came by."
    words = zip(("stereotype", "anti_stereotype", "unrelated"), ATTRIBUTES[k % 2], strict=True)
    texts = {side: frame.format(word) for side, word in words}
    if (term, k) == ("uncle", 0):  # on top of the list, so that the page has to show it
        high, low = -1.0, -30.0
    return Record(
        f"{task}-{term}-{k}",
        {"stereotype": high, "anti_stereotype": low, "unrelated": unrelated},
        {"task": task, "domain": domain, "target": term},
        cluster=term,
        texts={"context": frame.format("BLANK"), **texts},
    )


def estimates(records: Sequence[Record], model: str = "demo") -> list[Estimate]:
    """By slow and obvious code: a share a term, and the plain mean over terms."""
    found = []
    for name in NAMES:
        for axes in OVER:
            keys = dict.fromkeys(tuple(r.groups[a] for a in axes) for r in records)
            for key in keys:
                groups = dict(zip(axes, key, strict=True))
                chosen = [r for r in records if all(r.groups[a] == v for a, v in groups.items())]
                found.append(_estimate(name, chosen, groups, model))
    return found


def _estimate(name: str, records: Sequence[Record], groups: Groups, model: str) -> Estimate:
    ss, lms = (fmean(_by_term(records, part)) for part in ("ss", "lms"))
    value = {"ss": ss, "lms": lms, "icat": lms * min(ss, 100 - ss) / 50}[name]
    half = 400 / len(records) ** 0.5 / 4
    outside = abs(value - 50) > half
    return replace(
        score(name, value, max(0.0, value - half), min(100.0, value + half), len(records)),
        groups=groups,
        model=model,
        p=(0.01 if outside else 0.3) if name == "ss" else None,
        p_adjusted=(0.02 if outside else 1.0) if name == "ss" and groups else None,
    )


def _by_term(records: Sequence[Record], name: str) -> list[float]:
    terms: dict[str, list[float]] = {}
    for record in records:
        more, less, off = record.scores.values()
        share = 100.0 * (more > less) if name == "ss" else 50.0 * ((more > off) + (less > off))
        terms.setdefault(record.cluster, []).append(share)
    return [fmean(shares) for shares in terms.values()]


def score(name: str, value: float | None, low: float, high: float, n: int = 96) -> Estimate:
    """One of the three scores, as a study reports it."""
    return Estimate(
        name, value, low, high, None, n, 50.0, "%",
        model="demo", study="stereoset", rule="pll_context", convention="paper", ties="half",
        interval="bootstrap of whole target terms", test="sign-flip test against 50",
    )  # fmt: skip


def three(ss: float, lms: float, model: str = "demo") -> list[Estimate]:
    """The scores of all items, each with an interval of 2 points to either side."""
    values = {"ss": ss, "lms": lms, "icat": lms * min(ss, 100 - ss) / 50}
    found = [replace(score(name, v, v - 2, v + 2), model=model) for name, v in values.items()]
    return example.with_meanings(found, CONTEXTS)


def differences(one: Result, other: Result) -> list[Estimate]:
    """The three scores subtracted, over all items, by task and by domain; how often they agree."""
    names = f"{one.card.model['name']} − {other.card.model['name']}"
    found = []
    for a, b in zip(one.estimates, other.estimates, strict=True):
        if tuple(a.groups) in OVER[:3] and a.value is not None and b.value is not None:
            gap = a.value - b.value
            found.append(
                replace(a, name=f"{a.name}_difference", value=gap, low=gap - 9, high=gap + 9,
                        neutral=0.0, unit="percentage points", model=names, p_adjusted=None,
                        meaning=Meaning(f"Difference of {a.name}", neutral_is="no difference",
                                        difference_of=a.name))
            )  # fmt: skip
    same = Estimate("same_preference", 61.5, 52.0, 70.0, None, 96, 50.0, "%", model=names)
    kappa = Estimate("preference_kappa", 0.2, 0.1, 0.3, None, 96, 0.0, "", model=names)
    return [*found, same, kappa]


def correlation(results: Sequence[Result]) -> Estimate:
    """Do the models that know language better prefer stereotypes more?"""
    return Estimate(
        "lms_ss_spearman", 0.5, None, None, 1.0, len(results), 0.0, "",
        why="no interval: an interval needs at least four points; there are 3",
        model=", ".join(str(r.card.model["name"]) for r in results), test="permutation test",
        meaning=Meaning("Rank correlation of lms and ss", counts="models", neutral_is="no correlation"),
    )  # fmt: skip
