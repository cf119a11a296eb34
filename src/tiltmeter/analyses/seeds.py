"""seeds: numbers of classifiers as mean and standard deviation over the seeds of their training."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from tiltmeter.analysis.seeds import AXIS, SD, over_seeds
from tiltmeter.analysis.sources import read_results
from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    digest,
    finish,
    once,
    paragraphs,
)
from tiltmeter.core.analysis_views import NumberColumn, NumberTable
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.options import CheckedOptions, Option
from tiltmeter.core.quantity import quantity
from tiltmeter.core.results import Paragraph, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.report.text import title, value_text, value_with_unit
from tiltmeter.run.folder_names import folder_name
from tiltmeter.run.monitor import Monitor

TRAININGS = quantity("trainings", "Trainings", counts="trainings", decimals=0)


@dataclass(frozen=True, slots=True)
class SeedsOptions(CheckedOptions):
    """The options of `tiltmeter seeds`."""

    measure: Annotated[
        tuple[str, ...],
        Option(
            "Which measure the tables show (default: each study’s main one). Files have all.",
            metavar="NAME",
        ),
    ] = ()


def compute(inputs: Sequence[Input], options: SeedsOptions, monitor: Monitor) -> Result:
    """Average runs of classifiers over the seeds of their training."""
    once(inputs, "give each run folder once")
    read, notes = read_results(inputs)
    runs = [result for _, result in read]
    monitor.step(f"averaging {len(runs):,} runs")
    means = over_seeds(runs)
    heads = (run.headline for run in runs)
    shown = options.measure or tuple(dict.fromkeys(head.name for head in heads if head))
    meanings = {e.name: e.meaning for e in means}
    for name in shown:
        if name not in meanings:
            raise UnknownName("measure", name, sorted(meanings))
    models = {(e.model, e.groups[AXIS]) for e in means}
    trainings = TRAININGS.at(len({run.card.model_name for run in runs}), n=len(models))
    data = dict.fromkeys(e.groups[AXIS] for e in means)
    return finish(
        ANALYSIS,
        [trainings, *means],
        Circumstances(
            data={"name": ", ".join(data), "sha256": digest(*map(folder_name, runs), shown)},
            subtitle=", ".join(dict.fromkeys(run.card.study for run in runs)),
            method=METHOD,
            settings={"measures": ", ".join(shown)},
            notes=notes_of("caution", notes),
            sources=[
                {"run": folder_name(r), "model": r.card.model_name, "study": r.card.study}
                for r in runs
            ],
            labels={axis: names for run in runs for axis, names in run.card.labels.items()},
            views=tuple(_table(name, title(next(e for e in means if e.name == name)))
                        for name in shown),
            measures=meanings,
        ),
    )  # fmt: skip


METHOD = (
    "Classifiers that were trained from one model on the same texts with different seeds count as one: each "
    "number is the mean over their trainings, beside its standard deviation. The interval of a mean is by "
    "Student’s t over the trainings. It is about another training with the same texts, not about other "
    "texts; those of single runs are about other texts, for a classifier as it is."
)


def _table(name: str, heading: str) -> NumberTable:
    """A row a model and data set: mean, standard deviation and interval of one measure."""
    columns = (
        NumberColumn(name),
        NumberColumn(SD.format(name), heading="sd"),
        NumberColumn(name, "interval", drop=1),
        NumberColumn(name, "n", "texts", drop=2),
    )
    return NumberTable(name, heading, (AXIS, "model"), columns)


def words(numbers: Numbers) -> list[Paragraph]:
    """The lowest and the highest mean on each data set, of the first measure that is shown."""
    name = numbers.card.settings["measures"].split(", ")[0]
    trainings = numbers[TRAININGS]
    made = counted(int(trainings.value or 0), "trainings")
    texts = [f"{made} of {counted(trainings.n, 'classifiers')}, averaged over seeds."]
    whole = [e for e in numbers.all(name) if [*e.groups] == [AXIS] and e.value is not None]
    spread = {(e.model, *e.groups.items()): e for e in numbers.all(SD.format(name))}
    for data in dict.fromkeys(e.groups[AXIS] for e in whole):
        some = sorted((e for e in whole if e.groups[AXIS] == data), key=lambda e: e.value or 0.0)
        ends = []
        for e in some if len(some) == 1 else (some[0], some[-1]):
            sd = spread[e.model, *e.groups.items()]
            beside = "" if sd.value is None else f" ± {value_text(sd)}"
            ends.append(f"{value_with_unit(e)}{beside} ({e.model})")
        texts.append(f"{title(some[0])}, {data}: {' to '.join(ends)}.")
    return paragraphs(texts)


ANALYSIS = Analysis(
    "seeds",
    "Classifiers over seeds",
    "Average classifiers over the seeds of their training: mean and standard deviation.",
    "1",
    "",
    "How much of a difference between two models another seed would make: a difference that is small beside "
    "the standard deviations may be chance of the training.",
    "What other texts would give: see the intervals of the single runs.",
    (TRAININGS,),
    (),
    compute,
    SeedsOptions,
    "Run folders of classifiers that `tiltmeter train classifier` made.",
    words=words,
    reports_others=True,
)
