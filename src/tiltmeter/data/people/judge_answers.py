"""The answers of judges to the items that people judged: from a file, from their table, or asked for."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted, shortened
from tiltmeter.core.types import Array
from tiltmeter.data.people.judgments import Judgments

SHOWN = 8
"""How many labels an error lists at most."""


@dataclass(frozen=True, slots=True)
class JudgeAnswers:
    """One judge's answers, coded as the people's are."""

    name: str
    answers: Mapping[str, Array]
    """By question, shape (items,) in the order of the people's items; NaN where there is none."""


def without_annotators(
    judgments: Judgments, names: Sequence[str]
) -> tuple[Judgments, list[JudgeAnswers]]:
    """The judgments without some annotators, and the answers of these as judges'.

    Raises:
        BadInput: Fewer than two annotators are left.
    """
    taken = [judgments.annotators.index(name) for name in names]
    kept = [i for i in range(len(judgments.annotators)) if i not in taken]
    if len(kept) < 2:  # noqa: PLR2004
        reason = (
            f"without the judges it has {counted(len(kept), 'annotators')}, so there is nobody to "
            "compare with"
        )
        raise BadInput(reason, "name fewer judges", file=judgments.name)
    people = replace(
        judgments,
        annotators=tuple(judgments.annotators[i] for i in kept),
        answers={question: table[:, kept] for question, table in judgments.answers.items()},
        attributes={
            column: tuple(values[i] for i in kept)
            for column, values in judgments.attributes.items()
        },
    )
    judges = [
        JudgeAnswers(name, {q: table[:, i] for q, table in judgments.answers.items()})
        for name, i in zip(names, taken, strict=True)
    ]
    return people, judges


def with_judges(
    people: Judgments, theirs: Judgments, nominal: Collection[str]
) -> tuple[Judgments, list[JudgeAnswers]]:
    """The people's judgments and those of the judges in another file, in the same codes.

    Labels that only a judge gives get a code of their own, which no person's answer has.

    Args:
        people: The people's.
        theirs: The judges', of the same questions; its annotators are the judges.
        nominal: The questions whose answers are labels without an order.

    Raises:
        BadInput: Both have no question or no item in common, or a judge answers in words where people give
            numbers.
    """
    shared = [question for question in people.answers if question in theirs.answers]
    if not shared:
        raise BadInput(
            f"has none of the questions {', '.join(people.answers)}",
            f"name the column {next(iter(people.answers))!r} in it",
            file=theirs.name,
        )
    place = {item: row for row, item in enumerate(theirs.items)}
    rows = np.array([place.get(item, -1) for item in people.items])
    if (rows < 0).all():
        raise BadInput(
            f"is about none of the items of {people.name}",
            f"its first item is {shortened(theirs.items[0], 40)!r}, and there "
            f"{shortened(people.items[0], 40)!r}; name the column of items with --item-column",
            file=theirs.name,
        )
    words, tables, of_judges = dict(people.words), dict(people.answers), {}
    for question in shared:
        labels = theirs.words.get(question)
        if labels and question not in people.words and question not in nominal:
            raise BadInput(
                f"{question}: the judge answers {', '.join(labels[:SHOWN])}, and people give numbers",
                "leave such answers empty, or compare labels with --level nominal",
                file=theirs.name,
            )
        given = theirs.answers[question]
        if labels or question in people.words:
            words[question], tables[question], given = _as_words(people, theirs, question)
        of_items = np.where(rows[:, None] < 0, np.nan, given[rows])
        of_judges[question] = of_items
    judges = [
        JudgeAnswers(name, {question: of_judges[question][:, i] for question in shared})
        for i, name in enumerate(theirs.annotators)
    ]
    return replace(people, words=words, answers=tables), judges


def _as_words(
    people: Judgments, theirs: Judgments, question: str
) -> tuple[tuple[str, ...], Array, Array]:
    """The labels of both, and the answers of the people and of the judges as numbers of labels."""
    sides = [(of, of.answers[question], of.words.get(question)) for of in (people, theirs)]
    listed = dict.fromkeys(
        label for _, table, labels in sides for label in labels or _numbers_in(table)
    )
    code = {label: float(i) for i, label in enumerate(listed)}
    recoded = []
    for _, table, labels in sides:
        new = np.full(table.shape, np.nan)
        for value in np.unique(table[~np.isnan(table)]):
            new[table == value] = code[labels[int(value)] if labels else _number(value)]
        recoded.append(new)
    return tuple(listed), recoded[0], recoded[1]


def _numbers_in(table: Array) -> tuple[str, ...]:
    return tuple(_number(value) for value in np.unique(table[~np.isnan(table)]))


def _number(value: float) -> str:
    return f"{value:g}"


def asked_judge(
    name: str, people: Judgments, classify: Callable[[Sequence[str], Sequence[str]], Sequence[str]]
) -> JudgeAnswers:
    """The answers of a judge that is asked about the text of each item.

    Args:
        name: Of the judge.
        people: The people's judgments, with texts.
        classify: From texts and the labels that people gave to the judge's label of each text; "" for none.

    Raises:
        BadInput: An item that people answered has no text, or the judge gives none of the people's labels.
    """
    lacking = [item for item, text in zip(people.items, people.texts, strict=True) if not text]
    if lacking:
        reason = (
            f"{counted(len(lacking), 'items', 'have')} no text, such as {shortened(lacking[0], 40)}"
        )
        raise BadInput(reason, "fill the column that --text-column names", file=people.name)
    answers = {}
    for question, table in people.answers.items():
        labels = people.words.get(question) or _numbers_in(table)
        codes: dict[str, float] = (
            {label: float(i) for i, label in enumerate(labels)}
            if question in people.words
            else {label: float(label) for label in labels}
        )
        given = classify(people.texts, labels)
        answers[question] = np.array([codes.get(label, np.nan) for label in given])
        if np.isnan(answers[question]).all():
            others = ", ".join(dict.fromkeys(filter(None, given))) or "nothing"
            raise BadInput(
                f"{name} answers {shortened(others, 80)} where people answer {', '.join(labels[:SHOWN])}",
                "name a judge that gives the labels that people gave",
            )
    return JudgeAnswers(name, answers)
