"""What the samples of a log answer: each request to a model is found by its texts, options or id."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from tiltmeter.bridges.answers import Answer, Request
from tiltmeter.bridges.samples import EvaluationLog, LoggedSample
from tiltmeter.core.data.items import Pair, Triple
from tiltmeter.core.errors import Problem
from tiltmeter.core.model.conversations import Choosing, Reply, Writing
from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.results import STUDY_FIELD
from tiltmeter.scoring.option_numbers import first_number, option_named

MOST_TEXTS = 14
"""Texts of a sample that are tried, also two by two."""
UNKNOWN = "unknown"
"""The role of an option that other programs word in several ways."""


class _Index:
    """Requests by all that a sample may know them by."""

    def __init__(self, asked: Iterable[tuple[str, Any, Request]]) -> None:
        self.asked, self._places = list(asked), defaultdict[object, list[int]](list)
        for place, (name, item, request) in enumerate(self.asked):
            keys: set[object] = {_bare(request.prompt.plain), _bare(getattr(item, "text", ""))}
            if isinstance(request, Choosing) and isinstance(item, Pair | Triple):
                keys = {_all_of(request.options)}
            for key in {("id", name), *filter(None, keys)}:
                self._places[key].append(place)

    def place(self, sample: LoggedSample) -> int:
        """Of the sample's request; a fault says why it has none."""
        lines = [line.partition(": ")[2] or line for line in sample.text.splitlines()]
        different = {*map(_bare, (sample.text, *sample.fields.values(), *lines))}
        texts = sorted(different, key=lambda each: (-len(each), each))[:MOST_TEXTS]
        two = (f"{a} {b}" for a, b in permutations(texts, 2))  # a context and a question
        keys: Iterable[object] = (_all_of(sample.options), *texts, *two, ("id", sample.id))
        if STUDY_FIELD in sample.fields:
            keys = [("id", sample.fields.get("id", ""))]
        places = next((places for key in keys if (places := self._places.get(key))), [])
        if not places:
            raise Fault("no item has its text, id or options")
        there = different | {*map(_bare, sample.options)}
        items = [self.asked[place][1] for place in places]
        ranks = [  # what tells items with the same text apart: their options, then parts of their ids
            (sum(_bare(o) in there for o in getattr(i, "options", ())), there.issuperset(i.id.split("/")))
            for i in items
        ]  # fmt: skip
        if ranks.count(max(ranks)) > 1:
            raise Fault("several items have its text")
        return places[ranks.index(max(ranks))]


def _bare(text: str) -> str:
    return " ".join(text.split())


def _all_of(options: Sequence[str]) -> frozenset[str]:
    return frozenset(map(_bare, options)) if len(options) > 1 else frozenset()


@dataclass(frozen=True, slots=True)
class MatchedAnswers:
    """The answers of a log to what a study asks."""

    answers: Mapping[Request, Answer]
    """By the request of each repeat; all requests have as many."""
    repeats: int
    problems: Sequence[Problem]
    """Samples that answer no request, or one that has an answer or enough of them."""


def answers_of(asked: Sequence[tuple[str, Any, Request]], log: EvaluationLog) -> MatchedAnswers:
    """The answers of the samples to each request.

    Of repeats the first counts, unless they are epochs. Two samples that answer one request differently are
    both left out.
    """
    index, problems = _Index(asked), list[Problem]()
    first_option = _first_option(log, asked)
    answers: dict[Request, dict[int, Answer]] = defaultdict(dict)
    whose = dict[tuple[Request, int], LoggedSample]()
    contradicted = dict[tuple[Request, int], None]()

    def leave_out(sample: LoggedSample, reason: str) -> None:
        place = f"{sample.id}/{sample.repeat}"
        problems.append(
            Problem(f"{sample.called}: {reason}", file=log.file, line=sample.line, item=place)
        )

    for sample in log.samples:
        try:
            _, item, request = asked[index.place(sample)]
            answer = _answer(item, request, sample, first_option)
        except Fault as fault:
            leave_out(sample, fault.reason)
            continue
        epoch = sample.repeat if log.epochs and isinstance(request, Writing) else 0
        known = whose.setdefault((request, epoch), sample)
        if known is sample:
            answers[request][epoch] = answer
        elif known.id == sample.id and known.repeat != sample.repeat:
            leave_out(sample, "it repeats a question, of whose answers the first counts")
        elif answers[request][epoch] == answer:
            leave_out(sample, f"{known.called} has the same answer to its item, which counts")
        else:
            leave_out(sample, f"{known.called} answers its item differently")
            contradicted[request, epoch] = None
    for request, epoch in contradicted:
        del answers[request][epoch]
        leave_out(whose[request, epoch], "another sample answers its item differently")
    ranks = 1 + max((getattr(item, "rank", 0) for _, item, _ in asked), default=0)
    kept, repeats, spare = _as_repeats(answers, ranks)
    for request, epoch, why in spare:
        leave_out(whose[request, epoch], why)
    return MatchedAnswers(kept, repeats, problems)


def _as_repeats(
    answers: Mapping[Request, Mapping[int, Answer]], ranks: int
) -> tuple[dict[Request, Answer], int, list[tuple[Request, int, str]]]:
    """The answers by the requests of a run with repeats, how many repeats those are, and which do not count.

    Args:
        answers: Of each question by epoch; some may be missing.
        ranks: How many replies a prompt has in one repeat.
    """
    repeats = _most_replies([len(by_epoch) for by_epoch in answers.values()])
    kept, spare = dict[Request, Answer](), list[tuple[Request, int, str]]()
    for request, by_epoch in answers.items():
        for place, epoch in enumerate(sorted(by_epoch)):
            if place < repeats <= len(by_epoch):
                kept[_repeated(request, place * ranks)] = by_epoch[epoch]
            else:
                why = f"it is repeat {place + 1:,} of {len(by_epoch):,} where {repeats:,} count"
                spare.append((request, epoch, why))
    return kept, repeats, spare


def _most_replies(counts: Sequence[int]) -> int:
    """How many repeats of each question are to count, so that as many replies as possible do.

    >>> _most_replies([3, 3, 2]), _most_replies([3, 1, 1, 1]), _most_replies([])
    (3, 1, 1)
    """
    sizes = sorted({*counts} - {0}, reverse=True)
    return max(sizes, key=lambda size: size * sum(count >= size for count in counts), default=1)


def _repeated(request: Request, further: int) -> Request:
    """The request of a repeat, as a run with repeats makes it."""
    if isinstance(request, Writing):
        return replace(request, repeat=request.repeat + further)
    return request


def _first_option(log: EvaluationLog, asked: Sequence[tuple[str, Any, Request]]) -> int | None:
    """Whether answers that are numbers count options from 0 or from 1; None where nothing shows it."""
    listed = [*(s.options for s in log.samples), *(getattr(i, "options", ()) for _, i, _ in asked)]
    answers = [sample.answer or sample.reply for sample in log.samples]
    truths = [s.fields.get(name, "") for s in log.samples for name in ("target", "label")]
    return first_number(answers, truths, max(map(len, listed), default=0))


def _answer(
    item: Any, request: Request, sample: LoggedSample, first_option: int | None = None
) -> Answer:
    if sample.fault:
        raise Fault(sample.fault)
    if isinstance(request, Writing) != (not sample.logprobs):
        raise Fault("it has no answer that the rule can score")
    if isinstance(request, Writing):
        return _reply(item, sample, first_option)
    best = dict.fromkeys(map(_bare, request.options), -float("inf"))
    roles = dict(zip(getattr(item, "roles", ()), best, strict=False))
    for option, logprob in zip(map(_bare, sample.options), sample.logprobs, strict=True):
        place = option if option in best else roles.get(UNKNOWN, "")
        best[place] = max(best.get(place, logprob), logprob)
    values = tuple(best[_bare(option)] for option in request.options)
    if -float("inf") in values:
        raise Fault("it has no log-probability of some option")
    return values


def _reply(item: Any, sample: LoggedSample, first_option: int | None) -> Reply:
    """What the model wrote; where the program took a number for an option, that option."""
    options, answer = _listed(item, sample), sample.answer or sample.reply
    named = option_named(answer, options, first_option)
    return sample.written if named == answer else replace(sample.written, text=named)


def _listed(item: Any, sample: LoggedSample) -> Sequence[str]:
    """The options in the order in which the program listed them: its choices, else fields of the question."""
    if sample.options:
        return sample.options
    wanted = {*map(_bare, getattr(item, "options", ()))}
    lines = (_bare(line) for value in sample.fields.values() for line in value.splitlines())
    return [*dict.fromkeys(line for line in lines if line in wanted)]
