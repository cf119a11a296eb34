"""Numbers that papers print, placed beside those of runs."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.data.published import PrintedNumber, published, published_for
from tiltmeter.derived.run_tables.run_table_layout import Placed

PRINTED = "†"
"""Behind the name of a model whose numbers a paper prints, where one paper is shown."""


def printed_numbers(names: Sequence[str], results: Sequence[Result]) -> list[Placed]:
    """Numbers of papers' tables that these runs have as well, under the names that the runs use.

    Raises:
        UnknownName: There is no such table.
        BadInput: A table has no number that a run has.
    """
    of_runs = {(_study(r, e), e.name): e for r in results for e in r.estimates}
    studies = {r.card.study: r.card.data_name for r in results}
    studies |= {_study(r, e): r.card.data_name for r in results for e in r.estimates}
    papers = {name: name.partition("_")[0] for name in names}
    placed = []
    for name in names:
        mark = PRINTED if len({*papers.values()}) == 1 else f" ({papers[name]})"
        numbers = published(name).numbers
        there = [n for n in numbers if (n.at("study"), n.at("measure")) in of_runs]
        if not there:
            raise _no_number(name, numbers, studies)
        for number in there:
            e = number.estimate
            like = of_runs[e.study, e.name]
            run = {
                **number.places,
                "model": f"{e.model or 'printed'}{mark}", "base": f"{number.at('base')}{mark}",
                "data": number.at("data") or studies[e.study], "rule": e.rule, "convention": "",
            }  # fmt: skip
            e = replace(e, neutral=like.neutral, unit=like.unit, meaning=like.meaning)
            placed.append(Placed(e, run, printed=True))
    return placed


def _study(result: Result, estimate: Estimate) -> str:
    """The study that a number is of; an analysis of several models keeps that of its runs."""
    return (not result.card.model_name and estimate.study) or result.card.study


def _no_number(name: str, numbers: Iterable[PrintedNumber], studies: Iterable[str]) -> BadInput:
    """Why no number of a table stands beside these runs, and what to do."""
    missing = dict.fromkeys(n.at("measure") for n in numbers if n.at("study") in {*studies})
    if not missing:
        return BadInput(f"{name} has no number of {', '.join(studies)}", _other_tables(studies))
    return BadInput(
        f"these runs have none of the measures of {name}: {', '.join(missing)}",
        "they may need another rule or convention; tiltmeter ls STUDY lists those of a study",
    )


def _other_tables(studies: Iterable[str]) -> str:
    """Which tables have numbers of these studies, as advice."""
    names = dict.fromkeys(name for study in studies for name in published_for(study))
    if not names:
        return "no table comes with numbers of it: leave --published out"
    return f"choose from {', '.join(names)}"
