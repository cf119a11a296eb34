"""What a study asks, as tasks that other programs can run; and logged answers in place of a model.

A rule is asked for its requests by a model that stops it, and gets its answers from one that has them. So an
item may have any number of requests, and its answers are read as those of a model that was asked here.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from tiltmeter.core.data.items import Pair, Triple
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.finder import find
from tiltmeter.core.model.conversations import Choosing, Prompt, Reply, Writing, stopped
from tiltmeter.core.model.protocols import Chooses, Fact, Writes
from tiltmeter.core.results import STUDY_FIELD
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.study import Study
from tiltmeter.core.types import Array
from tiltmeter.run.asking.manner import Manner
from tiltmeter.run.measuring.imported_scores import STORED
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.choosing import choose, every_need
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.run_options import RunOptions
from tiltmeter.scoring import likelihood

Request: TypeAlias = Writing | Choosing
AS_THE_STUDY = Manner()
Answer: TypeAlias = Reply | tuple[float, ...]
"""A reply, or the log-probability of each option."""


class _AskedError(Exception):
    """Carries the requests of a rule, which is not to go on."""


class LoggedAnswers:
    """Answers `Writes` and `Chooses` from a log; without answers, stops whoever asks."""

    deterministic = False
    reply_tokens = 0
    batch_tokens = 1 << 16

    def __init__(
        self, about: Mapping[str, Fact], answers: Mapping[Request, Answer] | None, *, chats: bool
    ) -> None:
        self.about, self.chats, self._answers = dict(about), chats, answers
        self.name, self.fingerprint = str(about.get("name", "")), str(about.get("fingerprint", ""))

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        """One token each: nothing is asked."""
        return [1] * len(prompts)

    def write(self, requests: Sequence[Writing]) -> list[Reply]:
        """The reply that the log has for each prompt; no model is asked."""
        return [
            _stopped(answer, request.stop)
            for request, answer in zip(requests, self._of(requests), strict=True)
            if isinstance(answer, Reply)
        ]

    def choice_logprobs(self, requests: Sequence[Choosing]) -> list[Array]:
        """The logged log-probabilities, shape (options,) each."""
        return [np.array(answer, dtype=np.float64) for answer in self._of(requests)]

    def _of(self, requests: Sequence[Request]) -> list[Answer]:
        if self._answers is None:
            raise _AskedError(*requests)
        return [self._answers[request] for request in requests]


def _stopped(reply: Reply, stop: Sequence[str]) -> Reply:
    """The reply without what follows a stop text, which where models think nobody may have applied."""
    return stopped(reply, stop) if reply.thought or reply.thought_tokens else reply


def askable_rule(
    study: Study[Any], item: object, *, writes: bool, chats: bool = False
) -> Rule[Any] | None:
    """The study's first rule that other programs can ask for; None where there is none.

    Args:
        study: Whose.
        item: One of its items.
        writes: Whether the model is to write; else its log-probabilities of given texts count.
        chats: Whether prompts are given as conversations.
    """
    if isinstance(item, Triple):
        return None if writes else STORED
    if isinstance(item, Pair):
        whole = likelihood.RULES[0].name
        return next((rule for rule in study.rules if rule.name == whole and not writes), None)
    needed = Writes if writes else Chooses
    usual = (rule for rule in study.rules if chats or rule.usual_for is None)
    return next((rule for rule in usual if rule.needs is needed), None)


def requests_of(
    rule: Rule[Any], items: Sequence[Any], context: Context, *, chats: bool
) -> Iterator[tuple[str, Any, Request]]:
    """What the rule asks, after a name (the item's id, numbered where it asks several things) and the item.

    Of pairs and triples it is how likely each of their texts is.
    """
    for item in items:
        asked: tuple[Any, ...] = ()
        if isinstance(item, Pair | Triple):
            texts = (item.more, item.less) if isinstance(item, Pair) else item.filled
            asked = (Choosing(Prompt((), chat=False), texts),)
        else:
            try:
                rule.score(LoggedAnswers({}, None, chats=chats), [item], replace(context, notes=[]))
            except _AskedError as stopped:
                asked = stopped.args
        for number, request in enumerate(asked):
            yield item.id if len(asked) == 1 else f"{item.id}#{number}", item, request


@dataclass(frozen=True, slots=True)
class AskedRow:
    """Something that a study asks about an item."""

    item: Any
    request: Request
    fields: Mapping[str, str]
    """The item's groups, the row's name as `id`, and what says how to read the answer back."""


def asked_rows(
    study: str, *, writes: bool, chats: bool, rule: str | None = None, data: str | None = None,
    settings: Mapping[str, str] | None = None, manner: Manner = AS_THE_STUDY,
) -> list[AskedRow]:  # fmt: skip
    """Everything that a study asks; the arguments are as those of `tiltmeter run`.

    Args:
        study: Its name.
        writes: Whether the model writes; else its log-probabilities of given texts count.
        chats: Whether the program gives prompts as conversations.
        rule: Of the study; by default its first one of that kind.
        data: A set or file; by default the study's own.
        settings: Of the study.
        manner: How requests are made, whatever the study.

    Raises:
        CannotAnswer: No rule of the study asks what other programs can.
    """
    of: Study[Any] = find("studies", study, "STUDY")
    items = load_items(of, RunOptions(data=data, settings=settings or {}), Logged())
    usual = askable_rule(of, items.items[0], writes=writes, chats=chats)
    if usual is None or usual is STORED:
        raise CannotAnswer(f"no rule of {study} asks what another program can ask")
    named = rule or usual.name
    chosen = choose(of, every_need(of), model="the task", rule=named, settings=settings)
    read_back = {"study": study, "rule": named, "data": items.name, "settings": chosen.settings}
    about = json.dumps(read_back, sort_keys=True)
    context = Context(chosen.convention, skip_invalid=True, settings=chosen.settings)
    return [
        AskedRow(
            item, manner.applied([request])[0], {**item.groups, "id": name, STUDY_FIELD: about}
        )
        for name, item, request in requests_of(chosen.rule, items.items, context, chats=chats)
    ]
