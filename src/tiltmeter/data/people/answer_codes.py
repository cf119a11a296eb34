"""Answers to one question as numbers: as they are, by a declared order, or by the numbers they begin with.

An answer that is a set of labels is one text whatever the order of its labels (`label_set`).
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted, decimal_number, shortened, verb_for

SEPARATORS = (";", "|", ",")
"""The separators between the labels of a set in one cell."""
FEW_WORDS = 0.2
"""If at most this share of the answers are words among numbers, a note says so."""
SHOWN = 3
"""The maximum number of labels in a note."""
_LEADING = re.compile(r"\s*([-−+]?\d+(?:\.\d+)?)(?:\s*[-–—:.)=(\]]\s*|\s+)(.*)", re.DOTALL)
_COMMA = re.compile(r"\s*[-−+]?\d+,\d+\s*%?\s*")
_LIST = re.compile(r"\s*\[.*\]\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class DeclaredScale:
    """What the user declares about the answers to a question."""

    values: tuple[str, ...] = ()
    """Every possible answer, also those that nobody gave; () where none is declared."""
    ordered: bool = False
    """Whether the answers are listed from low to high."""


@dataclass(frozen=True, slots=True)
class AnswerCodes:
    """The number of each answer to a question, and what the numbers mean."""

    codes: Mapping[str, float]
    words: tuple[str, ...] = ()
    """The answers in the order of their numbers, if they are not numbers themselves."""
    declared: tuple[float, ...] = ()
    """The numbers of all possible answers, ascending; () if they were not declared."""
    ordered: bool = False
    """Whether words were given an order."""
    notes: tuple[str, ...] = field(default=())


def label_set(labels: Iterable[object]) -> str:
    """A set of labels as one text, whatever their order.

    >>> label_set(["b", "a", "b"]), label_set([])
    ('a, b', '')
    """
    return ", ".join(sorted({str(label).strip() for label in labels}))


def as_sets(question: str, answers: Collection[str]) -> tuple[dict[str, str], list[str]]:
    """For each answer the text under which it counts, and notes: sets of labels are equal in any order.

    A cell is a set if it is a list in JSON or Python, or if other cells have the same labels between the
    same separators in another order.

    >>> as_sets("tone", ["a; b", "b; a", "a"])[0]
    {'a; b': 'a, b', 'b; a': 'a, b', 'a': 'a'}
    """
    lists = {answer: labels for answer in answers if (labels := _listed(answer)) is not None}
    texts = {answer: label_set(labels) for answer, labels in lists.items()}
    others = [answer for answer in answers if answer not in lists]
    for mark in SEPARATORS:
        by_set: dict[str, list[str]] = defaultdict(list)
        for answer in others:
            if mark in answer:
                by_set[label_set(answer.split(mark))].append(answer)
        orders = (
            {tuple(part.strip() for part in answer.split(mark)) for answer in several}
            for several in by_set.values()
        )
        if any(len(different) > 1 for different in orders):
            texts |= {answer: name for name, several in by_set.items() for answer in several}
            break
    merged = len(texts) - len(set(texts.values()))
    notes = [f"{question}: answers are sets of labels, equal in any order."] if merged else []
    return {answer: texts.get(answer, answer) for answer in answers}, notes


def _listed(answer: str) -> list[object] | None:
    """The labels in a list written in JSON or Python; None if the answer is no such list."""
    if not _LIST.fullmatch(answer):
        return None
    for text in (answer, answer.replace("'", '"')):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, list) and not any(isinstance(part, list | dict) for part in value):
            return value
    return None


def case_folded(answers: Counter[str], preferred: Collection[str] = ()) -> dict[str, str]:
    """For each answer one spelling of those that differ in case or spaces only.

    It is the one in `preferred`, or else the most frequent one.

    >>> case_folded(Counter({"Hate": 3, "hate": 1, "fine": 2}))
    {'Hate': 'Hate', 'hate': 'Hate', 'fine': 'fine'}
    """
    spellings: dict[str, list[str]] = defaultdict(list)
    for answer in answers:
        spellings[_folded(answer)].append(answer)
    first = {
        key: min(several, key=lambda s: (-answers[s], s)) for key, several in spellings.items()
    }
    first |= {_folded(spelling): spelling for spelling in preferred}
    return {answer: first[_folded(answer)] for answer in answers}


def _folded(answer: str) -> str:
    return " ".join(answer.casefold().split())


def answer_codes(
    question: str, answers: Counter[str], scale: DeclaredScale | None = None
) -> AnswerCodes:
    """The numbers of the answers to a question.

    Declared answers have the numbers they write, or else their places; undeclared ones those they write, or
    begin with ("1 - never"), or else their places in alphabetical order.

    Args:
        question: For messages.
        answers: How often each answer was given.
        scale: What was declared.

    Raises:
        BadInput: An answer is not among those that were declared.

    >>> answer_codes("q", Counter(["1", "5"])).codes
    {'1': 1.0, '5': 5.0}
    >>> answer_codes("q", Counter(["no", "yes"])).codes
    {'no': 0.0, 'yes': 1.0}
    >>> answer_codes("q", Counter(["2 (rarely)", "1 - never", "3"])).codes
    {'1 - never': 1.0, '2 (rarely)': 2.0, '3': 3.0}
    """
    given = sorted(answers)
    if scale is not None:
        return _declared(question, given, scale)
    numbers = {answer: decimal_number(answer) for answer in given}
    known = {a: n for a, n in numbers.items() if n is not None and abs(n) != float("inf")}
    if len(known) == len(given):
        return AnswerCodes(known)
    if percentages := _percentages(given):
        return AnswerCodes(percentages, notes=(f"{question}: answers are in per cent.",))
    if leading := _leading_numbers(given):
        shown = next(answer for answer in given if answer not in known)
        note = f"{question}: the numbers that answers begin with are read ({shown!r} is {leading[shown]:g})."
        return AnswerCodes(leading, notes=(note,))
    codes = {word: float(place) for place, word in enumerate(given)}
    return AnswerCodes(codes, tuple(given), notes=tuple(_oddities(question, answers, known)))


def _declared(question: str, given: Sequence[str], scale: DeclaredScale) -> AnswerCodes:
    numbers = {value: decimal_number(value) for value in scale.values}
    known = {value: number for value, number in numbers.items() if number is not None}
    in_numbers = len(known) == len(numbers) and not scale.ordered
    # Words, and numbers in an order of their own, count by their place among the declared answers.
    places = known if in_numbers else {value: float(n) for n, value in enumerate(scale.values)}
    by_number = {number: places[value] for value, number in known.items()}
    read = _leading_numbers(given) or {}
    codes: dict[str, float | None] = {}
    for answer in given:
        number = read.get(answer, decimal_number(answer))
        codes[answer] = places.get(answer, None if number is None else by_number.get(number))
    words = () if in_numbers else scale.values
    others = [answer for answer in given if codes[answer] is None]
    if others:
        reason = (
            f"{question}: {_shown(others)} {verb_for(len(others), 'are')} not among the declared "
            f"answers {', '.join(scale.values)}"
        )
        way_out = "declare all answers, or take those out with --missing"
        if {_folded(answer) for answer in others} <= {_folded(value) for value in scale.values}:
            way_out = "--fold-case counts spellings that differ only in case or spaces as one"
        raise BadInput(reason, way_out)
    read_codes = {answer: code for answer, code in codes.items() if code is not None}
    return AnswerCodes(
        read_codes, words, tuple(sorted(places.values())), ordered=scale.ordered and bool(words)
    )


def _leading_numbers(given: Sequence[str]) -> dict[str, float] | None:
    """The number that each answer is or begins with; None where one has none, or two words share one."""
    numbers: dict[str, float] = {}
    labels: dict[float, set[str]] = defaultdict(set)
    for answer in given:
        number = decimal_number(answer)
        label = ""
        if number is None:
            match = _LEADING.fullmatch(answer)
            if match is None or not any(c.isalpha() for c in match[2]):
                return None
            number = decimal_number(match[1].replace("−", "-"))
            label = "".join(c for c in match[2].casefold() if c.isalnum())
        if number is None or abs(number) == float("inf"):
            return None
        numbers[answer] = number
        labels[number] |= {label} - {""}
    return numbers if all(len(different) <= 1 for different in labels.values()) else None


def _percentages(given: Sequence[str]) -> dict[str, float] | None:
    """The number before each percent sign; None unless every answer has both."""
    numbers = {a: decimal_number(a.strip().removesuffix("%")) for a in given if "%" in a}
    known = {a: n for a, n in numbers.items() if n is not None and abs(n) != float("inf")}
    return known if len(known) == len(given) else None


def _oddities(question: str, answers: Counter[str], numbers: Mapping[str, float]) -> Iterable[str]:
    """A note for the user about answers that are read as words."""
    total = answers.total()
    words = [answer for answer in answers if answer not in numbers]
    in_words = sum(answers[word] for word in words)
    commas = [word for word in words if _COMMA.fullmatch(word)]
    if commas and len(commas) == len(words):
        # they may be numbers with decimal commas or sets of labels: nothing in the answers says which
        yield (
            f"{question}: answers with a comma ({_shown(commas)}) count as words. If they are numbers, write "
            "points for the commas."
        )
    elif numbers and in_words <= FEW_WORDS * total:
        yield (
            f"{question}: {in_words:,} of {counted(total, 'answers')} {verb_for(in_words, 'are')} "
            f"not numeric ({_shown(words)}), so that all "
            f"count as words. If they are missing values: --missing {','.join(words[:SHOWN])!r}."
        )
    spelt = Counter(_folded(answer) for answer in answers)
    alike = [answer for answer in answers if spelt[_folded(answer)] > 1]
    if alike:
        yield (
            f"{question}: {counted(len(alike), 'answers')} differ only in case or spaces ({_shown(alike)}) "
            "and count as different. --fold-case counts them as one."
        )


def _shown(answers: Sequence[str]) -> str:
    shown = ", ".join(repr(shortened(answer, 40)) for answer in answers[:SHOWN])
    return shown + (f" and {len(answers) - SHOWN} more" if len(answers) > SHOWN else "")
