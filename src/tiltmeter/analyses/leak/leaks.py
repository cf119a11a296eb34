"""Everything that leak computes: flows between languages, leaked traits, and what is known of the people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tiltmeter.analyses.leak.conventions import OURS, PAPER_FACTORS, LeakConvention
from tiltmeter.analyses.leak.flows import COEFFICIENT, SOURCE, TARGET, is_from_other, leakage
from tiltmeter.analyses.leak.language_runs import LanguageRun, check_alike, poles_repeat, run_notes
from tiltmeter.analyses.leak.leaked_traits import (
    STRONGEST,
    UPPER,
    Polarity,
    leaked_traits,
    polarities,
    trait_counts,
)
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.core.records import Record
from tiltmeter.data.files.table import listed
from tiltmeter.data.people.ratings import Ratings
from tiltmeter.derived.people.rated_cells import HumanCells, Unit, human_cells

REPEATED = (
    "The model’s scores of two opposite traits add up to the same number for every group, so each pair "
    "counts twice and intervals are too narrow; the unit pairs counts it once."
)
LANGUAGE = "language"
"""The axis of the numbers of people: their language."""
PEOPLE = "people"
"""The kind of the records of people's means."""
RATERS = quantity("raters", "Raters", "raters", decimals=0)
GROUPS_RATED = quantity("groups_rated", "Groups that anybody rated", "groups rated", decimals=0)
ENOUGH = quantity(
    "groups_with_enough_raters", "Groups that enough people rated", "with enough raters", decimals=0
)
MEDIAN = quantity(
    "median_raters", "Raters of a group, median", "raters of a group, median", decimals=1
)
OF_PEOPLE = (RATERS, GROUPS_RATED, ENOUGH, MEDIAN)


class Leaks(NamedTuple):
    """The flows into all target languages, and what their tables and pictures need besides."""

    estimates: list[Estimate]
    records: list[Record]
    """Leaked traits, then people's means trait by trait, whatever the unit."""
    languages: tuple[str, ...]
    """The languages of people, those of the runs first."""
    polarity: Mapping[str, Polarity]
    """The polarity of each trait."""
    factor: float
    """By which scores were multiplied."""
    regressions: Mapping[str, tuple[str, ...]]
    """Remarks on the regression of each language."""
    notes: tuple[str, ...]


def find_leaks(
    runs: Sequence[LanguageRun],
    people: Mapping[str, Ratings],
    *,
    monolingual: Sequence[LanguageRun] = (),
    polarity: Mapping[str, Polarity] | None = None,
    convention: LeakConvention = OURS,
    strongest: int = STRONGEST,
    held: float = UPPER,
) -> Leaks:
    """Measure how far the stereotypes of other cultures explain a model's scores in each language.

    Args:
        runs: Of one model, each in another language.
        people: Ratings by language. Those of the runs' languages are shown first, in their order.
        monolingual: Runs of models of one language each, as covariates.
        polarity: By trait; those that it lacks, and by default all, follow from the runs’ dimensions.
        convention: How, with the user's choices in it.
        strongest: How many of the model's traits of a group can be leaked ones.
        held: Quantile of a group's traits from which people hold a trait of it.

    Raises:
        BadInput: The runs are not alike, no ratings are in their languages, or a monolingual run's
            language is not among them; or too few groups or traits are left in a language.
    """
    check_alike(runs)
    _check_languages(runs, people, monolingual)
    people = {
        **{run.language: people[run.language] for run in runs if run.language in people},
        **people,
    }
    rated = _rated(people, convention.unit, convention.min_raters)
    by_pole = _rated(people, "poles", convention.min_raters)
    factor = PAPER_FACTORS.get(runs[0].card.rule, 1.0)
    cells = [run.cells(convention.unit) for run in runs]
    try:
        flows, regressions = leakage(
            cells,
            rated,
            monolingual={run.language: run.cells(convention.unit) for run in monolingual},
            options=replace(convention.flows, factor=factor),
        )
    except Undefined as why:
        way_out = "give runs and ratings of more groups, or require fewer raters (--min-raters)"
        raise BadInput(str(why), way_out) from why
    derived, given = polarities(runs[0].dimensions()), dict(polarity or {})
    known = derived | given
    notes = [*run_notes(runs, convention.asks_like), *_rule_notes(runs, monolingual)]
    traits: list[Record] = []
    counts: list[Estimate] = []
    try:
        for run in runs:
            traits += leaked_traits(
                run.cells("poles"), by_pole, strongest=strongest, quantile=held, polarity=known
            )
        others = [e for e in flows if e.name == COEFFICIENT.name and is_from_other(e)]
        counts += trait_counts(traits, [(e.groups[SOURCE], e.groups[TARGET]) for e in others])
    except BadInput as error:  # some rules score pairs only: flows have numbers, traits have not
        notes.append(f"No leaked traits: {error.problem.reason}.")
    if absent := [trait for trait in given if trait not in derived]:
        notes.append(f"A polarity is given for traits that no run has: {listed(absent)}.")
    if convention.unit == "poles" and all(map(poles_repeat, cells)):
        notes.append(REPEATED)
    return Leaks(
        [*flows, *counts, *_people_estimates(by_pole)],
        [*traits, *_people_records(by_pole)],
        tuple(people), known, factor, regressions, tuple(notes),
    )  # fmt: skip


def _people_estimates(people: Mapping[str, HumanCells]) -> Iterator[Estimate]:
    """Raters and groups of each language."""
    for language, cells in people.items():
        counts = cells.counts.max(axis=1)
        values = (
            len(cells.scores), (counts > 0).sum(), cells.enough.all(axis=1).sum(),
            np.median(counts[counts > 0]),
        )  # fmt: skip
        for of, value in zip(OF_PEOPLE, values, strict=True):
            yield of.at(float(value), groups={LANGUAGE: language})


def _people_records(people: Mapping[str, HumanCells]) -> Iterator[Record]:
    """Each language, group and trait: mean with its 95 % interval, and number of raters."""
    for language, cells in people.items():
        means, halves, counts = cells.means, cells.half_widths(), cells.counts
        for i, j in zip(*np.nonzero(counts), strict=True):
            group, trait = cells.groups[i], cells.columns[j]
            mean, half = means[i, j], halves[i, j]
            scores = {"mean": mean, "low": mean - half, "high": mean + half, "raters": counts[i, j]}
            known = {name: float(v) for name, v in scores.items() if np.isfinite(v)}
            groups = {LANGUAGE: language, "group": group, "trait": trait}
            yield Record(f"{language} {group} {trait}", known, groups, kind=PEOPLE)


def _rated(people: Mapping[str, Ratings], unit: Unit, min_raters: int) -> dict[str, HumanCells]:
    return {
        language: human_cells(ratings, name=language, unit=unit, min_raters=min_raters)
        for language, ratings in people.items()
    }


def _check_languages(
    runs: Sequence[LanguageRun], people: Mapping[str, Ratings], monolingual: Sequence[LanguageRun]
) -> None:
    languages = [run.language for run in runs]
    if not set(languages) & set(people):
        raise BadInput(
            f"the runs are in {', '.join(languages)}, and people rated in {', '.join(people)}",
            "give ratings with --people LANGUAGE=FILE",
        )
    for run in monolingual:
        if run.language not in languages:
            raise BadInput(
                f"its language is {run.language}, in which there is no run of {runs[0].model}",
                f"give monolingual runs in {', '.join(languages)}",
                file=run.path,
            )
        if run.card.study != runs[0].card.study:
            raise BadInput(
                f"it is a run of {run.card.study}, not of {runs[0].card.study}",
                "give a run of the same study",
                file=run.path,
            )


def _rule_notes(runs: Sequence[LanguageRun], monolingual: Sequence[LanguageRun]) -> list[str]:
    rule = runs[0].card.rule
    return [
        f"{run.model} was scored by {run.card.rule}, {runs[0].model} by {rule}."
        for run in monolingual
        if run.card.rule != rule
    ]
