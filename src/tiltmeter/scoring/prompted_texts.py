"""Rules for texts that a model is asked about in words: what it writes, or which option it finds likeliest.

The scores of their records: `reply_scores`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, TypeAlias

import numpy as np

from tiltmeter.core.conventions import Setting
from tiltmeter.core.data.prompted_items import WRAP, PromptedText
from tiltmeter.core.errors import BadInput, CannotAnswer, Problem
from tiltmeter.core.model.conversations import Choosing, Prompt, Reply, Writing
from tiltmeter.core.model.protocols import Chooses, Converses, TakesPrompts, Writes
from tiltmeter.core.records import Record
from tiltmeter.core.results import Note
from tiltmeter.core.rules import Context, ReplyScores, Rule
from tiltmeter.core.text import counted
from tiltmeter.scoring.option_order import reversed_options
from tiltmeter.scoring.reply_scores import (
    NONE,
    REPLIES,
    Read,
    answer_scores,
    list_scores,
    read_answer,
    reply_record,
    role_scores,
    scores_of,
    word_scores,
)
from tiltmeter.scoring.stated_answers.stated import stated
from tiltmeter.scoring.written_answers import (
    REFUSALS,
    UNSPACED,
    ReadAnswer,
    contained,
    contains,
    first_word,
    lettered,
    ranked,
)

CHIU = "Chiu, Collins and Alexander 2022, Detecting Hate Speech with GPT-3, arXiv:2103.12407v4"
REFUSES = Setting(
    "refusals", "", "More beginnings of replies that count as refusals, with | between them."
)
WRITTEN_SETTINGS = (WRAP, REFUSES)
LETTERS = Setting(
    "letters", "first",
    "Where a reply names an option by its letter: first, at its beginning; anywhere, also elsewhere if it "
    "names only one.",
    ("first", "anywhere"),
)  # fmt: skip
ROOM = 256
"""Tokens that a reply may have where its answer is looked for in sentences, if the study allows fewer."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said about one text."""

    scores: dict[str, float]
    reply: Reply | None = None
    """None where it wrote nothing."""


Ask: TypeAlias = Callable[[Any, Sequence[PromptedText], Context], list[Said]]
"""(model, texts with prompts as they are to be given, context) to what it said about each."""


def score_texts(
    ask: Ask, model: Any, items: Sequence[PromptedText], context: Context
) -> list[Record]:
    """One record for each text."""
    kept = [item for item in items if usable((item,), context, item=item.id, where=item.where)]
    outcomes = ask(model, [wrapped(item, model, context) for item in kept], context)
    return [
        reply_record(item, outcome.reply, outcome.scores)
        for item, outcome in zip(kept, outcomes, strict=True)
    ]


def usable(texts: Sequence[PromptedText], context: Context, *, item: str, where: str) -> bool:
    """Whether every text of an item can be asked about. If not, the item is reported with the reason.

    Args:
        texts: One, or several that belong together.
        context: Of the run; it keeps what could not be scored.
        item: The id of the item.
        where: File and line of the item, for the message.
    """
    for text in texts:
        labels = filter(None, (text.truth, text.positive))
        unknown = [label for label in labels if label not in text.options]
        if text.options.count(*text.options[:1] or [""]) == len(text.options):
            why = "it has fewer than two options to choose from"
        elif text.roles and len(text.roles) != len(text.options):
            why = f"it has {counted(len(text.options), 'options')} and {counted(len(text.roles), 'roles')}"
        elif unknown:
            why = f"{unknown[0]!r} is none of its options: {', '.join(text.options)}"
        else:
            continue
        context.refuse(Problem(f"text {item!r}: {why}", file=where, item=item))
        return False
    return True


def as_conversation(model: TakesPrompts, context: Context) -> bool:
    """Whether prompts are given as conversations.

    Raises:
        BadInput: The setting `wrap` has no such choice.
        CannotAnswer: Conversations are asked for, and the model has no chat template.
    """
    wrap = context.settings.get("wrap", WRAP.default)
    if wrap not in WRAP.choices:
        raise BadInput(f"no way to give prompts is called {wrap!r}", "use auto, chat or text")
    if wrap == "chat" and not model.chats:
        raise CannotAnswer(
            f"{model.name} has no chat template; give it plain text with --set wrap=text"
        )
    return model.chats if wrap == "auto" else wrap == "chat"


def wrapped(item: PromptedText, model: TakesPrompts, context: Context) -> PromptedText:
    """The text with its prompt as it is to be given to the model: as a conversation or as plain text."""
    return replace(item, prompt=replace(item.prompt, chat=as_conversation(model, context)))


def note_wrap(context: Context, *, chat: bool) -> None:
    """Say how prompts were given."""
    how = (
        "as conversations, under the model’s chat template"
        if chat
        else "as plain text, which the model continues"
    )
    context.notes.append(Note("data", f"Prompts were given {how}."))


def note_without_thoughts(model: Chooses, context: Context) -> None:
    """Say that a model that thinks by itself was measured without."""
    if getattr(model, "thinks", False):
        text = (
            "The model thinks before it answers; its thinking was switched off, so that options could be "
            "scored as the beginning of a reply. Its answers after a thought may be others."
        )
        context.notes.append(Note("caution", text))


def ask_in_words(
    read: Read, model: Writes, items: Sequence[PromptedText], context: Context
) -> list[Said]:
    """Have the model write, and read every reply."""
    refusals = refusals_of(context.settings)
    requests = [_writing(item, context, in_sentences=read is stated) for item in items]
    context.settle()
    note_wrap(context, chat=as_conversation(model, context))
    replies = model.write(requests)
    # Each candidate of a ranking has the whole reply.
    answer = lru_cache(maxsize=64)(partial(read_answer, read, refusals=refusals))
    outcomes = []
    for item, reply in zip(items, replies, strict=True):
        if item.words:
            scores = list_scores(item, reply, refusals)
        else:
            options = (read is stated and item.worded) or item.options
            scores = scores_of(item, answer(reply, options))
        if read is contained and item.positive and len(item.options) > 2:  # noqa: PLR2004
            scores["said_positive"] = float(contains(reply.text, item.positive))
        counts = {}
        if reply.tokens_in or reply.tokens_out:  # of stored replies they are not known
            counts = {"tokens_in": float(reply.tokens_in), "tokens_out": float(reply.tokens_out)}
        outcomes.append(Said(scores | counts, reply))
    return outcomes


def _writing(item: PromptedText, context: Context, *, in_sentences: bool) -> Writing:
    """The request for a reply. One in sentences may have several lines, and tokens enough for them.

    This is for conversations: in a text that a base model continues it would go on with the next question.
    """
    room, stop = item.max_tokens, item.stop
    if in_sentences and item.prompt.chat:
        room, stop = max(room, ROOM), ()
    return Writing(item.prompt, room, item.temperature, item.top_p, stop, seed=context.seed)


def refusals_of(settings: Mapping[str, str]) -> tuple[str, ...]:
    """Beginnings of refusals: the usual ones and those of the setting `REFUSES`."""
    return (*REFUSALS, *filter(None, settings.get(REFUSES.name, "").split("|")))


def ask_for_choice(
    model: Chooses, items: Sequence[PromptedText], context: Context, *, both_orders: bool = True
) -> list[Said]:
    """Have the model say how likely each option is; where the prompt lists them, in both orders.

    `both_orders=False` asks each prompt as it is, for items of which some have the other order.
    """
    requests = [choosings(item, both_orders=both_orders) for item in items]
    context.settle()
    note_wrap(context, chat=as_conversation(model, context))
    note_without_thoughts(model, context)
    answers = iter(model.choice_logprobs([choosing for both in requests for choosing in both]))
    return [
        chosen(item, np.stack([next(answers) for _ in both]))
        for item, both in zip(items, requests, strict=True)
    ]


def choosings(item: PromptedText, *, both_orders: bool) -> list[Choosing]:
    """The requests for the likeliest option: for the prompt, and for the other order of its options."""
    prompts = [item.prompt]
    if both_orders:
        turned = reversed_options(item.prompt, item.options, text=item.text)
        prompts += [turned] if turned else []
    return [
        Choosing(prompt, tuple(_following(option, prompt) for option in item.options))
        for prompt in prompts
    ]


def _following(option: str, prompt: Prompt) -> str:
    """The option as it would follow the prompt: behind a space, where one is missing."""
    bare = prompt.chat or not prompt.plain or prompt.plain[-1].isspace()
    return option if bare or UNSPACED.match(option) else f" {option}"


def chosen(item: PromptedText, logprobs: Any) -> Said:
    """The likeliest option; `logprobs` has a row for each order of the options."""
    mean = logprobs.mean(axis=0)
    by_role: dict[object, list[int]] = {}
    for at, role in enumerate(item.roles or [""] * len(mean)):
        by_role.setdefault(role or at, []).append(at)
    joint = {members[0]: np.logaddexp.reduce(mean[members]) for members in by_role.values()}
    best = [at for at, value in joint.items() if value == max(joint.values())]
    answer = ReadAnswer("option", best[0]) if len(best) == 1 else ReadAnswer("ambiguous")
    scores = answer_scores(item, answer) | {f"logprob_{at}": float(v) for at, v in enumerate(mean)}
    shares = np.exp(mean - np.logaddexp.reduce(mean))
    shares[0] = 1 - shares[1:].sum()  # so that they add up to 1 to the last bit
    scores |= role_scores(item, shares)
    different = len({int(at) for at in logprobs.argmax(axis=1)}) > 1
    return Said(scores | {"order_changes": float(different) if len(logprobs) > 1 else NONE})


def choose_each_word(model: Chooses, items: Sequence[PromptedText], context: Context) -> list[Said]:
    """Have the model say which option it finds likelier behind each word, as the beginning of the reply."""
    requests = [
        Choosing(item.prompt, tuple(_following(f"{word} - {o}", item.prompt) for o in item.options))
        for item in items
        for word in item.words
    ]
    context.settle()
    note_wrap(context, chat=as_conversation(model, context))
    note_without_thoughts(model, context)
    answers = iter(model.choice_logprobs(requests))
    outcomes = []
    for item in items:
        logprobs = [next(answers) for _ in item.words]
        chosen = [int(p.argmax()) if np.sum(p == p.max()) == 1 else -1 for p in logprobs]
        outcomes.append(Said(word_scores(item, chosen, ReadAnswer("option"))))
    return outcomes


def stated_rule(score: Callable[..., list[Record]], replies: ReplyScores = REPLIES) -> Rule[Any]:
    """The rule that finds the answer in sentences, for items that `score` makes records of."""
    return Rule(
        "stated",
        Writes,
        partial(score, partial(ask_in_words, stated)),
        "The model writes a reply, and the option that it states is the answer: in a sentence, in bold, as a "
        "field, in a box or at its beginning; several options and denied ones are ambiguous, and all other "
        "replies are counted by kind.",
        "Tiltmeter",
        usual_for=Converses,
        replies=replies,
    )


def rules_for(
    score: Callable[..., list[Record]], replies: ReplyScores = REPLIES
) -> tuple[Rule[Any], ...]:
    """The rules for items that `score` makes records of: `stated`, `word`, `contains` and `choice`."""
    return (
        stated_rule(score, replies),
        Rule(
            "word",
            Writes,
            partial(score, partial(ask_in_words, first_word)),
            "The model writes a reply, and the first word of it is the answer if it is one of the options; "
            "several options and negated ones are ambiguous, and all other replies are counted by kind.",
            CHIU,
            replies=replies,
        ),
        Rule(
            "contains",
            Writes,
            partial(score, partial(ask_in_words, contained)),
            "The model writes a reply, and the letters of an option anywhere in it are the answer: “no” "
            "before “yes”, and “not” before all else.",
            f"{CHIU}, published code",
            replies=replies,
        ),
        Rule(
            "choice",
            Chooses,
            partial(score, ask_for_choice),
            "The model writes nothing: the answer is the option with the highest log-probability as the "
            "beginning of the reply, averaged over both orders of the options where the prompt lists them. "
            "Options with more tokens are at a disadvantage.",
            CHIU,
        ),
    )


def letter_reader(settings: Mapping[str, str]) -> Read:
    """How letters are read under the setting `LETTERS`."""
    return partial(lettered, anywhere=settings[LETTERS.name] == "anywhere")


def _ask_for_letter(model: Writes, items: Sequence[PromptedText], context: Context) -> list[Said]:
    return ask_in_words(letter_reader(context.settings), model, items, context)


WRITTEN_RULES: tuple[Rule[PromptedText], ...] = rules_for(score_texts)
STATED, WORD, CONTAINS, CHOICE = WRITTEN_RULES
ORDER = Rule(
    "order",
    Writes,
    partial(score_texts, partial(ask_in_words, ranked)),
    "The model writes a ranking, and the option that it names first is the answer: by its whole text, in any "
    "case. A reply that begins as a refusal is one unless it names every option.",
    "Yin, Alba and Nicoletti 2024, OpenAI’s GPT Is a Recruiter’s Dream Tool (Bloomberg), "
    "github.com/BloombergGraphics/2024-openai-gpt-hiring-racial-discrimination",
    replies=REPLIES,
)
AS_LISTED = replace(
    CHOICE,
    score=partial(score_texts, partial(ask_for_choice, both_orders=False)),
    summary="The model writes nothing: the answer is the option with the highest log-probability as the "
    "beginning of the reply to the prompt as it is. Options with more tokens are at a disadvantage.",
)
"""`choice` without the other order of the options, where each prompt has an order of its own."""
LETTER_RULES: tuple[Rule[PromptedText], ...] = (
    STATED,
    Rule(
        "letter",
        Writes,
        partial(score_texts, _ask_for_letter),
        "The model writes a reply, and the letter with which it begins is the answer; several options are "
        "ambiguous, and all other replies are counted by kind.",
        "Wang et al. 2025, arXiv:2502.01926",
        replies=REPLIES,
    ),
    AS_LISTED,
)
"""For prompts that list their options under letters: ("(a)", "(b)", "(c)")."""
LIST_RULES: tuple[Rule[PromptedText], ...] = (
    Rule(
        "list",
        Writes,
        partial(score_texts, partial(ask_in_words, first_word)),
        "The model writes an option after each word of a list. A word with none or several has no answer; a "
        "reply in which no word has one is refused, empty or off the list.",
        "Bai et al. 2025, doi:10.1073/pnas.2416228122",
        replies=REPLIES,
    ),
    replace(
        CHOICE,
        score=partial(score_texts, choose_each_word),
        summary="The model writes nothing: of each word the answer is the option with the highest "
        "log-probability behind it, where the reply begins with the word.",
    ),
)
"""Rules for lists of words (`PromptedText.words`)."""
