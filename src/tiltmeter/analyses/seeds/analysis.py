"""seeds: numbers of one model as mean and standard deviation over the seeds of its training."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from tiltmeter.analyses.seeds.seed_means import AXIS, seed_means
from tiltmeter.analyses.seeds.seed_sets import seed_sets
from tiltmeter.analyses.seeds.sentences import sentences
from tiltmeter.analyses.seeds.set_differences import against, differences
from tiltmeter.analyses.seeds.views import views_of
from tiltmeter.core.analysis import Analysis, Circumstances, Input, Numbers, digest, finish
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.quantity import quantity
from tiltmeter.core.reading.named_values import pairs_given
from tiltmeter.core.reading.options import CheckedOptions, Option
from tiltmeter.core.results import Paragraph, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.derived.sources import read_results
from tiltmeter.report.documents.result_sections import warning
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.study_files import read_if_named
from tiltmeter.run.run_options import AllowCode, StudyPath

METHOD = (
    "Checkpoints of one model that were trained with different seeds count as one: each number is the mean "
    "over them, beside its standard deviation.\n\n"
    "Two intervals answer two questions. That of “these seeds” is about other items like these, for the "
    "seeds as they are: over items (or whole clusters) of the mean of the seeds, or, for numbers of "
    "subsets, the mean of the runs’ own intervals, as if all seeds erred together. That of “seeds like "
    "these” is about other trainings of this kind as well, as the Multi-Bootstrap is (Sellam et al. 2022, "
    "arXiv:2106.16163). Percentiles of resampled seeds and items are too narrow with few seeds, so the "
    "distance that other seeds may add is Gaffke’s for bounded values, with half an unseen seed at the "
    "limit, joined with that over items by the root of the sum of squares. It takes five seeds and a "
    "measure with limits.\n\n"
    "Differences of two sets are over the items that all answer; seeds that both sets have are paired."
)
TRAININGS = quantity("trainings", "Trainings", counts="trainings", decimals=0)


def _checkpoints(given: Sequence[str]) -> dict[str, str]:
    return pairs_given("--checkpoints", given, "NAME=PATTERN", "cda=*-cda-*")


@dataclass(frozen=True, slots=True)
class SeedsOptions(CheckedOptions):
    """The options of `tiltmeter analyse seeds`."""

    measure: Annotated[
        tuple[str, ...],
        Option(
            "Which measure the tables show (default: each study’s main one). Files have all.",
            metavar="NAME",
        ),
    ] = ()
    checkpoints: Annotated[Mapping[str, str], Option(
        "A name for the models whose names match a pattern: they are seeds of one model. Default: models "
        "whose names differ only in the number after “seed”.",
        metavar="NAME=PATTERN", parse=_checkpoints,
    )] = field(default_factory=dict)  # fmt: skip
    against: Annotated[str, Option(
        "Compare each set of seeds with the one of this name, such as the model before an intervention.",
        metavar="NAME",
    )] = ""  # fmt: skip
    study_file: StudyPath = None
    allow_code: AllowCode = False


def compute(inputs: Sequence[Input], options: SeedsOptions, monitor: Monitor) -> Result:
    """Average runs over the seeds of their models' training."""
    read_if_named(options.study_file, allow_code=options.allow_code)
    read, notes = read_results(inputs)
    runs = [result for _, result in read]
    monitor.step(f"averaging {counted(len(runs), 'runs')}")
    sets = seed_sets(runs, options.checkpoints)
    heads = (run.headline for run in runs)
    shown = options.measure or tuple(dict.fromkeys(head.name for head in heads if head))
    means = [*seed_means(sets, shown)]
    known = {e.name for e in means}
    for name in shown:
        if name not in known:
            raise UnknownName("measure", name, sorted(known))
    if options.against:
        for of, base in against(sets, options.against):
            means += differences(of, base, shown)
    models = {(e.model, e.groups.get(AXIS, "")) for e in means if e.name in shown}
    trainings = TRAININGS.at(len({run.card.model_name for run in runs}), n=len(models))
    data = dict.fromkeys(str(run.card.data_name) for s in sets for run in s.runs.values())
    settings = {
        "measures": ", ".join(shown),
        **{f"checkpoints of {name}": pattern for name, pattern in options.checkpoints.items()},
        **({"against": options.against} if options.against else {}),
    }
    return finish(
        ANALYSIS,
        [trainings, *means],
        Circumstances(
            data={
                "name": ", ".join(data), "warning": warning(runs),
                "sha256": digest(*map(folder_name, runs), sorted(settings.items())),
            },
            subtitle=", ".join(dict.fromkeys(run.card.study for run in runs)),
            method=METHOD,
            settings=settings,
            notes=notes_of("caution", notes),
            sources=[
                {"run": folder_name(r), "model": r.card.model_name, "study": r.card.study}
                for r in runs
            ],
            labels={axis: names for run in runs for axis, names in run.card.labels.items()},
            views=views_of(means, shown, of_classifiers=any(s.data for s in sets)),
            measures={e.name: e.meaning for e in means},
        ),
    )  # fmt: skip


def words(numbers: Numbers) -> list[Paragraph]:
    """The means of the first measure that is shown, and differences of sets."""
    return sentences(numbers, TRAININGS)


EXAMPLE = """\
>>> import tiltmeter as tm
>>> runs = [tm.run("starter_pairs", model) for model in ("fake", "fake:masked")]
>>> tm.analyse.seeds(runs, checkpoints={"fake": "fake*"}).estimates[3]
<stereotype_rate_sd: 0 points, n 270>"""
ANALYSIS = Analysis(
    name="seeds",
    title="Models over seeds",
    version="2",
    summary="Average a model over its training seeds: mean, standard deviation, and two intervals.",
    means="How much of a difference between two models another seed would make: a difference that "
    "is small beside the standard deviations may be chance of the training.",
    not_what="What another architecture, other training data or another recipe would give.",
    example=EXAMPLE,
    inputs="Run folders of checkpoints that were trained with several seeds, of any study.",
    reports_others=True,
    quantities=(TRAININGS,),
    compute=compute,
    options=SeedsOptions,
    words=words,
)
