"""The table of questions that a model can be asked.

One entry holds all that is particular to a question: what a back-end must satisfy, its method, how
large a request is, under which key an answer is stored and in what form. The rule chooser, the cache,
the executors, the workers and remote models read it here and know no question by name.

A back-end has three kinds of members, as its protocols declare them: plain facts (properties), the
method of a question, and *lookups*, which are all other methods: they take a sequence and return a
list with one plain value for each element, are cheap, and are never stored (`encode`).
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any

import numpy as np

from tiltmeter.core.errors import UnknownName
from tiltmeter.core.model.conversations import replies_of, reply_of, stored_replies, stored_reply
from tiltmeter.core.model.protocols import (
    Attends,
    Chooses,
    ChoosesAfterThoughts,
    Classifies,
    Continues,
    Converses,
    EmbedsPooled,
    EmbedsStart,
    EmbedsTexts,
    EmbedsTokens,
    FillsBlanks,
    FillsGaps,
    JudgesNext,
    Ranks,
    ReadsNext,
    ReadsOut,
    ReadsUnhidden,
    StartsBare,
    TellsPieces,
    Writes,
    WritesBeams,
    members,
)
from tiltmeter.core.model.query import Question, QuestionOption, text_key
from tiltmeter.core.model.request_keys import (
    choosing_size,
    continuation_key,
    continuation_rows,
    continuation_sizes,
    passage_key,
    passage_sizes,
    prompted_key,
    prompted_rows,
    prompted_sizes,
    rows_by,
    stacked,
)

GROUP = "tiltmeter.questions"
"""The group of entry points by which other packages offer questions."""


MARGIN = {"margin": QuestionOption(float, 1.0)}
BLANKED: dict[str, Any] = {
    "asked_of": "LM",
    "key": lambda request: (request.ids, request.hidden, request.read),
    "sizes": lambda _, requests: [len(request.ids) for request in requests],
    "rows": rows_by(lambda request: request.seen),
}
CONTINUED: dict[str, Any] = {
    "asked_of": "LM",
    "key": continuation_key,
    "sizes": continuation_sizes,
    "rows": continuation_rows,
}
QUESTIONS: Mapping[str, Question[Any]] = {
    question.name: question
    for question in (
        Question(
            name="blank",
            protocol=FillsBlanks,
            ability="fill blanks, as masked and permutation language models do",
            method="blank_logprobs",
            refined={
                ReadsUnhidden: "be read where nothing is hidden, as masked language models can"
            },
            **BLANKED,
        ),
        Question(
            name="attended",
            protocol=Attends,
            ability="fill blanks and show its attention, as masked language models do",
            method="attended_logprobs",
            **BLANKED,
        ),
        Question(
            name="piece",
            protocol=TellsPieces,
            ability="distinguish tokens that begin a word, as masked language models can",
            method="piece_logprobs",
            options={"begins": QuestionOption(bool)},
            **BLANKED,
        ),
        Question(
            name="readout",
            protocol=ReadsOut,
            ability="show what its last layer reads, as masked language models do",
            method="readout",
            options=MARGIN,
            **BLANKED,
        ),
        Question(
            name="continuation",
            protocol=Continues,
            ability="continue a text, as causal and sequence-to-sequence language models do",
            method="continuation_logprobs",
            refined={
                StartsBare: "continue a text without its start token, as causal language models do",
                FillsGaps: "fill a gap in a text, as T5, BART and similar models do",
            },
            **CONTINUED,
        ),
        Question(
            name="next_readout",
            protocol=ReadsNext,
            ability="continue a text and show what its last layer reads, as causal language models do",
            method="next_readout",
            options=MARGIN,
            **CONTINUED,
        ),
        Question(
            name="next",
            asked_of="LM",
            protocol=JudgesNext,
            ability="judge which sentence comes next, as models with a next-sentence head do "
            "(`tiltmeter train next-sentence` makes one)",
            method="next_logprobs",
            key=lambda pair: text_key(*pair),
            sizes=lambda model, pairs: model.pair_lengths(pairs),
            encode=lambda logprob: np.array([logprob]),
            decode=lambda stored: stored[0],
            collect=np.array,
        ),
        Question(
            name="embed",
            asked_of="vectors",
            protocol=EmbedsTokens,
            ability="embed each token of a text, as language models and encoders do",
            method="embed",
            key=passage_key,
            sizes=passage_sizes,
            rows=rows_by(lambda request: request.text),
            options={"pooling": QuestionOption(str)},
            collect=stacked,
            refined={
                EmbedsTexts: "embed texts by itself, as sentence encoders and static word "
                "vectors do",
                EmbedsStart: "embed the special token before a text, as BERT and similar models do "
                "([CLS])",
                EmbedsPooled: "embed texts with its own pooler, as BERT does if the checkpoint "
                "contains it",
            },
        ),
        Question(
            name="write",
            asked_of="replies",
            protocol=Writes,
            ability="write, as causal language models and chat models do",
            method="write",
            key=prompted_key,
            sizes=prompted_sizes(lambda length, request: length + request.most_tokens),
            rows=prompted_rows,
            is_costly=True,
            encode=stored_reply,
            decode=reply_of,
            writes=lambda request: request.most_tokens,
            used=lambda reply: (reply.tokens_in, reply.tokens_out),
            refined={Converses: "hold a conversation, as chat models do"},
        ),
        Question(
            name="beams",
            asked_of="replies",
            protocol=WritesBeams,
            ability="write by beam search, as causal language models do",
            method="write_beams",
            key=prompted_key,
            sizes=prompted_sizes(lambda length, r: (length + r.max_tokens) * r.beams),
            is_costly=True,
            encode=stored_replies,
            decode=replies_of,
            writes=lambda request: request.max_tokens * request.beams,
            used=lambda replies: (
                sum(reply.tokens_in for reply in replies),
                sum(reply.tokens_out for reply in replies),
            ),
        ),
        Question(
            name="choice",
            asked_of="replies",
            protocol=Chooses,
            ability="say how likely a given reply is, as causal language models do, and servers that "
            "return log-probabilities",
            method="choice_logprobs",
            key=prompted_key,
            sizes=prompted_sizes(choosing_size),
            rows=prompted_rows,
            is_costly=True,
            refined={
                ChoosesAfterThoughts: "think, and say how likely a given reply is after that, as causal "
                "language models do whose chat template knows thinking"
            },
        ),
        Question(
            name="classify",
            asked_of="labels",
            protocol=Classifies,
            ability="label texts, as sequence classifiers do (`tiltmeter train classifier` makes one)",
            method="class_logprobs",
            key=text_key,
            sizes=lambda model, texts: model.text_lengths(texts),
        ),
        Question(
            name="rank",
            protocol=Ranks,
            ability="rank candidates directly, as the baselines do",
            method="candidate_scores",
        ),
    )
}
"""The questions of this package, by name."""


@cache
def offered() -> Mapping[str, Question[Any]]:
    """Questions that other packages offer as entry points, by name; ours win over theirs."""
    entries: list[Question[Any]] = [entry.load() for entry in entry_points(group=GROUP)]
    return {question.name: question for question in entries if question.name not in QUESTIONS}


def questions() -> list[Question[Any]]:
    """All questions: those of this package, then those of others."""
    return [*QUESTIONS.values(), *offered().values()]


def find_question(name: str) -> Question[Any]:
    """The question of that name.

    Raises:
        UnknownName: No question has this name.
    """
    question = QUESTIONS.get(name) or offered().get(name)
    if question is None:
        raise UnknownName("question", name, [question.name for question in questions()])
    return question


def ability(protocol: type) -> str:
    """What a model can do that satisfies a protocol, to complete "that needs a model that can …"."""
    for question in questions():
        if question.protocol is protocol:
            return question.ability
        if protocol in question.refined:
            return question.refined[protocol]
    return protocol.__name__


def asked_of(protocol: type) -> str:
    """The word for models that satisfy a protocol, for lists; "" where its question has none.

    >>> asked_of(FillsBlanks), asked_of(StartsBare), asked_of(Classifies), asked_of(Ranks)
    ('LM', 'LM', 'labels', '')
    """
    return next(
        (q.asked_of for q in questions() if protocol is q.protocol or protocol in q.refined), ""
    )


FURTHER_FACTS = frozenset({"control_tokens", "thinks"})
"""Facts that belong to no question: a run asks them of any model that reads texts, or that replies."""


@cache
def facts_and_lookups() -> tuple[frozenset[str], frozenset[str]]:
    """Names of a back-end's members other than the questions' methods: facts, and lookups."""
    protocols = {p for question in questions() for p in (question.protocol, *question.refined)}
    pairs = [pair for protocol in protocols for pair in members(protocol).items()]
    methods = {question.method for question in questions()}
    facts = frozenset(name for name, is_method in pairs if not is_method)
    lookups = frozenset(name for name, is_method in pairs if is_method) - methods
    return facts | FURTHER_FACTS, lookups
