"""The common frame of rules for cells: a trait in a sentence with a group, and in one without.

All requests go to the model in one call. What is asked about a trait and how the answers become a score
is up to each rule.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from tiltmeter.core.data.items import BLANK, POLES, Cell
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.model.protocols import Tokenizes
from tiltmeter.core.model.requests import Tokens
from tiltmeter.core.records import Record
from tiltmeter.core.rules import Context
from tiltmeter.core.text import decimal_number
from tiltmeter.core.types import Array
from tiltmeter.scoring.contexts import inside, reaching
from tiltmeter.scoring.text_scoring import check, refuse
from tiltmeter.studies.group_traits import sensitivity

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class FramedTrait:
    """A trait in a frame: the text, and the trait's position in it."""

    text: str
    place: tuple[int, int]


Sentences: TypeAlias = tuple[list[tuple[FramedTrait, FramedTrait]], ...]
"""For both traits and each adjective for them, the sentence with the group and the one without."""
Plan: TypeAlias = Callable[[Tokens, tuple[int, int], Context], list[R]]
"""From (tokens of a text, position of the trait in it, context) to the requests about the trait's pieces."""
Worth: TypeAlias = Callable[[list[Array], Context], float]
"""From the answers about one sentence to a number: a log-probability or a change of weights."""
Apart: TypeAlias = Callable[[float, float], float]
"""From the numbers (with the group, without it) to s(group, trait)."""


def summed(answers: list[Array], _: Context) -> float:
    """Log-probability of a word from those of its pieces."""
    if not answers:
        raise Undefined("it has several tokens, and ILPS is only defined for one")
    return float(sum(answer.sum() for answer in answers))


def increase(given: float, prior: float) -> float:
    """s(group, trait) from two log-probabilities: how much likelier the group makes the trait.

    >>> increase(-2.0, prior=-5.0)
    3.0
    """
    return given - prior


@dataclass(frozen=True, slots=True)
class TraitScoring(Generic[R]):
    """How a rule asks about a trait in a sentence, and how it turns the answers into a score."""

    plan: Plan[R]
    ask: Callable[[Sequence[R]], list[Array]]
    """The method of the model that answers all requests, one array of numbers for each."""
    without: "Callable[[Cell], BareFrame]"
    """From a cell to its frame without the group."""
    worth: Worth = summed
    apart: Apart = increase


class BareFrame(NamedTuple):
    """A cell's sentence without its group."""

    text: str
    gap: int
    """Where BLANK stands in the text."""
    poles: Sequence[Sequence[str]]
    """The adjectives that fit into it, left and right."""


def with_noun(cell: Cell) -> BareFrame:
    """The frame with a neutral noun in the place of the group."""
    return BareFrame(cell.without, cell.without.index(BLANK), cell.poles_without or cell.poles)


def score_cells(
    way: TraitScoring[R], model: Tokenizes, cells: Sequence[Cell], context: Context
) -> list[Record]:
    """One record per cell, from a single call of the model.

    Raises:
        BadItems: Some cells cannot be scored, and they are not to be skipped.
    """
    average = averages(context)
    sentences = {cell.id: _sentences(cell, way.without(cell)) for cell in cells}
    framed = dict.fromkeys(_framed(sentences.values()))
    texts = list(dict.fromkeys(trait.text for trait in framed))
    tokens = dict(zip(texts, model.encode(texts), strict=True))
    plans = {trait: _plan(trait, tokens[trait.text], way, model, context) for trait in framed}
    kept = []
    # A cell needs all of its traits: the first that has no score says why the cell has none.
    for cell in cells:
        undefined = (plans[trait] for trait in _framed([sentences[cell.id]]))
        why = next((plan for plan in undefined if isinstance(plan, Undefined)), None)
        if why is None:
            kept.append(cell)
        else:
            refuse("cell", cell, why, context)
    context.settle()
    needed = dict.fromkeys(_framed(sentences[cell.id] for cell in kept))
    requests = {trait: plan for trait in needed if isinstance(plan := plans[trait], list)}
    answers = iter(way.ask([request for plan in requests.values() for request in plan]))
    worth = {trait: _worth(way, plan, answers, context) for trait, plan in requests.items()}
    return [
        _record(cell, [[(worth[a], worth[b]) for a, b in words] for words in sentences[cell.id]],
                way.apart, average)
        for cell in kept
    ]  # fmt: skip


def _framed(sentences: "Iterable[Sentences]") -> Iterator[FramedTrait]:
    return (trait for cell in sentences for words in cell for both in words for trait in both)


def _worth(
    way: TraitScoring[R], plan: list[R], answers: Iterator[Array], context: Context
) -> float:
    """The number for a trait; NaN where it is undefined, and then the record lacks that score."""
    of_trait = [next(answers) for _ in plan]
    try:
        return way.worth(of_trait, context)
    except Undefined:
        return float("nan")


def _plan(
    trait: FramedTrait, tokens: Tokens, way: TraitScoring[R], model: Tokenizes, context: Context
) -> list[R] | Undefined:
    """The requests about a trait, or why there are none."""
    word, place = trait.text[slice(*trait.place)], reaching(trait.text, trait.place)
    unknown = model.unknown
    try:
        check(model, [tokens])
        pieces = inside(tokens, place)
        if unknown is not None and any(tokens.ids[i] == unknown for i in pieces):
            return Undefined(f"{word!r} is not in this model's vocabulary, not even in pieces")
        others = [
            trait.text[slice(*tokens.spans[i])] for i, t in enumerate(tokens.ids) if t == unknown
        ]
        if others:  # the model could not distinguish groups that it does not know
            return Undefined(f"{others[0]!r} in its sentence is not in this model's vocabulary")
        return way.plan(tokens, place, context)
    except Undefined as why:
        return Undefined(f"{word!r}: {why}")


def _sentences(cell: Cell, bare: BareFrame) -> Sentences:
    gap = cell.frame.index(BLANK)
    return tuple(
        [
            (_filled(cell.frame, gap, word), _filled(bare.text, bare.gap, alone))
            for word, alone in zip(words, others, strict=True)
        ]
        for words, others in zip(cell.poles, bare.poles, strict=True)
    )


def _filled(frame: str, gap: int, word: str) -> FramedTrait:
    return FramedTrait(frame[:gap] + word + frame[gap + len(BLANK) :], (gap, gap + len(word)))


def averages(context: Context) -> Callable[[Sequence[float]], float]:
    """How the scores of a trait's adjectives are averaged."""
    name = context.settings.get("average", "mean")
    return {"mean": lambda v: float(np.mean(v)), "median": lambda v: float(np.median(v))}[name]


def _record(
    cell: Cell,
    worths: Sequence[Sequence[tuple[float, float]]],
    apart: Apart,
    average: Callable[[Sequence[float]], float],
) -> Record:
    """The record of a cell; infinite and undefined scores are left out, and the measures say why."""
    scores: dict[str, float] = {}
    for pole, words in zip(POLES, worths, strict=True):
        associations = [apart(given, prior) for given, prior in words]
        scores[pole] = average(associations) if np.isfinite(associations).all() else float("nan")
        if len(words) == 1:
            ((scores[f"raw_{pole}_given"], scores[f"raw_{pole}_prior"]),) = words
    finite = {name: value for name, value in scores.items() if np.isfinite(value)}
    # the sentence with the first adjective of each trait
    texts = {
        pole: cell.frame.replace(BLANK, words[0])
        for pole, words in zip(POLES, cell.poles, strict=True)
    }
    return Record(cell.id, finite, cell.groups, cell.cluster, texts=texts)


def change_of(answers: list[Array], context: Context) -> float:
    """Δ of a word from the readouts of its pieces; ln(1 − Δ) under the code's conventions."""
    distances = np.array([answer[0, 0] for answer in answers])
    lengths = np.array([answer[1, 0] for answer in answers])
    bias: sensitivity.Bias = "kept" if context.settings.get("bias") == "kept" else "changed"
    changes = sensitivity.weight_change(distances, lengths, bias=bias)
    pieces = context.settings.get("pieces", "largest")
    if pieces == "largest":
        return float(sensitivity.word_change(changes, np.array([0]))[0])
    how: Any = pieces.removeprefix("code_")
    return float(sensitivity.published_score(changes, np.array([0]), pieces=how)[0])


def drawn_apart(context: Context) -> Apart:
    """s(group, trait) of the sensitivity test from Δ, or from the published code's ln(1 − Δ)."""
    if context.settings.get("pieces", "largest") == "largest":
        return lambda given, prior: (
            float(sensitivity.association(np.array([given]), np.array([prior]))[0])
            if np.isfinite([given, prior]).all() else float("nan")
        )  # fmt: skip
    return increase


def margin_of(settings: Mapping[str, str]) -> float:
    """γ of the sensitivity test; BadInput where the setting is not a number above 0."""
    text = settings.get("margin", "1")
    margin = decimal_number(text) or 0.0
    if not 0 < margin < np.inf:
        raise BadInput(f"the setting margin is {text!r}", "give a number above 0; the paper uses 1")
    return margin
