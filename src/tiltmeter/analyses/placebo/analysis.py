"""placebo: do edits of groups change scores more than edits that cannot matter?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Annotated

from tiltmeter.analyses.placebo.edit_table import PLACEBO, EditTable, TableFormat, read_edits
from tiltmeter.analyses.placebo.effects import AXIS, CELLS, EQUAL, QUANTITIES, PlaceboEffects
from tiltmeter.analyses.placebo.sentences import words
from tiltmeter.analyses.placebo.views import VIEWS
from tiltmeter.core.analysis import Analysis, Circumstances, Input, digest, finish, paths_of
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.reading.named_values import columns_given
from tiltmeter.core.reading.options import CheckedOptions, Encoding, Missing, Option, Seed
from tiltmeter.core.results import Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.run.monitor import Monitor
from tiltmeter.stats.hypothesis_tests.exact_tests import holm

METHOD = {
    EQUAL: "An edit of a text changes the score by the mean of its replies minus the mean of those to "
    "the text as it is. An absolute change contains noise, the more the fewer replies there are, so "
    "changes are taken at equal numbers of replies: of a text, each edit’s score is the mean of as "
    "many replies as the edit with the fewest has, averaged over the ways to choose them. Edits of a "
    "text, texts of a cluster, and clusters count equally. The effect minus placebo has Student’s t "
    "over clusters and a test that flips the signs of whole clusters.",
    CELLS: "An edit of a text changes the score by the mean of all its replies minus the mean of those "
    "to the text as it is, and each edit of a text counts equally, as published. Where edits have "
    "unequal numbers of replies, absolute changes contain unequal noise. Intervals are by Student’s t "
    "over clusters.",
}


@dataclass(frozen=True, slots=True)
class PlaceboOptions(CheckedOptions):
    """The options of `tiltmeter analyse placebo`."""

    columns: Annotated[
        Mapping[str, str],
        Option(
            "The column of your file for text, edit, score, axis, model, cluster or run.",
            name="map",
            metavar="FIELD=COLUMN",
            parse=columns_given,
        ),
    ] = field(default_factory=dict)
    base: Annotated[str, Option("Name of the unedited text among the edits.", metavar="NAME")] = (
        "baseline"
    )
    placebo: Annotated[
        str, Option("The axis of placebo edits, or the name of the placebo edit.", metavar="NAME")
    ] = PLACEBO
    separator: Annotated[
        str, Option("Separates the axis from the value in the name of an edit.", metavar="TEXT")
    ] = "_"
    within: Annotated[
        tuple[str, ...],
        Option(
            "Compare scores only where they agree in this column, such as how a model was asked; repeatable.",
            metavar="COLUMN",
        ),
    ] = ()
    models: Annotated[
        tuple[str, ...], Option("Only this model; repeatable.", name="model", metavar="NAME")
    ] = ()
    min_replies: Annotated[
        int, Option("The fewest replies that an edit, and a text before it, needs to count.", min=1)
    ] = 1
    convention: Annotated[
        str,
        Option(
            "equal: changes at equal numbers of replies; cells: each edit of a text by all its "
            "replies, as in szabo2026.",
            choices=(EQUAL, CELLS),
        ),
    ] = EQUAL
    encoding: Encoding = ""
    missing: Missing = None
    seed: Seed = 0


def compute(files: Sequence[Input], options: PlaceboOptions, monitor: Monitor) -> Result:
    """The effect minus placebo over all edits, by axis, by model, and by both."""
    if len(files) != 1:
        raise BadInput("placebo is about one table", "name one file")
    how = TableFormat(
        options.columns, options.base, options.placebo, options.separator, options.within, options.models
    )  # fmt: skip
    with missing_words(options.missing):
        table = read_edits(paths_of(files)[0], how, options.encoding)
    monitor.step(f"comparing {counted(len(table.scores), 'scores')}")
    effects = PlaceboEffects(table, options.convention, options.min_replies, options.seed)
    alone = table.models[0] if len(table.models) == 1 else ""
    settings = {
        "base": options.base, "placebo": options.placebo, "within": ", ".join(options.within),
        "models": ", ".join(options.models), "least": str(options.min_replies),
        "convention": options.convention,
    }  # fmt: skip
    return finish(
        ANALYSIS,
        _estimates(effects, table),
        Circumstances(
            data={
                "name": table.file, "sha256": digest(table.sha256, sorted(options.columns.items()), settings),
                "models": [*table.models], "axes": [*table.axes],
                "texts": len({*table.text.tolist()}), "clusters": len({*table.cluster.tolist()}),
            },
            model={"name": alone, "fingerprint": ""} if alone else {},
            subtitle=table.file,
            convention=options.convention,
            seed=options.seed,
            method=METHOD[options.convention],
            settings=settings,
            notes=(
                *notes_of("coverage", table.notes),
                *notes_of("data", filter(None, [effects.replies])),
            ),
        ),
    )  # fmt: skip


def _estimates(effects: PlaceboEffects, table: EditTable) -> Iterator[Estimate]:
    """Over all models, under the name "4 models", and by model; each over all group edits and by axis."""
    places: list[tuple[str, str | None]] = [(model, model) for model in table.models]
    if len(places) > 1:
        places.insert(0, (counted(len(places), "models"), None))
    for name, model in places:
        yield from (replace(e, model=name) for e in effects.at({}, model))
    for name, model in places:
        found = [effects.at({AXIS: axis}, model) for axis in (PLACEBO, *table.axes)]
        yield from (replace(e, model=name) for e in _adjusted([*chain(*found)]))


def _adjusted(estimates: Sequence[Estimate]) -> list[Estimate]:
    """With p of the same number adjusted over the axes by Holm's method."""
    made = list(estimates)
    for name in {e.name for e in estimates}:
        places = [i for i, e in enumerate(estimates) if e.name == name]
        for i, p in zip(places, holm([estimates[i].p for i in places]), strict=True):
            made[i] = replace(made[i], p_adjusted=p, adjustment="" if p is None else "Holm")
    return made


EXAMPLE = """\
>>> import polars as pl, tiltmeter as tm
>>> scores = pl.DataFrame({
...     "text": ["a", "a", "a", "b", "b", "b", "c", "c", "c"],
...     "edit": ["baseline", "name_Ann", "placebo_weather"] * 3,
...     "score": [5, 7, 5, 6, 7, 6, 4, 6, 5],
... })
>>> tm.analyse.placebo(scores).headline
<effect_less_placebo: 1.333, n 3>"""
ANALYSIS = Analysis(
    name="placebo",
    title="Effect minus placebo",
    version="1",
    source="Controls by irrelevant edits: Szabo 2026, github.com/re-cinq/hiring-bias",
    summary="Do edits of groups change scores more than edits that cannot matter?",
    means="An edit that cannot matter changes scores too. The effect minus placebo is what edits of groups "
    "change beyond that; 0 means that the group matters no more than the weather.",
    not_what="Whether a change is unfair: a school or a gap in a career may be about the job. Absence of an "
    "effect minus placebo in few clusters does not show that there is none. Intervals are about other "
    "texts (clusters), with these edits, these models and this way of asking.",
    example=EXAMPLE,
    inputs="A table of scores with a row per text, edit and run.",
    metavar="FILE",
    quantities=QUANTITIES,
    compute=compute,
    options=PlaceboOptions,
    words=words,
    views=VIEWS,
)
