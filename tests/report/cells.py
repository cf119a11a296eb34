"""A made-up result of groups and traits: planted leanings, one odd template, an undefined cell."""

import random
from collections.abc import Mapping, Sequence

from tiltmeter.core.data.items import Cell, Dataset
from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.run.measuring.measure import summarise
from tiltmeter.run.planning.choosing import choose
from tiltmeter.studies.group_traits.study import STUDY

DOMAINS = {
    "work": ("bakers", "sailors", "pianists"),
    "pastime": ("anglers", "chess players"),
    "": ("people who whistle",),
}
DIMENSIONS = {
    "pace": ("slow - quick", "early - late"),
    "mood": ("gloomy - cheerful", "quiet - talkative", "calm - restless"),
}
FAMILIES = {"singular": 3, "plural": 4}
PLANTED = {
    ("bakers", "early - late"): -0.9,
    ("sailors", "quiet - talkative"): 0.7,
    ("chess players", "slow - quick"): -0.5,
}
GONE = ("anglers", "calm - restless")
"""Has no score in one template, and so no mean."""
HOSTILE = "</title><script>x</script>\u202e\"'&"


def result(  # noqa: PLR0913  # what tests vary
    model: str = "demo",
    *,
    seed: int = 1,
    planted: Mapping[tuple[str, str], float] = PLANTED,
    common: float = 0.0,
    noise: float = 0.1,
    fingerprint: str = "",
    names: Mapping[str, str] | None = None,
    templates: int | None = None,
    settings: Mapping[str, str] | None = None,
    rule: str = "set",
) -> Result:
    """Six groups, five pairs, seven templates. `common` moves each cell of a template in every model.

    `names` are other names for groups; only the first `templates` templates are used.
    """
    rng, shared = random.Random(seed), random.Random("common")
    records = []
    frames = [(f, f"{f} {i}") for f, count in FAMILIES.items() for i in range(count)]
    for family, template in frames:
        for domain, groups in DOMAINS.items():
            for group in groups:
                for dimension, pairs in DIMENSIONS.items():
                    for pair in pairs:
                        effect = common * shared.gauss(0, 1)
                        lean = planted.get((group, pair), 0.0) + effect + noise * rng.gauss(0, 1)
                        shown = (names or {}).get(group, group)
                        about = {
                            "group": shown,
                            "domain": domain,
                            "pair": pair,
                            "dimension": dimension,
                            "template": template,
                            "family": family,
                        }
                        records.append(_record(about, lean, template == frames[0][1]))
    if templates is not None:
        kept = {template for _, template in frames[:templates]}
        records = [r for r in records if r.groups["template"] in kept]
    return made(records, model, fingerprint=fingerprint, settings=settings, rule=rule)


def _record(about: Mapping[str, str], lean: float, first: bool) -> Record:
    scores = {"left": 0.1 - lean / 2, "right": 0.1 + lean / 2}
    if first and (about["group"], about["pair"]) == GONE:
        del scores["right"]
    about = {axis: label for axis, label in about.items() if label}
    return Record("|".join(about.values()), scores, about, cluster=about["template"])


def made(
    records: Sequence[Record],
    model: str = "demo",
    *,
    fingerprint: str = "",
    settings: Mapping[str, str] | None = None,
    rule: str = "set",
) -> Result:
    """The result that a run with these records would have."""
    study: Study[Cell] = STUDY
    data: Dataset[Cell] = Dataset(
        "made-up groups", "1", (), "made up", "Apache-2.0", sha256="5f70bf18", clusters="template"
    )
    needs = next(r.needs for r in study.rules if r.name == rule)
    chosen = choose(study, [needs], model=model, rule=rule, settings=settings)
    facts = {"name": model, "fingerprint": fingerprint or model}
    return summarise(study, records, data, chosen=chosen, seed=0, model=facts)
