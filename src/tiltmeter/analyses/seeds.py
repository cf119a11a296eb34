"""seeds: numbers of classifiers as mean and standard deviation over the seeds of their training."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias

import numpy as np

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
from tiltmeter.core.errors import BadInput, Undefined, UnknownName
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.quantity import quantity
from tiltmeter.core.reading.options import CheckedOptions, Option
from tiltmeter.core.results import Paragraph, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.core.views import NumberTable, number_columns
from tiltmeter.derived.sources import read_results
from tiltmeter.report.text import title, value_text, value_with_unit
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.monitor import Monitor
from tiltmeter.stats.confidence_intervals.intervals import student

METHOD = (
    "Classifiers that were trained from one model on the same texts with different seeds count as "
    "one: each number is the mean over their trainings, beside its standard deviation. The "
    "interval of a mean is by Student’s t over the trainings. It is about another training with "
    "the same texts, not about other texts; those of single runs are about other texts, for a "
    "classifier as it is."
)
TRAININGS = quantity("trainings", "Trainings", counts="trainings", decimals=0)
SEED, BASE, TRAINED_ON = "training seed", "trained from", "trained on"
"""Facts on the card of a classifier that Tiltmeter trained."""
AXIS = "trained_on"
SD = "{}_sd"
"""The name of a measure's standard deviation over seeds."""
DECIMALS = 3
"""Decimals of the standard deviation of a number without a unit, such as an area under a curve."""

Place: TypeAlias = tuple[str, str, str, str, tuple[tuple[str, str], ...]]
"""The model that was trained, and on what; the study, the measure, and the subset of the texts."""


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
            views=[_means_table(name, means) for name in shown],
            measures=meanings,
        ),
    )


def over_seeds(results: Sequence[Result]) -> list[Estimate]:
    """Average each number over the trainings of a classifier; beside it stands its standard deviation.

    An average is under the name of the model that was trained. It has the axis `trained_on` besides its
    own, and the `n` of a single run. Its interval is about another training of this kind, with the same
    texts. With one training there is no interval and no standard deviation.

    Raises:
        BadInput: A run is of no classifier that Tiltmeter trained or is given twice, or classifiers of one
            data set were asked different texts.
    """
    by_place: dict[Place, dict[int, Estimate]] = {}
    asked: dict[tuple[str, str], tuple[object, ...]] = {}
    for result in results:
        card = result.card
        if not card.model.keys() >= {SEED, BASE, TRAINED_ON}:
            raise BadInput(
                f"{card.model_name} is no classifier that Tiltmeter trained, so the seed of its "
                "training is not known",
                "give runs of what `tiltmeter train classifier` made",
            )
        base, data, seed = str(card.model[BASE]), str(card.model[TRAINED_ON]), card.model[SEED]
        texts = card.data.get("sha256"), card.data.get("sample"), *sorted(card.settings.items())
        if asked.setdefault((data, card.study), texts) != texts:
            raise BadInput(
                f"classifiers trained on {data} were asked different texts, or with other settings, in "
                f"these runs of {card.study}",
                "average the runs on each set of texts by themselves",
            )
        for e in result.estimates:
            place = base, data, card.study, e.name, tuple(e.groups.items())
            seeds = by_place.setdefault(place, {})
            if seed in seeds:
                raise BadInput(
                    f"{card.study}: seed {seed} of {base} trained on {data} is there twice",
                    "give each run once, of classifiers of one training",
                )
            seeds[seed] = e
    return [e for place, seeds in by_place.items() for e in _averaged(place, [*seeds.values()])]


def _averaged(place: Place, trainings: Sequence[Estimate]) -> Iterator[Estimate]:
    """Mean and standard deviation of one number over its seeds."""
    base, data, _, name, groups = place
    first, n = trainings[0], len(trainings)
    missing = next((e for e in trainings if e.value is None), None)
    values = np.array([e.value for e in trainings if e.value is not None])
    mean = sd = low = high = None
    why = f"undefined in a training: {missing.why}" if missing else ""
    if not missing:
        mean = float(values.mean())
        try:
            # Of a single training there is no standard deviation, and `student` says why not.
            sd = float(values.std(ddof=1)) if n > 1 else None
            low, high, _ = student(mean, (sd or 0.0) / n**0.5, n - 1)
        except Undefined as undefined:
            why = str(undefined)
    average = replace(
        first, value=mean, low=low, high=high, p=None, p_adjusted=None, why=why, model=base,
        groups={AXIS: data, **dict(groups)}, test="", adjustment="", mde=None, tied=0, clusters=None,
        interval=f"Student’s t over {n} trainings" if low is not None else "", verdict="",
    )  # fmt: skip
    title = first.meaning.title or name
    meaning = Meaning(
        f"{title}: standard deviation over seeds", "sd", "description", first.meaning.counts,
        decimals=first.meaning.decimals if first.unit else first.meaning.decimals or DECIMALS,
        least=0.0,
    )  # fmt: skip
    unit = "points" if first.unit == "%" else first.unit
    spread = replace(
        average, name=SD.format(name), value=sd, low=None, high=None, interval="", neutral=None,
        unit=unit, meaning=meaning, why=why if sd is None else "",
    )  # fmt: skip
    yield average
    yield spread


def _means_table(name: str, means: Sequence[Estimate]) -> NumberTable:
    """Mean, standard deviation and interval of a measure, by data set and model."""
    heading = title(next(e for e in means if e.name == name))
    columns = (
        *number_columns(name),
        *number_columns(SD.format(name), "sd"),
        *number_columns(name, interval=1),
        *number_columns(name, "texts", n=2),
    )
    return NumberTable(name, heading, (AXIS, "model"), columns)


def words(numbers: Numbers) -> list[Paragraph]:
    """The lowest and the highest mean on each data set, of the first measure that is shown."""
    name = numbers.card.settings["measures"].split(", ")[0]
    trainings = numbers[TRAININGS]
    count = counted(int(trainings.value or 0), "trainings")
    texts = [f"{count} of {counted(trainings.n, 'classifiers')}, averaged over seeds."]
    whole = [e for e in numbers.all(name) if [*e.groups] == [AXIS] and e.value is not None]
    spread = {(e.model, *e.groups.items()): e for e in numbers.all(SD.format(name))}
    for data in dict.fromkeys(e.groups[AXIS] for e in whole):
        means = sorted((e for e in whole if e.groups[AXIS] == data), key=lambda e: e.value or 0.0)
        ends = []
        for e in means if len(means) == 1 else (means[0], means[-1]):
            sd = spread[e.model, *e.groups.items()]
            beside = "" if sd.value is None else f" ± {value_text(sd)}"
            ends.append(f"{value_with_unit(e)}{beside} ({e.model})")
        texts.append(f"{title(means[0])}, {data}: {' to '.join(ends)}.")
    return paragraphs(texts)


ANALYSIS = Analysis(
    name="seeds",
    title="Classifiers over seeds",
    version="1",
    summary="Average classifiers over the seeds of their training: mean and standard deviation.",
    means="How much of a difference between two models another seed would make: a difference that "
    "is small beside the standard deviations may be chance of the training.",
    not_what="What other texts would give: see the intervals of the single runs.",
    inputs="Run folders of classifiers that `tiltmeter train classifier` made.",
    reports_others=True,
    quantities=(TRAININGS,),
    compute=compute,
    options=SeedsOptions,
    words=words,
)
