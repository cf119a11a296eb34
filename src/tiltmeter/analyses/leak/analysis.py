"""leak: how far the stereotypes of other countries explain what a model says in one language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from tiltmeter.analyses.leak import flows, leaks
from tiltmeter.analyses.leak import leaked_traits as traits
from tiltmeter.analyses.leak.conventions import CONVENTIONS, OURS, LeakConvention
from tiltmeter.analyses.leak.language_runs import LanguageRun, read_language_runs
from tiltmeter.analyses.leak.leaked_traits import read_polarities
from tiltmeter.analyses.leak.sentences import words
from tiltmeter.analyses.leak.views import views_of
from tiltmeter.core.analysis import Analysis, Circumstances, Input, digest, finish
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.answer_options import ChoiceOptions
from tiltmeter.core.reading.options import Encoding, Option, Seed
from tiltmeter.core.results import Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.data.hub import hub_files
from tiltmeter.data.people.people import language_name, leakage_ratings, ratings_by_language
from tiltmeter.data.people.ratings import Ratings, scale_named
from tiltmeter.report.with_and_without import with_and_without
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.monitor import Monitor

MIXED_MODEL = (
    "A linear mixed model for each target language, by REML: the model’s scores on "
    "the ratings of all countries, with random intercepts (Sotnikova 2023, equation "
    "5.1)."
)
CORRECTION = (
    "The corrected coefficient takes the expected squares of the raters’ noise out of "
    "the cross-products of the predictors (errors in variables; Fuller 1987, "
    "doi:10.1002/9780470316665). Its interval is a jackknife over groups together with "
    "their raters, by Student’s t."
)
PLACEBO = (
    "For the placebo, the target country’s mean ratings play the model, with noise "
    "added until they are explained as well as the real model; the raters of all "
    "countries are drawn anew with replacement."
)
SOURCES = (
    "Sotnikova 2023, chapter 5; Cao et al. 2025, https://aclanthology.org/2025.nlp4pi-1.15. "
    "The placebo and the correction are additions to the paper’s method."
)


def _files_given(given: Sequence[str]) -> dict[str, str]:
    """What --people says: a file for each language, or under "" one that has a column of languages.

    >>> _files_given(["en=a.csv", "ru = b.csv"])
    {'en': 'a.csv', 'ru': 'b.csv'}
    """
    files: dict[str, str] = {}
    for text in given:
        before, sign, after = text.partition("=")
        language, file = (before.strip(), after.strip()) if sign else ("", text)
        if language in files:
            of = f"of {language}" if language else "without a language"
            way_out = "give one file for each language, as LANGUAGE=FILE"
            raise BadInput(f"--people {text!r} is a second file {of}", way_out)
        files[language] = file
    if "" in files and len(files) > 1:
        raise BadInput(f"--people {files['']!r} does not say its language", "write LANGUAGE=FILE")
    return files


@dataclass(frozen=True, slots=True)
class LeakOptions(ChoiceOptions):
    """The options of `tiltmeter analyse leak`."""

    monolingual: Annotated[tuple[Input, ...], Option(
        "A run of a model of one of these languages only, as a covariate; repeatable.", metavar="RUN",
        typed=tuple[Path, ...],
    )] = ()  # fmt: skip
    people: Annotated[Mapping[str, str | Path] | None, Option(
        "Single ratings in one language, LANGUAGE=FILE; repeatable. Or one FILE with a column "
        "language. Default: the published ratings, stereotype_leakage.",
        metavar="[LANGUAGE=]FILE", parse=_files_given, typed=Mapping[str, str],
    )] = None  # fmt: skip
    scale: Annotated[str, Option("Rating scale of --people.", metavar="LOW:HIGH")] = "-50:50"
    convention: Annotated[str, Option(
        "How it is computed: tiltmeter, sotnikova2023 (the paper) or cao2023_code (its script).",
        noun="convention of leakage", choices=tuple(CONVENTIONS),
    )] = OURS.name  # fmt: skip
    unit: Annotated[Literal["poles", "pairs"] | None, Option(
        "What the cells are: single traits, or signed pairs (default: as in the convention).",
    )] = None  # fmt: skip
    unrated: Annotated[Literal["complete", "available", "zero"] | None, Option(
        "Groups that too few people of a country rated: left out, each country alone on those that it "
        "has, or 0 (default: as in the convention).",
    )] = None  # fmt: skip
    min_raters: Annotated[int | None, Option(
        "Fewest raters of a group in a language (default 4).", min=1,
    )] = None  # fmt: skip
    coefficients: Annotated[Literal["standardised", "paper"] | None, Option(
        "Coefficients shown: standardised, or of scores multiplied as in the paper (default: as in the "
        "convention).",
    )] = None  # fmt: skip
    k: Annotated[int, Option(
        "Leaked traits are among this many strongest traits of a group.", min=1,
    )] = traits.STRONGEST  # fmt: skip
    held: Annotated[float, Option(
        "Quantile of a group's traits from which people hold a trait.", min=0, max=1,
    )] = traits.UPPER  # fmt: skip
    polarity: Annotated[Path | None, Option(
        "Table of traits: columns trait, polarity (positive, negative, non-polar).", file=True,
    )] = None  # fmt: skip
    placebos: Annotated[int, Option(
        "Draws of the placebo of each language; 0 for none.", min=0,
    )] = flows.PLACEBOS  # fmt: skip
    encoding: Encoding = ""
    seed: Seed = 0

    @property
    def computed(self) -> LeakConvention:
        """The named convention with the user's choices in it."""
        known = CONVENTIONS[self.convention]
        regression = replace(
            known.flows, missing=self.unrated or known.flows.missing, placebos=self.placebos,
            seed=self.seed,
        )  # fmt: skip
        return replace(
            known,
            flows=regression,
            unit=self.unit or known.unit,
            min_raters=self.min_raters or known.min_raters,
            scaling=self.coefficients or known.scaling,
        )


def compute(inputs: Sequence[Input], options: LeakOptions, monitor: Monitor) -> Result:
    """Flows between languages, leaked traits, and the people they are compared with."""
    convention = options.computed
    polarity = (
        read_polarities(options.polarity, encoding=options.encoding) if options.polarity else {}
    )
    runs, alone = read_language_runs(inputs), read_language_runs(options.monolingual)
    ratings = _ratings(options, monitor)
    monitor.step(f"fitting {counted(len(runs), 'languages')}")
    made = leaks.find_leaks(
        runs, ratings, monolingual=alone, polarity=polarity, convention=convention,
        strongest=options.k, held=options.held,
    )  # fmt: skip
    card = runs[0].card
    names = {code: language_name(code) for code in (*made.languages, *(r.language for r in runs))}
    return finish(
        ANALYSIS,
        made.estimates,
        Circumstances(
            model={"name": card.model_name, "fingerprint": card.model.get("fingerprint", "")},
            data={
                "name": ", ".join(dict.fromkeys(run.card.data_name for run in runs)),
                "sha256": digest(
                    convention,
                    options.k,
                    options.held,
                    *((run.language, folder_name(run.result)) for run in (*runs, *alone)),
                    *((name, r.groups, r.values.tobytes()) for name, r in ratings.items()),
                    sorted(made.polarity.items()),
                ),
                "warning": card.data.get("warning", ""),
            },
            rule=card.rule,
            convention=convention.name,
            subtitle=" · ".join([card.model_name, *(names[run.language] for run in runs)]),
            seed=options.seed,
            method="\n\n".join(
                (
                    MIXED_MODEL,
                    f"Convention {convention.name}: {convention.summary}",
                    CORRECTION,
                    PLACEBO,
                    SOURCES,
                )
            ),
            settings={
                "unit": convention.unit,
                "missing": convention.flows.missing,
                "fewest raters": str(convention.min_raters),
                "scale": convention.scaling,
                "paper's scale": f"scores times {made.factor:g}",
                "k": str(options.k),
                "held": f"{options.held:g}",
                "placebos": str(options.placebos),
            },
            notes=notes_of("caution", made.notes),
            sources=[_source(run) for run in (*runs, *alone)],
            labels={
                "axis": {
                    flows.SOURCE: "from",
                    flows.TARGET: "into",
                    flows.MONOLINGUAL: "monolingual model",
                },
                flows.SOURCE: names,
                flows.TARGET: names,
                leaks.LANGUAGE: names,
            },
            views=views_of(made, convention, strongest=options.k, held=options.held),
        ),
        made.records,
    )


def _ratings(options: LeakOptions, monitor: Monitor) -> dict[str, Ratings]:
    """Ratings by language: the published ones, or the user's."""
    if not options.people:
        if options.without or options.only or options.participants:
            what = "--without, --only and --participants choose among ratings of yours"
            raise BadInput(what, "give them with --people")
        return leakage_ratings()
    files: dict[str, Path] = {}
    for language, name in options.people.items():
        with monitor.download(str(name)) as progress:
            files[language] = Path(hub_files.local(str(name), progress))
    scale = scale_named(options.scale)
    return ratings_by_language(files, scale=scale, encoding=options.encoding)


def _source(run: LanguageRun) -> dict[str, str]:
    card = run.card
    return {
        "language": language_name(run.language), "model": run.model, "run": run.path,
        "study": card.study, "rule": card.rule, "convention": card.convention, "data": card.data_name,
    }  # fmt: skip


EXAMPLE = """\
>>> from random import Random
>>> import polars as pl, tiltmeter as tm
>>> random = Random(1)
>>> templates = {"en": "Most [group] are [trait].", "ru": "Многие [group] очень [trait]."}
>>> groups = ["woman", "man", "immigrant", "veteran"]
>>> runs = [
...     tm.run("group_traits", "fake:masked", data=f"leakage_{language}",
...            settings={"groups": ", ".join(groups), "templates": template})
...     for language, template in templates.items()
... ]
>>> pairs = ["cold - warm", "poor - wealthy", "traditional - modern"]
>>> ratings = pl.DataFrame([
...     {"annotator": f"{language} {n}", "language": language, "group": group, "pair": pair,
...      "rating": random.randint(-50, 50)}
...     for language in templates for n in range(5) for group in groups for pair in pairs
... ])
>>> tm.analyse.leak(runs, people={"": ratings}, placebos=0).headline
<solid_flows: 0, n 2>"""
ANALYSIS = Analysis(
    name="leak", title="Leakage of stereotypes between languages", version="1",
    source="Sotnikova 2023, chapter 5; Cao et al. 2025, https://aclanthology.org/2025.nlp4pi-1.15",
    summary="Leakage between languages: flows from each country's people into a model, leaked traits.",
    means="Each model score (a group and a trait, in one language) is compared with what people of "
    "several countries say of the same group and trait. If the ratings of another country explain the "
    "scores beyond those of the language’s own country, stereotypes may have leaked from one language "
    "to the other.",
    not_what="A cause: no language was taken out of the training data. Countries share stereotypes, "
    "and a few raters per group are an imprecise picture of a country. A flow that is not significant "
    "may exist all the same.",
    example=EXAMPLE,
    inputs="Run folders of one model, each in another language.",
    quantities=(*flows.OF_FLOWS, traits.TRAIT_COUNT, traits.NO_JUDGMENT, *leaks.OF_PEOPLE),
    compute=with_and_without(compute, flows.SIGNIFICANT_FLOWS, flows.COEFFICIENT,
                             over=(flows.SOURCE, flows.TARGET)),
    options=LeakOptions, words=words,
)  # fmt: skip
