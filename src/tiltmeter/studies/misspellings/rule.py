"""The rules for single texts, for a text before and after an edit: the model is asked about both."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context, Rule
from tiltmeter.core.types import Groups
from tiltmeter.scoring.prompted_texts import Ask, Said, rules_for, usable, wrapped
from tiltmeter.scoring.reply_scores import REPLIES, reply_facts, shown_texts
from tiltmeter.scoring.thought_choices import after_thought

SIDES = {"before": "text", "after": "edited"}
"""How the names of scores begin, of the reply to the text as it was and of that with the edit, and the names
of these texts."""


@dataclass(frozen=True, slots=True)
class EditedText:
    """A text as it was and with one edit, such as a misspelt word; the model is asked about both."""

    id: str
    before: PromptedText
    after: PromptedText
    """The text with the edit, asked about with the same options and the same `positive`."""
    groups: Groups = field(default_factory=dict)
    """Axes to report over: edit, category, …"""
    cluster: str = ""
    """The id of the text: all its edits belong together."""
    where: str = ""
    """File and line, for messages."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Both prompts as plain text."""
        return self.before.texts + self.after.texts


def score_edits(
    ask: Ask, model: Any, items: Sequence[EditedText], context: Context
) -> list[Record]:
    """One record for each edit; the names of its scores begin with `before_` and `after_`."""
    kept = [
        item
        for item in items
        if usable((item.before, item.after), context, item=item.id, where=item.where)
    ]
    texts = [wrapped(text, model, context) for item in kept for text in (item.before, item.after)]
    outcomes = ask(model, texts, context)
    return [
        _edit(item, before, after)
        for item, before, after in zip(kept, outcomes[::2], outcomes[1::2], strict=True)
    ]


def _edit(item: EditedText, before: Said, after: Said) -> Record:
    """The record of an edit, with an axis `flip` if it changes the answer."""
    sides = dict(zip(SIDES, (before, after), strict=True))
    scores = {
        f"{side}_{name}": value
        for side, outcome in sides.items()
        for name, value in outcome.scores.items()
    }
    texts = {**shown_texts(item.before), "text": item.before.text, "edited": item.after.text}
    chosen = [int(side.scores["said"]) for side in (before, after)]
    flips = min(chosen) >= 0 and chosen[0] != chosen[1]
    flip = {"flip": " → ".join(item.after.options[at] for at in chosen)} if flips else {}
    written = {n: side.reply for n, side in sides.items() if side.reply is not None}
    for side, reply in written.items():
        scores |= reply_facts(reply, f"{side}_thought")
    said = after.reply or Reply("")
    return Record(
        item.id, scores, {**item.groups, **flip}, item.cluster, said.text, texts,
        thoughts={side: reply.thought for side, reply in written.items() if reply.thought},
        replies={side: reply.text for side, reply in written.items()},
        finish=said.finish if after.reply else "",
    )  # fmt: skip


_BOTH = REPLIES.sided(SIDES)
RULES: tuple[Rule[EditedText], ...] = (
    *rules_for(score_edits, _BOTH),
    after_thought(score_edits, _BOTH),
)
