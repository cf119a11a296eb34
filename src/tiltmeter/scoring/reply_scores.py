"""The scores of what a model said about a text: which option it chose, of which role, and what it is if none.

Scores of a record, for each reply: `truth` and `said`, the option that is right and the one that the reply
names, from 0; `truth_positive` and `said_positive`, whether that is the label asked about (1 or 0). -1 stands
for none. `listed` is 1 where the reply names one option; otherwise one of `off_list`, `ambiguous`, `empty`,
`refused`, `cut` and `thinking` is 1. `thought` is 1 for a reply with a thought, `thought_tokens` long. The
rule `choice` adds each option's log-probability, `logprob_0` and so on, `order` the place of the label asked
about in the ranking, `rank` (from 1). Each role of the options is a score too: how far options of that role
are chosen, 1 or 0 by a reply and a probability by `choice`; -1 where a reply names no option. Options of one
role are spellings of one answer.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from tiltmeter.core.data.prompted_items import PromptedText
from tiltmeter.core.model.conversations import Reply
from tiltmeter.core.records import Record
from tiltmeter.core.rules import ReplyScores
from tiltmeter.core.types import Array
from tiltmeter.scoring.written_answers import REFUSALS, ReadAnswer, each_word, first_word

NONE = -1.0
"""The score where no option is right, named or asked about."""
UNLISTED = {
    "off_list": "off the list", "ambiguous": "ambiguous", "cut": "cut off",
    "thinking": "cut off while thinking", "empty": "empty", "refused": "refused",
}  # fmt: skip
"""What a reply is that names no option, and how tables call it; each is a score."""
REPLIES = ReplyScores(
    ("listed",), ("refused",), ("off_list", "ambiguous"), ("cut",), ("thinking",), ("empty",),
    words={"off_list": "names no option", "ambiguous": "names several options, or takes one back"},
)  # fmt: skip
"""What became of a reply, by these scores."""
Read: TypeAlias = Callable[..., ReadAnswer]
"""A reader of `scoring.written_answers`, or one with the same parameters as `first_word`."""


def read_answer(
    read: Read, reply: Reply, options: Sequence[str], refusals: Sequence[str] = REFUSALS
) -> ReadAnswer:
    """What a reply answers, by a reader that sees its text alone: the only way from a reply to an answer.

    A reply that ended while the model was thinking has no answer, and one that names nothing and ends at the
    allowed length is cut off.

    >>> read_answer(first_word, Reply("Well, the context says that", "length"), ("yes", "no")).kind
    'cut'
    >>> read_answer(first_word, Reply("", "thinking", thought="Yes or no"), ("yes", "no")).kind
    'thinking'
    """
    if reply.finish == "thinking":
        return ReadAnswer("thinking")
    answer = read(reply.text, options, finish=reply.finish, refusals=refusals)
    cut = answer.kind == "off_list" and reply.finish == "length"
    return ReadAnswer("cut") if cut else answer


def reply_facts(reply: Reply, name: str = "thought") -> dict[str, float]:
    """The scores of a reply that are about how it was written; `name` is that of its thought."""
    if not (reply.thought or reply.thought_tokens):  # some servers keep thoughts to themselves
        return {}
    return {name: 1.0, f"{name}_tokens": float(reply.thought_tokens)}


def scores_of(item: PromptedText, answer: ReadAnswer) -> dict[str, float]:
    """The scores of a reply that was read, those of the roles of its options among them.

    >>> from tiltmeter.core.model.conversations import Prompt
    >>> roles = ("stereotyped", "other")
    >>> item = PromptedText("1", "", Prompt(()), options=("old", "young"), truth="young", roles=roles)
    >>> scores = scores_of(item, ReadAnswer("option", 0))
    >>> [scores[name] for name in ("truth", "said", "listed", *roles)]
    [1.0, 0.0, 1.0, 1.0, 0.0]
    """
    chosen = np.arange(len(item.options)) == answer.option if answer.option >= 0 else None
    return answer_scores(item, answer) | role_scores(item, chosen)


def list_scores(
    item: PromptedText, reply: Reply, refusals: Sequence[str] = REFUSALS
) -> dict[str, float]:
    """The scores of a reply to a list of words; `listed` is 1 where at least one word has an option."""
    chosen = each_word(reply.text, [*item.words], item.options)
    nothing = read_answer(first_word, reply, (), refusals)
    return word_scores(item, chosen, nothing if max(chosen) < 0 else ReadAnswer("option"))


def word_scores(item: PromptedText, chosen: Sequence[int], answer: ReadAnswer) -> dict[str, float]:
    """The scores of a list of words, from the option behind each: how many of a kind have which role."""
    scores = {
        f"{role}_{kind}": 0.0 for role in (*item.roles, "none") for kind in item.words.values()
    }
    for place, kind in zip(chosen, item.words.values(), strict=True):
        scores[f"{item.roles[place] if place >= 0 else 'none'}_{kind}"] += 1
    return answer_scores(item, answer) | scores


def answer_scores(item: PromptedText, answer: ReadAnswer) -> dict[str, float]:
    """The scores of what was read, without those of roles."""
    truth = item.options.index(item.truth) if item.truth else -1
    return {
        "truth": float(truth),
        "said": float(answer.option),
        "truth_positive": _positive(item, truth),
        "said_positive": _positive(item, answer.option),
        "listed": float(answer.kind == "option"),
        **{kind: float(answer.kind == kind) for kind in UNLISTED},
        **({"rank": _rank(item, answer)} if answer.order else {}),
        **({"place": float((*item.places, NONE)[answer.option])} if item.places else {}),
    }


def _rank(item: PromptedText, answer: ReadAnswer) -> float:
    named = [item.options[at] for at in answer.order]
    return float(named.index(item.positive) + 1) if item.positive in named else NONE


def role_scores(item: PromptedText, shares: Array | None) -> dict[str, float]:
    """How far the options of each role are chosen, from the share of each option; NONE without shares."""
    if shares is None:
        return dict.fromkeys(filter(None, item.roles), NONE)
    shares_by_role = dict.fromkeys(filter(None, item.roles), 0.0)
    for role, share in zip(item.roles, shares, strict=False):
        if role:
            shares_by_role[role] += float(share)
    return shares_by_role


def reply_record(item: PromptedText, reply: Reply | None, scores: Mapping[str, float]) -> Record:
    """The record of a reply to an item; None where nothing was written."""
    texts = shown_texts(item)
    if reply is None:
        return Record(item.id, scores, item.groups, item.cluster, texts=texts)
    thoughts = {"reply": reply.thought} if reply.thought else {}
    return Record(
        item.id, {**scores, **reply_facts(reply)}, item.groups, item.cluster, reply.text, texts,
        thoughts=thoughts, finish=reply.finish,
    )  # fmt: skip


def shown_texts(item: PromptedText) -> dict[str, str]:
    """What a record shows of an item: its text, its options, its examples."""
    examples = {f"example_{n}": example for n, example in enumerate(item.examples, start=1)}
    return {"text": item.text, "options": _on_lines(item.options), **examples}


@lru_cache(maxsize=64)
def _on_lines(options: tuple[str, ...]) -> str:
    """The options, in memory once for all texts that have the same ones: there may be thousands."""
    return "\n".join(options)


def _positive(item: PromptedText, option: int) -> float:
    if not item.positive or option < 0:
        return NONE
    wanted = item.options.index(item.positive)
    role = item.roles[wanted] if item.roles else ""
    return float(option == wanted or (role != "" and item.roles[option] == role))
