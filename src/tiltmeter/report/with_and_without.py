"""Analyses of people's answers with some of them left out, and what difference that makes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from tiltmeter.core.analysis import Input
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import Quantity, quantity
from tiltmeter.core.reading.answer_options import ChoiceOptions
from tiltmeter.core.results import Paragraph, Result, notes_of
from tiltmeter.core.text import counted, raised
from tiltmeter.core.views import NumberTable, number_columns
from tiltmeter.data.files.chosen_answers import ChosenAnswers, chosen_answers
from tiltmeter.derived.people.answer_choice import choice_of
from tiltmeter.report.text import in_brackets, title, value_with_unit
from tiltmeter.run.monitor import Monitor

ANSWERS, KEPT, ALL = "answers", "kept", "all"
"""The axis of numbers with and without answers, and its values."""
MOST = 10
"""The maximum number of numbers that are compared."""
OUT = quantity(
    "answers_left_out", "Answers that were left out", "left out", counts="answers", decimals=0
)
PEOPLE_OUT = quantity(
    "people_left_out", "People of whom no answer is left", "left out", counts="people", decimals=0
)
Compute: TypeAlias = Callable[[Sequence[Input], Any, Monitor], Result]


def with_and_without(
    compute: Compute, *main: Quantity, over: tuple[str, ...] = (), cells: Quantity | None = None
) -> Compute:
    """An analysis that also says what difference the answers that it leaves out make.

    A warning says how many bots count as people. Where answers are left out, it is computed twice, and its
    main numbers stand in a table with and without them.

    Args:
        compute: The analysis of the answers that count.
        main: The measures whose numbers are compared: over everything and along the axes `over`.
        over: Axes.
        cells: A measure with many values, of which the average and the largest change are said.
    """

    def both(inputs: Sequence[Input], options: ChoiceOptions, monitor: Monitor) -> Result:
        choice = choice_of(
            options, column=str(getattr(options, "annotator", "")),
            encoding=str(getattr(options, "encoding", "")),
        )  # fmt: skip
        with chosen_answers(choice) as choosing:
            result = _with_caution(compute(inputs, options, monitor), choosing.bots_counted)
        if not choice.leaves_out:
            return result
        whole = compute(inputs, options, monitor)
        pairs = [*_pairs(result, whole, {of.name for of in main}, over)][:MOST]
        texts = [_sentence(pairs), _of_cells(result, whole, cells) if cells else ""]
        card = result.card
        estimates = [
            OUT.at(choosing.answers[0], n=choosing.answers[1], groups={ANSWERS: "left out"}),
            PEOPLE_OUT.at(choosing.people[0], n=choosing.people[1], groups={ANSWERS: "left out"}),
        ]
        estimates += [
            replace(e, groups={**e.groups, ANSWERS: which})
            for pair in pairs
            for e, which in zip(pair, (KEPT, ALL), strict=True)
        ]
        card = replace(
            card,
            finding=(
                *card.finding,
                *(Paragraph(text) for text in (choosing.summary, *texts) if text),
            ),
            notes=(*card.notes, *notes_of("data", [_by_mark(choosing)])),
            measures={**card.measures, OUT.name: OUT.meaning, PEOPLE_OUT.name: PEOPLE_OUT.meaning},
            settings={**card.settings, **_settings(options)},
            views=(*card.views, *_views(pairs)),
        )
        filled = [
            replace(e, model=e.model or "", study=e.study or card.study, rule=e.rule or card.rule,
                    convention=e.convention or card.convention)
            for e in estimates
        ]  # fmt: skip
        return replace(result, card=card, estimates=[*result.estimates, *filled])

    return both


def _with_caution(result: Result, caution: str) -> Result:
    """The result, with a warning after its first paragraphs where there is one."""
    if not caution:
        return result
    finding = (*result.card.finding, Paragraph(caution, "warning"))
    return replace(result, card=replace(result.card, finding=finding))


def _pairs(
    result: Result, whole: Result, main: set[str], over: tuple[str, ...]
) -> Iterator[tuple[Estimate, Estimate]]:
    """The main numbers of the answers that count and of all answers."""
    of_all = {(e.name, *sorted(e.groups.items())): e for e in whole.estimates}
    for e in result.estimates:
        if e.name in main and {*e.groups} <= {*over}:
            other = of_all.get((e.name, *sorted(e.groups.items())))
            if other is not None:
                yield e, other


def _views(pairs: Sequence[tuple[Estimate, Estimate]]) -> Iterator[NumberTable]:
    for axes in dict.fromkeys(tuple(e.groups) for e, _ in pairs):
        names = dict.fromkeys(e.name for e, _ in pairs if tuple(e.groups) == axes)
        for name in names:
            yield NumberTable(
                "_".join(("with_and_without", name, *axes)),
                "With and without the answers left out",
                (*axes, ANSWERS),
                number_columns(name, value=0, interval=1, n=2),
            )


def _by_mark(choosing: ChosenAnswers) -> str:
    """Which answers were left out, in one sentence."""
    choice, marks = choosing.choice, choosing.marks

    def named(names: Sequence[str]) -> str:
        return ", ".join(f"{name} ({marks[name]:,})" for name in names)

    parts = []
    if choice.without:
        parts.append(f"answers marked {named(choice.without)} are left out")
    if choice.only:
        parts.append(f"only answers marked {named(choice.only)} count")
    if choice.participants is not None:
        listed = counted(len(choice.participants), "participants")
        parts.append(f"only answers of the {listed} in the list count")
    sentence = "; ".join(parts)
    return f"{raised(sentence)}."


def _sentence(pairs: Sequence[tuple[Estimate, Estimate]]) -> str:
    """The first number both ways."""
    if not pairs:
        return ""
    kept, whole = (
        "undefined" if e.value is None else f"{value_with_unit(e)}{in_brackets(e)}"
        for e in pairs[0]
    )
    where = ", ".join(pairs[0][0].groups.values())
    about = f"{title(pairs[0][0])}{f' ({where})' if where else ''}"
    return f"{about}: {kept} without them, {whole} with all answers."


def _of_cells(result: Result, whole: Result, cells: Quantity) -> str:
    """How far the values of a measure with many of them change."""
    of_all = {
        tuple(sorted(e.groups.items())): e.value for e in whole.estimates if e.name == cells.name
    }
    changes = {
        tuple(e.groups.values()): abs(e.value - other)
        for e in result.estimates
        if e.name == cells.name and e.value is not None
        and (other := of_all.get(tuple(sorted(e.groups.items())))) is not None
    }  # fmt: skip
    if not changes:
        return ""
    farthest = max(changes, key=lambda place: changes[place])
    mean = sum(changes.values()) / len(changes)
    return (
        f"{cells.meaning.title}: leaving them out changes {counted(len(changes), 'values')} by {mean:.1f} on "
        f"average and by at most {changes[farthest]:.1f} ({', '.join(farthest)})."
    )


def _settings(options: ChoiceOptions) -> dict[str, str]:
    given = {
        "without": ", ".join(options.without), "only": ", ".join(options.only),
        "participants": options.participants.name if options.participants else "",
    }  # fmt: skip
    return {name: value for name, value in given.items() if value}
