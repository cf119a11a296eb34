"""items: which items of a benchmark tell models apart, and how well all of them do."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from tiltmeter.analyses.items import benchmark_numbers, single_items
from tiltmeter.analyses.items.benchmark_numbers import FEW, Compared
from tiltmeter.analyses.items.sentences import words
from tiltmeter.analyses.items.single_items import SingleItems
from tiltmeter.analyses.items.views import views_of
from tiltmeter.core.analysis import Analysis, Circumstances, Input, digest, finish
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.reading.options import CheckedOptions, Option, Seed
from tiltmeter.core.results import Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.derived.comparisons.comparable_numbers import is_baseline
from tiltmeter.derived.comparisons.item_values import ItemValues, check_alike, item_values
from tiltmeter.derived.comparisons.model_families import Families
from tiltmeter.derived.sources import read_results
from tiltmeter.report.documents.result_sections import warning
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.study_files import read_if_named
from tiltmeter.run.run_options import AllowCode, StudyPath

METHOD = (
    "The items are a sample of those that might have been asked; the models are the ones that they are. The "
    "reliability of the differences between models is the share of the variance of their values that other "
    "items like these would repeat: the generalisability coefficient of the means, which is Cronbach’s α "
    "(KR-20 where answers are 0 or 1) and the mean of all split halves by Guttman’s formula. Items of a "
    "cluster count together: α is then over clusters, and splits keep whole clusters. Its interval is by the "
    "noncentral F distribution.\n\n"
    "The split-half reliability is the mean correlation over models of 200 random halves, stepped up to all "
    "items by the Spearman–Brown formula. “Items for .80” is that formula solved for the items.\n\n"
    "Two models differ significantly where p < .05 by Student’s t over items (or clusters), adjusted by Holm "
    "over all pairs, and the interval of the difference excludes 0.\n\n"
    "Item–rest: Pearson’s r over models of an item with the mean of all items outside its cluster. p is by "
    "random orders of the models, one-sided, adjusted over all items by the lowest r of any (Westfall and "
    "Young); related models are averaged first."
)
BY_LEAVING_OUT = (
    "This measure is no mean over items, so an item’s number is what the measure changes by when the item "
    "is left out (the jackknife’s pseudo-value)."
)


@dataclass(frozen=True, slots=True)
class ItemsOptions(CheckedOptions):
    """The options of `tiltmeter analyse items`."""

    measure: Annotated[str, Option(
        "The measure to analyse (default: the study’s main one).", metavar="NAME",
    )] = ""  # fmt: skip
    family: Families = field(default_factory=dict)
    study_file: StudyPath = None
    allow_code: AllowCode = False
    seed: Seed = 0


def compute(inputs: Sequence[Input], options: ItemsOptions, monitor: Monitor) -> Result:
    """Look behind a measure of several runs, item by item."""
    read_if_named(options.study_file, allow_code=options.allow_code)
    read, notes = read_results(inputs)
    runs = [r for _, r in read if not is_baseline(r.card)]
    if len(runs) < len(read):
        notes.append(
            f"Left out: {counted(len(read) - len(runs), 'baselines')}, which are no models."
        )
    if len(runs) < 2:  # noqa: PLR2004
        raise BadInput(
            "items are looked at over several models, and there is one run",
            "give runs of one study, of three models or more",
        )
    check_alike(runs, "give runs by one rule and convention")
    first = runs[0]
    measure = options.measure or (first.headline.name if first.headline else "")
    monitor.step(f"looking at the items of {counted(len(runs), 'runs')}")
    try:
        values = item_values(runs, measure)
        of = Compared.of(values, _names(runs))
    except Undefined as undefined:
        raise BadInput(
            f"{measure} has no numbers of single items: {undefined}",
            "give runs of the same study on the same items",
        ) from undefined
    items = SingleItems.of(values, of.models, options.family, options.seed)
    axis = first.card.categories
    counted_pairs, pairs = benchmark_numbers.pairs(of)
    settings = {
        "measure": measure,
        **{f"family of {name}": family for name, family in options.family.items()},
    }
    estimates = [
        counted_pairs, *benchmark_numbers.reliabilities(of, options.seed), *items.estimates(),
        *(benchmark_numbers.by_axis(of, axis) if axis else ()), *benchmark_numbers.model_values(of),
    ]  # fmt: skip
    return finish(
        ANALYSIS,
        estimates,
        Circumstances(
            data={
                "name": first.card.data_name, "warning": warning(runs),
                "sha256": digest(*map(folder_name, runs), sorted(settings.items())),
            },
            subtitle=f"{first.card.study} · {counted(len(runs), 'models')}",
            rule=first.card.rule,
            convention=first.card.convention,
            seed=options.seed,
            method=f"{METHOD}\n\n{BY_LEAVING_OUT}" if values.by_leaving_out else METHOD,
            settings=settings,
            notes=notes_of("caution", [*_notes(runs, of, items), *notes]),
            sources=[
                {"run": folder_name(r), "model": r.card.model_name, "study": r.card.study} for r in runs
            ],
            labels=first.card.labels,
            views=views_of(measure, axis, tuple(values.records[0].texts)),
            measures={e.name: e.meaning for e in estimates},
        ),
        [*items.records(axis), *pairs],
    )  # fmt: skip


def _names(runs: Sequence[Result]) -> list[str]:
    """The models' names; of several runs of one model the folders' names."""
    often = Counter(run.card.model_name for run in runs)
    return [
        run.card.model_name if often[run.card.model_name] == 1 else folder_name(run) for run in runs
    ]


def _notes(runs: Sequence[Result], of: Compared, items: SingleItems) -> Iterator[str]:
    """Which items are left out, related models, and how few models there are."""
    values: ItemValues = of.values
    kept = len(values.items)
    if kept < values.in_any:
        fewest = min(values.answered)
        who = of.models[values.answered.index(fewest)]
        yield (
            f"Over the {counted(kept, 'items')} that all runs answer, of {values.in_any:,} that some do; "
            f"{who} answers the fewest ({fewest:,})."
        )
    if len({tuple(sorted(run.card.settings.items())) for run in runs}) > 1:
        yield "The runs have different settings."
    if items.families < len(runs):
        yield (
            f"{counted(len(runs), 'models')} are of {counted(items.families, 'families')}: p of single items "
            "is over families. --family MODEL=NAME corrects that."
        )
    if 2 < len(runs) < FEW:  # noqa: PLR2004
        yield (
            f"{counted(len(runs), 'models')} say little about single items: item–rest "
            "correlations over so few "
            "vary widely by chance."
        )


EXAMPLE = """\
>>> import tiltmeter as tm
>>> runs = [tm.run("starter_pairs", model) for model in ("fake:masked", "fake:causal", "fake")]
>>> tm.analyse.items(runs).headline
<pairs_apart: 0, n 3>"""
ANALYSIS = Analysis(
    name="items", title="Items of a benchmark", version="1",
    summary="Which items distinguish models: item–rest correlation, reliability, items needed.",
    means="A reliability of 1 means that other items like these would order the models in the same way, "
    "0 that their differences are due to the choice of items.",
    not_what="Whether the items measure what they should: models can differ reliably in something else. "
    "Items that go against the rest may be the only ones that are right.",
    example=EXAMPLE,
    inputs="Run folders of one study, of three models or more, or a folder of them.", reports_others=True,
    quantities=(*benchmark_numbers.QUANTITIES, *single_items.QUANTITIES),
    compute=compute, options=ItemsOptions, words=words,
)  # fmt: skip
