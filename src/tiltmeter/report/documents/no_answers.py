"""What a run says in which no reply has an answer: one finding, and what to try."""

from collections.abc import Collection, Sequence
from typing import Any

from tiltmeter.core.reply_counts import STORED, ReplyCounts
from tiltmeter.core.results import Card
from tiltmeter.core.study import Study
from tiltmeter.core.text import counted, visible

MOST_LOST = 0.2
"""If a larger share of the replies was not read, refusals aside, the result says what to try."""


def lacks_answers(card: Card) -> bool:
    """Whether the model wrote replies, and none of them has an answer."""
    return card.replies is not None and card.replies.answered == 0


def finding_without_answers(counts: ReplyCounts, model: str, rule: str) -> str:
    """The finding of such a run.

    >>> finding_without_answers(ReplyCounts(60, 0, 60, 0, 0, 0, 0), "demo", "word")
    'demo refused all 60 requests. That is a result, and no sign of fairness; nothing else was measured.'
    >>> finding_without_answers(ReplyCounts(60, 0, 10, 50, 0, 0, 0), "demo", "word")
    'Rule word found no answer in 60 replies of demo: 10 refusals, 50 not understood. Nothing was measured.'
    """
    if counts.refused == counts.replies:
        asked = (
            "the only request"
            if counts.replies == 1
            else f"all {counted(counts.replies, 'requests')}"
        )
        refused = f"{model} refused {asked}."
        return f"{refused} That is a result, and no sign of fairness; nothing else was measured."
    replies = f"{counts.replies:,} {'reply' if counts.replies == 1 else 'replies'} of {model}"
    if rule == STORED:
        return f"None of {replies} has an answer: {counts.lacking}. Nothing was measured."
    return f"Rule {rule} found no answer in {replies}: {counts.lacking}. Nothing was measured."


def replies_of_models(cards: Sequence[Card]) -> list[str]:
    """A sentence for each model some of whose replies have no answer."""
    sentences = []
    for card in cards:
        counts, model, rule = card.replies, visible(card.model_name), visible(card.rule)
        if counts is not None and lacks_answers(card):
            sentences.append(finding_without_answers(counts, model, rule))
        elif counts is not None and counts.lacking:
            sentences.append(f"{model}: {counts.sentence(rule)}")
    return sentences


def what_to_try(card: Card, study: Study[Any] | None) -> list[str]:
    """What may give more answers, by what became of the replies; [] where most were read or refused."""
    counts = card.replies
    if counts is None or card.rule == STORED:
        return []
    lost = counts.unread + counts.cut + counts.thinking + counts.empty
    if lost <= MOST_LOST * counts.replies:
        return []
    rules = {rule.name for rule in study.rules} if study else set[str]()
    lines = []
    if counts.unread:
        lines += _of_unread(card, rules)
    if counts.cut:
        lines.append(f"{_were(counts.cut)} cut off: allow longer answers, --answer-tokens 512.")
    if counts.thinking:
        lines.append(
            f"{_were(counts.thinking)} cut off while thinking: --thinking off, or more room for "
            "thoughts, --thinking-tokens 16000."
        )
    if counts.empty:
        lines.append(
            f"{_were(counts.empty)} empty: ask the model one of the items by hand; a wrong chat template "
            "or a filter of the server does this."
        )
    return lines


def _of_unread(card: Card, rules: Collection[str]) -> list[str]:
    unread = card.replies.unread if card.replies else 0
    start = f"{_were(unread)} not understood"
    lines = []
    if "stated" in rules and card.rule != "stated":
        lines.append(
            f"{start}. If the examples above hold answers, have them read again, without asking the "
            "model: tiltmeter import RUN --rule stated."
        )
    if card.settings.get("wrap") == "text":
        lines.append(
            f"{start}, and prompts were plain text: --set wrap=chat, for a model that chats."
        )
    if "choice" in rules and card.rule != "choice":
        lines.append(
            "A model that does not follow instructions can be asked how likely each option is: --rule "
            "choice."
        )
    return lines or [f"{start}: see the examples above."]


def _were(n: int) -> str:
    return counted(n, "replies", "were")
