"""All about leakage between languages: flows, leaked traits, and the people they are compared with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tiltmeter.analysis.leakage.flow_results import Flow, TargetFlows
from tiltmeter.analysis.leakage.flows import leakage
from tiltmeter.analysis.leakage.grids import ModelCells
from tiltmeter.analysis.leakage.human_cells import HumanCells, Unit, human_cells
from tiltmeter.analysis.leakage.leak_conventions import (
    CONVENTIONS,
    OURS,
    PAPER_FACTORS,
    LeakConvention,
    Scaling,
)
from tiltmeter.analysis.leakage.leak_runs import LanguageRun, check_alike, run_notes
from tiltmeter.analysis.leakage.leaked_traits import STRONGEST, UPPER, LeakedTrait, leaked_traits
from tiltmeter.analysis.leakage.model_scores import poles_repeat
from tiltmeter.analysis.leakage.polarity import Polarity, polarities
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.data.files.table import listed
from tiltmeter.data.people.ratings import Ratings

REPEATED = (
    "The model’s scores of two opposite traits add up to the same number for every group, so each pair "
    "counts twice and intervals are too narrow; the unit pairs counts it once."
)


@dataclass(frozen=True, slots=True)
class LeakSettings:
    """What the user can choose."""

    convention: LeakConvention = field(default_factory=lambda: CONVENTIONS[OURS])
    """With the user's own choices in it."""
    strongest: int = STRONGEST
    """How many of the model's traits of a group can be leaked ones."""
    held: float = UPPER
    """Quantile of a group's traits from which people hold a trait of it."""

    @property
    def unit(self) -> Unit:
        """Poles, or pairs."""
        return self.convention.unit

    @property
    def scaling(self) -> Scaling:
        """How coefficients are shown."""
        return self.convention.scaling


@dataclass(frozen=True, slots=True)
class Leaks:
    """What was found."""

    settings: LeakSettings
    runs: tuple[LanguageRun, ...]
    monolingual: tuple[LanguageRun, ...]
    people: Mapping[str, HumanCells]
    """By language, trait by trait whatever the unit."""
    targets: tuple[TargetFlows, ...]
    traits: tuple[LeakedTrait, ...]
    polarity: Mapping[str, Polarity]
    """By trait."""
    factor: float
    """By which scores were multiplied."""
    notes: tuple[str, ...] = ()

    @property
    def model(self) -> str:
        """Its name."""
        return self.runs[0].model

    @property
    def flows(self) -> list[Flow]:
        """Of all targets, in order."""
        return [flow for target in self.targets for flow in target.flows]

    @property
    def other_flows(self) -> list[Flow]:
        """From other cultures."""
        return [flow for flow in self.flows if not flow.is_own]


def find_leaks(
    runs: Sequence[LanguageRun],
    people: Mapping[str, Ratings],
    *,
    monolingual: Sequence[LanguageRun] = (),
    polarity: Mapping[str, Polarity] | None = None,
    settings: LeakSettings | None = None,
) -> Leaks:
    """Measure how far the stereotypes of other cultures explain a model's scores in each language.

    Args:
        runs: Of one model, each in another language.
        people: Ratings by language. Those of the runs' languages are shown first, in their order.
        monolingual: Runs of models of one language each, as covariates.
        polarity: By trait; those that it lacks, and by default all, follow from the runs’ dimensions.
        settings: How.

    Raises:
        BadInput: The runs are not alike, no ratings are in their languages, or a monolingual run's
            language is not among them; or too few groups or traits are left in a language.
    """
    settings = settings or LeakSettings()
    convention = settings.convention
    check_alike(runs)
    _check_languages(runs, people, monolingual)
    people = {
        **{run.language: people[run.language] for run in runs if run.language in people},
        **people,
    }
    rated = _rated(people, convention.unit, convention.min_raters)
    by_pole = _rated(people, "poles", convention.min_raters)
    factor = PAPER_FACTORS.get(runs[0].card.rule, 1.0) if settings.scaling == "paper" else 1.0
    cells = [run.cells(convention.unit) for run in runs]
    try:
        targets = leakage(
            cells,
            rated,
            monolingual={one.language: one.cells(convention.unit) for one in monolingual},
            options=replace(convention.flows, factor=factor),
        )
    except Undefined as why:
        way_out = "give runs and ratings of more groups, or require fewer raters (--min-raters)"
        raise BadInput(str(why), way_out) from why
    traits, no_traits = _traits(runs, by_pole, settings)
    own, given = polarities(runs[0].dimensions()), dict(polarity or {})
    known = own | given
    notes = [*run_notes(runs, convention.asks_like), *_rule_notes(runs, monolingual), *no_traits]
    if absent := [trait for trait in given if trait not in own]:
        notes.append(f"A polarity is given for traits that no run has: {listed(absent)}.")
    if convention.unit == "poles" and all(map(poles_repeat, cells)):
        notes.append(REPEATED)
    return Leaks(
        settings, tuple(runs), tuple(monolingual), by_pole, tuple(targets), tuple(traits), known, factor,
        tuple(notes),
    )  # fmt: skip


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
    for one in monolingual:
        if one.language not in languages:
            raise BadInput(
                f"its language is {one.language}, in which there is no run of {runs[0].model}",
                f"give monolingual runs in {', '.join(languages)}",
                file=one.path,
            )
        if one.card.study != runs[0].card.study:
            raise BadInput(
                f"it is a run of {one.card.study}, not of {runs[0].card.study}",
                "give a run of the same study",
                file=one.path,
            )


def _traits(
    runs: Sequence[LanguageRun], people: Mapping[str, HumanCells], settings: LeakSettings
) -> tuple[list[LeakedTrait], list[str]]:
    """Leaked traits of all languages, and why there are none."""
    try:
        models: list[ModelCells] = [run.cells("poles") for run in runs]
    except BadInput as error:
        return [], [f"No leaked traits: {error.problem.reason}."]
    found = [
        trait
        for model in models
        for trait in leaked_traits(
            model, people, strongest=settings.strongest, quantile=settings.held
        )
    ]
    return found, []


def _rule_notes(runs: Sequence[LanguageRun], monolingual: Sequence[LanguageRun]) -> list[str]:
    rule = runs[0].card.rule
    return [
        f"{one.model} was scored by {one.card.rule}, {runs[0].model} by {rule}."
        for one in monolingual
        if one.card.rule != rule
    ]
