"""The rule that has a model think, and then scores each option as the answer behind its own thought.

`choice` measures a model without thoughts; of a model that thinks this may be another model than the one in
use. Here the share of an option is P(option | prompt, thought), where the thought is drawn from the model, so
that its mean over thoughts estimates P(option | prompt). Each repeat is a thought of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np

from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.errors import CannotAnswer
from tiltmeter.core.model.conversations import Choosing, Reply, Thinking, Writing
from tiltmeter.core.model.protocols import ChoosesAfterThoughts
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Context, ReplyScores, Rule
from tiltmeter.scoring.prompted_texts import (
    Said,
    as_conversation,
    choosings,
    chosen,
    note_wrap,
    score_texts,
)
from tiltmeter.scoring.reply_scores import NONE, REPLIES, scores_of
from tiltmeter.scoring.written_answers import ReadAnswer

DRAWN_AT = 1.0
"""The temperature of thoughts where the items have none: thoughts as the model itself would have them. At 0
there would be one thought for each prompt, likely an unusual one."""
BETWEEN = "\n\n(options in reverse order)\n\n"
"""What stands between the thoughts of one record."""


def ask_after_thought(
    model: ChoosesAfterThoughts,
    items: Sequence[PromptedText],
    context: Context,
    *,
    both_orders: bool = True,
) -> list[Said]:
    """Have the model think about each prompt, and then say how likely each option is.

    Where the prompt lists its options, both orders have a thought of their own; `both_orders=False` asks each
    prompt as it is.

    Raises:
        CannotAnswer: The model does not think.
    """
    asked = [choosings(item, both_orders=both_orders) for item in items]
    context.settle()
    if not model.can_think:
        raise CannotAnswer(
            f"{model.name} does not think before it answers: its chat template knows no thinking; use --rule "
            "choice, which scores options without a thought"
        )
    note_wrap(context, chat=as_conversation(model, context))
    temperatures = sorted({item.temperature or DRAWN_AT for item in items})
    drawn_at = " or ".join(f"{temperature:g}" for temperature in temperatures)
    text = (
        f"Options were scored behind thoughts of the model’s own, drawn at temperature {drawn_at}."
    )
    context.notes.append(Note("data", text))
    prompts = [(item, one) for item, both in zip(items, asked, strict=True) for one in both]
    replies = model.write([_writing(item, one, model, context) for item, one in prompts])
    pairs = zip(prompts, replies, strict=True)
    behind = [replace(one, thought=reply.thought) for (_, one), reply in pairs if _is_whole(reply)]
    by_item, logprobs = iter(replies), iter(model.choice_logprobs(behind) if behind else ())
    return [
        _said(item, [next(by_item) for _ in both], logprobs)
        for item, both in zip(items, asked, strict=True)
    ]


def _writing(
    item: PromptedText, asked: Choosing, model: ChoosesAfterThoughts, context: Context
) -> Writing:
    thinking: Thinking = "" if getattr(model, "thinks", False) else "on"
    return Writing(
        asked.prompt, item.max_tokens, item.temperature or DRAWN_AT, item.top_p, item.stop,
        seed=context.seed, thinking=thinking,
    )  # fmt: skip


def _is_whole(reply: Reply) -> bool:
    """Whether there is something to score: the thought has come to its end."""
    return reply.finish not in {"thinking", "content_filter"}


def _said(item: PromptedText, replies: Sequence[Reply], logprobs: Iterator[Any]) -> Said:
    """The answer to an item from the log-probabilities behind each of its thoughts.

    Its reply is that to the prompt as it is, with all thoughts and their mean length.
    """
    rows = [next(logprobs) for reply in replies if _is_whole(reply)]
    ended = next((reply.finish for reply in replies if not _is_whole(reply)), replies[0].finish)
    reply = replace(
        replies[0],
        finish=ended,
        thought=BETWEEN.join(reply.thought for reply in replies if reply.thought),
        thought_tokens=round(fmean(reply.thought_tokens for reply in replies)),
    )
    counts = {
        name: float(sum(getattr(reply, name) for reply in replies))
        for name in ("tokens_in", "tokens_out")
    }
    if len(rows) == len(replies):
        scores = {**chosen(item, np.stack(rows)).scores, "order_changes": NONE}
    else:
        scores = scores_of(item, ReadAnswer("thinking" if ended == "thinking" else "refused"))
    return Said(scores | counts, reply)


def after_thought(
    score: Callable[..., list[Record]], replies: ReplyScores = REPLIES, *, both_orders: bool = True
) -> Rule[Any]:
    """The rule for items that `score` makes records of."""
    orders = (
        "averaged over both orders of the options, each with its own thought, where the prompt lists them"
        if both_orders
        else "for the prompt as it is"
    )
    return Rule(
        "choice_after_thought",
        ChoosesAfterThoughts,
        partial(score, partial(ask_after_thought, both_orders=both_orders)),
        "The model thinks, and the answer is the option with the highest log-probability behind its thought, "
        f"{orders}. The answer that it writes itself is shown but does not count; after an "
        "unfinished thought nothing is scored. Options with more tokens are at a disadvantage.",
        "Tiltmeter",
        replies=replies,
    )


AFTER_THOUGHT = after_thought(score_texts)
AFTER_THOUGHT_AS_LISTED = after_thought(score_texts, both_orders=False)
"""`choice_after_thought` without the other order of the options."""
