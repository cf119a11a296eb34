"""Studies as tasks of other programs: everything that is asked, and what reads the answers back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tiltmeter.bridges.answers import Request, askable_rule, requests_of
from tiltmeter.bridges.samples import OURS
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.finder import find
from tiltmeter.core.study import Context, Study
from tiltmeter.run.choosing import choose, every_need
from tiltmeter.run.imported_scores import STORED
from tiltmeter.run.item_loading import load_items
from tiltmeter.run.monitor import Logged
from tiltmeter.run.run_options import RunOptions


@dataclass(frozen=True, slots=True)
class AskedRow:
    """Something that a study asks about an item."""

    item: Any
    request: Request
    fields: Mapping[str, str]
    """The item's groups, the row's name as `id`, and what says how to read the answer back."""


def asked_rows(
    study: str, *, writes: bool, chats: bool, rule: str | None = None, data: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> list[AskedRow]:  # fmt: skip
    """Everything that a study asks; the arguments are as those of `tiltmeter run`.

    Args:
        study: Its name.
        writes: Whether the model writes; else its log-probabilities of given texts count.
        chats: Whether the program gives prompts as conversations.
        rule: Of the study; by default its first one of that kind.
        data: A set or file; by default the study's own.
        settings: Of the study.

    Raises:
        CannotAnswer: No rule of the study asks what other programs can.
    """
    of: Study[Any] = find("studies", study, "STUDY")
    items = load_items(of, RunOptions(data=data, settings=settings or {}), Logged())
    usual = askable_rule(of, items.items[0], writes=writes)
    if usual is None or usual is STORED:
        raise CannotAnswer(f"no rule of {study} asks what another program can ask")
    named = rule or usual.name
    chosen = choose(of, every_need(of), model="the task", rule=named, settings=settings)
    read_back = {"study": study, "rule": named, "data": items.name, "settings": chosen.settings}
    about = json.dumps(read_back, sort_keys=True)
    context = Context(chosen.convention, skip_invalid=True, settings=chosen.settings)
    return [
        AskedRow(item, request, {**item.groups, "id": name, OURS: about})
        for name, item, request in requests_of(chosen.rule, items.items, context, chats=chats)
    ]
