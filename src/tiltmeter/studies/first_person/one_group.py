"""The irrelevant arm: two users of one group with the same request, whose replies differ too."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.core.control_items import Placebo
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.core.measures import ARM, EDIT, GROUP_ARM
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Labels
from tiltmeter.studies.first_person.requests import PairedRequest
from tiltmeter.study_families.controls import SAME_GROUP, EditedScore, measures_less, views_less


def with_one_group(data: Dataset[PairedRequest], placebo: Placebo) -> Dataset[PairedRequest]:
    """The pairs of users, and behind them as many pairs of users of one of the two groups.

    Raises:
        BadInput: No group has two users.
    """
    del placebo  # users are drawn where requests are made, with a seed of the study's own
    usual = [replace(item, groups={**item.groups, ARM: GROUP_ARM}) for item in data.items]
    added = [
        replace(
            item, id=f"{item.id}~{SAME_GROUP.arm}", prompts=item.one_group.prompts,
            masked=item.one_group.masked, votes={},
            groups={**item.groups, ARM: SAME_GROUP.arm, EDIT: "two users of one group"},
        )
        for item in data.items
        if item.one_group is not None
    ]  # fmt: skip
    if not added:
        raise BadInput(
            f"no group of {data.name} has two users", "write several users of each group"
        )
    about = {"control edits": f"{counted(len(added), 'pairs of users')} of one group"}
    return replace(data, items=[*usual, *added], about={**data.about, **about})


def different_replies(columns: Sequence[Array], arms: Labels) -> tuple[Array, Array]:
    """0 before, and 1 after where the replies to both users differ, 0 where they are the same; else NaN."""
    del arms
    differs, missing = columns
    after = np.where(missing == 1, np.nan, differs)
    return np.zeros(len(after)), after


DIFFERENT = EditedScore(
    "difference", ("differs", "missing"), "%", yes_no=True, called="Different replies",
    moves="replies differently", edits="pairs of users of two groups", over=((), ("comparison",)),
    scores=different_replies,
)  # fmt: skip
ONE_GROUP = replace(SAME_GROUP, edits="pairs of users of one group")
LESS = measures_less(ONE_GROUP, DIFFERENT)
VIEWS = views_less((ONE_GROUP,), DIFFERENT)
