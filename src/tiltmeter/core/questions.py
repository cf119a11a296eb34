"""The table of questions that a model can be asked.

One entry holds all that is particular to a question: what a back-end must satisfy, its method, how
large a request is, under which key an answer is stored and in what form. The rule chooser, the cache,
the executors, the workers and remote models read it here and know no question by name.

A back-end has three kinds of members, as its protocols declare them: plain facts (properties), the
method of a question, and *lookups*, which are all other methods: they take a sequence and return a
list with one plain value for each element, are cheap, and are never stored (`encode`).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from typing import Any

import numpy as np

from tiltmeter.core.errors import CannotAnswer, UnknownName
from tiltmeter.core.protocols import (
    Attends,
    Continues,
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
    members,
)
from tiltmeter.core.query import BatchRow, Option, Question, own_rows, text_key
from tiltmeter.core.requests import Blanked, Continuation, Passage
from tiltmeter.core.shared_prefixes import families
from tiltmeter.core.types import Array

GROUP = "tiltmeter.questions"
"""The group of entry points by which other packages offer questions."""


def _blanked_key(request: Blanked) -> tuple[Sequence[int], ...]:
    return request.ids, request.hidden, request.read


def _blanked_sizes(_: Any, requests: Sequence[Blanked]) -> list[int]:
    return [len(request.ids) for request in requests]


def _blanked_rows(
    _: Any, requests: Sequence[Blanked], keys: Sequence[bytes], sizes: Sequence[int]
) -> list[BatchRow]:
    del keys
    return [(request.seen, size) for request, size in zip(requests, sizes, strict=True)]


def _continuation_key(request: Continuation) -> tuple[Sequence[int], ...]:
    after = (request.after,) if request.after else ()
    return request.context, request.ids, (int(request.start),), *after


def _continuation_sizes(_: Any, requests: Sequence[Continuation]) -> list[int]:
    return [len(r.context) + len(r.ids) + len(r.after) + 1 for r in requests]


def _continuation_rows(
    model: Any, requests: Sequence[Continuation], keys: Sequence[bytes], sizes: Sequence[int]
) -> list[BatchRow]:
    """Texts with a common beginning share a row, where the model can make use of it."""
    most = int(getattr(model, "shared_row", 0))
    if not (most and requests):
        return own_rows(model, requests, keys, sizes)
    rows: dict[int, BatchRow] = {}
    for family in families([(-int(r.start), *r.context, *r.ids) for r in requests], most):
        first = min(keys[i] for i in family.members)
        rows |= dict.fromkeys(family.members, (first, family.length))
    return [rows[i] for i in range(len(requests))]


def _passage_key(request: Passage) -> tuple[Sequence[int], ...]:
    return *text_key(request.text), request.at


def _passage_sizes(model: Any, requests: Sequence[Passage]) -> list[int]:
    lengths: list[int] = model.passage_lengths(requests)
    if 0 in lengths:
        one = requests[lengths.index(0)]
        text = one.text[slice(*one.at)] if one.at != (0, 0) else one.text
        raise CannotAnswer(f"{model.name} has no vector for {text!r}; leave it out")
    return lengths


def _passage_rows(
    _: Any, requests: Sequence[Passage], keys: Sequence[bytes], sizes: Sequence[int]
) -> list[BatchRow]:
    del keys
    return [(request.text, size) for request, size in zip(requests, sizes, strict=True)]


def _stacked(vectors: list[Array]) -> Array:
    return np.stack(vectors) if vectors else np.zeros((0, 0))


def _pair_sizes(model: Any, pairs: Sequence[tuple[str, str]]) -> list[int]:
    lengths: list[int] = model.pair_lengths(pairs)
    return lengths


MARGIN = {"margin": Option(float, 1.0)}
BLANKED: dict[str, Any] = {"key": _blanked_key, "sizes": _blanked_sizes, "rows": _blanked_rows}
CONTINUED: dict[str, Any] = {
    "key": _continuation_key,
    "sizes": _continuation_sizes,
    "rows": _continuation_rows,
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
            options={"begins": Option(bool)},
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
            protocol=JudgesNext,
            ability="judge which sentence comes next, as models with a next-sentence head do "
            "(`tiltmeter train next-sentence` makes one)",
            method="next_logprobs",
            key=lambda pair: text_key(*pair),
            sizes=_pair_sizes,
            encode=lambda logprob: np.array([logprob]),
            decode=lambda stored: stored[0],
            collect=np.array,
        ),
        Question(
            name="embed",
            protocol=EmbedsTokens,
            ability="embed each token of a text, as language models and encoders do",
            method="embed",
            key=_passage_key,
            sizes=_passage_sizes,
            rows=_passage_rows,
            options={"pooling": Option(str)},
            collect=_stacked,
            refined={
                EmbedsTexts: "embed texts in its own way, as sentence encoders and static word "
                "vectors do",
                EmbedsStart: "embed the special token before a text, as BERT and similar models do "
                "([CLS])",
                EmbedsPooled: "embed texts with its own pooler, as BERT does if the checkpoint "
                "contains it",
            },
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
    found: list[Question[Any]] = [entry.load() for entry in entry_points(group=GROUP)]
    return {question.name: question for question in found if question.name not in QUESTIONS}


def questions() -> list[Question[Any]]:
    """All questions: those of this package, then those of others."""
    return [*QUESTIONS.values(), *offered().values()]


def find_question(name: str) -> Question[Any]:
    """The question of that name.

    Raises:
        UnknownName: No question has this name.
    """
    found = QUESTIONS.get(name) or offered().get(name)
    if found is None:
        raise UnknownName("question", name, [one.name for one in questions()])
    return found


def question_of(method: str) -> Question[Any] | None:
    """The question that a back-end answers with this method; None for other methods."""
    return next((one for one in questions() if one.method == method), None)


def ability(protocol: type) -> str:
    """What a model can do that satisfies a protocol, to complete "that needs a model that can …"."""
    for question in questions():
        if question.protocol is protocol:
            return question.ability
        if protocol in question.refined:
            return question.refined[protocol]
    return protocol.__name__


@cache
def facts_and_lookups() -> tuple[frozenset[str], frozenset[str]]:
    """Names of a back-end's members other than the questions' methods: facts, and lookups."""
    protocols = {one for question in questions() for one in (question.protocol, *question.refined)}
    found = [pair for protocol in protocols for pair in members(protocol).items()]
    methods = {question.method for question in questions()}
    facts = frozenset(name for name, is_method in found if not is_method)
    return facts, frozenset(name for name, is_method in found if is_method) - methods
