"""ratings: how people rate groups on pairs of opposite traits, by language and by kind of people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated

import numpy as np

from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    digest,
    finish,
    paragraphs,
)
from tiltmeter.core.errors import BadInput, Undefined, known_names
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import quantity
from tiltmeter.core.reading.answer_options import AnswerColumns, ChoiceOptions
from tiltmeter.core.reading.options import Encoding, Missing, Option, PeopleScale
from tiltmeter.core.records import Record
from tiltmeter.core.results import Paragraph, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.core.types import Groups
from tiltmeter.core.views import NumberTable, RecordTable, RowProfiles, View
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.people.people import (
    LANGUAGE,
    NAME,
    SCALE,
    People,
    from_ratings,
    language_name,
    leakage_ratings,
)
from tiltmeter.data.people.ratings import scale_named
from tiltmeter.derived.people import cell_means
from tiltmeter.derived.people.annotators import by_columns, check_columns
from tiltmeter.derived.people.cell_means import CellMeans, of_people, of_slices
from tiltmeter.derived.people.rated_cells import human_cells
from tiltmeter.derived.people.sources import people_of
from tiltmeter.report.with_and_without import with_and_without
from tiltmeter.run.monitor import Monitor
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.correlations.pearson import pearson

GROUP, PAIR, DOMAIN, EVERYBODY = "group", "pair", "domain", "people"
PROFILES = "What people say of each group"
MEAN = quantity(
    "mean_rating", "Mean rating, from 0 (left trait) to 100 (right trait)", "mean", counts="people",
    decimals=1, neutral=50.0, neutral_is="neither trait", least=0, most=100,
    interval="Student’s t over people",
)  # fmt: skip
CORRELATION = quantity(
    "language_correlation", "Pearson’s r of what people of two languages say of a group, mean", "r",
    counts="groups", decimals=2, neutral=0.0, neutral_is="no relation", least=-1, most=1,
    interval="score interval over groups",
)  # fmt: skip
READ = (
    "A bar points to the trait that the group is nearer to: the mean of all who rated it, from 0 "
    "(left trait) through 50 (neither) to 100 (right trait). The table has its 95 % interval by "
    "Student’s t over people."
)
BETWEEN = (
    "r is over the traits of a group, each by how far people go towards it; then the mean over "
    "pairs of languages, and over groups. People of two languages who rated a group at all count."
)


@dataclass(frozen=True, slots=True)
class RatingOptions(ChoiceOptions):
    """The options of `tiltmeter analyse ratings`."""

    scale: PeopleScale = "0:100"
    columns: AnswerColumns = field(default_factory=dict)
    by: Annotated[
        tuple[tuple[str, ...], ...],
        Option(
            "Also the means of each value of this column about annotators; repeatable. "
            "COLUMN,COLUMN crosses columns.",
            metavar="COLUMN[,COLUMN]",
            parse=by_columns,
            typed=tuple[str, ...],
        ),
    ] = ()
    group: Annotated[
        tuple[str, ...],
        Option("Also print what people say of this group; repeatable.", metavar="GROUP"),
    ] = ()
    encoding: Encoding = ""
    missing: Missing = None


def compute(inputs: Sequence[Input], options: RatingOptions, _: Monitor) -> Result:
    """The means of all people, of each language and of each slice, and how far languages agree."""
    if len(inputs) != 1 or isinstance(inputs[0], Result):
        raise BadInput("ratings is about one table", "name one file of ratings")
    with missing_words(options.missing):
        by_language = _people(str(inputs[0]), options)
    first = next(iter(by_language.values()))
    for people in by_language.values():
        check_columns(people, options.by)
    means = [*_means(by_language, options.by)]
    groups = dict.fromkeys(group for cells in means for group in cells.groups)
    known_names("group", options.group, sorted(groups))
    # Whoever is in a slice was counted in a language already.
    raters = sum(cells.people for cells in means if cells.about.keys() <= {LANGUAGE})
    languages = {code: language_name(code) for code in by_language if code}
    estimates = [
        cell_means.RATERS.at(raters, n=raters),
        *(cell_means.RATERS.at(cells.people, n=cells.people, groups=cells.about)
          for cells in means if cells.about),
        *(_correlations(by_language) if len(by_language) > 1 else ()),
        *(estimate for cells in means for estimate in _estimates(cells)),
    ]  # fmt: skip
    sha256s = [people.sha256 for people in by_language.values()]
    return finish(
        ANALYSIS,
        estimates,
        Circumstances(
            data={
                "name": first.name, "sha256": digest(*sha256s, *(c.values.tobytes() for c in means)),
                "source": first.source, "licence": first.licence, "who": first.who,
                "groups": len(groups), "pairs of traits": len(first.pairs),
                "languages": [*languages.values()], "warning": cell_means.WARNING,
            },
            subtitle=first.name,
            method="\n\n".join((READ, BETWEEN) if languages else (READ,)),
            notes=notes_of("data", dict.fromkeys(n for p in by_language.values() for n in p.notes)),
            settings={"by": "; ".join(" × ".join(columns) for columns in options.by)},
            labels={LANGUAGE: languages},
            views=tuple(_views(means, [*groups], options)),
        ),
        [record for cells in means for record in _records(cells)],
    )  # fmt: skip


def _people(source: str, options: RatingOptions) -> Mapping[str, People]:
    """Ratings by language; under "" where the data do not tell the language."""
    if source == NAME:
        return {
            code: from_ratings(
                ratings, name=NAME, scale=SCALE, source="Sotnikova 2023, chapter 5", licence="MIT"
            )
            for code, ratings in leakage_ratings().items()
        }
    people = people_of(
        source, scale=scale_named(options.scale), encoding=options.encoding, columns=options.columns
    )
    if people.ratings is None or LANGUAGE not in people.ratings.about:
        return {"": people}
    return {
        about[LANGUAGE]: from_ratings(
            people.ratings.slice(about), name=people.name, scale=people.scale, source=people.source,
            sha256=people.sha256,
        )
        for about in people.ratings.values_of([LANGUAGE])
    }  # fmt: skip


def _means(by_language: Mapping[str, People], by: Sequence[tuple[str, ...]]) -> Iterator[CellMeans]:
    for code, people in by_language.items():
        language = {LANGUAGE: code} if code else {}
        yield of_people(people, language)
        if people.ratings:
            yield from of_slices(people.ratings, by, language)


def _records(cells: CellMeans) -> Iterator[Record]:
    """A record per cell; an axis named after the kind of people says whose ratings it has."""
    axis, of_whom = " × ".join(cells.about) or EVERYBODY, " × ".join(cells.about.values())
    for row, group in enumerate(cells.groups):
        for column, pair in enumerate(cells.pairs):
            if not np.isnan(cells.values[row, column]):
                groups = {axis: of_whom or EVERYBODY, GROUP: group, PAIR: pair}
                yield cell_means.mean_record(cells, row, column, groups, f"means by {axis}")


def _estimates(cells: CellMeans) -> Iterator[Estimate]:
    for record in _records(cells):
        of = record.scores
        interval = Inference(of.get(cell_means.LOW), of.get(cell_means.HIGH))
        yield MEAN.at(
            of[cell_means.MEAN], interval, n=int(of.get(cell_means.COUNT, 0)),
            why=record.texts.get(cell_means.WHY, ""),
            groups={**cells.about, GROUP: record.groups[GROUP], PAIR: record.groups[PAIR]},
        )  # fmt: skip


def _correlations(by_language: Mapping[str, People]) -> Iterator[Estimate]:
    """How far people of two languages agree on the traits of a group: by group, by domain, over all."""
    cells = [human_cells(p.ratings, min_raters=1) for p in by_language.values() if p.ratings]
    by_group: dict[str, list[float]] = {}
    for one, other in combinations(cells, 2):
        for group in one.groups:
            if group in other.groups and one.columns == other.columns:
                both = [of.means[of.groups.index(group)] for of in (one, other)]
                try:
                    by_group.setdefault(group, []).append(pearson(*both))
                except Undefined:  # people of one of them did not rate it
                    continue
    values = {group: float(np.mean(rs)) for group, rs in by_group.items() if rs}
    # Only the published groups have domains; groups of other files count towards the whole.
    domains: dict[str, list[str]] = {}
    for listed in GroupFile.named("leakage_en").groups:
        if listed.name in values:
            domains.setdefault(listed.domain, []).append(listed.name)
    places: list[tuple[Groups, list[str]]] = [({}, [*values])]
    places += [({DOMAIN: name}, groups) for name, groups in domains.items()]
    for place, groups in places if values else ():
        rs = np.array([values[group] for group in groups])
        try:
            interval = Inference(*bounded_mean(rs, np.arange(len(rs)), (-1, 1)))
        except Undefined as why:
            interval = Inference(None, None, why=f"no interval: {why}")
        yield CORRELATION.at(float(rs.mean()), interval, n=len(rs), groups=place)
    for group, value in values.items():
        yield CORRELATION.at(value, n=len(by_group[group]), groups={GROUP: group})


def _views(
    means: Sequence[CellMeans], groups: Sequence[str], options: RatingOptions
) -> Iterator[View]:
    """Who was asked, how far languages agree, and the profile of each group by kind of people."""
    kinds = dict.fromkeys(tuple(cells.about) for cells in means)
    for axes in filter(None, kinds):
        name = f"raters_{'_'.join(axes)}"
        yield NumberTable(name, "The people", axes, cell_means.RATERS.columns("people"))
    correlations = CORRELATION.columns(value=0, interval=1, n=2)
    yield NumberTable(
        "languages_by_domain", "Between languages", (DOMAIN,), correlations, explained=BETWEEN
    )
    yield NumberTable(
        "languages_by_group", "Between languages", (GROUP,), correlations, folded=True, on="page"
    )
    for number, axes in enumerate(kinds):
        axis, place = " × ".join(axes) or EVERYBODY, "_".join(axes)
        yield RowProfiles(
            f"profile-{place}" if number else "profile",
            f"{PROFILES} by {axis}" if axes else PROFILES,
            of=f"means by {axis}",
            rows=tuple(groups),
            row=GROUP,
            line=PAIR,
            panel=axis,
            shared=cell_means.MEAN,
            asked=options.group,
            explained=READ,
        )
        yield RecordTable(
            f"means_{place}" if axes else "means",
            PROFILES,
            of=f"means by {axis}",
            axes=(axis, GROUP, PAIR),
            scores=(cell_means.MEAN, cell_means.LOW, cell_means.HIGH, cell_means.COUNT),
            texts=(cell_means.WHY,),
            on="files",
        )


def words(numbers: Numbers) -> list[Paragraph]:
    """How many people rated how many groups, on how many pairs of traits."""
    data, raters = numbers.card.data, numbers[cell_means.RATERS]
    who = counted(int(raters.value or 0), "people") if raters.value else "people"
    languages = f" of {counted(len(data['languages']), 'languages')}" if data["languages"] else ""
    head = (
        f"{data['name']}: {who}{languages} on {counted(data['groups'], 'groups')} and "
        f"{counted(data['pairs of traits'], 'pairs of traits')}."
    )
    return paragraphs([head])


EXAMPLE = """\
>>> import polars as pl, tiltmeter as tm
>>> answers = pl.DataFrame(
...     {"annotator": ["ann", "bob"], "group": "nurse", "pair": "cold - warm", "rating": [70, 80]}
... )
>>> tm.analyse.ratings(answers).estimates[1]
<mean_rating of group nurse, pair cold - warm: 75 (11.47 to 100), n 2>"""
ANALYSIS = Analysis(
    name="ratings",
    title="What people say of groups",
    version="1",
    source="Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92; Sotnikova 2023, chapter 5",
    summary="What people say of groups: mean ratings and profiles, by language and by who was "
    "asked.",
    means="People were asked, of each group, which of two opposite traits it is nearer to, on a "
    "scale from the left trait to the right one.",
    not_what="What the groups are like. These are the answers of these people, at their time and "
    "place, on how others see a group.",
    example=EXAMPLE,
    inputs="us_stereotypes, stereotype_leakage, or a file of ratings or means.",
    metavar="NAME_OR_FILE",
    quantities=(cell_means.RATERS, MEAN, CORRELATION),
    compute=with_and_without(compute, cell_means.RATERS, CORRELATION, cells=MEAN),
    options=RatingOptions,
    words=words,
)
