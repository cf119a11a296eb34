"""Has a rule read replies that are there already, of another program's file or of a finished run.

The rule is given a model that writes these replies, so that a reply is read as if it had just been written.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.conversations import Prompt, Reply, Writing
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context, Rule, foreseen


class GivenReplies:
    """A model that writes given replies, one for each request in order, and keeps the requests."""

    name = fingerprint = "given replies"
    reply_tokens, batch_tokens = 0, 1 << 16

    def __init__(self, replies: Sequence[Reply], *, chats: bool = True) -> None:
        self.chats, self.about = chats, dict[str, str]()
        self.requests: list[Writing] = []
        self._replies = replies

    def prompt_lengths(self, prompts: Sequence[Prompt]) -> list[int]:
        """One token each: nothing is asked."""
        return [1] * len(prompts)

    def write(self, requests: Sequence[Writing]) -> Sequence[Reply]:
        """The replies; BadInput where there are not as many requests."""
        self.requests += requests
        if len(self.requests) != len(self._replies):
            raise BadInput(
                "the rule asks for several replies to an item, and there is one",
                "ask the model again with `tiltmeter run`",
            )
        return self._replies


def read_by(
    rule: Rule[Any], items: Sequence[Any], replies: Sequence[Reply], context: Context, *, chats: bool = True
) -> tuple[list[Record], list[Writing]]:  # fmt: skip
    """A record of each reply that the rule could read, and the requests that it answers.

    Args:
        rule: One by which a model writes a reply to each item.
        items: What was replied to.
        replies: One to each item.
        context: Items that the rule cannot score become its problems; its notes are about a model that is
            asked, and stay as they are.
        chats: Whether prompts were given as conversations.

    Raises:
        BadInput: By the rule a model writes nothing, or several replies to an item.
        BadItems: Items cannot be scored, and the context says that this is an error.
    """
    check_reads(rule)
    asked = replace(context, notes=[], problems=[])
    problems = foreseen(rule, GivenReplies((), chats=chats), items, asked)
    if not context.skip_invalid and problems:
        replace(asked, problems=problems).settle()
    left_out = {problem.item for problem in problems}
    kept = [place for place, item in enumerate(items) if item.id not in left_out]
    model = GivenReplies([replies[place] for place in kept], chats=chats)
    records = rule.score(model, [items[place] for place in kept], replace(asked, problems=[]))
    context.problems += problems
    return records, model.requests


def check_reads(rule: Rule[Any]) -> None:
    """Refuse a rule that reads no replies.

    Raises:
        BadInput: By it a model writes nothing.
    """
    if rule.replies is None:
        reason = f"by the rule {rule.name} a model writes nothing, so that it reads no replies"
        raise BadInput(reason, "name a rule by which it writes")
