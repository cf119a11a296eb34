"""Candidates as items: their groups, their clusters, and the settings that say what is compared."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from tiltmeter.core.conventions import Setting
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.labelled_items import GROUP, SMALL
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.conversations import Prompt
from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.text import counted
from tiltmeter.core.wordings import WORDING
from tiltmeter.data.files.rows import number_of
from tiltmeter.data.prompts.wording_files import packaged_wordings

DESIGN, RANKING, YES_NO, OUTCOMES = "design", "ranking", "yes or no", "outcomes"
RACES = {"A": "Asian", "B": "Black", "H": "Hispanic", "W": "white"}
GENDERS = {"M": "male", "W": "female"}
CODES = {f"{r}_{g}": (RACES[r], GENDERS[g]) for r, g in product(RACES, GENDERS)}
RANKED = ("prompt", "name")
"""What the clusters of rankings may be."""
YES = ("yes", "no", "Yes", "No")
"""What answers a yes/no question, each answer in two spellings."""
DECISIONS = ("chosen", "not chosen")
"""What may have been decided about a candidate of a table of outcomes."""
WORDINGS = packaged_wordings(Path(__file__).with_name("wordings.toml"))
"""How rankings and yes/no questions are asked, by design."""
SETTINGS = (
    Setting(
        "prompts",
        default="50",
        summary="How often résumés are ranked for each job, each time with other names.",
    ),
    Setting("jobs", default="all", summary="Names of jobs, separated by commas."),
    Setting(
        "clusters",
        default="prompt",
        summary="What intervals of rankings take as the unit: prompts, or names, which recur "
        "between prompts.",
        choices=("prompt", "name"),
    ),
    Setting(
        "groups",
        default="",
        summary="Of a table of outcomes, the columns that are groups; by default all others.",
    ),
    Setting(
        "least",
        default="0",
        summary="Categories below this percentage of the candidates are not compared.",
    ),
    WORDING,
)
Answered: TypeAlias = tuple[PromptedText, str]
"""A candidate, and the reply or the outcome that a file has about it."""


class Candidate(NamedTuple):
    """A candidate of a ranking; `resume` says which of the job's."""

    name: str
    race: str
    gender: str
    resume: str = ""


def candidates(
    number: int, job: str, people: Sequence[Candidate], prompt: Prompt
) -> Iterator[PromptedText]:
    """An item for each candidate of a ranking, in the order of the prompt."""
    names = tuple(person.name for person in people)
    for place, person in enumerate(people, start=1):
        about = {DESIGN: RANKING, "job": job, "position": str(place)}
        about |= {"resume": person.resume} if person.resume else {}
        yield PromptedText(
            f"{job}/{number}/{place}", person.name, prompt, names, positive=person.name,
            groups=about | groups_of({"race": person.race, "gender": person.gender}),
            max_tokens=12 * len(people), cluster=f"{job}/{number}",
        )  # fmt: skip


def groups_of(attributes: Mapping[str, str]) -> dict[str, str]:
    """Axes of a candidate: each attribute, and all of them crossed; what is not known is not compared.

    >>> groups_of({"sex": "F", "race": "Black"})
    {'sex': 'F', 'race': 'Black', 'group': 'F × Black'}
    >>> groups_of({"sex": "F", "race": ""})["group"]
    'unknown (left out)'
    """
    unknown = f"unknown{SMALL}"
    crossed = " × ".join(attributes.values()) if all(attributes.values()) else unknown
    single = {name: label or unknown for name, label in attributes.items()}
    return {**(single if len(single) > 1 else {}), GROUP: crossed}


def dataset_of(
    about: Dataset[Any], answered: Sequence[Answered], values: Mapping[str, str]
) -> Dataset[PromptedText]:
    """The candidates as a data set: groups below `least` are marked, and clusters are as `clusters` says."""
    apart = {DESIGN, "job", "position", "resume"}
    counts = Counter(at for item, _ in answered for at in item.groups.items() if at[0] not in apart)
    percent = setting_number(values, "least")
    least = percent / 100 * len(answered)
    if 0 < percent < 1 and 0 < least <= 1:
        reason = (
            f"the setting least is a percentage, and {percent:g} % of {counted(len(answered), 'candidates')} "
            "is less than one"
        )
        raise BadInput(reason, f"for {100 * percent:g} % write --set least={100 * percent:g}")
    small = {at for at, count in counts.items() if count < least and not at[1].endswith(SMALL)}
    by_name, items = values["clusters"] == "name", []
    for item, _ in answered:
        groups = {axis: v + SMALL * ((axis, v) in small) for axis, v in item.groups.items()}
        named = by_name and groups[DESIGN] == RANKING
        items.append(replace(item, groups=groups, cluster=item.text if named else item.cluster))
    kinds = {RANKING: values["clusters"], YES_NO: "question", OUTCOMES: "cluster"}
    return replace(about, items=items, clusters=kinds[items[0].groups[DESIGN]] if items else "")


def setting_number(values: Mapping[str, str], name: str) -> float:
    """A setting that is a number; BadInput where it is none."""
    try:
        return number_of(values[name])
    except Fault as fault:
        raise BadInput(f"the setting {name} {fault.reason}", "write a number") from None
