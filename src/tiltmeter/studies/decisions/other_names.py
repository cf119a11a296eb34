"""The irrelevant arm: rankings in which each candidate has another name of the same group.

Beside them stand rankings in which each has a name of another group of the same prompt. Both are asked in
addition to the study's own rankings, with the same résumés in the same places and new names only.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np

from tiltmeter.core.control_items import Placebo
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.labelled_items import GROUP, SMALL
from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import BadInput
from tiltmeter.core.measures import ARM, BASE_ARM, EDIT, EDITED, GROUP_ARM
from tiltmeter.core.model.conversations import Prompt
from tiltmeter.core.text import counted
from tiltmeter.studies.decisions.candidates import DESIGN, RANKING
from tiltmeter.study_families.controls import SAME_GROUP, EditedScore, measures_less, views_less

Renaming = Mapping[str, str]
"""Other names by the names in a prompt."""
EDITS = {GROUP_ARM: "a name of another group", SAME_GROUP.arm: "another name of the same group"}


def with_other_names(data: Dataset[PromptedText], placebo: Placebo) -> Dataset[PromptedText]:
    """The candidates, and behind them those of both kinds of renamed rankings.

    Names are those that the data have for a group. Only candidates for whom there are new names of both kinds
    are renamed.

    Raises:
        BadInput: There are no rankings, or no group has a second name.
    """
    by_prompt: dict[Prompt, list[PromptedText]] = {}
    names: dict[str, set[str]] = {}
    for item in data.items:
        if item.groups[DESIGN] == RANKING and not item.groups[GROUP].endswith(SMALL):
            by_prompt.setdefault(item.prompt, []).append(item)
            names.setdefault(item.groups[GROUP], set()).add(item.text)
    if not by_prompt:
        raise BadInput("only rankings have names to exchange", "leave out --placebo")
    pool = {group: sorted(known) for group, known in names.items()}
    added = [
        item
        for people in by_prompt.values()
        for arm, renaming in zip(EDITS, _renamings(people, pool, placebo.seed), strict=True)
        for item in _renamed(people, renaming, arm)
    ]
    if not added:
        reason = f"no group has a second name in the {counted(len(by_prompt), 'rankings')} of {data.name}"
        raise BadInput(reason, "ask for more rankings with --set prompts=50")
    usual = [
        replace(item, groups={**item.groups, ARM: BASE_ARM, EDITED: item.id}) for item in data.items
    ]
    half = len(added) // 2
    text = f"{counted(half, 'candidates')} with {EDITS[GROUP_ARM]}, and {half:,} with {EDITS[SAME_GROUP.arm]}"
    about = {"control edits": f"{text}, in the same rankings"}
    return replace(data, items=[*usual, *added], about={**data.about, **about})


def _renamings(
    people: Sequence[PromptedText], pool: Mapping[str, Sequence[str]], seed: int
) -> tuple[Renaming, Renaming]:
    """New names of other groups, and of the same, for the same candidates of a prompt."""
    # By an id, so that a ranking has the same names in every wording and whichever others there are.
    rng = np.random.default_rng([seed, crc32(people[0].id.encode())])
    order = [people[at] for at in rng.permutation(len(people))]
    of_others: dict[str, str] = {}
    of_same: dict[str, str] = {}
    for at, person in enumerate(order):
        group = person.groups[GROUP]
        other = next(
            (p.groups[GROUP] for p in (*order[at + 1 :], *order[:at]) if p.groups[GROUP] != group),
            "",
        )
        taken = {*person.options, *of_others.values(), *of_same.values()}
        free = [[n for n in pool.get(of, ()) if n not in taken] for of in (other, group)]
        if all(free):
            of_others[person.text], of_same[person.text] = (str(rng.choice(some)) for some in free)
    return of_others, of_same


def _renamed(people: Sequence[PromptedText], renaming: Renaming, arm: str) -> list[PromptedText]:
    """The renamed candidates of a prompt."""
    if not renaming:
        return []
    longest = "|".join(sorted(map(re.escape, renaming), key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{longest})(?!\w)")
    prompt = people[0].prompt
    messages = [
        replace(message, text=pattern.sub(lambda name: renaming[name[0]], message.text))
        for message in prompt.messages
    ]
    asked = replace(prompt, messages=(*messages,))
    options = tuple(renaming.get(name, name) for name in people[0].options)
    return [
        replace(
            person, id=f"{person.id}~{arm}", text=renaming[person.text], prompt=asked, options=options,
            positive=renaming[person.text],
            groups={**person.groups, ARM: arm, EDIT: EDITS[arm], EDITED: person.id},
        )
        for person in people
        if person.text in renaming
    ]  # fmt: skip


CHOICE = EditedScore(
    "choice", ("said_positive",), "%", yes_no=True, called="Choices changed", text=EDITED,
    moves="changes whether a candidate is chosen", edits="exchanges of names between groups",
    over=((), ("job",)),
)  # fmt: skip
LESS = measures_less(SAME_GROUP, CHOICE)
VIEWS = views_less((SAME_GROUP,), CHOICE)
